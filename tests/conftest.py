"""Settings of all tests."""

from hypothesis import settings

# The same examples in every run, and no time limit on an example: machines differ.
settings.register_profile("project", derandomize=True, deadline=None)
settings.load_profile("project")

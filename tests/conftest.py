"""Settings of all tests."""

from hypothesis import settings

# The same examples in every run, and no limit on the time of one: machines differ.
settings.register_profile("project", derandomize=True, deadline=None)
settings.load_profile("project")

"""Settings of all tests."""

import os
import shutil

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run, and no time limit on an example or on making it: machines differ.
settings.register_profile("project", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
LACKING = "The report is not tested in a browser: no chromium in PATH (apt-get install chromium)"

# A machine without a browser runs all other tests; continuous integration must have one.
collect_ignore = [] if CHROMIUM or os.environ.get("CI") else ["browser"]


def pytest_collection_modifyitems(items):
    """Begin with runs of the workflow, which take longest, so that no worker is left with one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("end_to_end") is None)


def pytest_terminal_summary(terminalreporter):
    if collect_ignore:
        terminalreporter.write_line(LACKING)


@pytest.fixture(scope="session")
def chromium():
    """Path of a browser."""
    if CHROMIUM is None:
        pytest.fail(LACKING, pytrace=False)
    return CHROMIUM

"""Settings of all tests, and small experiments that run without the workflow."""

import os
import shutil

if "CORRLDP_TEST_NUDGE" in os.environ:
    import nudge  # noqa: F401  # before anything takes a function from numpy or math

import pandas as pd
import pytest
from hypothesis import HealthCheck, settings

from claimaudit.experiments.engine import Cell, Experiment, ExperimentJob, join, run
from claimaudit.experiments.memo import Memo

# The same examples in every run, and no time limit on an example or on making it: machines differ.
settings.register_profile("project", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
LACKING = "The report is not tested in a browser: no chromium in PATH (apt-get install chromium)"

# A machine without a browser runs all other tests; continuous integration must have one.
collect_ignore = [] if CHROMIUM or os.environ.get("CI") else ["browser"]


# What one worker runs, because it rests on one run of the workflow or one browser, longest first; then long files.
TOGETHER = {
    "complete": ("test_offline.py", "test_fingerprints.py", "test_processors.py"),
    "cluster": ("test_slurm.py", "test_outputs.py"),  # it waits so often that a run of its own costs less
    "small": ("test_reuse.py", "test_kills.py"),
    "browser": ("tests/browser/",),
}
LONG = ("test_contract.py", "test_public_surface.py", "test_study_page.py", "test_rerun.py", "test_declared.py")


def group_of(nodeid):
    """Return the tests with which a test shares its worker: those of its file, or more."""
    file = nodeid.partition("::")[0]
    return next((group for group, parts in TOGETHER.items() if any(part in file for part in parts)), file)


def place_of(item):
    """Return a number that is smaller for tests that begin earlier, so that no worker is left with one at the end."""
    group, name = group_of(item.nodeid), item.path.name
    if group in TOGETHER:
        return [*TOGETHER].index(group), TOGETHER[group].index(name) if name in TOGETHER[group] else 0
    rank = LONG.index(name) if name in LONG else len(LONG)
    return len(TOGETHER), rank, item.get_closest_marker("thorough") is None


def pytest_ignore_collect(collection_path, config):
    """Tell that a thorough file is not even imported where none of its tests runs: imports take half of that time."""
    quick = "not thorough" in config.option.markexpr and collection_path.suffix == ".py"
    return (quick and "\npytestmark = pytest.mark.thorough\n" in collection_path.read_text(encoding="utf-8")) or None


def pytest_collection_modifyitems(items):
    items.sort(key=place_of)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Return a scheduler by our groups; --dist loadgroup of xdist 3.8 does not group under pytest 9.2."""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group_of(nodeid)

    return Groups(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Return one more than there are processors, since those who test a cluster or a browser often wait."""
    return (os.cpu_count() or 1) + 1


def pytest_terminal_summary(terminalreporter):
    if collect_ignore:
        terminalreporter.write_line(LACKING)


@pytest.fixture(scope="session")
def chromium():
    if CHROMIUM is None:
        pytest.fail(LACKING, pytrace=False)
    return CHROMIUM


@pytest.fixture(scope="session")
def experiment():
    """Function (runner, setting, axes as {axis: [strict, *others]}, ...) -> Experiment.

    A reading that differs from the strict one in one axis is named ``axis=value``; `readings` are others by name.
    """

    def build(runner, setting, axes=None, runs=2, seed=1, views=None, readings=None, strict_factor=1, paper="jrr"):
        axes = axes or {}
        strict = {axis: values[0] for axis, values in axes.items()}
        single = {f"{axis}={value}": {axis: value} for axis, values in axes.items() for value in values[1:]}
        changed = single | (readings or {})
        job = ExperimentJob(paper, "small", "", setting, strict_factor, strict, tuple(axes), changed, seed, runs)
        return Experiment.load(job, views or {}, runner)

    return build


@pytest.fixture(scope="session")
def table(experiment):
    """Function with the arguments of `experiment` -> its result table."""

    def make(*arguments, **options):
        chosen = experiment(*arguments, **options)
        return pd.DataFrame(join(chosen, [run(chosen)]))

    return make


@pytest.fixture(scope="session")
def cell(experiment):
    """Function (runner, setting, point, runs, **choices) -> the cell of a point under one reading."""

    def make(runner, setting, point, runs=2, **choices):
        chosen = experiment(runner, setting, {axis: [value] for axis, value in choices.items()}, runs)
        return Cell(chosen, Memo(), point, "strict", {})

    return make

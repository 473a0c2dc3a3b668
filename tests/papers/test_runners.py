"""The names that configuration may use: what is declared exists, and is used."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from claimaudit.experiments.runner import BaseSetting
from claimaudit.fingerprint import libraries, local_modules
from replication.reference import all_runners


def source_of(runner):
    """Return the source of a runner's module and of all that this imports of its own paper."""
    modules = [module for module in local_modules(runner.module) if "runners" in module]
    return "\n".join(Path(find_spec(module).origin).read_text(encoding="utf-8") for module in modules)


@pytest.mark.parametrize("name", all_runners())
def test_a_runner_has_a_documented_setting_and_reads_the_axes_that_it_declares(name):
    found = all_runners()[name]
    source = source_of(found)
    assert issubclass(found.setting, BaseSetting)
    assert found.setting.__doc__ != BaseSetting.__doc__
    assert (found.measure.__doc__ or "").startswith("Yield ")
    named = {axis: len(re.findall(rf"""["']{axis}["']""", source)) for axis in found.axes}
    assert [axis for axis, times in named.items() if times < 2] == [], "declared and never read"


@pytest.mark.parametrize("name", all_runners())
def test_axes_take_their_defaults_and_bounds_and_have_a_phrase_for_every_value(name):
    for key, axis in all_runners()[name].axes.items():
        assert key == axis.name
        bounds = [axis.number.low, axis.number.high] if axis.number else []
        assert all(map(axis.phrase, (axis.default, *bounds)))
        phrases = [axis.phrase(value) for value in axis.words]
        assert all(phrases), axis.name
        assert len(set(phrases)) == len(phrases), axis.name


def test_the_fingerprint_of_a_runner_knows_its_libraries():
    assert "scikit-learn" in libraries("castell.runners.lopub")

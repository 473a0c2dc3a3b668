"""The names that configuration may use: what is declared exists, and is used."""

import re

import pytest

from corrldp.experiments.runner import runners
from corrldp.experiments.setting import BaseSetting
from corrldp.fingerprint import SOURCE, local_modules
from corrldp.styles import PLOTS


def source_of(name):
    """Return the source of a runner and of all that it imports of its own paper."""
    modules = [module for module in local_modules(f"corrldp.experiments.{name}") if "experiments" in module]
    paths = (SOURCE / f"{module.replace('.', '/')}.py" for module in modules)
    return "\n".join(path.read_text(encoding="utf-8") for path in paths if path.is_file())


def test_runners_and_plots_are_found():
    assert {"corr_rr.accuracy", "jrr.accuracy", "cpl.estimates", "castell.accuracy"} <= set(runners())
    for name in PLOTS:
        assert (SOURCE / f"corrldp/plots/{name}.py").is_file()


@pytest.mark.parametrize("name", runners())
def test_a_runner_has_a_documented_setting_and_reads_the_axes_that_it_declares(name):
    found, source = runners()[name], source_of(name)
    assert issubclass(found.setting, BaseSetting)
    assert found.setting.__doc__ != BaseSetting.__doc__
    named = {axis: len(re.findall(rf"""["']{axis}["']""", source)) for axis in found.axes}
    assert [axis for axis, times in named.items() if times < 2] == [], "declared and never read"


@pytest.mark.parametrize("name", runners())
def test_every_value_of_an_axis_has_a_phrase(name):
    for axis in runners()[name].axes.values():
        assert axis.admits(axis.default), axis.name
        phrases = [axis.phrase(value) for value in axis.words]
        assert all(phrases), axis.name
        assert len(set(phrases)) == len(phrases), axis.name

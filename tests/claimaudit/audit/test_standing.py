import numpy as np
import pandas as pd
import pytest

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.standing import Material
from claimaudit.papers.jobs import Outline, PaperExhibit, Shared
from claimaudit.results import MEASURES

pytestmark = pytest.mark.thorough

READINGS = {
    "strict": (0.1, "body"),
    "phase1_20": (0.2, "body"),
    "preprint": (0.1, "preprint"),
    "both": (0.2, "preprint"),
}
# As many as the points of SPL in a figure of three panels: they tell the number of runs.
DIMENSIONS = range(2, 17)
SHARE = Shared(("phase1_fraction", "py_rule"), ("fig3", "fig4", "fig5"))


def truth(d, mechanism, fraction, rule, uses):
    """SPL reads no axis, Corr-RR those in `uses`."""
    factor = 1.0
    if mechanism == "Corr-RR":
        factor *= 1 + 5 * (fraction - 0.1) * ("fraction" in uses) + (rule == "preprint") * ("rule" in uses)
    return d * factor


def result(rng, uses=("fraction", "rule"), axes=("phase1_fraction", "py_rule"), runs=1000):
    """The result table of one figure: mean squares over runs, with the closed form of SPL."""
    rows = []
    for name, values in READINGS.items():
        reading = dict(zip(("phase1_fraction", "py_rule"), values, strict=True))
        if any(reading[axis] != READINGS["strict"][place] and axis not in axes for place, axis in enumerate(reading)):
            continue
        for d in DIMENSIONS:
            for mechanism in ("SPL", "Corr-RR"):
                mean = truth(d, mechanism, *values, uses)
                drawn = mean * rng.chisquare(4 * runs) / (4 * runs)
                exact = mean if mechanism == "SPL" else np.nan
                chosen = [reading[axis] for axis in axes]
                rows.append((d, name, *chosen, mechanism, "mse", drawn, mean / np.sqrt(2 * runs), runs, exact, False))
    return pd.DataFrame(rows, columns=["d", "reading", *axes, *MEASURES])


def printed(rng, reading, uses=("fraction", "rule"), runs=100, stated=100):
    """Printed numbers of `runs` runs under a reading, with a stated number of runs."""
    drawn = [
        (d, mechanism, truth(d, mechanism, *READINGS[reading], uses) * rng.chisquare(4 * runs) / (4 * runs))
        for d in DIMENSIONS
        for mechanism in ("SPL", "Corr-RR")
    ]
    return pd.DataFrame(drawn, columns=["d", "mechanism", "value"]).assign(metric="mse", runs=stated, unit=0.0)


def figures(*with_numbers):
    return tuple(PaperExhibit(name, name, name if name in with_numbers else None) for name in ("fig3", "fig4", "fig5"))


def paper(*with_numbers, shared=()):
    return Outline(figures(*with_numbers), tuple(shared))


def material(outline, tables, numbers):
    return Material(outline, {name: Result(table) for name, table in tables.items()}, numbers)


@pytest.fixture
def tables(rng):
    return {name: result(rng) for name in ("fig3", "fig4", "fig5")}


ALONE = {"fig3": ("own", ("both",)), "fig4": ("none", tuple(READINGS))}
PARTLY = {"fig4": ("inferred", ("preprint", "both")), "fig5": ("none", tuple(READINGS))}


@pytest.mark.parametrize(
    ("shared", "standing"),
    [
        ([], ALONE),
        ([SHARE], {"fig3": ("own", ("both",)), **dict.fromkeys(("fig4", "fig5"), ("inferred", ("both",)))}),
        ([Shared(("py_rule",), ("fig3", "fig4"))], PARTLY),
    ],
    ids=["alone", "what shares axes inherits", "only shared axes are inherited"],
)
def test_the_reading_that_was_run_stands(rng, tables, shared, standing):
    found = material(paper("fig3", shared=shared), tables, {"fig3": printed(rng, "both")}).standing
    assert {name: (found[name].record.source, found[name].readings) for name in standing} == standing
    assert found["fig3"].record.competed == 4
    assert found["fig4"].record.pooled == (("fig3",) if shared else ())
    assert found["fig4"].fit is None


def test_an_axis_that_an_experiment_does_not_vary_excludes_nothing(rng, tables):
    tables["fig4"] = result(rng, axes=("py_rule",))
    found = material(paper("fig3", shared=[SHARE]), tables, {"fig3": printed(rng, "both")}).standing
    assert found["fig4"].readings == ("preprint",)


def test_exhibits_decide_together_what_each_leaves_open(rng, tables):
    """Figure 3 cannot tell the rules apart and figure 5 not the shares of Phase I."""
    tables |= {"fig3": result(rng, uses=("fraction",)), "fig5": result(rng, uses=("rule",))}
    numbers = {"fig3": printed(rng, "both", ("fraction",)), "fig5": printed(rng, "both", ("rule",))}
    alone = material(paper("fig3", "fig5"), tables, numbers).standing
    assert set(alone["fig3"].readings) == {"phase1_20", "both"}
    assert set(alone["fig5"].readings) == {"preprint", "both"}
    pooled = material(paper("fig3", "fig5", shared=[SHARE]), tables, numbers).standing
    assert {name: item.readings for name, item in pooled.items()} == dict.fromkeys(pooled, ("both",))
    assert pooled["fig3"].record.pooled == ("fig5",)
    assert pooled["fig4"].record.pooled == ("fig3", "fig5")
    assert not any(item.record.apart for item in pooled.values())


def test_a_conflict_leaves_each_exhibit_its_own_and_others_the_readings_of_either(rng, tables):
    numbers = {"fig3": printed(rng, "strict"), "fig5": printed(rng, "both")}
    found = material(paper("fig3", "fig5", shared=[SHARE]), tables, numbers).standing
    assert found["fig3"].readings == ("strict",)
    assert found["fig5"].readings == ("both",)
    assert found["fig4"].readings == ("strict", "both")
    assert found["fig4"].record.source == "inferred"
    assert all(item.record.apart for item in found.values())


def test_what_cannot_tell_two_settings_goes_with_the_fewest_departures(rng, tables):
    """One number with a large error between both settings; the other one is a bit likelier."""
    shares = [SHARE, Shared((), ("fig3", "fig4", "fig5"))]
    vague = printed(rng, "both", runs=1, stated=1).query("d == 2 and mechanism == 'Corr-RR'").assign(value=4.0)
    numbers = {"fig3": printed(rng, "strict"), "fig4": vague, "fig5": printed(rng, "both")}
    found = material(paper("fig3", "fig4", "fig5", shared=shares), tables, numbers).standing
    likely = found["fig4"].fit.log_likelihoods
    assert likely["strict"] < likely["both"] < likely["strict"] + 3
    assert found["fig4"].readings == ("strict",)
    assert found["fig4"].record.pooled == ("fig3",)


def test_no_reading_stands_if_none_fits(rng, tables):
    numbers = {"fig3": printed(rng, "both").assign(value=lambda rows: 3 * rows["value"])}
    found = material(paper("fig3", shared=[SHARE]), tables, numbers).standing
    assert found["fig3"].readings == ()
    assert found["fig3"].record.source == "rejected"
    assert found["fig4"].record.source == "none"


def test_the_number_of_runs_is_pooled_where_the_paper_states_it_once(tables):
    """One seed in seven draws numbers that disagree with the others at 95 %; this one does not."""
    rng = np.random.default_rng(2)
    share = Shared((), ("fig3", "fig4", "fig5"), runs=True)
    exhibits = figures("fig3", "fig4", "fig5")
    numbers = {exhibit.name: printed(rng, "both", runs=12) for exhibit in exhibits}
    alone, pooled = (material(Outline(exhibits, groups), tables, numbers).fits for groups in ((), (share,)))
    assert len({fit.runs for fit in pooled.values()}) == 1
    runs = pooled["fig3"].runs
    assert runs.rejected
    assert runs.low < 0.12 < runs.high
    assert all(runs.high - runs.low < fit.runs.high - fit.runs.low for fit in alone.values())


def test_an_exhibit_whose_own_numbers_contradict_the_pooled_runs_keeps_its_own(rng, tables):
    share = Shared((), ("fig3", "fig4", "fig5"), runs=True)
    exhibits = figures("fig3", "fig4", "fig5")
    numbers = {name: printed(rng, "both", runs=runs) for name, runs in (("fig3", 2), ("fig4", 2), ("fig5", 100))}
    fits = material(Outline(exhibits, (share,)), tables, numbers).fits
    assert fits["fig3"].runs.rejected
    assert not fits["fig5"].runs.rejected
    assert fits["fig5"].runs.factor == 1


def test_false_alarms_and_power_over_many_papers(rng):
    """The truth stands in 99 % of made-up papers, and other readings seldom do."""
    kept = others = 0
    for _ in range(40):
        truths = list(READINGS)[int(rng.integers(4))]
        tables = {name: result(rng) for name in ("fig3", "fig4", "fig5")}
        found = material(
            paper("fig3", "fig5", shared=[SHARE]), tables, {name: printed(rng, truths) for name in ("fig3", "fig5")}
        ).standing
        kept += all(truths in item.readings for item in found.values())
        others += sum(len(item.readings) - 1 for item in found.values())
    assert kept >= 38
    assert others <= 14

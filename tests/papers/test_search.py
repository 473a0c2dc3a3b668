"""Searches over a small made-up kind of experiment, whose errors are mean squares."""

import json
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from written import write_beside

from claimaudit.audit.fitting.exhibits import score
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.pools import ERRORS
from claimaudit.audit.fitting.settings import CLOSE, Variables
from claimaudit.audit.fitting.standing import new, read_search
from claimaudit.audit.search import COLUMNS, FULL_RUNS, NO_EFFECT, NOT_REACHED, PoolSearch, search_files
from claimaudit.audit.trials import SCREENED, Repeated, Trial, left_of, with_average_errors, with_guide_words
from claimaudit.experiments.axes import Axis, Number, by_name
from claimaudit.experiments.engine import Experiment, ExperimentJob, compute
from claimaudit.experiments.guidewords import MEASURE, Proposal, proposals
from claimaudit.experiments.runner import BaseSetting, Measure, Runner, Swept
from claimaudit.names import ConfigurationError
from claimaudit.papers.jobs import Outline, PaperExhibit
from claimaudit.verdicts import LEVEL

pytestmark = pytest.mark.thorough

VALUES = {
    "share": [0.1, 0.2, 0.3],
    "rule": ["body", "preprint", "copying"],
    "tilt": [0.0, 0.3],
    "idle": ["left", "right"],
}
STRICT = {axis: values[0] for axis, values in VALUES.items()}
MECHANISMS = ("SPL", "Corr-RR")
CHECKED = []


class Setting(BaseSetting):
    """Sizes and mechanisms."""

    d: Swept[int]
    rho: Swept[float]
    mechanisms: tuple[str, ...]


AXES = by_name(
    Axis("share", number=Number(0, 1, "{:g} in Phase I"), default=0.1),
    Axis("rule", {"body": "the body's rule", "preprint": "the preprint's rule", "copying": "p_y = 1"}),
    Axis("tilt", number=Number(0, 1, "a tilt of {:g}"), default=0.0),
    Axis("idle", {"left": "left", "right": "right"}),
)


def expected(point, mechanism, read):
    """SPL reads nothing, Corr-RR the share and the rule, and the tilt only under the preprint's rule."""
    if mechanism == "SPL":
        return point["d"]
    rule = read("rule")
    tilt = read("tilt") if rule == "preprint" else 0.0
    factor = {"body": 1.0, "preprint": 1.25, "copying": 1.0 if point["d"] == 2 else 1.6}[rule]
    return point["d"] * factor * (1 + 3 * (read("share") - 0.1)) * (1 + tilt * point["rho"])


def measure(cell):
    """Yield mean squares of two degrees of freedom a run."""
    for mechanism in cell.setting.mechanisms:
        yield cell.once(measured, mechanism)


def measured(cell, mechanism):
    mean = expected(cell.point, mechanism, cell.choices.__getitem__)
    rng = cell.rng(mechanism=mechanism, point=dict(cell.point))
    CHECKED.append(mechanism)
    drawn = mean * rng.chisquare(2, size=cell.runs) / 2
    return Measure.of_runs(mechanism, "mse", drawn, mean if mechanism == "SPL" else float("nan"))


@pytest.fixture
def rng():
    return np.random.default_rng(20250601)


@pytest.fixture
def runner():
    return Runner(measure, Setting, lambda setting: setting.mechanisms, ("mse",), axes=AXES, simulates=True)


@pytest.fixture
def experiment(runner):
    setting = {"d": (2, 3, 4, 5, 6), "rho": (0.1, 0.5, 0.9), "mechanisms": (*MECHANISMS, "SMP")}
    readings = {"refitted": {"share": 0.2, "rule": "preprint"}}
    job = ExperimentJob("made", "fig", "", setting, 1, STRICT, ("share", "rule"), readings, seed=1, runs=10_000)
    return Experiment.load(job, {}, runner)


def printed(rng, truth, runs=100, mechanisms=MECHANISMS, measure=float):
    """Numbers of runs of the authors; `truth` has what they ran in place of the stated values."""
    rows = []
    for d, rho, mechanism in product((2, 3, 4, 5, 6), (0.1, 0.5, 0.9), mechanisms):
        point = {"d": d * truth.get("d", 1), "rho": rho * truth.get("rho", 1)}
        mean = expected(point, mechanism, {**STRICT, **truth}.get)
        rows.append((d, rho, mechanism, "mse", measure(mean * rng.chisquare(2 * runs) / (2 * runs))))
    return pd.DataFrame(rows, columns=["d", "rho", "mechanism", "metric", "value"]).assign(unit=0.0, runs=100)


EXHIBIT = PaperExhibit("fig", "fig", "fig")


def searched(experiment, numbers, named="strict", exhibit=EXHIBIT):
    asked = [*proposals(experiment.runner, experiment.setting, STRICT, VALUES, {})]
    variables = Variables(Outline((exhibit,)), {"fig": experiment.readings}, {})
    member = Repeated(exhibit, numbers, RunsRatio(), with_guide_words(experiment), asked)
    return PoolSearch({"fig": member}, variables, {"fig": named}).table()


def departing(found, **departures):
    """The row of the setting that departs from the text in these values."""
    wanted = {name if name == MEASURE else f"{name} of fig": str(value) for name, value in departures.items()}
    rows = found[found["departures"].fillna("").map(lambda text: bool(text) and json.loads(text) == wanted)]
    [row] = rows[rows["stage"].notna()].to_dict("records")
    return row


@pytest.mark.parametrize(
    ("point", "word", "values"),
    [
        ("share", "half", [0.05]),
        ("share", "a hundredfold", []),  # the axis admits shares up to 1
        ("share", "one more", []),  # no whole number
        ("share", "stated elsewhere", [0.2, 0.3]),
        ("rule", "other than", ["preprint", "copying"]),
        ("d as run", "one less", ["one less"]),
        ("d as run", "half", []),  # a multiple of a number of parts
        ("d as run", "next on the grid", ["next on the grid"]),
        ("d as run", "stated elsewhere", []),  # it is the x-axis
        ("rho as run", "for a part", []),  # no budget
        (MEASURE, "root", ["root"]),
        (MEASURE, "for all parts", ["for all parts (d)"]),
        (MEASURE, "in squared shares", ["in squared shares (d)"]),
        ("budget as run", "for a part", ["for a part (d)"]),
        ("budget as run", "stated elsewhere", [2.0]),
    ],
)
def test_the_kind_of_a_choice_point_decides_what_is_proposed(runner, point, word, values):
    class Budgets(Setting):
        budget: Swept[float]

    backend = replace(runner.backend, budgets=("budget",), parts=("d",))
    setting = Budgets(d=(2, 3), rho=(0.1,), mechanisms=MECHANISMS, budget=(1.0,))
    asked = proposals(replace(runner, backend=backend), setting, STRICT, {**VALUES, "budget": [1.0, 2.0]}, {})
    found = [one for one in asked if (one.point, one.word) == (point, word)]
    assert [one.value for one in found] == values
    assert all(one.words and not one.reason for one in found)


def test_of_what_is_excluded_no_word_is_asked(runner):
    setting = Setting(d=(2, 3), rho=(0.1,), mechanisms=MECHANISMS)
    asked = [*proposals(runner, setting, STRICT, VALUES, {"share": "It is on the axis.", "d": "So is this."})]
    excluded = {one.point: one.reason for one in asked if one.reason}
    assert excluded == {"share": "It is on the axis.", "d as run": "So is this."}
    assert not any(one.value is not None for one in asked if one.point in excluded)


@pytest.mark.parametrize(
    ("truth", "measure", "departures"),
    [
        ({"share": 0.3}, float, {"share": 0.3}),
        ({"rule": "preprint"}, float, {"rule": "preprint"}),
        ({"share": 0.2, "rule": "preprint"}, float, {"share": 0.2, "rule": "preprint"}),
        ({}, np.sqrt, {MEASURE: "root"}),
        ({"share": 0.05}, lambda value: value / 2, {"share": 0.05, MEASURE: "half"}),
    ],
)
def test_one_slip_or_two_are_found(experiment, rng, truth, measure, departures):
    found = searched(experiment, printed(rng, truth, measure=measure))
    row = departing(found, **departures)
    assert row["stage"] == "final"
    assert row["p_value"] >= LEVEL
    last = found[found["stage"] == "final"]
    assert row["log_likelihood"] > last["log_likelihood"].max() - CLOSE - ERRORS * row["error"]
    text = departing(found)
    assert (text["log_likelihood"], text["error"]) == (0.0, 0.0)
    assert text["p_value"] < LEVEL


def test_both_the_text_and_what_is_named_are_departed_from(experiment, rng):
    found = searched(experiment, printed(rng, {"share": 0.2, "rule": "preprint"}), "refitted")
    assert departing(found, share=0.2, rule="preprint")["run"]
    assert departing(found)["run"]
    assert departing(found, share=0.2, rule="preprint", tilt=0.3)["base"] == "named"
    assert departing(found, share=0.3)["base"] == "text"
    assert departing(found, share=0.2)["word"] == "as stated", "without one departure of what is named"
    assert not departing(found, share=0.2)["run"]


def test_few_runs_of_ours_do_not_reject_the_truth_where_its_expectation_is_exact(experiment):
    """They know the error of a printed number badly. Of eight searches one may reject it by chance at 0.001."""

    def exact(cell):
        for mechanism in cell.setting.mechanisms:
            found = cell.once(measured, mechanism)
            yield replace(found, theory=expected(cell.point, mechanism, cell.choices.__getitem__))

    cheap = replace(experiment, runner=replace(experiment.runner, measure=exact), job=replace(experiment.job, runs=400))
    found = [searched(cheap, printed(np.random.default_rng(seed), {"share": 0.3})) for seed in range(8)]
    rows = [departing(one, share=0.3) for one in found]
    assert max(row["runs"] for row in rows) < FULL_RUNS
    assert sum(row["p_value"] < LEVEL for row in rows) <= 1


def test_what_is_compared_in_full():
    """Numbers of equal settings begin anew in each comparison; what departs further without earning it comes last."""
    change = (("share", Proposal("share", "number", "half", 0.05)),)
    trials = [
        Trial("named", {}),
        Trial("text", {"share": 0.05}, change),
        Trial("text", {"rule": 1}),
        Trial("text", {"rule": 2}),
    ]
    same = [(0,), (1,), (1,), (2,)]
    found = pd.DataFrame({"log_likelihood": [0.0, 5.0, 6.0, -1.0], "error": 1.0, "p_value": 0.5, "same": same})
    left, further = left_of(trials, found)
    assert ({*left}, further) == ({0, 1, 2}, [3])


def test_what_makes_no_difference_and_what_is_not_reached_is_said(experiment, rng):
    few = searched(replace(experiment, job=replace(experiment.job, runs=10)), printed(rng, {}))
    missed = few[few["reason"] == NOT_REACHED]
    assert len(missed)
    assert missed["stage"].isna().all()
    found = searched(experiment, printed(rng, {}))
    idle = found[found["reason"] == NO_EFFECT]
    assert set(idle["point"]) == {"idle", "tilt"}, "the text's rule reads no tilt"
    counted = new(found.fillna({"differ": ""}))
    assert not counted[idle.index].any()
    assert counted[found["point"] == "share"].any()


def test_what_cannot_be_run_is_said(experiment, rng):
    def picky(cell):
        if cell.point["d"] > 6:
            raise ValueError("too many attributes")
        return measure(cell)

    chosen = replace(experiment, runner=replace(experiment.runner, measure=picky))
    row = departing(searched(chosen, printed(rng, {})), **{"d as run": "double"})
    assert (row["reason"], row["differ"]) == ("no run is possible", "")


def test_only_what_a_proposal_changes_is_computed_again(experiment, rng):
    CHECKED.clear()
    searched(experiment, printed(rng, {}))
    assert CHECKED.count("SPL") < CHECKED.count("Corr-RR")


def test_nothing_fits_numbers_that_no_setting_explains(experiment, rng):
    factors = np.resize([5.0, 0.2], 30)  # a larger or a smaller measure explains one or the other
    found = searched(experiment, printed(rng, {}).assign(value=lambda rows: factors * rows["value"]))
    assert (found["p_value"].dropna() < LEVEL).all()
    with pytest.raises(ValueError, match="no printed number has the settings of a point of its experiment"):
        searched(experiment, printed(rng, {}).assign(d=77))


def test_the_screened_p_value_of_the_truth_has_a_thin_tail(rng):
    """30 runs of ours that are as skewed as squared errors of one count reject the truth in less than 1 of 1,000."""
    lost = 0
    for _ in range(300):
        ours = rng.chisquare(1, size=(60, 30))
        numbers = {"value": rng.chisquare(1000, size=60) / 1000, "ours": ours.mean(axis=1)}
        spread = {"run_sd": ours.std(axis=1, ddof=1), "se_ours": ours.std(axis=1, ddof=1) / np.sqrt(30)}
        cells = pd.DataFrame({"reading": "0", "mechanism": "JRR", "metric": "mse", **numbers, **spread})
        cells = cells.assign(digit=1e-6, digitised=0.0, stated=1000.0)
        lost += score(with_average_errors(cells), RunsRatio()).p_values["0"] < SCREENED
    assert lost == 0


def test_caution_raises_small_errors_and_no_others():
    cells = pd.DataFrame({"mechanism": ["A", "A", "A", "B"], "ours": [1.0, 10.0, 1.0, 2.0]})
    cells = cells.assign(reading="0", metric="mse", run_sd=[0.1, 2.0, 0.0, 0.01], se_ours=[0.01, 0.2, 0.0, 0.001])
    raised = with_average_errors(cells)
    average = np.sqrt((0.1**2 + 0.2**2) / 2)
    assert raised["run_sd"].tolist() == pytest.approx([average, 2.0, 0.0, 0.01])
    assert raised["se_ours"].tolist() == pytest.approx([average / 10, 0.2, 0.0, 0.001])


PAPER = """\
title: A Small Paper
authors: N. N.
venue: Nowhere
axes:
  grid_step: {values: {text: 0.0001, fivefold_step: 0.0005}, why: Not stated.}
  colluders: {values: {text: 5, no_colluders: 0}, why: Not stated.}
experiments:
  fig3:
    source: jrr.runners.errors:means
    runs: 100
    setting: {n: [1000], ones_fraction: [0.1, 1], epsilon: [0.1, 1]}
    axes: [colluders, grid_step]
exhibits:
  fig3: {published: fig3}
  fig4: {experiment: fig3}
excluded: {n: It is on the axis.}
shared:
  - {why: Section 5, axes: [runs]}
"""


PRINTED = """\
n,n1,epsilon,mechanism,metric,value,runs
1000,100,0.1,RR,mse_counts,99916.7,100
1000,100,1,RR,mse_counts,905.1,100
1000,1000,0.1,RR,mse_counts,99916.7,100
"""


@pytest.fixture
def configured(small_paper):
    """Function (text of the file) -> the checked paper, with one file of printed numbers."""
    return partial(small_paper, printed={"fig3": PRINTED}, views={})


def test_the_files_of_a_search(configured, tmp_path):
    paper = configured(PAPER)
    assert list(paper.proposals) == ["fig3"]
    known = replace(paper.computed("fig3", seed=1), runs=2000)
    table = write_beside(compute(known, []), tmp_path / "fig3.csv")
    printed = [tmp_path / "small/published/fig3.csv"]
    contents = search_files(paper.searched(), {"fig3": known}, paper.proposals, printed, [table])
    out = write_beside(contents, tmp_path / "search.csv")
    found = read_search(out)
    assert list(found.columns) == COLUMNS
    assert set(found["pool"]) == {"fig3"}
    assert found["stage"].iloc[0] == "final"
    assert set(found.loc[found["point"] == "grid_step", "reason"]) == {NO_EFFECT}, "RR has no step"
    assert found.loc[found["point"] == "n as run", "reason"].tolist() == ["It is on the axis."]


def test_what_is_excluded_must_be_an_axis_or_a_setting(configured):
    with pytest.raises(ConfigurationError, match=r"excluded\.m: no axis or setting"):
        configured(PAPER.replace("excluded: {n:", "excluded: {m:"))

"""Searches over a small made-up kind of experiment, whose errors are mean squares."""

from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest
from written import write_beside

from claimaudit.audit import search as module
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.search import SCREENED, SEARCH, search, search_files, with_average_errors
from claimaudit.experiments.axes import Axis, Number, by_name
from claimaudit.experiments.engine import Experiment, Reading, compute
from claimaudit.experiments.runner import BaseSetting, Measure, Runner, Swept
from claimaudit.names import ConfigurationError
from claimaudit.papers.jobs import PaperExhibit
from claimaudit.verdicts import LEVEL

pytestmark = pytest.mark.thorough

VALUES = {
    "share": [0.1, 0.2, 0.3],
    "rule": ["body", "preprint", "copying"],
    "tilt": [0.0, 0.3],
    "idle": ["left", "right"],
}
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
        mean = expected(cell.point, mechanism, cell.choices.__getitem__)
        rng = cell.rng(mechanism=mechanism, point=dict(cell.point))
        CHECKED.append(mechanism)
        drawn = mean * rng.chisquare(2, size=cell.runs) / 2
        yield Measure.of_runs(mechanism, "mse", drawn, mean if mechanism == "SPL" else float("nan"))


@pytest.fixture
def rng():
    return np.random.default_rng(20250601)


@pytest.fixture
def runner():
    return Runner(measure, Setting, lambda setting: setting.mechanisms, ("mse",), axes=AXES, simulates=True)


@pytest.fixture
def experiment(runner):
    strict = {axis: values[0] for axis, values in VALUES.items()}
    setting = Setting(d=(2, 3, 4, 5, 6), rho=(0.1, 0.5, 0.9), mechanisms=(*MECHANISMS, "SMP"))
    readings = (Reading("strict", strict), Reading("refitted", {**strict, "share": 0.2, "rule": "preprint"}))
    return Experiment("made", "fig", runner, setting, readings, ("share", "rule"), seed=1, runs=400)


def printed(rng, truth, runs=100, mechanisms=MECHANISMS):
    rows = [
        (
            d,
            rho,
            mechanism,
            "mse",
            expected({"d": d, "rho": rho}, mechanism, truth.get) * rng.chisquare(2 * runs) / (2 * runs),
        )
        for d, rho, mechanism in product((2, 3, 4, 5, 6), (0.1, 0.5, 0.9), mechanisms)
    ]
    return pd.DataFrame(rows, columns=["d", "rho", "mechanism", "metric", "value"]).assign(unit=0.0, runs=100)


EXHIBIT = PaperExhibit("fig", "fig", "fig")


def combinations():
    return [dict(zip(VALUES, chosen, strict=True)) for chosen in product(*VALUES.values())]


def find(found, **values):
    return found[np.logical_and.reduce([found[axis] == value for axis, value in values.items()])]


def test_every_combination_has_a_row(experiment, rng):
    found = search(EXHIBIT, printed(rng, combinations()[0]), experiment, VALUES)
    assert list(found.columns) == [*VALUES, *SEARCH]
    assert found[list(VALUES)].to_dict("records") == combinations()
    assert find(found, share=0.1, rule="body", tilt=0.0, idle="left")["reading"].tolist() == ["strict"]
    assert find(found, share=0.2, rule="preprint", tilt=0.0, idle="left")["reading"].tolist() == ["refitted"]
    assert (found["reading"] == "").sum() == len(found) - 2, "a reading has the strict value where nothing else is said"
    assert set(found["stage"]) <= {1, 2, 3}
    assert found.groupby("stage")["cells"].unique().map(list).to_dict()[1] == [8]
    assert found.groupby("stage")["cells"].unique().map(list).to_dict()[3] == [30]
    assert not found["standin"].any()


def test_what_makes_no_difference_counts_as_one(experiment, rng):
    truth = {"share": 0.2, "rule": "preprint", "tilt": 0.3, "idle": "left"}
    found = search(EXHIBIT, printed(rng, truth), experiment, VALUES)
    assert (found.groupby([axis for axis in VALUES if axis != "idle"])["same"].nunique() == 1).all()
    untilted = found[found["rule"] != "preprint"]
    assert (untilted.groupby(["share", "rule"])["same"].nunique() == 1).all()
    assert found["same"].nunique() == 3 * (1 + 2 + 1)


def test_only_what_a_mechanism_reads_is_computed_again(experiment, rng):
    CHECKED.clear()
    search(EXHIBIT, printed(rng, combinations()[0]), experiment, VALUES)
    assert "SMP" not in CHECKED
    screening = CHECKED[: next(n for n, name in enumerate(CHECKED) if name != "SPL")]
    assert len(screening) == 4, "one computation at each of four settings, as SPL reads no axis"


@pytest.mark.parametrize("runs_behind", [1.0, 0.5])
def test_screening_keeps_the_truth(experiment, rng, runs_behind):
    """Whatever combination was run reaches the last stage, and stands there but for the level of the test."""
    stands, others = 0, 0
    cases = combinations()
    for number in range(16):
        truth = cases[int(rng.integers(len(cases)))]
        runs = RunsRatio(runs_behind, 0.0, 2.0, rejected=True)
        numbers = printed(rng, truth, runs=round(100 * runs_behind))
        found = search(EXHIBIT, numbers, experiment, VALUES, runs)
        [row] = find(found, **truth).to_dict("records")
        assert row["stage"] == 3, f"trial {number}: {truth} was lost"
        stands += row["p_value"] >= LEVEL
        same = found[found["stage"] == 3].drop_duplicates("same")
        others += int((same["p_value"] >= LEVEL).sum()) - 1
    assert stands >= 15
    assert others < 16 * 4


def test_the_screened_p_value_of_the_truth_has_a_thin_tail(rng):
    """30 runs of ours that are as skewed as squared errors of one count reject the truth in less than 1 of 1,000."""
    lost = 0
    for _ in range(300):
        ours = rng.chisquare(1, size=(60, 30))
        cells = pd.DataFrame(
            {
                "reading": "0",
                "mechanism": "JRR",
                "metric": "mse",
                "value": rng.chisquare(1000, size=60) / 1000,
                "ours": ours.mean(axis=1),
                "se_ours": ours.std(axis=1, ddof=1) / np.sqrt(30),
                "run_sd": ours.std(axis=1, ddof=1),
                "digit": 1e-6,
                "digitised": 0.0,
                "stated": 1000.0,
            }
        )
        lost += module.score(with_average_errors(cells), RunsRatio()).p_values["0"] < SCREENED
    assert lost == 0


def test_caution_raises_small_errors_and_no_others():
    cells = pd.DataFrame(
        {
            "reading": "0",
            "mechanism": ["A", "A", "A", "B"],
            "metric": "mse",
            "ours": [1.0, 10.0, 1.0, 2.0],
            "run_sd": [0.1, 2.0, 0.0, 0.01],
            "se_ours": [0.01, 0.2, 0.0, 0.001],
        }
    )
    raised = with_average_errors(cells)
    average = np.sqrt((0.1**2 + 0.2**2) / 2)
    assert raised["run_sd"].tolist() == pytest.approx([average, 2.0, 0.0, 0.01])
    assert raised["se_ours"].tolist() == pytest.approx([average / 10, 0.2, 0.0, 0.001])


def test_nothing_fits_numbers_that_no_combination_explains(experiment, rng):
    numbers = printed(rng, combinations()[0]).assign(value=lambda rows: 5 * rows["value"])
    found = search(EXHIBIT, numbers, experiment, VALUES)
    assert set(found["stage"]) == {1}
    assert (found["p_value"] < SCREENED).all()


def test_the_selected_numbers_decide(experiment, rng):
    numbers = printed(rng, {"share": 0.3, "rule": "body", "tilt": 0.0})
    chosen = PaperExhibit("fig", "fig", "fig", rows="mechanism == 'SPL'")
    found = search(chosen, numbers, experiment, VALUES)
    assert found["same"].nunique() == 1
    assert (found["stage"] == 3).all()


def test_no_printed_number_has_the_settings_of_a_point(experiment, rng):
    with pytest.raises(ValueError, match="no printed number has the settings of a point of its experiment"):
        search(EXHIBIT, printed(rng, combinations()[0]).assign(d=77), experiment, VALUES)


PAPER = """\
title: A Small Paper
authors: N. N.
venue: Nowhere
axes:
  grid_step: {values: {text: 0.0001, fivefold_step: 0.0005}, why: Not stated.}
  colluders: {values: {text: 5, no_colluders: 0}, why: Not stated.}
  n: {values: {text: 10000, n_40000: 40000}, why: Not stated.}
experiments:
  fig3:
    source: jrr.runners.errors:means
    runs: 100
    setting: {n: [1000], ones_fraction: [0.1, 1], epsilon: [0.1, 1]}
    axes: [colluders]
exhibits:
  fig3: {published: fig3, search: [colluders, {grid_step: [fivefold_step]}]}
  fig4: {experiment: fig3}
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


def without_n(text):
    return "\n".join(line for line in text.splitlines() if not line.startswith("  n:"))


def test_the_files_of_a_search(configured, tmp_path):
    paper = configured(without_n(PAPER))
    assert paper.searches() == ["fig3"]
    job = paper.search("fig3")
    assert job.values == {"colluders": (5, 0), "grid_step": (0.0001, 0.0005)}
    assert [exhibit.name for exhibit in job.exhibits] == ["fig3"]
    job = replace(job, job=replace(job.job, seed=1, runs=50))
    table = write_beside(compute(job.job, []), tmp_path / "fig3.csv")
    out = write_beside(search_files(job, [tmp_path / "small/published/fig3.csv"], [table]), tmp_path / "search.csv")
    found = pd.read_csv(out, keep_default_na=False)
    assert list(found.columns) == ["colluders", "grid_step", *SEARCH]
    assert found["reading"].tolist() == ["strict", "", "no_colluders", ""]
    assert (found.groupby("colluders")["same"].nunique() == 1).all(), "RR has no step"
    assert (found["stage"] == 3).all()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("search: [colluders,", "search: [colluder,", r"exhibits\.fig3\.search: .*did you mean colluders"),
        ("{grid_step: [fivefold_step]}", "{grid_step: [fivefold]}", r"exhibits\.fig3\.search: .*fivefold_step"),
        ("published: fig3, search", "search", r"exhibits\.fig3\.search: a search needs printed numbers"),
        (
            "search: [colluders,",
            "search: [n,",
            r"exhibits\.fig3\.search: both the setting and the axis n set n",
        ),
        ("{grid_step: [fivefold_step]}", "colluders", r"axes\.grid_step: no experiment lists this axis"),
    ],
)
def test_a_mistake_in_a_search_is_one_line(configured, old, new, message):
    text = PAPER if "[n," in new else without_n(PAPER)
    with pytest.raises(ConfigurationError, match=message):
        configured(text.replace(old, new))

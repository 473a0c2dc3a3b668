"""Predicted intervals cover simulated authors' numbers; rows, columns and readings are those of the exhibits."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from picked import printed_in
from written import write_beside, write_table

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.standing import Material
from claimaudit.audit.predictions import (
    READING_ERROR,
    interval,
    join_files,
    predict,
    predict_exhibit,
    predict_files,
    to_csv,
)
from claimaudit.audit.statistics import INSIDE
from claimaudit.papers.jobs import Outline, PaperExhibit, Shared, ShownRows
from claimaudit.results import MEASURES
from claimaudit.verdicts import Departures, Names

pytestmark = pytest.mark.thorough

DIMENSIONS = (2, 3, 4, 5, 6, 7, 8, 9)
SHARES = {"strict": 0.1, "phase1_20": 0.2}
SHARED = (Shared(("phase1_fraction",), ("fig3", "fig4"), runs=True),)
SHOWN = ShownRows("mechanism != 'ours'", None, 100)


def law(d, mechanism, share):
    return d * (1.0 if mechanism == "SPL" else 10 * share)


def mean_square(rng, mean, runs, size=None):
    """Mean over runs of the sum of four squared normal errors."""
    return mean * rng.chisquare(4 * runs, size) / (4 * runs)


def table(rng, runs=1000):
    """The result table of one figure: SPL with its closed form, Corr-RR, and a mechanism of ours."""
    rows = [
        (d, name, share, mechanism, "mse", mean_square(rng, mean, runs), mean / np.sqrt(2 * runs), runs, exact, False)
        for name, share in SHARES.items()
        for d in DIMENSIONS
        for mechanism in ("SPL", "Corr-RR", "ours")
        for mean in [law(d, mechanism, share)]
        for exact in [mean if mechanism == "SPL" else np.nan]
    ]
    return pd.DataFrame(rows, columns=["d", "reading", "phase1_fraction", *MEASURES])


def printed(rng, share, runs=100, error=0.005, stated=100):
    rows = [
        (d, mechanism, "mse", mean_square(rng, law(d, mechanism, share), runs) * (1 + error * rng.normal()), stated)
        for d in DIMENSIONS
        for mechanism in ("SPL", "Corr-RR")
    ]
    return pd.DataFrame(rows, columns=["d", "mechanism", "metric", "value", "runs"])


def evidence(rng, tmp_path, runs=50):
    """Figure 3 printed under 20 % in Phase I, figure 4, which shares it, not digitised, and figure 5 alone."""
    printed(rng, 0.2, runs).to_csv(tmp_path / "fig3.csv", index=False)
    exhibits = (
        PaperExhibit("fig3", "fig3", "fig3", reading_error=0.005),
        PaperExhibit("fig4", "fig4"),
        PaperExhibit("fig5", "fig4"),
    )
    names = Names({name: {"phase1_20": Departures(title="20 % in Phase I")} for name in ("fig3", "fig4")})
    with_setting = pd.DataFrame({"value": 0.5, **table(rng)})  # whose name is a column of predictions
    tables = {"fig3": Result(table(rng)), "fig4": Result(with_setting)}
    return Material(Outline(exhibits, SHARED, names=names), tables, printed_in(tmp_path))


@pytest.mark.parametrize("runs", [3, 100])
@pytest.mark.parametrize("own_runs", [50, 2000, None])
def test_intervals_cover_95_percent_of_authors_numbers(rng, runs, own_runs):
    """Both sides fail 2.5 % of 8,000 times; the tolerance is more than four standard errors."""
    trials = 8000
    ours = mean_square(rng, 2.0, own_runs, trials) if own_runs else np.full(trials, 2.0)
    theirs = mean_square(rng, 2.0, runs, trials) * (1 + 0.005 * rng.standard_normal(trials))
    se_ours = ours / np.sqrt(2 * own_runs) if own_runs else np.zeros(trials)
    low, high = interval(ours, np.hypot(ours / np.sqrt(2 * runs), 0.005 * ours), se_ours)
    assert np.mean(theirs < low) == pytest.approx(0.025, abs=0.0075)
    assert np.mean(theirs > high) == pytest.approx(0.025, abs=0.0075)


def test_intervals_of_numbers_without_skew_are_normal():
    mean, se = np.array([-1.0, 0.0, 1.0, 5.0]), np.array([0.1, 0.1, 0.0, 1e-5])
    low, high = interval(mean, se, np.zeros(4))
    assert low == pytest.approx(mean - INSIDE * se, abs=1e-6)
    assert high == pytest.approx(mean + INSIDE * se, abs=1e-6)


def test_predictions_of_whole_papers_cover_numbers_never_seen(rng, tmp_path):
    """Figure 4, inferred from figure 3; 16 numbers of each of 25 papers, standard error 0.9 %."""
    inside = []
    for _ in range(25):
        found = predict(evidence(rng, tmp_path, runs=100), {"fig4": SHOWN})
        found = found[found["reading"] == "phase1_20"]
        numbers = printed(rng, 0.2).rename(columns={"value": "theirs"}).merge(found, on=["d", "mechanism"])
        assert len(numbers) == 16
        inside += list(numbers["theirs"].between(numbers["low"], numbers["high"]))
    assert np.mean(inside) == pytest.approx(0.95, abs=0.04)


def test_the_strict_reading_and_all_that_stand_are_predicted(rng, tmp_path):
    found = predict(evidence(rng, tmp_path), {"fig3": SHOWN, "fig4": SHOWN})
    assert list(found.groupby("exhibit")["reading"].unique().map(list)) == [["strict", "phase1_20"]] * 2
    assert (found["stated"] == np.where(found["reading"] == "strict", "yes", "no")).all()
    assert set(found["words"].dropna()) == {"the text as it stands", "20 % in Phase I"}
    assert set(found["mechanism"]) == {"SPL", "Corr-RR"}


def test_a_paper_without_exhibits_has_a_table_without_rows(rng, tmp_path):
    head, *rows = to_csv(predict(evidence(rng, tmp_path), {}).assign(paper="own")).decode().splitlines()
    assert rows == []
    assert {"value", "low", "high", "their_runs"} <= set(head.split(","))


def test_printed_numbers_and_our_own_errors_stand_beside(rng, tmp_path):
    known = evidence(rng, tmp_path)
    found = predict(known, {"fig3": SHOWN, "fig4": SHOWN}).set_index("exhibit")
    numbers = known.published["fig3"]
    for _, rows in found.loc["fig3"].groupby("reading"):
        assert sorted(rows["printed"]) == pytest.approx(sorted(numbers["value"]))
    assert found.loc["fig4", "printed"].isna().all()
    simulated = found["mechanism"] == "Corr-RR"
    assert (found.loc[simulated, "se"] / found.loc[simulated, "value"]).between(0.01, 0.05).all()
    assert (found.loc[~simulated, "se"] == 0).all()


def test_without_evidence_the_strict_reading_alone_is_predicted(rng, tmp_path):
    found = predict(evidence(rng, tmp_path), {"fig5": replace(SHOWN, drawn=None, where="d >= 5")})
    assert set(found["reading"]) == {"strict"}
    assert set(found["mechanism"]) == {"SPL", "Corr-RR", "ours"}
    assert set(found["d"]) == {5, 6, 7, 8, 9}
    assert set(found["their_runs"]) == {100}  # as stated
    assert (found["value_setting"] == 0.5).all()  # a setting named like a column is renamed
    assert not (found["value"] == 0.5).all()


def test_the_estimated_number_of_runs_is_used_where_the_stated_one_is_rejected(rng, tmp_path):
    few = predict(evidence(rng, tmp_path, runs=10), {"fig3": SHOWN, "fig4": SHOWN})
    assert few["their_runs"].between(4, 25).all()
    assert few.groupby("exhibit")["their_runs"].first().nunique() == 1
    stated = predict(evidence(rng, tmp_path, runs=100), {"fig3": SHOWN, "fig4": SHOWN})
    assert stated["their_runs"].between(85, 100).all()
    width = [(frame["high"] / frame["low"]).median() for frame in (few, stated)]
    assert width[0] > 1.5 * width[1]


@pytest.mark.parametrize("runs", [10, 100])
def test_a_pool_tells_how_it_fits_with_a_stated_number_of_runs_that_is_rejected(rng, tmp_path, runs):
    known = evidence(rng, tmp_path, runs)
    found = known.pools.all[0].record
    assert found.settings[0].fit.p_value > 0.01
    assert (found.with_stated_runs is None) == (runs == 100)
    assert (found.with_stated_runs or 0) < 1e-6


def test_open_settings_of_the_figure_have_the_values_of_the_reading(rng, tmp_path):
    known = evidence(rng, tmp_path)
    item, rows = known.standing["fig3"], known.tables["fig3"]
    found = predict_exhibit(item, rows, SHOWN, RunsRatio(), ["d", "phase1_fraction"])
    assert dict(zip(found["reading"], found["phase1_fraction"], strict=True)) == SHARES
    assert "phase1_fraction" not in predict_exhibit(item, rows, SHOWN, RunsRatio(), ["d"])


def test_the_last_digit_widens_the_interval_of_its_own_number_only(tmp_path):
    """The 80th percentile is printed as -0.7, the 90th as -1.45, and the 95th is not: each has its own error."""
    means = {80: -0.7, 90: -1.45, 95: -2.0}
    rows = [(at, "strict", 0.1, "RR", "are", mean, 0.0, 0, np.nan, False) for at, mean in means.items()]
    known = pd.DataFrame(rows, columns=["percentile", "reading", "phase1_fraction", *MEASURES])
    printed_numbers = "percentile,mechanism,metric,value,runs\n80,RR,are,-0.7,1\n90,RR,are,-1.45,1\n"
    (tmp_path / "fig2.csv").write_text(printed_numbers)
    material = Material(Outline((PaperExhibit("fig2", "fig2", "fig2"),)), {"fig2": Result(known)}, printed_in(tmp_path))
    found = predict(material, {"fig2": ShownRows("percentile > 0", None, 1000)})
    widths = [INSIDE * error for error in (0.1 / 2, 0.01 / 2, 2 * READING_ERROR)]
    assert (found["high"] - found["value"]).tolist() == pytest.approx(widths)


def test_one_file_has_the_predictions_of_all_papers(rng, tmp_path):
    known = evidence(rng, tmp_path)
    tables = [write_table(rows, tmp_path / f"results/{name}.csv", standin=[]) for name, rows in known.tables.items()]
    own = replace(
        known.outline, exhibits=(PaperExhibit("fig3", "fig3", "fig3"), PaperExhibit("fig4", "fig4")), names=Names()
    )
    predicted = {"fig3": SHOWN, "fig4": SHOWN}
    made = [predict_files(paper, own, predicted, [tmp_path / "fig3.csv"], tables) for paper in "ab"]
    parts = [write_beside(contents, tmp_path / f"{number}.csv") for number, contents in enumerate(made)]
    text = join_files(parts)["table"]
    assert join_files(parts)["table"] == text
    found = pd.read_csv(io.BytesIO(text))
    assert list(found) == [
        *("paper", "exhibit", "reading", "words", "mechanism", "metric", "d", "value_setting"),
        *("stated", "printed", "value", "se", "low", "high", "their_runs"),
    ]
    assert list(found["paper"].unique()) == ["a", "b"]
    assert len(found) == 2 * 2 * 2 * len(DIMENSIONS) * 2
    digits = text.decode().splitlines()[1].split(",")[9]
    assert len(digits.replace(".", "").lstrip("0")) <= 9

import numpy as np
import pandas as pd
import pytest

from claimaudit.audit.arrays import Arrays, evaluate, variable
from claimaudit.audit.checks.base import evidence
from claimaudit.results import MEASURES
from claimaudit.verdicts import Relation


def table(rows, setting="n"):
    return pd.DataFrame(
        [(n, "strict", mechanism, metric, *numbers, False) for n, mechanism, metric, *numbers in rows],
        columns=[setting, "reading", *MEASURES],
    )


def evaluated(rows, *arguments, **more):
    return evaluate(Arrays.of(rows), *arguments, **more)


def first(*arguments, **more):
    """Return the numbers of the first setting."""
    return {name: numbers[0] for name, numbers in evaluated(*arguments, **more).numbers.items()}


NAN = np.nan
PAIR = table([(10, "RR", "mse", 8.0, 0.4, 100, 8.2), (10, "JRR", "mse", 2.0, 0.2, 100, NAN)])


def test_variable_names():
    assert variable("mse_counts", "k-JRR") == "mse_counts_k_jrr"
    assert variable("ARE", "RS+FD[GRR]") == "are_rs_fd_grr"


RR = (10, "RR", "mse", 8.0, 0.4, 100, 8.2)


@pytest.mark.parametrize(
    ("rows", "expression", "estimate", "se"),
    [
        (PAIR, "minimum(mse_rr, 2 + maximum(mse_jrr, 1))", 4.0, 0.2),  # the error of the one that decides
        (PAIR, "mse_jrr / mse_rr", 0.25, 0.25 * np.hypot(0.4 / 8, 0.2 / 2)),
        (table([RR, (10, "JRR", "mse", 2.0, 0.0, 0, NAN)]), "mse_rr - mse_jrr", 6.2, 0),  # exact: counts as theory
        (table([(10, "RR", "epsilon", np.inf, 0.0, 0, NAN)]), "epsilon_rr", np.inf, 0),
        # Metrics of one mechanism share their runs, so that their errors add in full.
        (
            table([(10, "RR", "mse", 8.0, 0.3, 100, NAN), (10, "RR", "are", 2.0, 0.4, 100, NAN)]),
            "mse_rr + are_rr",
            10,
            0.7,
        ),
        (table([(10, "RR", "mse", 8.0, NAN, 1, NAN)]), "2 * mse_rr", 16, NAN),  # one run has no error
    ],
)
def test_estimates_and_their_errors(rows, expression, estimate, se):
    row = first(rows, expression)
    assert (row["estimate"], row["se"]) == pytest.approx((estimate, se), rel=1e-5, nan_ok=True)
    assert row["se_paper"] == 0 or np.isnan(se)


def test_error_of_the_paper_follows_from_one_run_of_ours():
    row = first(PAIR, "mse_rr", basis="theory", paper_runs=400)
    assert (row["estimate"], row["se"], row["se_paper"]) == (8.2, 0, pytest.approx(0.4 * 10 / 20))


def test_delta_method_agrees_with_simulated_spread(rng):
    draws = np.log(rng.normal(8, 0.4, 200_000)) * np.sqrt(rng.normal(2, 0.2, 200_000))
    se = first(PAIR, "log(mse_rr) * sqrt(mse_jrr)")["se"]
    assert se == pytest.approx(draws.std(), rel=0.02)


def test_basis():
    assert first(PAIR, "mse_rr")["estimate"] == 8.2
    assert first(PAIR, "mse_rr", basis="simulation")["estimate"] == 8.0
    assert first(PAIR, "mse_rr - mse_jrr")["estimate"] == 6.0
    with pytest.raises(ValueError, match="mse_jrr has no closed form at 1 settings"):
        evaluated(PAIR, "mse_rr - mse_jrr", basis="theory")


def test_settings_take_part_even_missing_ones_and_constants_are_broadcast():
    rows = table([(n, "RR", "mse", 8.0 * n, 0.4, 100, NAN) for n in (10, 20)])
    assert evaluated(rows, "mse_rr / n")["estimate"].tolist() == [8, 8]
    assert evaluated(rows, "0.5")["estimate"].tolist() == [0.5, 0.5]
    assert evaluated(rows.assign(n=[NAN, 10]), "mse_rr")["estimate"].tolist() == [80, 160]


def test_settings_without_a_variable_are_left_out():
    rows = pd.concat([PAIR, table([(20, "RR", "mse", 9.0, 0.4, 100, NAN)])])
    assert evaluated(rows, "mse_jrr / mse_rr")["n"].tolist() == [10]
    assert evaluated(rows, "mse_rr")["n"].tolist() == [10, 20]
    apart = table([(10, "RR", "mse", 1.0, 0.0, 0, NAN), (20, "JRR", "mse", 1.0, 0.0, 0, NAN)])
    with pytest.raises(ValueError, match="no selected setting has all of"):
        evaluated(apart, "mse_rr - mse_jrr")


def test_readings_are_evaluated_apart_and_each_needs_a_setting():
    other = PAIR.assign(reading="b", mean=[4.0, 3.0], theory=NAN)
    both = evaluated(pd.concat([PAIR, other]), "mse_jrr / mse_rr")
    assert both["reading"].tolist() == ["strict", "b"]
    assert both["estimate"].tolist() == [0.25, 0.75]
    with pytest.raises(ValueError, match="no selected setting has all of mse_jrr, mse_rr"):
        evaluated(pd.concat([PAIR, other[:1]]), "mse_jrr / mse_rr")


def test_two_rows_for_one_variable_are_refused():
    with pytest.raises(ValueError, match=r"two rows give mse_rr at \{'n': 10\}"):
        evaluated(pd.concat([PAIR, PAIR]), "mse_rr")


FRAME = pd.DataFrame(
    [(10, 1.0, "c", 5), (20, 1.0, "strict", 6), (10, 2.0, "b", 7), (30, 1.0, "strict", 8)],
    columns=["n", "epsilon", "reading", "mean"],
).assign(rho=np.nan, mechanism="RR", metric="mse", se=0.0, runs=0, theory=np.nan, standin=False)
ROWS = Arrays.of(FRAME[["rho", "n", "epsilon", "reading", *MEASURES]])


def test_strict_reading_comes_first_and_rows_keep_their_order():
    readings = ROWS.by_reading()
    assert [reading["reading"][0] for reading in readings] == ["strict", "b", "c"]
    assert [reading["mean"].tolist() for reading in readings] == [[6, 8], [7], [5]]
    assert [len(reading) for reading in readings] == [2, 1, 1]


def test_evidence_names_the_columns_in_which_rows_differ():
    strict, other, _ = (
        evidence(rows, 0, rows["mean"], rows["mean"], rows["se"], holds=True, found=Relation())
        for rows in ROWS.located("metric").by_reading()
    )
    assert (strict.varying, other.varying) == (("n",), ())
    assert strict.worst == {"rho": pytest.approx(NAN, nan_ok=True), "n": 20, "epsilon": 1.0, "metric": "mse"}


@pytest.mark.parametrize("columns", [60, 2])
def test_rows_are_numbered_by_first_appearance_however_many_columns_there_are(columns):
    values = np.tile([3.0, 1.0, NAN, 1.0, NAN], (columns, 1)) + np.arange(columns)[:, None]
    settings = {f"x{number}": column for number, column in enumerate(values)}
    places = Arrays.of(pd.DataFrame({**settings, **dict.fromkeys(("reading", *MEASURES), 0.0)})).places
    assert places.number(list(settings)).tolist() == [0, 1, 2, 1, 2]

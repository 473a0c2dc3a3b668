# ruff: noqa: RUF001 (characters of the report)
"""Rates are at level 0.05 with a fixed seed; more than 17 false alarms among 100 tables have probability 1e-5."""

import re

import numpy as np
import pandas as pd
import pytest
from checking import LOOSE, SHARP, of_kind
from checking import claim as claim_of
from scipy import stats

from claimaudit.audit.arrays import Arrays
from claimaudit.digits import Printed
from claimaudit.words.evidence import score

pytestmark = pytest.mark.thorough

TRIALS, MOST_ALARMS = 100, 17
SETTINGS = {"n": [100, 400], "rho": [0.1, 0.3, 0.5, 0.9]}
FLAT = {"quantity": "mse_jrr / mse_rr", "along": "rho"}
CELLS = {"published": "fig3", "metric": "mse"}


flat = of_kind("flat")
agreement = of_kind("agreement")
cells = of_kind("cells")


def level(setting, mechanism, reading):
    return setting["n"] * (1.0 if mechanism == "RR" else 0.5)


def sloped(setting, mechanism, reading):
    return level(setting, mechanism, reading) * (1 + 0.3 * setting["rho"] * (mechanism == "JRR"))


def test_flat_quantities_pass_and_sloped_ones_do_not(simulate, rates):
    true = rates(lambda rng: flat(FLAT, simulate(level, rng, SETTINGS, runs=10_000), LOOSE).holds, TRIALS)
    false = rates(lambda rng: flat(FLAT, simulate(sloped, rng, SETTINGS, runs=10_000), LOOSE).holds, TRIALS)
    assert true[False] <= MOST_ALARMS
    assert true[None] == 0
    assert false[False] >= 0.95 * TRIALS


def test_flat_within_a_tolerance(simulate, rng):
    for runs in (0, 1_000_000):
        rows = simulate(sloped, rng, SETTINGS, runs=runs)
        assert flat(FLAT, rows, SHARP).holds is False
        wide, narrow = (flat({**FLAT, "tolerance": tolerance}, rows, SHARP) for tolerance in (0.15, 0.05))
        assert (wide.holds, narrow.holds) == (True, False)
    assert (wide.grounds, narrow.grounds) == ("tolerance", "test")


def test_flat_cannot_tell_under_much_noise(simulate, rng):
    evidence = flat(FLAT, simulate(level, rng, SETTINGS, runs=30), SHARP)
    assert evidence.holds is None
    assert evidence.grounds == "blind"


def test_flat_with_exact_and_simulated_numbers_in_one_group(simulate, rng):
    rows = simulate(level, rng, SETTINGS, runs=10_000)
    exact = simulate(level, rng, SETTINGS, runs=0)
    first = rows["rho"] == 0.1
    rows.loc[first] = exact.loc[first]
    assert flat(FLAT, rows, SHARP).holds is True
    rows.loc[first & (rows["mechanism"] == "JRR"), "mean"] *= 1.2
    assert flat(FLAT, rows, SHARP).holds is False


def test_agreement_rates(simulate, rates):
    def answer(error):
        def check(rng):
            rows = simulate(level, rng, SETTINGS, theory=True)
            return agreement({}, rows.assign(theory=rows["theory"] * error), LOOSE).holds

        return rates(check, TRIALS)

    assert answer(1.0)[False] <= MOST_ALARMS
    assert answer(1.1)[False] >= 0.95 * TRIALS


def test_agreement_sees_one_wrong_row_among_many(simulate, rng):
    rows = simulate(level, rng, {"n": list(range(1, 201))}, theory=True)
    assert agreement({}, rows, SHARP).holds is True
    rows.loc[50, "theory"] *= 1.3
    evidence = agreement({}, rows, SHARP)
    assert evidence.holds is False
    assert evidence.worst["n"] == rows.loc[50, "n"]


def test_metrics_of_the_same_runs_do_not_count_twice(simulate, rates):
    def answer(rng):
        rows = simulate(level, rng, SETTINGS, theory=True)
        return agreement({}, pd.concat(rows.assign(metric=f"copy{i}") for i in range(20)), LOOSE).holds

    assert rates(answer, TRIALS)[False] <= MOST_ALARMS


def test_agreement_of_exact_rows_is_exact_and_allows_for_rounding_at_zero(simulate, rng):
    rows = simulate(level, rng, SETTINGS, runs=0, theory=True)
    assert agreement({}, rows, SHARP).holds is True
    rows.loc[3, "theory"] *= 1 + 1e-6
    assert agreement({}, rows, SHARP).holds is False
    zero = simulate(lambda *_: 0.0, rng, {"n": [1, 2]}, theory=True, runs=0)
    assert agreement({}, zero.assign(mean=7e-15), LOOSE).holds is True
    assert agreement({}, zero.assign(mean=1e-9), LOOSE).holds is False


def test_agreement_with_an_expectation_of_zero_is_a_test_of_bias(simulate, rng):
    rows = simulate(level, rng, SETTINGS).assign(theory=0.0)
    unbiased = rows.assign(mean=rows["se"] * rng.standard_normal(len(rows)))
    assert agreement({}, unbiased, SHARP).holds is True
    assert agreement({}, rows, SHARP).holds is False


def test_agreement_needs_runs_power_and_a_closed_form(simulate, rng):
    few = simulate(lambda *_: 1.0, rng, {"n": range(50)}, theory=True, runs=100)
    assert agreement({}, few.assign(theory=2.0), LOOSE).holds is None
    rows = simulate(level, rng, SETTINGS, theory=True)
    noisy = rows.assign(se=rows["theory"] * 5, mean=rows["theory"])
    assert agreement({}, noisy, SHARP).holds is None
    with pytest.raises(ValueError, match="no selected row has a closed form"):
        agreement({}, rows.assign(theory=np.nan), SHARP)


def print_cells(rows, digits=4):
    printed = [Printed.read(f"{mean:.{digits - 1}e}") for mean in rows["mean"]]
    rows = rows.assign(value=[number.value for number in printed], unit=[number.unit for number in printed])
    return rows[["n", "rho", "mechanism", "metric", "value", "unit", "runs"]]


def test_cells_rates(simulate, rates):
    def answer(theirs):
        def check(rng):
            published = print_cells(simulate(theirs, rng, SETTINGS, runs=500))
            return cells(CELLS, simulate(level, rng, SETTINGS), LOOSE, published).holds

        return rates(check, TRIALS)

    assert answer(level)[False] <= MOST_ALARMS
    assert answer(lambda *setting: 1.3 * level(*setting))[False] >= 0.95 * TRIALS


def test_cells_use_the_closed_form_and_the_reading_error(simulate, rng):
    rows = simulate(level, rng, SETTINGS, theory=True)
    published = print_cells(rows.assign(mean=rows["theory"] * 1.02, runs=10**9))
    found = cells(CELLS, rows, SHARP, published)
    assert (found.holds, found.estimate) == (False, 0)
    assert set(found.comparisons["outcome"]) == {"violated"}
    assert cells({**CELLS, "reading_error": 0.02}, rows, SHARP, published).holds is True


def test_cells_take_the_runs_of_the_claim_in_place_of_the_files(simulate, rng):
    rows = simulate(level, rng, SETTINGS)
    published = print_cells(rows.assign(mean=rows["mean"] * 1.1))
    as_printed = cells({**CELLS, "runs": 100}, rows, SHARP, published.assign(runs=10**9))
    assert as_printed == cells(CELLS, rows, SHARP, published.assign(runs=100))
    assert as_printed.statistic < cells(CELLS, rows, SHARP, published.assign(runs=10**9)).statistic


def test_exact_cells_must_be_equal_to_their_last_digit_and_those_of_few_runs_cannot_tell(simulate, rng):
    rows = simulate(level, rng, SETTINGS, runs=0)
    assert cells(CELLS, rows, SHARP, print_cells(rows)).holds is True
    evidence = cells(CELLS, rows, SHARP, print_cells(rows.assign(mean=rows["mean"] * 1.01)))
    assert (evidence.holds, evidence.simulated) == (False, 0)
    few = simulate(level, rng, {"n": [100], "rho": [0.1]})
    assert cells(CELLS, few, SHARP, print_cells(few.assign(runs=2))).holds is None


def test_cells_of_selected_rows_need_no_other_settings(simulate, rng):
    rows = simulate(level, rng, SETTINGS)
    published = print_cells(rows)
    assert cells({**CELLS, "where": "rho < 0.9"}, rows.query("rho < 0.9"), SHARP, published).rows == 12
    selected = rows.query("n == 100 and rho == 0.1")
    only = cells({**CELLS, "where": "n == 100 and rho == 0.1"}, selected, SHARP, published.drop(columns="rho")[::4])
    assert only.rows == 2


def test_every_reading_needs_all_cells_and_closed_forms(simulate, rng):
    rows = simulate(level, rng, SETTINGS, theory=True, readings=["strict", "b", "c"])
    other = rows["reading"] != "strict"
    published = print_cells(rows[~other])
    compare = claim_of({"kind": "cells", **CELLS}).check.compare
    assert {*compare(Arrays.of(rows), published)["reading"]} == {"strict", "b", "c"}
    with pytest.raises(ValueError, match=r"^4 published cells have no row in the results: .*'rho': 0.9.*reading b\)$"):
        compare(Arrays.of(rows[~other | (rows["rho"] < 0.9)]), published)
    lacking = Arrays.of(rows.assign(theory=rows["theory"].mask(rows["reading"] == "b")))
    with pytest.raises(ValueError, match=r"no selected row has a closed form .*reading b\)$"):
        claim_of({"kind": "agreement"}).check.compare(lacking)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("flat", FLAT),
        ("agreement", {}),
        ("cells", CELLS),
        ("ordering", {"quantity": "mse_jrr", "relation": "<", "against": "mse_rr"}),
        ("monotone", {"quantity": "mse_jrr", "along": "n", "direction": "increasing"}),
        ("value", {"quantity": "mse_jrr / mse_rr", "runs": 1000, "printed": {"value": "0.5"}}),
    ],
)
def test_readings_are_judged_as_if_each_were_alone(simulate, rng, kind, fields):
    rows = simulate(level, rng, SETTINGS, theory=True, readings=["b", "strict", "a"]).sample(frac=1, random_state=1)
    published = print_cells(rows[rows["reading"] == "a"])
    check = claim_of({"kind": kind, **fields}).check
    found = [check.judge(reading, SHARP) for reading in check.compare(Arrays.of(rows), published).by_reading()]
    alone = [check.compare(Arrays.of(rows[rows["reading"] == name]), published) for name in ("strict", "a", "b")]
    assert found == [check.judge(reading, SHARP) for reading in alone]


@pytest.mark.parametrize(("factor", "words"), [(1.05, r"z = 1?\d\.\d\d"), (100, "z > 37"), (0.01, "z < −37")])
def test_a_deviation_beyond_double_precision_has_no_size(simulate, rng, factor, words):
    rows = simulate(level, rng, SETTINGS, runs=10_000)
    published = print_cells(rows)
    published["value"] *= factor
    assert re.fullmatch(words, score(cells(CELLS, rows, SHARP, published).found.score))


def test_p_value_of_flat_is_that_of_homogeneity_within_groups(simulate, rng):
    evidence = flat({**FLAT, "quantity": "mse_rr"}, simulate(level, rng, SETTINGS), SHARP)
    assert evidence.p_value == pytest.approx(stats.chi2.sf(evidence.statistic, 2 * (4 - 1)))


def test_p_value_of_agreement_is_corrected_for_its_tests(simulate, rng):
    rows = simulate(level, rng, {"n": [1, 2]}, ["RR"], theory=True)
    rows["mean"] = rows["theory"] + rows["se"] * np.array([3.0, 0.0])
    sum_and_largest = stats.chi2.sf(9, 2), 2 * 2 * stats.norm.sf(3)
    evidence = agreement({}, rows, SHARP)
    assert evidence.p_value == pytest.approx(2 * min(sum_and_largest))
    assert (evidence.statistic, evidence.found.dof, evidence.found.tests) == (pytest.approx(9), 2, 2)


def test_error_of_cells_is_that_of_both_sides(simulate, rng):
    rows = simulate(level, rng, {"n": [100], "rho": [0.1]}, ["RR"], runs=1000)
    published = print_cells(rows, digits=17).assign(value=rows["mean"] * 1.1, runs=4000)
    evidence = cells(CELLS, rows, SHARP, published)
    # The ratio of two means of squares, whose degrees of freedom follow from their relative errors.
    mean, se = rows["mean"][0], rows["se"][0]
    law = stats.f(2 * (mean / se) ** 2 * 4, 2 * (mean / se) ** 2)
    assert evidence.statistic == pytest.approx(stats.norm.isf(law.sf(1.1)) ** 2)

"""Rates are over 80 tables at level 0.05 with a fixed seed.

A correct check raises a false alarm in at most a share 0.05 of them; more than 14 have probability below 1e-4.
"""

from functools import partial

import numpy as np
import pytest
from checking import LOOSE, SHARP, of_kind

pytestmark = pytest.mark.thorough

TRIALS, MOST_ALARMS = 80, 14
SETTINGS = {"n": [100], "epsilon": [0.1, 0.5]}
RATIO = {"quantity": "mse_jrr / mse_rr", "runs": 1000}


value = of_kind("value")


def halves(setting, mechanism, reading):
    return setting["n"] / setting["epsilon"] * (1.0 if mechanism == "RR" else 0.5)


def test_true_numbers_pass_with_rare_false_alarms_and_wrong_ones_are_detected(simulate, rates):
    """A paper printed the number from its own 1000 runs."""

    def answer(rng, shift):
        theirs = simulate(halves, rng, SETTINGS)["mean"].to_numpy()[:2]
        printed = {"value": f"{shift * theirs[1] / theirs[0]:.2f}"}
        rows = simulate(halves, rng, SETTINGS).query("epsilon == 0.1")
        return value({**RATIO, "printed": printed}, rows, LOOSE).holds

    right, wrong = (rates(partial(answer, shift=shift), TRIALS) for shift in (1.0, 1.5))
    assert right[False] <= MOST_ALARMS
    assert right[True] == TRIALS - right[False]
    assert wrong[False] >= 0.95 * TRIALS


def exact(simulate, rng, settings=None):
    return simulate(halves, rng, settings or {"n": [100], "epsilon": [0.1]}, runs=0)


@pytest.mark.parametrize(
    ("printed", "holds"),
    [
        ({"value": "0.5"}, True),
        ({"value": "0.46"}, False),  # 0.50 is neither rounded nor cut off to 0.46, 0.49 or 0.51
        ({"value": "0.49"}, False),
        ({"value": "0.51"}, False),
        ({"value": "5e-1"}, True),
        ({"value": "50 %"}, True),
        ({"value": 0.48, "tolerance": 0.05}, True),
        ({"value": 0.48, "tolerance": 0.04}, False),
        ({"interval": [0.4, 0.5]}, True),
        ({"interval": [0.51, 0.6]}, False),
    ],
)
def test_exact_number_is_decided_by_the_interval(simulate, rng, printed, holds):
    evidence = value({**RATIO, "printed": printed}, exact(simulate, rng), SHARP)
    assert evidence.holds is holds
    assert evidence.se == 0


def test_noise_that_hides_a_wrong_number_cannot_tell(simulate, rng):
    claim = {**RATIO, "printed": {"value": "0.5"}}
    noisy = simulate(halves, rng, {"n": [100], "epsilon": [0.1]}, runs=40)
    evidence = value({**claim, "runs": 40}, noisy, SHARP)
    assert evidence.holds is None
    assert (evidence.grounds, evidence.found.blind) == ("blind", 1)
    assert value({**claim, "runs": 40, "resolving": 5}, noisy, SHARP).holds is True


def test_one_wrong_row_of_several_is_found_and_named(simulate, rng):
    rows = exact(simulate, rng, SETTINGS)
    evidence = value({"quantity": "mse_rr", "printed": {"value": "1000"}}, rows, SHARP)
    assert evidence.holds is False
    assert evidence.worst == {"n": 100, "epsilon": 0.5}
    assert (evidence.estimate, evidence.varying) == (200, ("epsilon",))


def test_p_value_is_corrected_for_the_number_of_rows(simulate, rng):
    one, five = (simulate(lambda *_: 1.0, rng, {"n": list(range(k))}, ["RR"], spread=1.0) for k in (1, 5))
    for rows in (one, five):
        rows["mean"] = 1.0 + 0.1 * np.eye(1, len(rows))[0]
    claim = {"quantity": "mse_rr", "printed": {"interval": [1, 1]}}
    assert value(claim, five, SHARP).p_value == pytest.approx(5 * value(claim, one, SHARP).p_value)


@pytest.mark.parametrize(
    ("extreme", "printed", "holds"),
    [
        ("largest", {"value": 1000, "tolerance": 0.01}, True),
        ("largest", {"value": 1200, "tolerance": 0.01}, False),  # none reaches it
        ("largest", {"value": 500, "tolerance": 0.01}, False),  # one lies beyond
        ("smallest", {"value": 200, "tolerance": 0.01}, True),
        ("smallest", {"value": 100, "tolerance": 0.01}, False),
        ("smallest", {"value": 1000, "tolerance": 0.01}, False),
    ],
)
@pytest.mark.parametrize("runs", [0, 100_000])
def test_a_largest_number_is_tested_from_both_sides(simulate, rng, extreme, printed, holds, runs):
    rows = simulate(halves, rng, {"n": [100], "epsilon": [0.1, 0.2, 0.5]}, runs=runs)
    evidence = value({"quantity": "mse_rr", "extreme": extreme, "printed": printed}, rows, SHARP)
    assert evidence.holds is holds
    assert evidence.worst["epsilon"] == (0.1 if extreme == "largest" else 0.5)


def test_both_errors_are_known(simulate, rng):
    rows = simulate(halves, rng, {"n": [100], "epsilon": [0.1]})
    rows["mean"], rows["se"] = [1000.0, 500.0], [40.0, 16.0]
    evidence = value({**RATIO, "runs": 4000, "printed": {"value": "0.5"}}, rows, SHARP)
    assert evidence.se == pytest.approx(np.hypot(20, 16) / 1000, rel=1e-3)
    assert (evidence.found.error, evidence.found.runs) == (pytest.approx(evidence.se / 2, rel=1e-3), 4000)


CONTRADICTION = {"relation": "1 - reduction == share"}


def contradiction(fields):
    return of_kind("contradiction")(fields, None, SHARP)


def test_contradiction_is_arithmetic():
    consistent = contradiction({**CONTRADICTION, "printed": {"reduction": "0.954", "share": "0.045"}})
    inconsistent = contradiction({**CONTRADICTION, "printed": {"reduction": "0.909", "share": "0.100"}})
    assert consistent.holds is True
    assert inconsistent.holds is False
    found = inconsistent.found
    assert (found.left_name, found.left, found.right) == ("1 - reduction", pytest.approx(0.091), pytest.approx(0.1))


@pytest.mark.parametrize(
    ("relation", "printed", "holds"),
    [
        ("a / b == c", {"a": "0.0155", "b": "0.3224", "c": "0.04"}, True),  # 0.048, cut off
        ("a / b == c", {"a": "0.0155", "b": "0.3224", "c": "0.040"}, False),
        ("a / b == c", {"a": "0.0155", "b": "0.3224", "c": "0.06"}, False),
        ("a == b", {"a": 0.5, "b": 0.6}, False),  # numbers stand for themselves
        ("a == b", {"a": "0.5", "b": "0.6"}, True),  # 0.58 is cut off to the first and rounded to the second
        ("a < b", {"a": "0.50", "b": "0.50"}, True),
        ("a < b", {"a": 0.5, "b": 0.5}, False),
        ("not a >= b", {"a": "0.50", "b": "0.50"}, False),
        ("not a >= b", {"a": "0.50", "b": "0.53"}, True),
        ("a < b and b < c", {"a": "0.1", "b": "0.3", "c": "0.2"}, True),  # each alone, with other numbers
        ("a < b or b < c", {"a": 2, "b": 1, "c": 1}, False),
        ("1 < a < 2", {"a": "2"}, True),
        ("a ** 2 == b", {"a": "1.4", "b": 2}, True),
    ],
)
def test_printed_digits_may_be_rounded_or_cut_off(relation, printed, holds):
    assert contradiction({"relation": relation, "printed": printed}).holds is holds

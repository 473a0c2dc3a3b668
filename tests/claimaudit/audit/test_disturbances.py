import numpy as np
import pytest
from checking import LEVELS, case_of

from claimaudit.audit.judging.cases import can_fail

BETTER = {"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "mse_rr"}
CURVE = {"along": "n", "quantity": "mse_jrr"}


def judged(simulate, rng, claim):
    rows = simulate(lambda s, m, r: s["n"] * (1 if m == "RR" else 0.5), rng, {"n": [1, 2, 4]}, runs=0)
    case = case_of(claim, rows.assign(theory=rows["mean"]))
    assert case.stated(LEVELS).holds is True
    return can_fail(case, LEVELS)


@pytest.mark.parametrize(
    "claim",
    [
        BETTER,
        {**BETTER, "quantity": "mse_rr", "relation": ">", "against": 0},
        {**CURVE, "kind": "monotone", "direction": "increasing"},
        {**CURVE, "kind": "flat", "quantity": "mse_jrr / n"},
        {"kind": "agreement"},
        {"kind": "value", "where": "n == 2", "quantity": "mse_jrr", "printed": {"value": 1, "tolerance": 0.1}},
        {"kind": "contradiction", "printed": {"a": 1, "b": 1}, "relation": "a == b"},
    ],
)
def test_a_check_of_every_kind_can_fail(simulate, rng, claim):
    assert judged(simulate, rng, claim)


@pytest.mark.parametrize(
    "claim",
    [
        {**BETTER, "quantity": "mse_jrr * 0", "against": 1},
        {**BETTER, "quantity": "abs(mse_jrr)", "relation": ">=", "against": 0},
        {**CURVE, "kind": "flat", "quantity": "mse_jrr / mse_jrr"},
        {"kind": "contradiction", "printed": {"a": 1}, "relation": "a == a"},
    ],
)
def test_what_holds_whatever_the_numbers_are_cannot(simulate, rng, claim):
    assert not judged(simulate, rng, claim)


def test_the_table_itself_is_not_changed(simulate, rng):
    rows = simulate(lambda s, m, r: 1.0 if m == "RR" else 0.5, rng, {"n": [1, 2]}, runs=0)
    before = rows["mean"].to_numpy(copy=True)
    can_fail(case_of(BETTER, rows), LEVELS)
    assert np.array_equal(rows["mean"], before)

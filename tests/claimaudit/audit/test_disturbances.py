import numpy as np
import pytest
from checking import LEVELS
from checking import claim as claim_of
from picked import printed_in

from claimaudit.audit.arrays import Result
from claimaudit.audit.judging.cases import can_fail, prepare

BETTER = {"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "mse_rr"}
CURVE = {"along": "n", "quantity": "mse_jrr"}


def judged(simulate, rng, tmp_path, claim):
    rows = simulate(lambda s, m, r: s["n"] * (1 if m == "RR" else 0.5), rng, {"n": [1, 2, 4]}, runs=0)
    case = prepare(claim_of(claim), {"fig3": Result(rows.assign(theory=rows["mean"]))}, printed_in(tmp_path))
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
def test_a_check_of_every_kind_can_fail(simulate, rng, tmp_path, claim):
    assert judged(simulate, rng, tmp_path, claim)


@pytest.mark.parametrize(
    "claim",
    [
        {**BETTER, "quantity": "mse_jrr * 0", "against": 1},
        {**BETTER, "quantity": "abs(mse_jrr)", "relation": ">=", "against": 0},
        {**CURVE, "kind": "flat", "quantity": "mse_jrr / mse_jrr"},
        {"kind": "contradiction", "printed": {"a": 1}, "relation": "a == a"},
    ],
)
def test_what_holds_whatever_the_numbers_are_cannot(simulate, rng, tmp_path, claim):
    assert not judged(simulate, rng, tmp_path, claim)


def test_the_table_itself_is_not_changed(simulate, rng, tmp_path):
    rows = simulate(lambda s, m, r: 1.0 if m == "RR" else 0.5, rng, {"n": [1, 2]}, runs=0)
    before = rows["mean"].to_numpy(copy=True)
    can_fail(prepare(claim_of(BETTER), {"fig3": Result(rows)}, printed_in(tmp_path)), LEVELS)
    assert np.array_equal(rows["mean"], before)

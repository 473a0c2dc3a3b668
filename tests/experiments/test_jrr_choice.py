import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corrldp.experiments.jrr import axes
from corrldp.experiments.jrr.population import choose, protocols, search
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.parameters import Parameters, algorithm1, optimum, rr_parameters

STRICT = {name: axis.default for name, axis in (axes.POPULATION | axes.PARAMETERS).items()} | {"n1": 1000}
RR_P = math.exp(0.1) / (1 + math.exp(0.1))


def literal_algorithm1(n, epsilon, colluders, step):
    """The paper's pseudo-code with one step for both loops; None is its Null."""
    p = math.exp(epsilon) / (1 + math.exp(epsilon)) - step
    while p > 0.5:
        q, rho = 1 - p, 1 - 1 / p
        while rho <= 1:
            p_max, p_min = max((1 - rho) * p, p + rho * q), min((1 - rho) * q, q + rho * p)
            numerator = colluders * p_max + p * (n - colluders - 1)
            if numerator <= math.exp(epsilon) * (colluders * p_min + q * (n - colluders - 1)):
                return p, rho
            rho += step
        p -= step
    return None


@given(st.integers(1, 50), st.floats(0, 1), st.floats(0.001, 1), st.floats(0.005, 0.3))
@settings(max_examples=300)
def test_nothing_is_found_exactly_where_algorithm_1_returns_null(half, share, epsilon, step):
    n = 2 * half
    colluders = round(share * (n - 1))
    found, expected = search(n, epsilon, colluders, step), literal_algorithm1(n, epsilon, colluders, step)
    if expected is None:
        assert found is None
    else:
        assert (found.p, found.rho) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("epsilon", "null"), [(0.0001, True), (0.0003999, True), (0.0004001, False), (0.001, False)])
def test_null_at_the_step_of_table_4(epsilon, null):
    """The first step leaves p > 1/2 if tanh(epsilon/2)/2 > 0.0001, that is, from about epsilon = 0.0004."""
    assert (choose({**STRICT, "epsilon": epsilon}) is None) == null


def test_the_strict_rule_is_algorithm_1_at_the_step_of_table_4():
    expected = algorithm1(10_000, 0.1, 5, 0.0001, 0.0001)
    assert choose(STRICT) == expected
    assert (
        choose({"n": 10_000, "epsilon": 0.1, "colluders": 5, "choice": "algorithm1", "grid_step": 0.0001}) == expected
    )
    assert choose({**STRICT, "grid_step": 0.0003}) == algorithm1(10_000, 0.1, 5, 0.0003, 0.0003) != expected


@pytest.mark.parametrize("colluders", [0, 5, 9999])
def test_smallest_rho_is_the_p_of_rr_and_the_lower_end_of_the_domain(colluders):
    found = choose({**STRICT, "colluders": colluders, "choice": "smallest_rho"})
    assert (found.p, found.rho) == pytest.approx((RR_P, 1 - 1 / RR_P))


@pytest.mark.parametrize("n1", [0, 1000, 5000])
def test_optimum_knows_the_true_count(n1):
    found = choose({**STRICT, "n1": n1, "choice": "optimum", "grid_step": 0.0003})
    assert found == optimum(10_000, n1, 0.1, 5)


def test_a_vanishing_step_leaves_plain_rr():
    limit = choose({**STRICT, "grid_step": "limit"})
    assert limit == Parameters(pytest.approx(RR_P), 0)
    fine = [search(10_000, 0.1, 5, step) for step in (1e-6, 1e-7, 1e-8)]
    gaps = [abs(found.p - limit.p) + abs(found.rho) for found in fine]
    assert gaps == pytest.approx([gaps[0], gaps[0] / 10, gaps[0] / 100], rel=0.01)


def test_a_vanishing_step_without_colluders_leaves_the_smallest_rho():
    limit, fine = choose({**STRICT, "colluders": 0, "grid_step": "limit"}), search(10_000, 0.1, 0, 1e-9)
    assert (limit.p, limit.rho) == pytest.approx((RR_P, 1 - 1 / RR_P))
    assert (fine.p, fine.rho) == pytest.approx((limit.p, limit.rho), abs=1e-8)


def test_rr_and_jrr_are_built_from_the_parameters():
    found, chosen = dict(protocols(STRICT)), choose(STRICT)
    assert found["RR"] == JointRandomizedResponse(rr_parameters(0.1).p, 0)
    assert found["JRR"] == JointRandomizedResponse(chosen.p, chosen.rho)
    assert list(dict(protocols({**STRICT, "epsilon": 0.0001}))) == ["RR"]

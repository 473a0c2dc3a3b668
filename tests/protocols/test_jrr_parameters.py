import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from listed_pairings import literal_algorithm1, populations

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, lowest_correlation
from corrldp.protocols.jrr.privacy import (
    algorithm1,
    claimed_epsilon,
    corner,
    feasible_rho,
    rr_parameters,
)

pytestmark = pytest.mark.thorough

epsilons = st.floats(1e-3, 6)


@given(st.integers(1, 250), st.floats(0, 1), st.floats(0.05, 3), st.floats(1e-3, 0.05), st.floats(1e-3, 0.1))
@settings(max_examples=200)
def test_algorithm_1_is_the_pseudo_code(half, share, epsilon, p_step, rho_step):
    n = 2 * half
    colluders = round(share * (n - 1))
    expected = literal_algorithm1(n, epsilon, colluders, p_step, rho_step)
    if expected is None:
        with pytest.raises(ValueError, match="too small for p_step"):
            algorithm1(n, epsilon, colluders, p_step, rho_step)
    else:
        found = algorithm1(n, epsilon, colluders, p_step, rho_step)
        assert (found.p, found.rho) == pytest.approx(expected, abs=1e-9)


def test_algorithm_1_at_the_defaults_of_table_4():
    """p is one step below plain RR, which allows only rho near -0.38, far from the -0.905 at M = 0."""
    found = algorithm1(10_000, 0.1, 5)
    assert (found.p, found.rho) == pytest.approx(literal_algorithm1(10_000, 0.1, 5, 1e-4, 1e-4))
    assert found.rho == pytest.approx(-0.3810003, abs=1e-7)
    assert algorithm1(10_000, 0.1, 0).rho == pytest.approx(1 - 1 / found.p)


@given(populations(), epsilons, st.floats(1e-4, 0.1), st.integers(2, 8))
def test_continuous_rho_is_the_limit_of_the_search(population, epsilon, p_step, k):
    n, colluders = population
    assume(rr_parameters(epsilon, k).p - p_step > 1 / k)
    found = algorithm1(n, epsilon, colluders, p_step, 0, k)
    fine = algorithm1(n, epsilon, colluders, p_step, 1e-7, k)
    assert found.p == fine.p
    assert 0 <= fine.rho - found.rho <= 1e-7
    assert claimed_epsilon(found, n, colluders) <= epsilon * (1 + 1e-9)


@given(populations(), st.floats(1e-6, 20), st.floats(0.01, 1), st.integers(2, 8), st.floats(0, 1))
def test_feasible_interval(population, epsilon, share, k, position):
    """Inside, the claimed epsilon is at most epsilon; beyond either end it is larger, or rho leaves its domain."""
    n, colluders = population
    p = 1 / k + share * (rr_parameters(epsilon, k).p - 1 / k)
    assume(p > 1 / k)
    lowest, highest = feasible_rho(p, epsilon, n, colluders, k)
    assert lowest <= 1e-9
    assert highest >= -1e-9
    rho = min(lowest + position * (highest - lowest), highest)  # the sum may round up
    inside = claimed_epsilon(JointRandomizedResponse(p, rho, k), n, colluders)
    assert inside <= epsilon * (1 + 1e-6) + 1e-9
    for rho in (lowest - 1e-3 * (k - 1), highest + 1e-3 * (k - 1)):
        try:
            JointRandomizedResponse(p, rho, k)
        except ValueError:
            continue
        assert claimed_epsilon(JointRandomizedResponse(p, rho, k), n, colluders) > epsilon * (1 - 1e-9)


def test_nothing_is_feasible_above_plain_randomized_response():
    lowest, highest = feasible_rho(0.6, 0.3, 10, 2)
    assert lowest > highest


@given(populations(), epsilons)
@settings(max_examples=60)
def test_the_corner_has_the_largest_p_whose_smallest_rho_is_feasible(population, epsilon):
    n, colluders = population
    found = corner(n, epsilon, colluders)
    assert claimed_epsilon(found, n, colluders) <= epsilon * (1 + 1e-9)
    plain = rr_parameters(epsilon)
    if found != plain:
        assert found.rho == lowest_correlation(found.p)
    above = found.p + 1e-6 * (plain.p - 0.5)
    if found != plain and found.p < above <= plain.p:
        assert claimed_epsilon(JointRandomizedResponse(above, lowest_correlation(above)), n, colluders) > epsilon


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: algorithm1(100, 1e-4, 5), "epsilon=0.0001 is too small for p_step=0.0001"),
        (lambda: algorithm1(100, 1.0, 5, p_step=0), "p_step=0 must be > 0"),
        (lambda: algorithm1(100, 1.0, 100), "m=100 colluders among n=100"),
        (lambda: algorithm1(100, 31.0, 5), "epsilon=31.0 must be <= 30"),
        (lambda: rr_parameters(0.0), "epsilon=0.0 must be finite and > 0"),
    ],
)
def test_errors(call, message):
    with pytest.raises(ValueError, match=message):
        call()

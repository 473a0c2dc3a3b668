"""The optimum of problem (22), of which the paper's Algorithm 1 is a search, and the unconstrained choice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jrr.runners.population import optimum, unconstrained
from listed_pairings import populations

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.privacy import claimed_epsilon, feasible_rho, rr_parameters

pytestmark = pytest.mark.thorough

epsilons = st.floats(1e-3, 6)


@given(populations(), epsilons, st.floats(0, 1), st.integers(0, 10**6))
@settings(max_examples=60)
def test_no_feasible_point_beats_the_optimum(population, epsilon, share, seed):
    """Random feasible (p, rho), many of them near the boundary, and the least and the largest rho of each p."""
    n, colluders = population
    n1 = round(share * n)
    found = optimum(n, n1, epsilon, colluders)
    best = JointRandomizedResponse(found.p, found.rho).variance_of_counts(n1, n)
    assert claimed_epsilon(found.p, found.rho, n, colluders) <= epsilon * (1 + 1e-9)
    rng, plain = np.random.default_rng(seed), rr_parameters(epsilon).p
    for u, v in rng.random((150, 2)):
        p = plain - u**3 * (plain - 0.5)
        if p <= 0.5:
            continue
        lowest, highest = feasible_rho(p, epsilon, n, colluders)
        for rho in (lowest, highest, lowest + v * (highest - lowest)):
            assert JointRandomizedResponse(p, rho).variance_of_counts(n1, n) >= best * (1 - 1e-9)


@given(st.sampled_from([1e-6, 1e-3, 1.0, 20.0, 30.0]), st.integers(2, 9), st.data())
def test_extreme_settings(epsilon, n, data):
    n1, colluders = data.draw(st.integers(0, n)), data.draw(st.integers(0, n - 1))
    found = optimum(n, n1, epsilon, colluders)
    best = JointRandomizedResponse(found.p, found.rho).variance_of_counts(n1, n)
    plain = rr_parameters(epsilon)
    assert best <= JointRandomizedResponse(plain.p, plain.rho).variance_of_counts(n1, n)
    if colluders == n - 1 and n % 2 == 0:
        assert found == plain


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 5.0])
def test_plain_and_unconstrained(epsilon):
    plain, extreme = rr_parameters(epsilon), unconstrained(epsilon)
    assert plain.rho == 0
    assert np.log(plain.p / (1 - plain.p)) == pytest.approx(epsilon, rel=1e-9)
    assert extreme.p == plain.p
    assert extreme.rho == pytest.approx(-np.exp(-epsilon))


def test_a_count_beyond_the_users_is_refused():
    with pytest.raises(ValueError, match="n1=101 must lie in"):
        optimum(100, 101, 1.0, 5)

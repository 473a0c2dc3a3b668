"""Truncation, projection, maximum likelihood, and the choice of the hybrid scheme."""

import math

import numpy as np
import pytest
from castell.runners.schemes import (
    hybrid_by_bounds,
    independent_bound,
    iterative_bayesian_update,
    joint_bound,
    largest_w,
    smallest_epsilon,
    smallest_n,
    truncated,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from corrldp.protocols.castell.schemes import (
    IndependentRR,
    hybrid_by_data,
    project_to_simplex,
    rr_ind_joint,
    rr_independent,
    truncated_in_order,
)

LAW = np.array([[[0.3, 0.0], [0.1, 0.05], [0.0, 0.05]], [[0.0, 0.2], [0.05, 0.05], [0.2, 0.0]]])
PROTOCOL = IndependentRR(0.5, LAW.shape)


def noisy(seed, n=200):
    table = np.random.default_rng(seed).multinomial(n, LAW.ravel()).reshape(LAW.shape)
    return PROTOCOL.simulate(table, 1, np.random.default_rng(seed))[0] / n


def test_algorithm_4_on_the_example_of_appendix_b():
    mechanisms = IndependentRR(math.log(3), (2, 2)).mechanisms
    observed = np.array([[0.3, 0.1], [0.3, 0.3]])
    expected = [[0.3, 0], [0.25, 0.3]]
    np.testing.assert_allclose(truncated(observed, mechanisms), expected, atol=1e-12)
    np.testing.assert_allclose(truncated_in_order(observed, mechanisms), expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_truncation_respects_its_limits(seed):
    observed = noisy(seed)
    printed, meant = truncated(observed, PROTOCOL.mechanisms), truncated_in_order(observed, PROTOCOL.mechanisms)
    assert (meant >= 0).all()
    assert (meant <= 1).all()
    raw = rr_ind_joint(observed, PROTOCOL.mechanisms)
    assert (printed <= np.maximum(raw, 0) + 1e-12).all()
    for axis in range(3):
        lower = [grr for place, grr in enumerate(PROTOCOL.mechanisms) if place != axis]
        limit = np.expand_dims(truncated_in_order(observed.sum(axis=axis), lower), axis)
        assert (meant <= limit + 1e-12).all()


def test_algorithm_4_as_printed_can_be_negative():
    assert min(truncated(noisy(seed), PROTOCOL.mechanisms).min() for seed in range(20)) < -0.001


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-2, 2), min_size=2, max_size=12), st.integers(0, 2**32 - 1))
def test_the_projection_is_the_nearest_law(cells, seed):
    cells = np.array(cells)
    nearest = project_to_simplex(cells)
    assert nearest.min() >= 0
    assert nearest.sum() == pytest.approx(1)
    for other in np.random.default_rng(seed).dirichlet(np.ones(len(cells)), size=20):
        assert (cells - nearest) @ (other - nearest) <= 1e-9


def test_maximum_likelihood_finds_the_law_and_never_loses_to_it():
    inner = 0.5 * LAW + 0.5 / LAW.size
    sharper = IndependentRR(2.0, LAW.shape)
    observed = (inner.ravel() @ sharper.channel()).reshape(LAW.shape)
    found = iterative_bayesian_update(observed, sharper.mechanisms, iterations=5000, tolerance=1e-12)
    np.testing.assert_allclose(found, inner, atol=1e-4)
    for seed in range(5):
        data = noisy(seed)
        fitted = iterative_bayesian_update(data, PROTOCOL.mechanisms)
        assert fitted.min() >= 0
        assert fitted.sum() == pytest.approx(1)
        likelihoods = [(data.ravel() * np.log(law.ravel() @ PROTOCOL.channel())).sum() for law in (fitted, LAW)]
        assert likelihoods[0] >= likelihoods[1]


def test_bounds_are_the_printed_formulas():
    assert independent_bound(2, 1) == 0.5
    assert independent_bound(16, 2) == pytest.approx(1 / 16 - 1 / 256)
    assert joint_bound(2, 2, 2.0, 100) == pytest.approx((1 + math.exp(-1)) ** 2 * 4 / 100)
    n = smallest_n(16, 2, 4.0)
    assert joint_bound(16, 2, 4.0, n) == pytest.approx(independent_bound(16, 2))
    assert largest_w(16, 32561) == pytest.approx(1.374, abs=5e-4)
    epsilon = smallest_epsilon(16, 2, 32561)
    assert joint_bound(16, 2, epsilon, 32561) == pytest.approx(independent_bound(16, 2))
    assert math.isnan(smallest_epsilon(16, 3, 32561))
    assert math.isnan(smallest_epsilon(16, 1, 32561))


def test_hybrids_take_one_of_the_two_estimates():
    correlated = np.array([[0.5, 0.0], [0.0, 0.5]])
    protocol = IndependentRR(1.0, (2, 2))
    observed = (correlated.ravel() @ protocol.channel()).reshape(2, 2)
    joint, independent = (estimate(observed, protocol.mechanisms) for estimate in (rr_ind_joint, rr_independent))
    for n, expected in ((10**6, joint), (1, independent)):
        np.testing.assert_array_equal(hybrid_by_bounds(observed, protocol.mechanisms, n), expected)
        np.testing.assert_array_equal(hybrid_by_data(observed, protocol.mechanisms, n), expected)
    flat = np.full((2, 2), 0.25)
    np.testing.assert_allclose(hybrid_by_data(flat, protocol.mechanisms, 10**6), flat)


def test_the_data_driven_hybrid_mostly_chooses_the_better_estimate():
    """Here independence is better at n = 200, the joint estimate at 200,000; at least 40 of 50 runs each are right."""
    for n, better in ((200, rr_independent), (200_000, rr_ind_joint)):
        right = 0
        for seed in range(50):
            observed = noisy(seed, n)
            chosen = hybrid_by_data(observed, PROTOCOL.mechanisms, n)
            right += np.array_equal(chosen, better(observed, PROTOCOL.mechanisms))
        assert right >= 40, (n, right)

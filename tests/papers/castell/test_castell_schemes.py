"""RR-Independent, RR-Ind-Joint and RR-Joint: privacy, distributions at both levels, exact errors."""

import itertools
import math

import numpy as np
import pytest
from castell.runners.bounds import largest_w, smallest_epsilon, smallest_n
from castell.runners.estimates import (
    hybrid_by_bounds,
    independent_bound,
    iterative_bayesian_update,
    joint_bound,
    rr_joint,
    truncated,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from corrldp.mechanisms.grr import GRR
from corrldp.privacy import record_channel
from corrldp.protocols.castell import (
    hybrid_by_data,
    perturb_axes,
    project_to_simplex,
    rr_ind_joint,
    rr_independent,
    squared_error,
    tabulate,
    truncated_in_order,
)
from corrldp.protocols.smp import SPL

RECORDS = np.array([[0, 0, 1]] * 50 + [[1, 2, 0]] * 30 + [[0, 1, 1]] * 20)
SIZES = (2, 3, 2)


def same_law(first, second):
    """P-value of the chi-square test that two samples (runs, cells) of counts have the same mean."""
    difference = first.mean(axis=0) - second.mean(axis=0)
    covariance = np.cov(first.T) / len(first) + np.cov(second.T) / len(second)
    return chi2.sf(difference @ np.linalg.pinv(covariance) @ difference, np.linalg.matrix_rank(covariance))


def grr_of(epsilon, sizes):
    return [GRR(epsilon, k) for k in sizes]


def channel_of(mechanisms):
    return record_channel(grr.channel() for grr in mechanisms)


def test_rr_ind_joint_is_unbiased_and_its_squared_error_is_the_closed_form():
    """By listing the reports of every user: the estimate of n users is the mean of theirs."""
    mechanisms = grr_of(0.9, (2, 3))
    channel, cells = channel_of(mechanisms), list(itertools.product(range(2), range(3)))
    law = np.array([[0.1, 0.2, 0.0], [0.3, 0.1, 0.3]])
    single = np.array([rr_ind_joint(tabulate([cell], (2, 3)).astype(float), mechanisms) for cell in cells])
    reported = law.ravel() @ channel
    assert np.tensordot(reported, single, axes=1) == pytest.approx(law)
    per_value = channel @ (single.reshape(6, 6) ** 2) - (channel @ single.reshape(6, 6)) ** 2
    assert per_value.sum(axis=1) == pytest.approx(np.full(6, squared_error(mechanisms, 1)))
    assert squared_error(mechanisms, 40) == pytest.approx(squared_error(mechanisms, 1) / 40)


@pytest.mark.thorough
def test_count_level_and_user_level_have_one_law():
    """Seeds are fixed; a p-value is below 1e-4 by chance once in ten thousand."""
    rng = np.random.default_rng(11)
    table = tabulate(RECORDS, SIZES)

    def independent(epsilon):
        return perturb_axes(np.broadcast_to(table, (2000, *SIZES)), grr_of(epsilon, SIZES), rng).reshape(2000, -1)

    apart, joint = SPL(3.0, SIZES), GRR(2.0, 12)
    codes = np.ravel_multi_index(RECORDS.T, SIZES)
    samples = (
        [independent(1.0), [tabulate(apart.privatize(RECORDS, rng), SIZES).ravel() for _ in range(2000)]],
        [
            [rr_joint(table, 2.0, "randomised", rng).ravel() for _ in range(2000)],
            [joint.estimate(joint.privatize(codes, rng)) for _ in range(2000)],
        ],
    )
    for counted, users in map(np.array, samples):
        np.testing.assert_allclose(counted.sum(axis=1), users.sum(axis=1))
        assert same_law(counted, users) > 1e-4
        assert same_law(counted**2, users**2) > 1e-4
    assert same_law(independent(1.1), independent(1.0)) < 1e-4


LAW = np.array([[[0.3, 0.0], [0.1, 0.05], [0.0, 0.05]], [[0.0, 0.2], [0.05, 0.05], [0.2, 0.0]]])
MECHANISMS = grr_of(0.5, LAW.shape)


def noisy(seed, n=200):
    table = np.random.default_rng(seed).multinomial(n, LAW.ravel()).reshape(LAW.shape)
    return perturb_axes(table[None], MECHANISMS, np.random.default_rng(seed))[0] / n


def test_algorithm_4_on_the_example_of_appendix_b():
    mechanisms = grr_of(math.log(3), (2, 2))
    observed = np.array([[0.3, 0.1], [0.3, 0.3]])
    expected = [[0.3, 0], [0.25, 0.3]]
    np.testing.assert_allclose(truncated(observed, mechanisms), expected, atol=1e-12)
    np.testing.assert_allclose(truncated_in_order(observed, mechanisms), expected, atol=1e-12)


def test_truncation_respects_its_limits_but_as_printed_it_can_be_negative():
    lowest = []
    for observed in map(noisy, range(20)):
        printed, meant = truncated(observed, MECHANISMS), truncated_in_order(observed, MECHANISMS)
        assert ((meant >= 0) & (meant <= 1)).all()
        raw = rr_ind_joint(observed, MECHANISMS)
        assert (printed <= np.maximum(raw, 0) + 1e-12).all()
        lowest.append(printed.min())
        for axis in range(3):
            lower = [grr for place, grr in enumerate(MECHANISMS) if place != axis]
            limit = np.expand_dims(truncated_in_order(observed.sum(axis=axis), lower), axis)
            assert (meant <= limit + 1e-12).all()
    assert min(lowest) < -0.001


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
    sharper = grr_of(2.0, LAW.shape)
    observed = (inner.ravel() @ channel_of(sharper)).reshape(LAW.shape)
    found = iterative_bayesian_update(observed, sharper, iterations=5000, tolerance=1e-12)
    np.testing.assert_allclose(found, inner, atol=1e-4)
    for seed in range(5):
        data = noisy(seed)
        fitted = iterative_bayesian_update(data, MECHANISMS)
        assert fitted.min() >= 0
        assert fitted.sum() == pytest.approx(1)
        likelihoods = [(data.ravel() * np.log(law.ravel() @ channel_of(MECHANISMS))).sum() for law in (fitted, LAW)]
        assert likelihoods[0] >= likelihoods[1]


def test_bounds_are_the_printed_formulas():
    assert independent_bound(2, 1) == 0.5
    assert independent_bound(16, 2) == pytest.approx(1 / 16 - 1 / 256)
    assert joint_bound(2, 2, 2.0, 100) == pytest.approx((1 + math.exp(-1)) ** 2 * 4 / 100)
    for epsilon, n in ((4.0, smallest_n(16, 2, 4.0)), (smallest_epsilon(16, 2, 32561), 32561)):
        assert joint_bound(16, 2, epsilon, n) == pytest.approx(independent_bound(16, 2))
    assert largest_w(16, 32561) == pytest.approx(1.374, abs=5e-4)
    assert np.isnan([smallest_epsilon(16, w, 32561) for w in (1, 3)]).all()


def test_hybrids_take_one_of_the_two_estimates():
    correlated = np.array([[0.5, 0.0], [0.0, 0.5]])
    mechanisms = grr_of(1.0, (2, 2))
    observed = (correlated.ravel() @ channel_of(mechanisms)).reshape(2, 2)
    joint, independent = (estimate(observed, mechanisms) for estimate in (rr_ind_joint, rr_independent))
    for n, expected in ((10**6, joint), (1, independent)):
        np.testing.assert_array_equal(hybrid_by_bounds(observed, mechanisms, n), expected)
        np.testing.assert_array_equal(hybrid_by_data(observed, mechanisms, n), expected)
    flat = np.full((2, 2), 0.25)
    np.testing.assert_allclose(hybrid_by_data(flat, mechanisms, 10**6), flat)


def test_the_data_driven_hybrid_mostly_chooses_the_better_estimate():
    """Here independence is better at n = 200, the joint estimate at 200,000; at least 40 of 50 runs each are right."""
    for n, better in ((200, rr_independent), (200_000, rr_ind_joint)):
        right = 0
        for seed in range(50):
            observed = noisy(seed, n)
            chosen = hybrid_by_data(observed, MECHANISMS, n)
            right += np.array_equal(chosen, better(observed, MECHANISMS))
        assert right >= 40, (n, right)

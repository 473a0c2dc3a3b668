"""LoPub: privacy by enumeration, and its two estimates; `test_contract.py` compares both levels."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from corrldp.protocols.castell import product, tabulate
from corrldp.protocols.lopub import BloomResponse, candidate_matrix, expectation_maximisation, lasso

RECORDS = np.array([[0, 0]] * 1500 + [[1, 2]] * 1000 + [[0, 1]] * 500)
SIZES = (2, 3)


def test_the_budget_is_spent_in_full_when_filters_do_not_overlap():
    filters = [np.array([[1, 1, 0, 0], [0, 0, 1, 1]], dtype=bool)]
    lopub = BloomResponse(0.8, filters, 2)
    assert lopub.exact_epsilons() == [pytest.approx(0.8)]
    assert lopub.flip == pytest.approx(2 / (1 + np.exp(0.2)))


def test_lasso_recovers_the_marginals_but_cannot_tell_the_joint_law():
    rng = np.random.default_rng(1)
    lopub = BloomResponse.draw(1000.0, SIZES, rng)
    matrix, truth = candidate_matrix(lopub.filters, np.ones(128)), tabulate(RECORDS, SIZES) / 3000
    independent = product([truth.sum(axis=1), truth.sum(axis=0)])
    np.testing.assert_allclose(matrix @ truth.ravel(), matrix @ independent.ravel(), atol=1e-12)
    found = lasso(lopub, (matrix @ truth.ravel()).reshape(2, -1), 1e-5)
    assert found.min() >= 0
    np.testing.assert_allclose(found.sum(axis=0), truth.sum(axis=0), atol=0.01)


def test_lasso_finds_what_it_finds_without_merging_bits():
    """With few bits, many are set by the same values, and some by none."""
    rng = np.random.default_rng(2)
    lopub = BloomResponse.draw(2.0, (2, 5, 3), rng, bits=12, hashes=4)
    shares, weight = rng.uniform(-0.1, 0.6, size=36), 0.001
    model = Lasso(alpha=weight, fit_intercept=False, positive=True, max_iter=300)
    expected = model.fit(candidate_matrix(lopub.filters, np.ones(36)), shares).coef_
    assert np.count_nonzero(expected) > 5
    np.testing.assert_allclose(lasso(lopub, shares.reshape(3, -1), weight).ravel(), expected, rtol=1e-9, atol=1e-12)


def test_em_learns_the_joint_law_from_the_users_reports():
    rng = np.random.default_rng(3)
    lopub = BloomResponse.draw(12.0, SIZES, rng)
    found = expectation_maximisation(lopub, lopub.privatize(RECORDS, rng), iterations=200)
    truth = tabulate(RECORDS, SIZES) / 3000
    assert found.sum() == pytest.approx(1)
    assert np.abs(found - truth).max() < 0.03
    started = expectation_maximisation(lopub, lopub.privatize(RECORDS, rng), start=np.eye(2, 3), iterations=200)
    assert np.abs(started - truth).max() < 0.03


def test_the_candidate_matrix_has_the_filters_of_every_record():
    """Some filters have fewer bits than there are hash functions."""
    lopub = BloomResponse.draw(1.0, (2, 5, 3), np.random.default_rng(5), bits=8, hashes=4)
    matrix = candidate_matrix(lopub.filters, np.arange(1.0, 25))
    assert {filters.sum(axis=1).min() < 4 for filters in lopub.filters} == {True}
    records = np.column_stack(np.unravel_index(np.arange(30), lopub.sizes))
    expected = np.hstack([filters[records[:, j]] for j, filters in enumerate(lopub.filters)]).T
    np.testing.assert_array_equal(matrix.toarray(), np.arange(1, 25)[:, None] * expected)
    assert matrix.has_sorted_indices


def test_a_candidate_matrix_that_memory_cannot_hold_is_refused():
    lopub = BloomResponse.draw(1.0, (20,) * 7, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"candidate matrix.*GiB"):
        candidate_matrix(lopub.filters, np.ones(7 * 64))

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrldp.leakage.baselines import cbp, cbp_of_correlation, grf, its, spl_anl
from corrldp.leakage.cpl import leakage_bound, leakage_of_channel
from corrldp.leakage.printed import algorithm_2
from corrldp.mechanisms.grr import GRR

seeds, budgets = st.integers(0, 10**6), st.floats(0.05, 8)


def laws_of(seed, t):
    return np.random.default_rng(seed).dirichlet(np.full(t, 0.5), size=(5, 3))


def test_perfect_correlation():
    np.testing.assert_array_equal(spl_anl(2, 1.5), [[0, 1.5], [1.5, 0]])


def test_graph():
    correlations = np.array([[1, 0.5, 0.1], [0.5, 1, -0.4], [0.1, -0.4, 1]])
    np.testing.assert_array_equal(grf(correlations, 2.0, 0.4, "component"), spl_anl(3, 2.0))
    np.testing.assert_array_equal(grf(correlations, 2.0, 0.4, "edge"), [[0, 2, 0], [2, 0, 2], [0, 2, 0]])
    np.testing.assert_array_equal(grf(np.full((2, 2), np.nan), 2.0, 0.2, "component"), np.zeros((2, 2)))
    with pytest.raises(ValueError, match="linked"):
        grf(correlations, 2.0, 0.4, "path")


@given(seeds, budgets, st.integers(2, 6))
def test_its_is_the_leakage_of_grr(seed, epsilon, t):
    laws = laws_of(seed, t)
    np.testing.assert_allclose(its(laws, epsilon), leakage_of_channel(laws, GRR(epsilon, t).channel()), atol=1e-9)
    assert (its(laws, epsilon) <= leakage_bound(laws, epsilon) + 1e-12).all()


@given(seeds, budgets)
def test_its_is_optimal_for_binary_neighbours(seed, epsilon):
    laws = laws_of(seed, 2)
    np.testing.assert_allclose(its(laws, epsilon), leakage_bound(laws, epsilon), atol=1e-12)


def test_its_is_not_optimal_for_more_values():
    laws = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    assert its(laws, 1.0) < 0.63 < algorithm_2(laws, 1.0)[0]


def test_symmetric_leakage():
    matrix = np.array([[0, 1.0], [0.4, 0]])
    assert [cbp(matrix, how)[0, 1] for how in ("smaller", "mean", "larger")] == [0.4, 0.7, 1.0]
    assert cbp(matrix, "smaller")[1, 0] == 0.4
    with pytest.raises(ValueError, match="symmetric"):
        cbp(matrix, "sum")


@given(st.floats(-1, 1), budgets)
def test_covariance_reading_is_grr_on_fair_bits(r, epsilon):
    laws = np.array([[1 + r, 1 - r], [1 - r, 1 + r]]) / 2
    expected = leakage_of_channel(laws, GRR(epsilon, 2).channel())
    estimates = cbp_of_correlation([[1, r], [r, 1]], epsilon)
    np.testing.assert_allclose(estimates, [[0, expected], [expected, 0]], atol=1e-9)

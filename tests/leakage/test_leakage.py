from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from corrldp.leakage.cpl import (
    conditional,
    leakage_bound,
    leakage_limit,
    leakage_of_channel,
    relaxation,
    worst_channel,
)
from corrldp.leakage.printed import algorithm_1, algorithm_2
from corrldp.mechanisms.grr import GRR
from corrldp.privacy import epsilon_between, epsilon_of_channel

pytestmark = pytest.mark.thorough

# Eq. 28 of the CPL paper.
APPENDIX_K = np.array([[0.2, 0, 0, 0], [0, 0.2, 0, 0], [0.1, 0.15, 0.03, 0.02], [0.1, 0.15, 0.03, 0.02]])

# Small integer counts: zeros, ties and equal rows are common; at least one user.
tables = st.tuples(st.integers(2, 4), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 6)).filter(lambda table: table.sum() > 0)
)
budgets = st.floats(0.01, 8)


def subsets(laws):
    """All subsets of the columns, as rows of booleans."""
    return np.array(list(product((False, True), repeat=laws.shape[1])))


@pytest.mark.parametrize(("epsilon", "reverse"), [(0.5, 0.2809), (1, 0.6201), (2, 1.4338)])
@pytest.mark.parametrize(
    "compute",
    [
        leakage_bound,
        lambda laws, epsilon: leakage_of_channel(laws, GRR(epsilon, 4).channel()),
        lambda laws, epsilon: algorithm_1(laws, GRR(epsilon, 4).channel()),
        lambda laws, epsilon: algorithm_2(laws, epsilon)[0],
    ],
)
def test_appendix_k(compute, epsilon, reverse):
    """The reverse direction in closed form: the worst pair is (.5, 0, .25, .25) and (0, .4, .3, .3), S the first."""
    assert compute(conditional(APPENDIX_K), epsilon) == pytest.approx(epsilon, abs=1e-12)
    assert compute(conditional(APPENDIX_K.T), epsilon) == pytest.approx(np.log1p(np.expm1(epsilon) / 2), abs=1e-12)
    assert compute(conditional(APPENDIX_K.T), epsilon) == pytest.approx(reverse, abs=5e-5)


@given(tables, budgets)
def test_the_bound_and_the_printed_algorithm_2_are_the_optimum_over_all_subsets(table, epsilon):
    """Theorem IV.6, zeros as in IEEE arithmetic; and the leakage of a channel is its exact privacy level.

    Eqs. 11 and 17 by enumeration: the largest log-ratio over all pairs of rows and all subsets of columns.
    """
    laws = conditional(table)
    likelihoods = laws @ np.where(subsets(laws), np.exp(epsilon), 1).T
    optimum = pytest.approx(np.log(likelihoods[:, None] / likelihoods).max(), abs=1e-12)
    assert leakage_bound(laws, epsilon) == optimum
    assert algorithm_2(laws, epsilon)[0] == optimum
    channel = GRR(epsilon, laws.shape[1]).channel()
    assert leakage_of_channel(laws, channel) == pytest.approx(epsilon_between(laws @ channel), abs=1e-12)


@given(tables, budgets)
def test_a_mechanism_attains_the_bound(table, epsilon):
    laws = conditional(table)
    channel = worst_channel(laws, epsilon)
    assert epsilon_of_channel(channel) <= epsilon * (1 + 1e-9)
    assert leakage_of_channel(laws, channel) == pytest.approx(leakage_bound(laws, epsilon), abs=1e-9)


@given(tables, budgets, st.integers(0, 10**6))
def test_no_mechanism_exceeds_the_bound(table, epsilon, seed):
    """A random channel mixed with the uniform one until it satisfies epsilon; also Corollaries H.1 and IV.4."""
    laws, rng = conditional(table), np.random.default_rng(seed)
    random = rng.dirichlet(np.ones(3), size=laws.shape[1])
    channel = 0.5 * random + 0.5 / 3
    given_epsilon = epsilon_of_channel(channel)
    bound = leakage_bound(laws, given_epsilon)
    assert leakage_of_channel(laws, channel) <= bound + 1e-12
    assert leakage_bound(laws, epsilon) <= min(epsilon, leakage_limit(laws)) + 1e-12


@given(tables)
def test_limits(table):
    """Corollary H.2 (no budget, no leakage) and Corollary IV.4 (a large budget reaches the limit, if it is finite)."""
    laws = conditional(table)
    assert leakage_bound(laws, 0) == 0
    limit = leakage_limit(laws)
    assert limit == pytest.approx(epsilon_between(laws), abs=1e-12)
    assert leakage_bound(laws, 100) == pytest.approx(min(limit, 100), abs=5)
    if np.isfinite(limit):
        assert leakage_bound(laws, 100) == pytest.approx(limit, abs=1e-12)


@given(tables, budgets, st.floats(0.001, 0.5))
def test_relaxation_is_the_least_sound_one(table, epsilon, delta):
    """Against all extreme reports: likelihood e^epsilon c + delta on a set and c elsewhere, c from 0 to its maximum."""
    laws = conditional(table)
    leakage = leakage_bound(laws, epsilon)
    ours = relaxation(leakage, epsilon, delta)
    needed = 0.0
    for chosen in subsets(laws):
        for low in np.linspace(0, (1 - delta) * np.exp(-epsilon), 3):
            likelihoods = laws @ np.where(chosen, np.exp(epsilon) * low + delta, low)
            needed = max(needed, (likelihoods[:, None] - np.exp(leakage) * likelihoods).max())
    assert needed == pytest.approx(ours, abs=1e-12)
    printed = algorithm_2(laws, epsilon, delta)[1]
    assert np.isnan(printed) or printed >= ours - 1e-12


def test_printed_relaxation_is_undefined_without_dependence():
    assert np.isnan(algorithm_2(np.full((2, 2), 0.5), 1.0, 0.1)[1])


def test_printed_algorithm_1_uses_the_wrong_axis_of_the_channel():
    """One report comes from one input only: the leakage is infinite, but finite if rows replace columns."""
    laws = np.array([[1.0, 0.0], [0.0, 1.0]])
    channel = np.array([[0.5, 0.5], [0.25, 0.75]])
    assert leakage_of_channel(laws, channel) == pytest.approx(np.log(2))
    assert algorithm_1(laws, channel) == pytest.approx(np.log(3))
    with pytest.raises(ValueError, match="square"):
        algorithm_1(laws, np.full((2, 3), 1 / 3))


def test_values_that_never_occur_change_nothing():
    table = np.array([[80, 10, 10], [0, 0, 0], [70, 15, 15]])  # a uniform row would leak more
    for compute in (leakage_limit, lambda laws: leakage_bound(laws, 1.5)):
        assert compute(conditional(table)) == pytest.approx(compute(conditional(table[[0, 2]])), abs=1e-12)


def test_stacks_of_pairs_and_budgets():
    rng = np.random.default_rng(1)
    laws = rng.dirichlet(np.ones(4), size=(6, 3))
    stacked = leakage_bound(laws, np.linspace(0.5, 3, 6))
    single = [leakage_bound(law, epsilon) for law, epsilon in zip(laws, np.linspace(0.5, 3, 6), strict=True)]
    np.testing.assert_allclose(stacked, single, atol=1e-13)
    assert leakage_of_channel(laws, GRR(1.0, 4).channel()).shape == (6,)


def test_tiny_budgets_keep_their_digits():
    laws = np.array([[0.7, 0.3], [0.2, 0.8]])
    assert leakage_bound(laws, 1e-9) == pytest.approx(0.5e-9, rel=1e-6)


def test_errors():
    with pytest.raises(ValueError, match="sum to 1"):
        leakage_bound([[0.5, 0.4], [0.5, 0.5]], 1.0)
    with pytest.raises(ValueError, match="epsilon"):
        leakage_bound(np.eye(2), -1.0)
    with pytest.raises(ValueError, match="delta"):
        relaxation(0.5, 1.0, 1.0)

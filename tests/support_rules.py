"""First phases of Corr-RR, and the error of a pair, for tests of the choice of p_y."""

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from corrldp.mechanisms.grr import GRR

# Estimates of a noisy first phase are not frequencies, but they sum to 1.
estimates = (
    st.integers(2, 5)
    .flatmap(lambda k: arrays(float, (2, k), elements=st.floats(-1, 1).map(lambda x: round(x, 3))))
    .map(lambda raw: raw + (1 - raw.sum(axis=1, keepdims=True)) / raw.shape[1])
)
budgets = st.floats(0.1, 3)


def mean_error(p_y, first, n2, mechanism, formula):
    return float(np.mean(formula(first[1], first[0], p_y, n2, mechanism)))


def assert_runs_and_attributes_have_their_own_choices(rule):
    first = np.random.default_rng(2).dirichlet(np.ones(4), size=(7, 3))
    copy = rule(first, 100, GRR(1.0, 4))
    assert copy.shape == (7, 3, 3)
    assert ((copy >= 0) & (copy <= 1)).all()
    assert (np.diagonal(copy, axis1=1, axis2=2) == 1).all()
    np.testing.assert_allclose(copy[4], rule(first[4], 100, GRR(1.0, 4)))


def assert_rounding_changes_no_choice(rule, k):
    """Check that a rule takes a pivot for uniform that is so but for rounding: 49 times 1/49 is not 1."""
    first = np.stack([np.full(k, 1 / k), np.arange(1, k + 1) / (k * (k + 1) / 2)])
    chosen = rule(first, 100, GRR(1.0, k))
    for sign in (-1, 1):
        noisy = np.stack([first[0] + sign * 2.0**-52 * (-1.0) ** np.arange(k), first[1]])
        assert rule(noisy, 100, GRR(1.0, k)) == pytest.approx(chosen, abs=1e-9)

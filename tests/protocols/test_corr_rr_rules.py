"""The choice of p_y, against numerical minimisation of the printed errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from support_rules import (
    assert_rounding_changes_no_choice,
    assert_runs_and_attributes_have_their_own_choices,
    budgets,
    estimates,
    mean_error,
)

from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.rules import (
    Fixed,
    exact,
    joint,
    pair_quadratic,
    pets_appendix,
    pets_body,
    pets_body_clipped,
    theorem_5,
)

pytestmark = pytest.mark.thorough


@given(estimates, budgets, st.integers(2, 10_000))
def test_exact_rule_minimises_theorem_5(first, epsilon, n2):
    mechanism = GRR(epsilon, first.shape[1])
    chosen = exact(first, n2, mechanism)[0, 1]
    errors = [mean_error(p, first, n2, mechanism, theorem_5) for p in (chosen, *np.linspace(0, 1, 21))]
    assert 0 <= chosen <= 1
    assert errors[0] <= min(errors) + 1e-9 * (1 + abs(errors[0]))


@given(estimates, budgets, st.integers(2, 10_000))
def test_the_sign_of_the_appendix_is_the_right_one(first, epsilon, n2):
    """With the end points, Proposition 1 of the appendix is the exact minimiser."""
    mechanism = GRR(epsilon, first.shape[1])
    assert pets_appendix(first, n2, mechanism) == pytest.approx(exact(first, n2, mechanism), abs=1e-12)


@given(estimates, budgets, st.integers(2, 10_000))
def test_the_sign_of_the_body_leaves_only_the_end_points(first, epsilon, n2):
    """The printed p* is minus the minimiser: a probability only when the minimiser is <= 0, where 0 is better."""
    mechanism = GRR(epsilon, first.shape[1])
    body = pets_body(first, n2, mechanism)[0, 1]
    zero, one = (mean_error(p, first, n2, mechanism, theorem_5) for p in (0, 1))
    assert body in (0, 1)
    assert body == (one < zero) or one == pytest.approx(zero)


@given(estimates, budgets, st.integers(2, 10_000))
def test_the_sign_of_the_body_with_clipping_never_copies_where_copying_helps(first, epsilon, n2):
    mechanism = GRR(epsilon, first.shape[1])
    square, linear = (coefficient[0, 1] for coefficient in pair_quadratic(first, n2, mechanism))
    clipped = pets_body_clipped(first, n2, mechanism)[0, 1]
    assert clipped == pytest.approx(min(max(linear / (2 * square), 0), 1) if square > 0 else 0)
    assert clipped == 0 or exact(first, n2, mechanism)[0, 1] == 0


def test_coefficients_are_those_of_theorem_5():
    first, mechanism = np.array([[0.7, 0.2, 0.1], [0.2, 0.3, 0.5]]), GRR(1.0, 3)
    square, linear = pair_quadratic(first, 50, mechanism)
    at = [3 * mean_error(p, first, 50, mechanism, theorem_5) for p in (0, 0.5, 1)]
    assert square[0, 1] == pytest.approx(2 * (at[0] + at[2] - 2 * at[1]))
    assert linear[0, 1] == pytest.approx(at[2] - at[0] - square[0, 1])


@pytest.mark.parametrize("rule", [pets_body, pets_body_clipped, pets_appendix, exact, joint, Fixed(0.3)])
def test_every_rule_serves_many_runs_and_attributes(rule):
    assert_runs_and_attributes_have_their_own_choices(rule)


def theorem_5_for_any_d(f, copy, n2, mechanism):
    """Mean squared error (d, k) of the Phase II estimates: PETS Theorem 5 with 1/d in place of 1/2."""
    copied = copy.T[..., None]  # [follower, pivot, value]
    mu = np.mean(copied * f + (1 - copied) * (1 - f) / (mechanism.k - 1), axis=1)
    reported = mechanism.q_support + mechanism.gap * mu
    return reported * (1 - reported) / (n2 * mechanism.gap**2) + (mu - f) ** 2


def test_theorem_5_for_any_d_is_theorem_5_for_two():
    f, mechanism = np.array([[0.7, 0.2, 0.1], [0.2, 0.3, 0.5]]), GRR(1.0, 3)
    general = theorem_5_for_any_d(f, np.array([[1, 0.6], [0.3, 1]]), 50, mechanism)
    np.testing.assert_allclose(general[1], theorem_5(f[1], f[0], 0.6, 50, mechanism))
    np.testing.assert_allclose(general[0], theorem_5(f[0], f[1], 0.3, 50, mechanism))


@pytest.mark.parametrize("seed", range(4))
def test_joint_rule_is_the_constrained_optimum(seed):
    rng, mechanism = np.random.default_rng(seed), GRR(1.0, 3)
    first = rng.dirichlet(np.ones(3) * 2, size=4)

    def error(p, j):
        copy = np.ones((4, 4))
        copy[[s for s in range(4) if s != j], j] = p
        return theorem_5_for_any_d(first, copy, 200, mechanism)[j].sum()

    best = [minimize(error, np.full(3, 0.5), args=(j,), bounds=[(0, 1)] * 3, tol=1e-12).fun for j in range(4)]
    found = theorem_5_for_any_d(first, joint(first, 200, mechanism), 200, mechanism).sum(axis=1)
    np.testing.assert_allclose(found, best, rtol=1e-5)
    pairwise = theorem_5_for_any_d(first, exact(first, 200, mechanism), 200, mechanism).sum(axis=1)
    assert (found <= pairwise + 1e-9).all()


def test_joint_rule_is_the_exact_one_for_two_attributes():
    first = np.random.default_rng(5).dirichlet(np.ones(4), size=(6, 2))
    np.testing.assert_allclose(joint(first, 50, GRR(1.0, 4)), exact(first, 50, GRR(1.0, 4)), atol=1e-12)


@pytest.mark.parametrize("rule", [pets_body, pets_body_clipped, pets_appendix, exact, joint])
@pytest.mark.parametrize("k", [2, 49])
def test_a_pivot_that_is_uniform_but_for_rounding_is_uniform(rule, k):
    assert_rounding_changes_no_choice(rule, k)

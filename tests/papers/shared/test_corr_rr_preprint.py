"""The preprint's law of copies and choice of p_y, against numerical minimisation of its printed errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from shared.runners.second_phase import preprint, printed_report_law, proposition_1, theorem_4
from support_rules import (
    assert_rounding_changes_no_choice,
    assert_runs_and_attributes_have_their_own_choices,
    budgets,
    estimates,
    mean_error,
)

from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.rules import theorem_5

pytestmark = pytest.mark.thorough


@given(budgets, st.integers(1, 1000), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_theorem_4_of_the_preprint_is_theorem_5_for_two_values(epsilon, n2, a, b, p_y):
    f_a, f_b, mechanism = np.array([a, 1 - a]), np.array([b, 1 - b]), GRR(epsilon, 2)
    np.testing.assert_allclose(
        theorem_4(f_a, f_b, p_y, n2, mechanism), theorem_5(f_a, f_b, p_y, n2, mechanism), rtol=1e-7, atol=1e-12
    )


def test_the_reports_of_the_preprint_are_a_law_only_for_two_values():
    """At k = 10, epsilon = 1 and p_y = 1/2 the ten printed probabilities sum to 1.293."""
    f_a, f_b = np.full(10, 0.1), np.eye(10)[0]
    mechanism = GRR(1.0, 10)
    total = printed_report_law(f_a, f_b, 0.5, mechanism).sum()
    assert total == pytest.approx(1 + mechanism.gap / 2 * 8 * 0.5)
    assert round(total, 3) == 1.293
    assert printed_report_law(f_a[:2] * 5, f_b[:2], 0.5, GRR(1.0, 2)).sum() == pytest.approx(1)


@given(estimates, budgets, st.integers(2, 1000))
def test_proposition_1_of_the_preprint_is_minus_twice_the_minimiser(first, epsilon, n2):
    mechanism = GRR(epsilon, first.shape[1])
    if np.sum((2 * first[0] - 1) ** 2) < 0.1:
        return
    best = minimize_scalar(mean_error, args=(first, n2, mechanism, theorem_4)).x
    assert proposition_1(first[1], first[0], n2, mechanism) == pytest.approx(-2 * best, rel=1e-4, abs=1e-4)


@given(estimates, budgets, st.integers(2, 1000))
def test_rule_of_the_preprint_takes_the_better_end_point_or_its_own_candidate(first, epsilon, n2):
    mechanism = GRR(epsilon, first.shape[1])
    chosen = preprint(first, n2, mechanism)
    assert chosen[0, 1] == chosen[1, 0]
    low_first = first[::-1]
    error = mean_error(chosen[0, 1], low_first, n2, mechanism, theorem_4)
    assert error <= min(mean_error(p, low_first, n2, mechanism, theorem_4) for p in (0, 1)) + 1e-9


def test_the_rule_serves_many_runs_and_attributes():
    assert_runs_and_attributes_have_their_own_choices(preprint)


@pytest.mark.parametrize("k", [2, 49])
def test_a_pivot_that_is_uniform_but_for_rounding_is_uniform(k):
    assert_rounding_changes_no_choice(preprint, k)

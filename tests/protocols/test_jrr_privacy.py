from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from listed_pairings import pairings

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, lowest_correlation
from corrldp.protocols.jrr.privacy import (
    claimed_epsilon,
    exact_epsilon,
    token_epsilon,
    truth_log_odds,
)

pytestmark = pytest.mark.thorough

ps = st.floats(0.51, 0.95)
strengths = st.floats(-0.999, 0.999)


def correlation(p, strength):
    return -strength * lowest_correlation(p) if strength < 0 else strength


def probability_of(truths, p, rho, n):
    """Exact probability that users 0, 1, ... have this truthfulness, averaged over all pairings, as a fraction."""
    q = 1 - p
    joint = {(1, 1): p * (p + rho * q), (0, 0): q * (q + rho * p), (0, 1): (1 - rho) * p * q}
    joint[1, 0] = joint[0, 1]
    total, number = Fraction(0), 0
    for groups in pairings(range(n)):
        chance = Fraction(1)
        for group in groups:
            known = [truths[user] for user in group if user < len(truths)]
            if len(known) == 2:
                chance *= joint[tuple(known)]
            elif known:
                chance *= p if known[0] else q
        total, number = total + chance, number + 1
    return total / number


def brute_force_epsilon(p, rho, n, m):
    """Worst |log odds| of user m's truth over the truthfulness of users 0, ..., m - 1 that can occur."""
    worst = 0.0
    for known in product((0, 1), repeat=m):
        lie, truth = (probability_of((*known, own), p, rho, n) for own in (0, 1))
        if lie == truth == 0:
            continue
        worst = max(worst, np.inf if 0 in (lie, truth) else abs(np.log(float(truth / lie))))
    return worst


FRACTIONS = [(Fraction(4, 5), Fraction(-3, 16)), (Fraction(3, 5), Fraction(1, 2)), (Fraction(11, 20), Fraction(-3, 4)),
             (Fraction(3, 5), Fraction(-2, 3)), (Fraction(2, 3), Fraction(1))]  # fmt: skip


@pytest.mark.parametrize(("p", "rho"), FRACTIONS)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_exact_epsilon_is_that_of_all_pairings(p, rho, n):
    for m in range(n):
        expected = brute_force_epsilon(p, rho, n, m)
        assert exact_epsilon(JointRandomizedResponse(float(p), float(rho)), n, m) == pytest.approx(expected, rel=1e-9)


def test_counterexample_to_theorem_2():
    """Four users, two colluders who both lied, p = 4/5, rho = -3/16: by hand.

    Unless they are a pair (one pairing of three, and then with weight 1/100), both are paired with the others,
    weight 1/25 each: the target's peer lied with probability (2/25) / (2/25 + 1/100) = 8/9, not 2/3.
    """
    truth = Fraction(8, 9) * Fraction(19, 20) + Fraction(1, 9) * Fraction(4, 5)
    expected = np.log(float(truth / (1 - truth)))
    assert exact_epsilon(JointRandomizedResponse(0.8, -0.1875), 4, 2) == pytest.approx(expected)
    assert claimed_epsilon(JointRandomizedResponse(0.8, -0.1875), 4, 2) == pytest.approx(np.log(9))
    assert expected > np.log(9) + 0.4


@given(ps, strengths, st.integers(2, 40), st.data())
def test_claimed_epsilon_is_the_printed_formula(p, strength, n, data):
    n += n % 2
    m, rho, q = data.draw(st.integers(0, n - 1)), correlation(p, strength), 1 - p
    largest, smallest = max((1 - rho) * p, p + rho * q), min((1 - rho) * q, q + rho * p)
    printed = np.log((m * largest + (n - m - 1) * p) / (m * smallest + (n - m - 1) * q))
    assert claimed_epsilon(JointRandomizedResponse(p, rho), n, m) == pytest.approx(printed, rel=1e-9)


@given(ps, strengths, st.integers(2, 30), st.data())
def test_exact_against_claimed(p, strength, n, data):
    """The claim is too low for rho < 0 and m >= 2, exact for m <= 1, and too high for rho > 0."""
    m, rho = data.draw(st.integers(0, n - 1)), correlation(p, strength)
    law = JointRandomizedResponse(p, rho)
    exact, claimed = exact_epsilon(law, n, m), claimed_epsilon(law, n, m)
    assert exact >= claimed - 1e-9 if rho <= 0 else exact <= claimed + 1e-9
    assert np.log(p / (1 - p)) - 1e-9 <= exact <= claimed_epsilon(law, 2, 1) + 1e-9
    if m <= 1 or rho == 0:
        assert exact == pytest.approx(claimed, abs=1e-9)


def test_claimed_epsilon_grows_with_the_colluders():
    """Appendix H."""
    for rho in (-0.6, 0.3):
        values = [claimed_epsilon(JointRandomizedResponse(0.6, rho), 50, m) for m in range(50)]
        assert (np.diff(values) > 0).all()
        assert values[-1] == pytest.approx(claimed_epsilon(JointRandomizedResponse(0.6, rho), 2, 1))


def test_large_population_against_the_tokens_view():
    """For rho <= 0 the same posterior follows from hidden tokens: another formula, at n = 10,000 with m = 300 liars."""
    p, rho, n, m = 0.52, -0.6, 10_000, 300
    shift = np.sqrt(-rho * p * (1 - p))
    plus = np.arange(m + 1)
    draws = np.cumsum(np.log((m - plus[:-1]) / plus[1:] * (n / 2 - plus[:-1]) / (n / 2 - m + plus[1:])))
    prior = np.concatenate([[0.0], draws])
    weights = prior + plus * np.log(1 - p - shift) + (m - plus) * np.log(1 - p + shift)
    weights = np.exp(weights - weights.max())
    share = weights @ ((n / 2 - plus) / (n - m)) / weights.sum()
    truth = p + shift * (2 * share - 1)
    assert truth_log_odds(JointRandomizedResponse(p, rho), n, m)[0] == pytest.approx(
        np.log(truth / (1 - truth)), rel=1e-8
    )


def test_truth_log_odds_of_impossible_patterns_are_left_out():
    """At the most negative rho, at most half of the users lie."""
    assert len(truth_log_odds(JointRandomizedResponse(0.6, 1 - 1 / 0.6), 6, 5)) == 4


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_token_epsilon_by_listing_pairings_and_tokens(n):
    seats = n + n % 2
    truth_of = {token: 0.6 + token * np.sqrt(0.3 * 0.6 * 0.4) for token in (-1, 1)}
    deals = []
    for groups in pairings(range(seats)):
        for heads in product((-1, 1), repeat=len(groups)):
            deal = np.empty(seats, dtype=int)
            for (first, second), token in zip(groups, heads, strict=True):
                deal[first], deal[second] = token, -token
            deals.append(deal)
    for m in range(n):
        worst = 0.0
        for known in {tuple(deal[:m]) for deal in deals}:
            own = [deal[m] for deal in deals if tuple(deal[:m]) == known]
            truth = np.mean([truth_of[token] for token in own])
            worst = max(worst, abs(np.log(truth / (1 - truth))))
        assert token_epsilon(JointRandomizedResponse(0.6, -0.3), n, m) == pytest.approx(worst)


@given(ps, st.floats(-1, 0), st.integers(2, 30), st.data())
def test_tokens_tell_at_least_as_much_as_truthfulness(p, strength, n, data):
    m, law = data.draw(st.integers(0, n - 1)), JointRandomizedResponse(p, correlation(p, strength))
    assert token_epsilon(law, n, m) >= exact_epsilon(law, n, m) - 1e-7


def test_k_ary_epsilon_by_listing_reports():
    """Four users, three values: users 0, 1 collude with value 0, user 2 is the target, user 3 is summed out."""
    for p, rho in ((0.6, -0.9), (0.4, -0.8), (0.45, 1.2)):
        law = JointRandomizedResponse(p, rho, 3)
        channel, users = law.pair_channel(), list(pairings(range(4)))
        for m in (1, 2):
            chances = np.zeros((3, 3, 3, 3))  # target's value, reports of 0, 1 and of the target
            for value, reports in product(range(3), product(range(3), repeat=4)):
                values = (0, 0, value, 0)
                for groups in users:
                    chance = np.prod([channel[values[i], values[j], reports[i], reports[j]] for i, j in groups])
                    chances[(value, *reports[:3])] += chance / len(users)
            if m == 1:
                chances = chances.sum(axis=2)
            logs = np.log(chances)
            worst = (logs[:, None] - logs[None]).max()
            assert exact_epsilon(law, 4, m) == pytest.approx(worst)
            if m == 1:
                assert claimed_epsilon(law, 4, m) == pytest.approx(worst)


@pytest.mark.parametrize(("n", "m"), [(4, 4), (4, -1), (0, 0)])
def test_bad_number_of_colluders(n, m):
    for epsilon in (claimed_epsilon, exact_epsilon, token_epsilon):
        with pytest.raises(ValueError, match="must be 0 to n - 1"):
            epsilon(JointRandomizedResponse(0.6, -0.1), n, m)


def test_tokens_need_a_negative_correlation():
    with pytest.raises(ValueError, match="must be <= 0"):
        token_epsilon(JointRandomizedResponse(0.6, 0.1), 4, 1)

"""What a report of JRR reveals."""

import math

import numpy as np
import pytest
from jrr.runners import privacy
from jrr.runners.exact import enumerate_truth_log_odds
from jrr.runners.privacy import enumerate_epsilon, levels_of, losses_of, quantile

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse


def test_measures_of_one_choice_by_hand():
    """Four users, two colluders, p = 0.8, rho = -0.1: the peer is one of two colluders with probability 2/3."""
    found = dict(levels_of(JointRandomizedResponse(0.8, -0.1), 4, 2))
    truth, lie = (2 * 0.88 + 0.8) / 3, (2 * 0.12 + 0.2) / 3
    shift = math.sqrt(0.1 * 0.8 * 0.2)
    assert found == pytest.approx(
        {
            "p": 0.8,
            "rho": -0.1,
            "epsilon_claimed": math.log(truth / lie),
            "epsilon_exact": enumerate_epsilon(JointRandomizedResponse(0.8, -0.1), 4, 2),
            "epsilon_known_peers": math.log(0.88 / 0.12),
            # Two equal tokens belong to different pairs, so the target's token is the other one for certain.
            "epsilon_tokens": math.log((0.8 + shift) / (0.2 - shift)),
            "truth_given_token": 0.8 + shift,
            "token_advantage": 1,
        }
    )


def test_positive_correlation_has_no_tokens():
    assert {"p", "rho", "epsilon_claimed", "epsilon_exact", "epsilon_known_peers"} == {
        *dict(levels_of(JointRandomizedResponse(0.8, 0.1), 4, 2))
    }


SETTING = {"p": [0.525, 0.75], "rho_share": [0, 0.5, 1], "n": [2, 4, 6, 20], "enumerate_up_to": 6}


def test_exact_is_the_enumerated_epsilon(table):
    found = table(privacy.collusion, SETTING)
    exact = found[found["metric"] == "epsilon_exact"]
    listed = exact["n"] <= 6
    assert exact.loc[~listed, "theory"].isna().all()
    np.testing.assert_allclose(exact.loc[listed, "mean"], exact.loc[listed, "theory"], rtol=1e-9)


@pytest.mark.parametrize(("p", "rho"), [(0.6, -0.3), (0.75, -1 / 3), (0.9, 0.4)])
def test_losses_are_those_of_listing_all_pairings(p, rho):
    n, protocol = 6, JointRandomizedResponse(p, rho)
    losses, chances = losses_of({"n": n}, protocol)
    listed = [enumerate_truth_log_odds(protocol, (1,) * a + (0,) * (n - 1 - a), n) for a in range(n)]
    listed = [abs(value) for value in listed if not math.isnan(value)]
    finite = chances > 1e-9
    for loss in losses[finite & np.isfinite(losses)]:
        assert min(abs(loss - value) for value in listed) < 1e-6
    assert chances.sum() == pytest.approx(1)


@pytest.mark.parametrize("n", [6, 20, 200])
def test_loss_is_infinite_where_half_of_all_others_tell_the_truth_at_the_smallest_correlation(n):
    p = 0.5025
    protocol = JointRandomizedResponse(p, 1 - 1 / p)
    losses, chances = losses_of({"n": n}, protocol)
    # Every pair has a truthful user: if n/2 of the others lie, the target tells the truth.
    certain = protocol.both + 2 * protocol.one
    assert certain == pytest.approx(1)
    assert chances[np.isinf(losses)].sum() == pytest.approx((2 * protocol.one) ** (n // 2) / 2)
    assert losses[np.isfinite(losses)].max() < 30


def test_a_known_value_costs_rr_nothing():
    losses, chances = losses_of({"n": 10_000}, JointRandomizedResponse(0.75, 0.0))
    assert losses.tolist() == pytest.approx([math.log(3)])
    assert chances.tolist() == [1]


def test_quantiles():
    losses, chances = np.array([1.0, 2.0, 5.0]), np.array([0.5, 0.4, 0.1])
    assert [quantile(losses, chances, share) for share in (0.4, 0.6, 0.95)] == [1, 2, 5]

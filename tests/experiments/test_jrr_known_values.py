import math

import numpy as np
import pytest

from corrldp.experiments.jrr import privacy
from corrldp.experiments.jrr.privacy import losses_of, quantile
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.enumeration import truth_log_odds


@pytest.mark.parametrize(("p", "rho"), [(0.6, -0.3), (0.75, -1 / 3), (0.9, 0.4)])
def test_losses_are_those_of_listing_all_pairings(p, rho):
    n, protocol = 6, JointRandomizedResponse(p, rho)
    losses, chances = losses_of(protocol, n)
    listed = [truth_log_odds(protocol.law, (1,) * a + (0,) * (n - 1 - a), n) for a in range(n)]
    listed = [abs(value) for value in listed if not math.isnan(value)]
    finite = chances > 1e-9
    for loss in losses[finite & np.isfinite(losses)]:
        assert min(abs(loss - value) for value in listed) < 1e-6
    assert chances.sum() == pytest.approx(1)


@pytest.mark.parametrize("n", [6, 20, 200])
def test_loss_is_infinite_where_half_of_all_others_tell_the_truth_at_the_smallest_correlation(n):
    p = 0.5025
    protocol = JointRandomizedResponse(p, 1 - 1 / p)
    losses, chances = losses_of(protocol, n)
    # Every pair has a truthful user: if n/2 of the others lie, the target tells the truth.
    certain = protocol.law.both + 2 * protocol.law.one
    assert certain == pytest.approx(1)
    assert chances[np.isinf(losses)].sum() == pytest.approx((2 * protocol.law.one) ** (n // 2) / 2)
    assert losses[np.isfinite(losses)].max() < 30


def test_a_known_value_costs_rr_nothing():
    losses, chances = losses_of(JointRandomizedResponse(0.75, 0.0), 10_000)
    assert losses.tolist() == pytest.approx([math.log(3)])
    assert chances.tolist() == [1]


def test_quantiles():
    losses, chances = np.array([1.0, 2.0, 5.0]), np.array([0.5, 0.4, 0.1])
    assert [quantile(losses, chances, share) for share in (0.4, 0.6, 0.95)] == [1, 2, 5]


def test_posterior_is_calibrated():
    """The truthfulness of the others moves the odds of the target, but on average its probability stays p."""
    p = 0.6
    protocol = JointRandomizedResponse(p, -0.6)
    losses, chances = losses_of(protocol, 1_000)
    # Close to its centre the loss has the sign of the truth, so that the mean of 1/(1 + e^-loss) is near p.
    assert (chances / (1 + np.exp(-losses))).sum() == pytest.approx(p, abs=0.05)


def test_loss_grows_beyond_the_budget_of_rr(table):
    setting = {"n": [2_000, 40_000], "ones_fraction": [0.5], "epsilon": [0.01], "colluders": [5]}
    found = table(privacy.known_values, setting).pivot(index="n", columns=["mechanism", "metric"], values="mean")
    assert found["RR"].to_numpy() == pytest.approx(0.01)
    assert (found["JRR", "loss_95"] > 0.015).all()
    assert found["JRR", "loss_median"][40_000] > 0.05

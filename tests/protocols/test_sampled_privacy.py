"""Privacy of reports as they are drawn in floating point: exact probabilities as fractions, equal supports."""

import math
from fractions import Fraction

import numpy as np
import pytest

from corrldp.collection import Client
from corrldp.mechanisms.grr import GRR
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.registry import list_protocols, protocol
from corrldp.protocols.reports import ORACLES
from corrldp.protocols.two_phase import Phased
from corrldp.randomness import bernoulli, chance_of_bit, chance_of_uniform

SMALLEST = 2.0**-53
BUDGETS = (1e-6, 0.1, 1.0, 5.0, 12.0, 16.0)
DOMAINS = (2, 3, 100, 10**6)


class Enumerating:
    """A generator that yields every byte once and a given uniform number."""

    def __init__(self, uniform):
        self.uniform = uniform

    def integers(self, high, size, dtype):
        assert (high, size, dtype) == (2**64, 32, np.uint64)
        return np.arange(256, dtype=np.uint8).view(np.uint64)

    def random(self, size):
        return np.full(size, self.uniform)


@pytest.mark.parametrize("chance", [0.0, 2.0**-60, 0.1, 0.5, 1 / 3, 1 - 2.0**-53, 1.0, 5 / 256])
def test_the_probability_of_a_bit_is_what_enumeration_finds(chance):
    """Uniform numbers at the two ends of the comparison show where it flips: P is their exact mixture."""
    rest = 256 * chance - int(256 * chance)
    below = math.ceil(Fraction(rest) * 2**53)  # multiples of 2^-53 below the rest
    counts = [int(bernoulli(chance, (256,), Enumerating(u * SMALLEST)).sum()) for u in (0, below - 1, below, 2**53 - 1)]
    assert counts[1] == counts[0] if below else True
    assert counts[2] == counts[3] or below == 2**53
    low, high = (counts[0] if below else counts[2]), counts[2]
    exact = Fraction(low * below + high * (2**53 - below), 256 * 2**53)
    assert chance_of_bit(chance) == exact
    assert abs(chance_of_bit(chance) - Fraction(chance)) <= Fraction(1, 2**61)


@pytest.mark.parametrize("chance", [0.0, 0.3, 2.0**-60, 1.0])
def test_the_probability_of_a_uniform_number_below(chance):
    found = chance_of_uniform(chance)
    assert 0 <= found - Fraction(chance) < Fraction(1, 2**53)
    assert (found - Fraction(1, 2**53)) * 2**53 < Fraction(chance) * 2**53 or not chance


@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("epsilon", BUDGETS)
def test_oracles_have_their_budget_as_drawn(name, epsilon):
    """The comparison with 53 or 61 digits changes epsilon by less than 1e-8, in domains of any size."""
    for k in DOMAINS:
        oracle = ORACLES[name](epsilon, k)
        assert oracle.sampled_epsilon() == pytest.approx(epsilon, abs=1e-8)


@pytest.mark.parametrize("name", list_protocols())
@pytest.mark.parametrize("epsilon", [0.01, 1.0, 10.0])
def test_protocols_have_their_guarantee_as_drawn(name, epsilon):
    one = protocol(name, epsilon, (3,) if name == "JRR" else (2, 5))
    if isinstance(one, Phased):
        one = one.first_phase()
    assert one.sampled_epsilon() == pytest.approx(one.guarantee().record, abs=1e-8)


@pytest.mark.parametrize("epsilon", [1e-9, 1.0, 20.0, 40.0])
@pytest.mark.parametrize(
    "name", ["SPL", "SPL[SUE]", "SPL[OUE]", "SPL[SS]", "SMP[SUE]", "RS+FD[SUE-z]", "RS+FD", "SMP[SS]"]
)
def test_no_probability_of_a_channel_becomes_zero(name, epsilon):
    channel = protocol(name, epsilon, (3, 4)).channel()
    assert (channel > 0).all()
    assert epsilon_of_channel(channel) == pytest.approx(epsilon, rel=1e-6)


def test_a_large_domain_or_budget_leaves_every_report_possible():
    assert GRR(1.0, 10**12).q_support > 0
    assert GRR(700.0, 10**6).q_support > 0


def test_what_cannot_be_drawn_is_not_deployed():
    """Above, the truth of GRR has probability 1 as drawn, so that a report would exclude all other values."""
    for epsilon, name in ((45.0, "SPL"), (160.0, "SPL[SUE]"), (45.0, "RS+FD")):
        one = protocol(name, epsilon, (2,) if name == "SPL" else (2, 2))
        with pytest.raises(ValueError, match="as drawn, above"):
            Client(one)
    assert math.isinf(GRR(45.0, 2).sampled_epsilon())
    Client(protocol("SPL", 20.0, (2,)))

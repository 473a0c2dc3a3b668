"""What protocols say they guarantee is what enumeration finds, also in the worst case over what a phase teaches."""

from itertools import product

import numpy as np
import pytest

from corrldp.mechanisms.grr import GRR
from corrldp.privacy import attribute_epsilon, epsilon_of_channel, record_channel
from corrldp.protocols.corr_rr import pivot
from corrldp.protocols.corr_rr.alignment import AlignedPhase
from corrldp.protocols.corr_rr.pivot import LARGEST_DOMAIN, PivotPhase
from corrldp.protocols.lopub import BloomResponse
from corrldp.protocols.registry import protocol

CHANNELS = [[GRR(0.4, 3).channel(), GRR(1.5, 3).channel()], [GRR(0.1, 3).channel(), np.eye(3)]]
PHASE = PivotPhase.of(0.8, (3, 3), np.array([[np.eye(3), CHANNELS[0][1]], [CHANNELS[1][0], np.eye(3)]]))


@pytest.mark.parametrize("one", [PHASE, AlignedPhase(PHASE, ((0, 1, 2, 0), (1, 2, 0)))], ids=["pivot", "aligned"])
def test_the_guarantee_of_a_phase_with_any_channels_is_what_enumeration_finds(one):
    """Those of all protocols: `test_contract.py`, and for any budget and domains `test_oracles_of_records.py`."""
    channel, guarantee = one.channel(), one.guarantee()
    assert guarantee.exact
    assert guarantee.record == pytest.approx(epsilon_of_channel(channel), rel=1e-9)
    found = [attribute_epsilon(channel, one.sizes, j) for j in range(one.d)]
    assert guarantee.attributes == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize("epsilon", [20.0, 40.0, 60.0, 100.0, 700.0])
def test_a_large_budget_is_not_understated(epsilon):
    """With empty fakes of SUE a report tells least by probabilities whose difference from 1 has no digits left."""
    found = protocol("RS+FD[SUE-z]", epsilon, (2, 3)).guarantee()
    assert found.attributes == pytest.approx([epsilon + np.log1p(np.exp(-epsilon)) - np.log(2)] * 2, rel=1e-14)


def test_lopub_spends_less_than_its_budget_where_filters_overlap():
    lopub = protocol("LoPub", 1.2, (3, 2), bits=4, hashes=2, seed=1)
    bits = np.array(list(product((0, 1), repeat=4)))
    flip = lopub.response.flip / 2
    channels = [np.where(filters[:, None] == bits, 1 - flip, flip).prod(axis=-1) for filters in lopub.response.filters]
    assert lopub.guarantee().record == pytest.approx(epsilon_of_channel(record_channel(channels)))
    assert lopub.guarantee().attributes == pytest.approx([epsilon_of_channel(channel) for channel in channels])
    assert lopub.guarantee().record < 1.2


@pytest.mark.parametrize("name", ["RS+RFD", "Corr-RR", "Cond-RR"])
def test_a_two_phase_protocol_guarantees_the_worst_that_it_may_learn(name):
    """Learned zeros let a report show which attribute was real, and the bound is attained."""
    guarantee = protocol(name, 0.9, (2, 2)).guarantee()
    if name == "RS+RFD":
        worst = protocol("RS+RFD", 0.9, (2, 2), priors=[[0, 1], [0, 1]])
    else:
        copies = pivot.copy_channels(np.array([[1, 1.0], [0.0, 1]]), 2)
        worst = PivotPhase.of(0.9, (2, 2), copies)
    assert guarantee.record == worst.guarantee().record == pytest.approx(0.9)
    assert guarantee.attributes[1] == pytest.approx(max(worst.guarantee().attributes))


def test_domains_too_large_to_enumerate_get_a_bound():
    sizes = (8,) * 8
    copies = pivot.copy_channels(np.ones((8, 8)), 8)
    assert LARGEST_DOMAIN < 8**8
    guarantee = PivotPhase.of(1.0, sizes, copies).guarantee()
    assert not guarantee.exact
    assert guarantee.attributes == (1.0,) * 8


def test_a_budget_out_of_range_is_refused_under_its_parameter_s_name():
    for value in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match=rf"^epsilon_per_attribute={value} must be finite and > 0"):
            BloomResponse(value, [np.eye(2) > 0], 1)

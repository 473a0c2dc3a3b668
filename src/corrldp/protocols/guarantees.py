"""The exact epsilon of each protocol of the package, for domains of any size."""

from __future__ import annotations

import math
from functools import singledispatch

import numpy as np

from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.corr_rr.alignment import Alignment
from corrldp.protocols.corr_rr.phase import PivotPhase
from corrldp.protocols.fake_data import FakeDataProtocol, sampled_budget
from corrldp.protocols.guarantee import Guarantee
from corrldp.protocols.jrr.protocol import JRR
from corrldp.protocols.lopub.protocol import LoPub
from corrldp.protocols.privacy import attribute_epsilon
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL
from corrldp.protocols.two_phase import TwoPhase

LARGEST_DOMAIN = 2**20


@singledispatch
def guarantee(protocol: RecordProtocol) -> Guarantee:
    """Return what a protocol guarantees; by default, by enumerating its channel.

    Raises
    ------
    ValueError
        The protocol has no channel.
    """
    channel = getattr(protocol, "channel", None)
    if channel is None:
        raise ValueError(f"{type(protocol).__name__} needs guarantee() or channel(): its privacy is unknown")
    matrix = channel()
    attributes = (attribute_epsilon(matrix, protocol.sizes, j) for j in range(protocol.d))
    return Guarantee(epsilon_of_channel(matrix), tuple(attributes))


@guarantee.register
def _(protocol: SPL) -> Guarantee:
    """Attributes are reported independently, each with an exact budget, so budgets add up."""
    budgets = tuple(float(oracle.epsilon) for oracle in protocol.mechanisms)
    return Guarantee(math.fsum(budgets), budgets)


@guarantee.register
def _(protocol: SMP) -> Guarantee:
    """Take the largest: a report is about one attribute, which it names."""
    budgets = tuple(float(oracle.epsilon) for oracle in protocol.mechanisms)
    return Guarantee(max(budgets), budgets)


@guarantee.register
def _(protocol: FakeDataProtocol) -> Guarantee:
    """Take the sampled budget, attained by a report that supports one record in all attributes and another in none."""
    record = sampled_budget(protocol.epsilon, protocol.d, protocol.amplify)
    return Guarantee(record, tuple(protocol.attribute_epsilon(j) for j in range(protocol.d)))


@guarantee.register
def _(protocol: LoPub) -> Guarantee:
    """Values whose filters overlap spend less than the budget."""
    budgets = tuple(protocol.response.exact_epsilons())
    return Guarantee(math.fsum(budgets), budgets)


@guarantee.register
def _(protocol: JRR) -> Guarantee:
    """Colluders know their truthfulness or their tokens; without them a report is plain randomized response."""
    p, rho = protocol.parameters.p, protocol.parameters.rho
    epsilon = protocol.exact_epsilon(p, rho, protocol.users or 2, protocol.sizes[0])
    return Guarantee(epsilon, (epsilon,))


@guarantee.register
def _(protocol: TwoPhase) -> Guarantee:  # type: ignore[type-arg]
    """Assume the worst: a learned prior rules a value out, or learned channels tell which attribute was the pivot.

    Then an attribute spends what a record does in the second phase; the first phase spends no more.
    """
    record = protocol.epsilon
    if isinstance(protocol, TwoPhaseRSRFD):
        record = sampled_budget(protocol.epsilon, protocol.d, protocol.amplify)
    return Guarantee(record, (record,) * protocol.d)


@guarantee.register
def _(protocol: PivotPhase) -> Guarantee:
    """Find the largest ratio for attribute j: no other attribute has its reported value.

    With e_s the probability that pivot s, given its report, has the others report what they do, it is
    1 + (p / q - 1) e_j / (e_1 + ... + e_d).
    """
    d, k = protocol.d, protocol.sizes[0]
    if k**d > LARGEST_DOMAIN:
        return Guarantee(protocol.epsilon, (protocol.epsilon,) * d, exact=False)
    reports = np.stack(np.unravel_index(np.arange(k**d), protocol.sizes), axis=1)
    explained = np.stack(
        [np.prod([protocol.laws[s, j, reports[:, s], reports[:, j]] for j in range(d)], axis=0) for s in range(d)]
    )
    possible = explained[:, explained.any(axis=0)]
    shares = (possible / possible.sum(axis=0)).max(axis=1)
    odds = math.expm1(protocol.epsilon)
    return Guarantee(protocol.epsilon, tuple(math.log1p(odds * float(share)) for share in shares))


@guarantee.register
def _(protocol: Alignment) -> Guarantee:
    """Values of one class are reported alike; of two classes, as by the protocol on classes."""
    return protocol.protocol.guarantee()

"""Two-phase protocols with the phases apart: what a server learns from the first one parametrises the second."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from corrldp.arrays import Floats
from corrldp.protocols.castell.protocol import Castell
from corrldp.protocols.collection.choice import spread
from corrldp.protocols.collection.estimate import Estimate
from corrldp.protocols.collection.server import Aggregator
from corrldp.protocols.collection.tally import NO_REPORT, expanded, support_of
from corrldp.protocols.cond_rr import CondRR, conditional_channels
from corrldp.protocols.corr_rr import synthesis
from corrldp.protocols.corr_rr.alignment import Aligned, AlignedPhase
from corrldp.protocols.corr_rr.phase import PivotPhase
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.pairs import reported_pairs
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD
from corrldp.protocols.two_phase import TwoPhase, weigh


def first_phase(protocol: TwoPhase[Any] | Aligned) -> RecordProtocol:
    """Return what the users of the first phase run: SPL, whose reports are kept whole where pairs are learned."""
    if isinstance(protocol, Aligned):
        return AlignedPhase(first_phase(protocol.protocol), protocol.mappings)
    return Castell(protocol.epsilon, protocol.sizes) if isinstance(protocol, CondRR) else protocol.spl


def second_phase(protocol: TwoPhase[Any] | Aligned, first: Aggregator, users: int | None = None) -> RecordProtocol:
    """Return what the users of the second phase run, given the reports of the first.

    Parameters
    ----------
    protocol
        The protocol of both phases.
    first : Aggregator
        Of `first_phase(protocol)`.
    users : int, optional
        Expected users of the second phase, of which Corr-RR's rule takes account; by default as many as fit the
        protocol's `phase1_fraction`.

    Raises
    ------
    ValueError
        Nothing was reported, or by another protocol.
    """
    _check(first_phase(protocol), first)
    if isinstance(protocol, Aligned):
        inner = Aggregator(first_phase(protocol.protocol), first.tally, first.n)
        return AlignedPhase(second_phase(protocol.protocol, inner, users), protocol.mappings)
    share = protocol.phase1_fraction
    return learn(protocol, first, users or max(1, round(first.n * (1 - share) / share)))


@singledispatch
def learn(protocol: Any, first: Aggregator, users: int) -> RecordProtocol:  # noqa: ANN401
    """Return the protocol of the second phase's `users`, given the reports of the first."""
    raise ValueError(f"{type(protocol).__name__} has no second phase with parameters for its clients")


@learn.register
def _(protocol: CorrRR, first: Aggregator, users: int) -> PivotPhase:
    copy = protocol.rule(first.estimate().frequencies, users, protocol.mechanism)
    return PivotPhase.of(protocol.epsilon, protocol.sizes, synthesis.copy_channels(copy, protocol.mechanism.k))


@learn.register
def _(protocol: CondRR, first: Aggregator, users: int) -> PivotPhase:
    reports = expanded(np.array(list(first.tally)), first.tally)
    channels = conditional_channels(reported_pairs(reports, protocol.sizes), protocol.first_mechanism)
    return PivotPhase.of(protocol.epsilon, protocol.sizes, channels)


@learn.register
def _(protocol: TwoPhaseRSRFD, first: Aggregator, users: int) -> RSRFD:
    return protocol.with_priors(postprocess(first.estimate().frequencies, protocol.repair))


def combine(protocol: TwoPhase[Any] | Aligned, first: Aggregator, second: Aggregator) -> Estimate:
    """Estimate from both phases, weighted by their numbers of users.

    Standard errors are from the reports alone. Those of Corr-RR and Cond-RR include the bias of the second phase as the
    first one estimates it, and that estimate's own error, so their intervals tend to be too wide, not too narrow.

    Raises
    ------
    ValueError
        A phase has no reports, or reports of another protocol.
    """
    _check(first_phase(protocol), first)
    if not second.n:
        raise ValueError(NO_REPORT)
    if isinstance(protocol, Aligned):
        if not isinstance(second.protocol, AlignedPhase) or second.protocol.mappings != protocol.mappings:
            raise ValueError("the second aggregator is of another protocol than second_phase(first)")
        phases = first_phase(protocol.protocol), second.protocol.protocol
        inner = [Aggregator(phase, one.tally, one.n) for phase, one in zip(phases, (first, second), strict=True)]
        return spread(
            AlignedPhase(first_phase(protocol.protocol), protocol.mappings), combine(protocol.protocol, *inner)
        )
    if not isinstance(second.protocol, PivotPhase | RSRFD) or second.protocol.sizes != protocol.sizes:
        raise ValueError("the second aggregator is of another protocol than second_phase(first)")
    one, two, n = first.estimate(), second.estimate(), first.n + second.n
    frequencies = weigh(one.frequencies, first.n, two.frequencies, second.n)
    if isinstance(second.protocol, RSRFD):
        errors = np.hypot(first.n * one.standard_errors, second.n * two.standard_errors) / n
    else:
        errors = _error_with_bias(second.protocol, first, second)
    return Estimate(frequencies, errors, n)


def _error_with_bias(phase: PivotPhase, first: Aggregator, second: Aggregator) -> Floats:
    """Estimate the error (d, k): reports of both phases, who is in which, and the second one's bias.

    The channels were chosen because the bias seemed small by the same reports, so errors are added, not their squares.
    """
    n1, n2, n = first.n, second.n, first.n + second.n
    one = first.estimate()
    reported = support_of(second.tally, phase.sizes) / n2
    of_second = reported * (1 - reported) / (n2 * phase.mechanism.gap**2)
    known = np.clip(one.frequencies, 0, 1)
    # The mean m of a user's debiased report lies in [0, 1], so the variance of m - 1[x = v] is at most E[m] + f.
    means = np.clip(second.estimate().frequencies, 0, 1)
    of_split = n1 * n2 / max(n - 1, 1) * (means + known) / n**2
    of_reports = (n1**2 * one.standard_errors**2 + n2**2 * of_second) / n**2
    bias = np.abs(phase.bias(one.frequencies)) + np.sqrt(_variance_of_bias(phase, one))
    return np.sqrt(of_reports + of_split) + n2 / n * bias


def _variance_of_bias(phase: PivotPhase, first: Estimate) -> Floats:
    """Variance (d, k) of `phase.bias` at the first phase's estimates, whose attributes are reported independently.

    The first phase has other users than the second, so the draw of users counts as well. Within an attribute the
    estimates by GRR sum to 1, so the weights of a contrast can be centred.
    """
    known = np.clip(first.frequencies, 0, 1)
    variances = first.standard_errors**2 + known * (1 - known) / first.n
    d, k = phase.d, phase.sizes[0]
    weights = phase.laws / d  # [s, j, v, w]: of the frequency of v of attribute s in the bias of w of attribute j
    weights[range(d), range(d)] -= np.eye(k)
    centred = weights - weights.mean(axis=2, keepdims=True)
    # Estimates of one attribute correlate negatively by -1 / (k - 1) on average.
    return np.einsum("sjvw,sv->jw", centred**2, variances) * k / (k - 1)


def _check(protocol: RecordProtocol, first: Aggregator) -> None:
    if first.protocol != protocol:
        raise ValueError(f"the first aggregator must be of first_phase(), {protocol}")
    if not first.n:
        raise ValueError(NO_REPORT)

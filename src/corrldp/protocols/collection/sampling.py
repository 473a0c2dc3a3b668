"""The privacy of reports as they are drawn: with random numbers of 53 or 61 binary digits, not of infinitely many.

A probability is drawn by comparing it with a uniform number. `rng.random()` is a multiple of 2^-53, and `bernoulli`
resolves 61 digits, so an event happens with a probability that is known exactly, as a fraction. Integers from
`rng.integers` are exactly uniform. What does not depend on the user's value (the attribute sampled, fakes, hash keys,
the synthesis from a pivot's report) cannot add to epsilon.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import singledispatch

from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.protocols.corr_rr.alignment import AlignedPhase
from corrldp.protocols.corr_rr.phase import PivotPhase
from corrldp.protocols.fake_data import FakeDataProtocol
from corrldp.protocols.jrr.protocol import JRR
from corrldp.protocols.jrr.server import token_shift
from corrldp.protocols.lopub.protocol import LoPub
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL

DIGITS = 53
SLACK = 1e-6


def chance_of_uniform(chance: float) -> Fraction:
    """Return the exact probability of `rng.random() < chance`."""
    return Fraction(math.ceil(Fraction(chance) * 2**DIGITS), 2**DIGITS)


def chance_of_bit(chance: float) -> Fraction:
    """Return the exact probability that `bernoulli` draws a 1: one byte decides, or a further uniform number."""
    first = int(256 * chance)
    return (first + chance_of_uniform(256 * chance - first)) / 256


@singledispatch
def sampled_epsilon(what: object) -> float:
    """Return the epsilon of a report of an oracle, or of a record's by a protocol, as it is drawn.

    Exact for oracles, SPL, SMP, LoPub and JRR; an upper bound where reports are mixed, and infinite if a report is
    possible under one value only.

    Raises
    ------
    ValueError
        It is not known how the reports are drawn.
    """
    raise ValueError(f"it is not known how {type(what).__name__} draws its reports")


@sampled_epsilon.register
def _(what: GRR) -> float:
    truth = chance_of_bit(what.p_support)
    return _log_ratio(truth * (what.k - 1), 1 - truth)


@sampled_epsilon.register
def _(what: LocalHashing) -> float:
    return sampled_epsilon(what.inner)


@sampled_epsilon.register
def _(what: UnaryEncoding) -> float:
    one, zero = chance_of_bit(what.p_support), chance_of_bit(what.q_support)
    return _log_ratio(one * (1 - zero), (1 - one) * zero)


@sampled_epsilon.register
def _(what: SubsetSelection) -> float:
    inside = chance_of_uniform(what.p_support)
    return _log_ratio(inside * (what.k - what.size), (1 - inside) * what.size)


@sampled_epsilon.register
def _(what: SPL) -> float:
    return math.fsum(map(sampled_epsilon, what.mechanisms))


@sampled_epsilon.register(SMP)
@sampled_epsilon.register(FakeDataProtocol)
def _(what: SMP | FakeDataProtocol) -> float:
    return max(map(sampled_epsilon, what.mechanisms))


@sampled_epsilon.register
def _(what: PivotPhase) -> float:
    return sampled_epsilon(what.mechanism)


@sampled_epsilon.register
def _(what: AlignedPhase) -> float:
    return sampled_epsilon(what.protocol)


@sampled_epsilon.register
def _(what: LoPub) -> float:
    wrong = chance_of_uniform(what.response.flip / 2)
    return float(sum(what.response.most_differing_bits())) * _log_ratio(1 - wrong, wrong)


@sampled_epsilon.register
def _(what: JRR) -> float:
    p, k = what.parameters.p, what.sizes[0]
    shift = token_shift(p, what.parameters.rho / (k - 1))
    truth = (chance_of_uniform(p + shift) + chance_of_uniform(p - shift)) / 2
    return _log_ratio(truth * (k - 1), 1 - truth)


def check_sampling(protocol: RecordProtocol) -> None:
    """Raise ValueError if a protocol of the package draws reports with more epsilon than it guarantees for a record.

    Up to about 20 for one report the two agree to six digits; above, probabilities close to 1 have too few digits.
    """
    try:
        drawn = sampled_epsilon(protocol)
    except ValueError:
        return  # a class of one's own, or an oracle of one's own: its sampling is unknown
    stated = protocol.guarantee().record
    if drawn > stated + SLACK:
        raise ValueError(f"reports have epsilon {drawn:.9g} as drawn, above {stated:.9g}: take at most 20 per report")


def _log_ratio(more: Fraction, less: Fraction) -> float:
    if not less:
        return math.inf
    ratio = more / less
    return math.log1p(ratio - 1) if ratio < 2 else math.log(ratio.numerator) - math.log(ratio.denominator)

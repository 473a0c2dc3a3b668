"""Correlation-induced privacy leakage (CPL) of one attribute through one released neighbour.

Attribute X_k is attacked; its neighbour X^ is released through a local mechanism. All functions take stacks of pairs:
a joint table is (..., m, t), with the m values of X_k in rows and the t values of X^ in columns. Source: Jayawardana et
al., "The Hidden Cost of Correlation", Section IV.

`leakage_of_reports` is that of the reports of a mechanism themselves, while a mechanism's `effective_channel` describes
what one attack infers from them. Eq. 7 takes the supremum over everything that is released. Unary encodings, hashing
with an ideal family and SHE all have, for every set S of values, a report that is e^epsilon times likelier under the
values in S than under the others: they attain `leakage_bound`, the largest CPL that epsilon allows. GRR can single out
only one value, subset selection only sets of its fixed size.
"""

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, as_floats, in_short
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding
from corrldp.mechanisms.validation import check_epsilons, check_laws

RATIO_ROUNDING = 1e-12


def conditional(joint: ArrayLike) -> Floats:
    """Distribution of the neighbour given the attacked attribute, (..., m, t), from joint tables of that shape.

    A value of the attacked attribute that never occurs gets the neighbour's marginal distribution. This is a mixture of
    the other rows, and mixtures never increase a leakage. Unless entries are finite, >= 0 and of positive sum, a
    ValueError.
    """
    joint = as_floats(joint, "tables")
    totals = joint.sum(axis=-1, keepdims=True) if joint.ndim > 1 else np.array(np.nan)
    if not joint.min(initial=0) >= 0 or not np.isfinite(totals).all() or not totals.any(axis=(-2, -1)).all():
        raise ValueError(f"tables of shape {joint.shape} must be (..., m, t), finite, >= 0, of positive sum")
    if totals.all():
        return joint / totals
    rows = np.where(totals > 0, joint, joint.sum(axis=-2, keepdims=True))
    return rows / rows.sum(axis=-1, keepdims=True)


def leakage_of_channel(conditional: ArrayLike, channel: ArrayLike) -> Floats:
    """CPL (...) of a mechanism with a known channel (..., t, outputs) of reports (Algorithm 1, Eq. 7), in nats.

    The largest log-ratio of one report's probabilities under two values of the attacked attribute, given which the
    neighbour has the distribution `conditional` (..., m, t); infinite when one of them excludes a report that the other
    allows.
    """
    return leakage_limit(check_laws(conditional) @ check_laws(channel))


def leakage_limit(conditional: ArrayLike) -> Floats:
    """CPL (...) of the unperturbed neighbour, given its distribution (..., m, t): the largest CPL (Corollary IV.4)."""
    laws = check_laws(conditional)
    highest, lowest = laws.max(axis=-2), laws.min(axis=-2)
    with np.errstate(divide="ignore"):
        logs = np.log(np.divide(highest, lowest, out=np.ones_like(highest), where=highest > 0))
    return logs.max(axis=-1)


def leakage_bound(conditional: ArrayLike, epsilon: ArrayLike) -> Floats:
    """Largest CPL (...) of all epsilon-LDP mechanisms (what Algorithm 2 computes, Eq. 19), in nats.

    `conditional` (..., m, t) is the distribution of the neighbour given the attacked attribute; `epsilon`, 0 to 700,
    broadcasts to (...). See `leakage_limit` for an infinite one.

    For two values x, x' under which the neighbour has distributions g, g', the worst report has likelihood 1 on a set S
    of the neighbour's values and w = e^-epsilon elsewhere, so its ratio is (w + (1 - w) g(S)) / (w + (1 - w) g'(S)).
    Some set exceeds a ratio h if and only if (1 - w) times the sum of max(g - h g', 0) exceeds w (h - 1). So h starts
    at 1 and rises to the ratio of the best such set until no pair x, x' has one (Dinkelbach's algorithm). The result is
    exact after a few rounds, without sorting.
    """
    laws, epsilon = check_laws(conditional), check_epsilons(epsilon)
    rest = np.broadcast_to(np.exp(-epsilon), np.broadcast_shapes(laws.shape[:-2], epsilon.shape))
    laws = np.broadcast_to(laws, rest.shape + laws.shape[-2:])
    excess = np.zeros(rest.shape)
    for x in range(laws.shape[-2]):
        while ((larger := _excess_of_best_set(laws[..., x, :], laws, excess, rest)) > excess).any():
            excess = np.maximum(excess, larger)
    return np.log1p(excess)


def _excess_of_best_set(law: Floats, others: Floats, excess: Floats, rest: Floats) -> Floats:
    """Ratio minus 1, (...), of the set that exceeds the ratio 1 + `excess` most, over all `others` (..., m, t)."""
    ratio = 1 + excess[..., None]
    margins = np.maximum(law[..., None, :] - ratio[..., None] * others, 0).sum(axis=-1)
    other = np.take_along_axis(others, margins.argmax(axis=-1)[..., None, None], axis=-2)[..., 0, :]
    chosen = law > ratio * other
    inside, outside = np.where(chosen, law, 0).sum(axis=-1), np.where(chosen, other, 0).sum(axis=-1)
    return (1 - rest) * (inside - outside) / (rest + (1 - rest) * outside)


def worst_channel(conditional: ArrayLike, epsilon: float) -> Floats:
    """Build an epsilon-LDP mechanism (t, 2) with two reports whose CPL attains `leakage_bound`.

    `conditional` is (m, t); the first report is the likelier one on the set S of the worst pair of values.
    """
    laws, epsilon = check_laws(conditional), float(check_epsilons(epsilon))
    ratio = np.exp(leakage_bound(laws, epsilon)) * (1 - RATIO_ROUNDING)
    chosen = laws[:, None] > ratio * laws
    inside, outside = np.where(chosen, laws[:, None], 0).sum(axis=-1), np.where(chosen, laws, 0).sum(axis=-1)
    rest = np.exp(-epsilon)
    ratios = (rest + (1 - rest) * inside) / (rest + (1 - rest) * outside)
    likely = chosen[np.unravel_index(ratios.argmax(), ratios.shape)]
    first = np.where(likely, 1, rest) / (1 + rest)
    return np.column_stack([first, 1 - first])


def relaxation(leakage: ArrayLike, epsilon: ArrayLike, delta: float) -> Floats:
    """Least delta' such that every (epsilon, delta)-LDP report of the neighbour is (leakage, delta')-LDP for X_k.

    `leakage` (...) is `leakage_bound` at `epsilon` > 0, with which it broadcasts. With h = e^leakage and 1/w =
    e^epsilon, a report exceeds h times its probability under another value by at most delta (A - h B), and the set S of
    `leakage_bound` has A - h B = (h - 1) / (e^epsilon - 1). The paper takes delta A (Eq. 20), which is sound but larger
    whenever B > 0.
    """
    if not 0 <= delta < 1:
        raise ValueError(f"delta={in_short(delta)} must be at least 0 and below 1")
    budgets = check_epsilons(epsilon)
    if not budgets.all():
        raise ValueError(f"epsilon={in_short(epsilon)} must be > 0: without a budget nothing is relaxed")
    leaked = as_floats(leakage, "leakage")
    if not ((leaked >= 0) & (leaked <= budgets * (1 + RATIO_ROUNDING))).all():
        raise ValueError(f"leakage={in_short(leakage)} must be from 0 to epsilon")
    return delta * np.expm1(leaked) / np.expm1(budgets)


def leakage_of_reports(mechanism: object, conditional: ArrayLike) -> Floats:
    """CPL (...) of the reports of `mechanism`, given the distribution (..., m, t) of the neighbour, in nats.

    A mechanism that is none of the eight of the CPL paper is a TypeError.
    """
    if isinstance(mechanism, GRR):
        return leakage_of_channel(conditional, mechanism.channel())
    if isinstance(mechanism, SubsetSelection):
        return _leakage_of_subsets(mechanism, check_laws(conditional))
    if isinstance(mechanism, UnaryEncoding | RAPPOR | LocalHashing | SummationHistogram):
        return leakage_bound(conditional, mechanism.epsilon)
    raise TypeError(f"the reports of {type(mechanism).__name__} have no known leakage: use leakage_of_channel")


def _leakage_of_subsets(mechanism: SubsetSelection, laws: Floats) -> Floats:
    """Raise a ratio h, as `leakage_bound` does, with the best set of the mechanism's size for each pair of values."""
    rest = np.exp(-mechanism.epsilon)
    law, other = laws[..., :, None, :], laws[..., None, :, :]
    ratio = np.ones(laws.shape[:-2])
    while True:
        margins = law - ratio[..., None, None, None] * other
        best = np.argpartition(-margins, mechanism.size - 1, axis=-1)[..., : mechanism.size]
        inside, outside = (
            np.take_along_axis(np.broadcast_to(side, margins.shape), best, axis=-1).sum(axis=-1)
            for side in (law, other)
        )
        larger = ((rest + (1 - rest) * inside) / (rest + (1 - rest) * outside)).max(axis=(-2, -1))
        if not (larger > ratio).any():
            return np.log(ratio)
        ratio = np.maximum(ratio, larger)

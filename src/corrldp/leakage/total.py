"""Leakage of all pairs of attributes, of one through all reports together, and the largest budget within a limit.

Source: Jayawardana et al., "The Hidden Cost of Correlation", Section II-D and, for the budget, Appendix N.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.arrays import Floats, Integers
from corrldp.leakage.cpl import conditional, leakage_limit
from corrldp.mechanisms.validation import check_epsilon, check_laws

Pair = tuple[int, int]
Tables = Mapping[Pair, Integers]

BLOCK = 2**11  # records counted at a time, whose indicators a cache holds, and by floats of 24 digits without an error


def contingency_tables(codes: ArrayLike, sizes: Sequence[int]) -> dict[Pair, Integers]:
    """Count the pairs of values, {(k, j): (sizes[k], sizes[j])} for all k != j, in records (n, d) of codes.

    Rows are attribute k's values. Codes that do not fit the domain `sizes` (d,) are a ValueError.
    """
    codes, starts = np.asarray(codes), np.cumsum([0, *sizes])
    if codes.ndim != 2 or codes.shape[1] != len(sizes):
        raise ValueError(f"codes of shape {codes.shape} must be (n, {len(sizes)}), a column per domain size")
    if (codes < 0).any() or (codes >= np.asarray(sizes)).any():
        raise ValueError(f"codes reach {codes.max(axis=0)} but must lie in 0..k-1 for sizes {sizes}: recode them")
    counts = np.zeros((starts[-1], starts[-1]), dtype=np.int64)
    for first in range(0, len(codes), BLOCK):
        block = codes[first : first + BLOCK]
        indicators = np.zeros((len(block), starts[-1]), dtype=np.float32)
        indicators.ravel()[np.arange(0, indicators.size, starts[-1])[:, None] + (block + starts[:-1])] = 1
        counts += (indicators.T @ indicators).astype(np.int64)
    within = [slice(start, stop) for start, stop in pairwise(starts)]
    return {(k, j): counts[within[k], within[j]] for k, j in permutations(range(len(sizes)), 2)}


def leakage_matrix(tables: Mapping[Pair, ArrayLike], measure: Callable[[Floats], Floats]) -> Floats:
    """Apply a measure to the table {(k, j): (m_k, m_j)} of each ordered pair of attributes, k attacked through j.

    The result (d, d) is zero on the diagonal. The measure maps a stack (P, m, t) to (P,) and is called once for all
    tables of one shape.
    """
    attributes = 1 + max(max(pair) for pair in tables)
    matrix = np.zeros((attributes, attributes))
    for places, stack in stacked(tables):
        matrix[places] = measure(stack)
    return matrix


def stacked(tables: Mapping[Pair, ArrayLike]) -> Iterator[tuple[tuple[Integers, Integers], NDArray[Any]]]:
    """Yield, for each shape of tables, their indices (k, j), (P,) each, and their stack (P, m, t)."""
    groups: dict[tuple[int, ...], list[Pair]] = defaultdict(list)
    for pair, table in tables.items():
        groups[np.shape(table)].append(pair)
    for pairs in groups.values():
        about, by = np.transpose(pairs)
        yield (about, by), np.stack([tables[pair] for pair in pairs])


def total_correlation_leakage(matrix: ArrayLike) -> float:
    """TCPL (Eq. 4): sum of the leakage (d, d) of all ordered pairs, without the diagonal."""
    matrix = np.asarray(matrix, dtype=float)
    return float(matrix.sum() - matrix.trace())


def composition_bound(direct: float, leakages: ArrayLike) -> Floats:
    """Direct leakage plus the CPLs (..., d) of the neighbours, which Eq. 6 takes as a bound on the TPL.

    It is a bound if the neighbours are independent given the attacked attribute. Otherwise the reports may leak more
    jointly than in sum: each of two fair coins says nothing about their exclusive or, but both together determine it.
    """
    return direct + np.asarray(leakages, dtype=float).sum(axis=-1)


def joint_leakage(law: ArrayLike, channels: Sequence[ArrayLike]) -> float:
    """CPL through the reports of several neighbours (Eq. 3), perturbed independently by `channels` (t_i, outputs_i).

    `law` (m, t_1, ..., t_d) is the joint distribution, or counts, of the attacked attribute and its d neighbours.
    """
    return float(leakage_limit(_reports(law, channels)))


def total_leakage(law: ArrayLike, own: ArrayLike, channels: Sequence[ArrayLike]) -> float:
    """TPL by its definition (Eq. 5): the attacked attribute's own report and those of its neighbours.

    `own` (m, outputs) is the channel of the attacked attribute; for the others see `joint_leakage`.
    """
    return float((_log_ratios(check_laws(own)) + _log_ratios(_reports(law, channels))).max())


def _reports(law: ArrayLike, channels: Sequence[ArrayLike]) -> Floats:
    law = np.asarray(law, dtype=float)
    if law.ndim != 1 + len(channels):
        raise ValueError(f"law of shape {law.shape} must have one axis more than the {len(channels)} channels")
    reports = conditional(law.reshape(len(law), -1)).reshape(law.shape)
    for channel in channels:
        reports = np.tensordot(reports, check_laws(channel), axes=(1, 0))
    return reports.reshape(len(law), -1)


def _log_ratios(rows: Floats) -> Floats:
    """Largest log-ratio (m, m) of one output's probabilities under each ordered pair of rows."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(rows)
        return np.array([np.nanmax(log - logs, axis=-1) for log in logs])


def worst_total(
    tables: Mapping[Pair, ArrayLike], leakage: Callable[[Floats, float], Floats]
) -> Callable[[float], float]:
    """Largest total leakage of an attribute, epsilon plus all neighbours' CPLs (Eq. 30), as a function of epsilon.

    `tables` are those of `contingency_tables`; `leakage`, such as `leakage_bound`, maps distributions (P, m, t) and the
    common budget to (P,).
    """
    attributes = 1 + max(about for about, _ in tables)
    laws = [(about, conditional(stack)) for (about, _), stack in stacked(tables)]

    def worst(epsilon: float) -> float:
        totals = sum(np.bincount(about, leakage(stack, epsilon), minlength=attributes) for about, stack in laws)
        return epsilon + float(np.max(totals))

    return worst


def calibrate(worst_total: Callable[[float], float], budget: float) -> float:
    """Largest epsilon with `worst_total(epsilon) <= budget`, to 1e-9, by Brent's method.

    The total leakage is continuous, increasing, 0 at 0 and at least epsilon, so there is exactly one solution of
    `worst_total(epsilon) = budget`, and it lies in (0, budget].
    """
    from scipy.optimize import brentq  # half of scipy: only when needed

    budget = check_epsilon(budget, "budget")
    return float(brentq(lambda epsilon: worst_total(epsilon) - budget, 0.0, budget, xtol=1e-9))

"""Leakage of one attribute through all reports together, sums that bound it, and the largest budget within a limit.

Source: Jayawardana et al., "The Hidden Cost of Correlation", Section II-D and, for the budget, Appendix N.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, plain_arguments
from corrldp.leakage.cpl import check_laws, conditional, leakage_limit
from corrldp.leakage.tables import Pair, stacked
from corrldp.mechanisms.validation import check_epsilon


def total_correlation_leakage(matrix: ArrayLike) -> float:
    """TCPL (Eq. 4): sum of the leakage (d, d) of all ordered pairs, without the diagonal."""
    matrix = np.asarray(matrix, dtype=float)
    return float(matrix.sum() - matrix.trace())


@plain_arguments
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


@plain_arguments
def calibrate(worst_total: Callable[[float], float], budget: float) -> float:
    """Largest epsilon with `worst_total(epsilon) <= budget`, to 1e-9, by Brent's method.

    The total leakage is continuous, increasing, 0 at 0 and at least epsilon, so there is exactly one solution of
    `worst_total(epsilon) = budget`, and it lies in (0, budget].
    """
    from scipy.optimize import brentq  # half of scipy: only when needed

    budget = check_epsilon(budget, "budget")
    return float(brentq(lambda epsilon: worst_total(epsilon) - budget, 0.0, budget, xtol=1e-9))

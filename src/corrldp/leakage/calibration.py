"""The largest common budget of all attributes under which no attribute leaks more than allowed (Appendix N)."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, plain_arguments
from corrldp.leakage.cpl import conditional
from corrldp.leakage.tables import Pair, stacked
from corrldp.mechanisms.validation import check_epsilon


def worst_total(
    tables: Mapping[Pair, ArrayLike], leakage: Callable[[Floats, float], Floats]
) -> Callable[[float], float]:
    """Largest total leakage of an attribute as a function of the common budget.

    Parameters
    ----------
    tables : {(k, j): (m_k, m_j) array}
        Contingency tables of all ordered pairs of attributes, see `contingency_tables`.
    leakage : function of conditional distributions (P, m, t) and the budget that returns (P,)
        For example `leakage_bound`.

    Returns
    -------
    Function of epsilon: the maximum over attributes of epsilon plus the CPLs of all neighbours (Eq. 30).
    """
    attributes = 1 + max(about for about, _ in tables)
    laws = [(about, conditional(stack)) for (about, _), stack in stacked(tables)]

    def worst(epsilon: float) -> float:
        totals = sum(np.bincount(about, leakage(stack, epsilon), minlength=attributes) for about, stack in laws)
        return epsilon + float(np.max(totals))

    return worst


@plain_arguments
def calibrate(worst_total: Callable[[float], float], budget: float, tolerance: float = 1e-9) -> float:
    """Largest epsilon with `worst_total(epsilon) <= budget`, to `tolerance`, by Brent's method.

    The total leakage is continuous, increasing, 0 at 0 and at least epsilon, so there is exactly one solution of
    `worst_total(epsilon) = budget`, and it lies in (0, budget].

    Parameters
    ----------
    worst_total : function of epsilon
        See the function of the same name.
    budget : float
        Allowed total leakage, > 0.
    tolerance : float
        Largest error of the result.
    """
    from scipy.optimize import brentq  # half of scipy: only when needed

    budget = check_epsilon(budget, "budget")
    return float(brentq(lambda epsilon: worst_total(epsilon) - budget, 0.0, budget, xtol=tolerance))

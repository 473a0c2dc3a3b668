"""The paper's three algorithms line by line, ambiguities included, to check claims about their text.

For actual use, `leakage_of_channel`, `leakage_bound` and `calibrate` compute what the algorithms are meant to compute.
"""

import math
from collections.abc import Callable
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike

from corrldp.mechanisms.validation import ROUNDING, check_epsilon, check_epsilons, check_laws


def algorithm_1(conditional: ArrayLike, channel: ArrayLike) -> float:
    """Actual CPL by Algorithm 1 as printed: its vector C is a row of the channel (t, t).

    Line 3 takes the probabilities of all reports given one input, while Eq. 8 needs those of one report given each
    input, a column. Both agree for symmetric channels such as GRR's. If the channel is not square, the products of line
    7 are not defined: a ValueError.
    """
    laws, channel = check_laws(conditional), check_laws(channel)
    if channel.shape[0] != channel.shape[1]:
        raise ValueError(f"channel of shape {channel.shape} must be square: the printed algorithm uses its rows")
    leakage = 0.0
    for c in channel:
        for g, g_other in permutations(laws, 2):
            with np.errstate(divide="ignore", invalid="ignore"):
                leakage = max(leakage, float(np.log(c @ g / (c @ g_other))))
    return leakage


def algorithm_2(conditional: ArrayLike, epsilon: float, delta: float = 0.0) -> tuple[float, float]:
    """Upper bound (l, f) of the CPL by Algorithm 2 as printed, for a distribution `conditional` (m, t).

    A ratio 0 / 0 is NaN: it is sorted last and fails the comparison of line 8. `f` is NaN when no pair of values enters
    line 15, as for independent attributes: the printed algorithm never sets it.
    """
    laws, growth = check_laws(conditional), math.expm1(float(check_epsilons(check_epsilon(epsilon))))
    leakage, relaxation = 0.0, math.nan
    for g, g_other in permutations(laws, 2):
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = g / g_other
        a = b = 0.0
        for j in np.argsort(-ratios):
            if ratios[j] >= (1 + a * growth) / (1 + b * growth):
                a, b = a + g[j], b + g_other[j]
        candidate = math.log((1 + a * growth) / (1 + b * growth))
        if leakage < candidate:
            leakage, relaxation = candidate, float(delta) * float(a)
    return leakage, relaxation


def algorithm_3(worst_total: Callable[[float], float], budget: float, attributes: int, step: float = 0.01) -> float:
    """Per-attribute budget by Algorithm 3 as printed, for an allowed total leakage `budget`.

    The loop ends at the first budget that is too large, and line 12 adds another step before the return, so the result
    exceeds the largest admissible budget by one to two steps. For `worst_total` see `corrldp.leakage.total`; the inner
    loop includes j = i, whose leakage is the direct one.
    """
    budget, step, total = check_epsilon(budget, "budget"), float(step), 0.0
    epsilon = budget / attributes
    while total < budget * (1 - ROUNDING):
        total = max(total, worst_total(epsilon))
        epsilon += step
    return epsilon

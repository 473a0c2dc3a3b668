"""Error bounds of the Castell paper and the thresholds that its Appendix C derives from them, as printed.

`d` is the largest domain size of w attributes and `epsilon` the budget of a record, epsilon / w for each attribute.
"""

import math

from corrldp.arrays import plain_arguments


@plain_arguments
def independent_bound(d: int, w: float) -> float:
    """Return the bound of RR-Independent, max(d^-w, 1/d - d^-w) (Eq. 9)."""
    return max(d**-w, 1 / d - d**-w)


@plain_arguments
def joint_bound(d: int, w: float, epsilon: float, n: int) -> float:
    """Return the bound of RR-Ind-Joint, (1 + (d - 1) / e^(epsilon / w))^w d^w / n (Eq. 10)."""
    return (1 + (d - 1) * math.exp(-epsilon / w)) ** w * d**w / n


@plain_arguments
def smallest_n(d: int, w: float, epsilon: float) -> float:
    """Return the number of users n* above which Eq. 10 is below Eq. 9."""
    return joint_bound(d, w, epsilon, 1) / independent_bound(d, w)


@plain_arguments
def smallest_epsilon(d: int, w: float, n: int) -> float:
    """Return the threshold epsilon* of Appendix C; NaN where the argument of its logarithm is not positive."""
    if w <= 1:
        return math.nan
    denominator = (1 / d - d**-w) ** (1 / w) * n ** (1 / w) / d - 1
    return w * math.log((d - 1) / denominator) if denominator > 0 else math.nan


@plain_arguments
def largest_w(d: int, n: int) -> float:
    """Return the threshold w* of Appendix C, (log n - log d) / log d^2."""
    return (math.log(n) - math.log(d)) / math.log(d**2)

"""Two attributes in the second phase of Corr-RR: the preprint's formulas as printed, and exact moments by enumeration.

The preprint gives every value other than the pivot's report the probability 1 - p_y, so for k > 2 its laws do not sum
to 1; its algorithm takes the sensible (1 - p_y) / (k - 1). The error formula (Theorem 4) follows from the former.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.pivot import copy_channels, record_channel
from corrldp.protocols.corr_rr.rules import first_smallest


def printed_copy_law(p_y: float, k: int) -> Floats:
    """Pr[Y_j = v | Y_s = 0] for all v as Section 3.2.1 prints it, (k,): a distribution only if k = 2 or p_y = 1."""
    return np.where(np.arange(k) == 0, p_y, 1 - p_y)


def printed_report_law(f_a: Floats, f_b: Floats, p_y: float, mechanism: GRR) -> Floats:
    """Pr[Y_1 = v] for all v as the appendix prints it (pi_v), (k,): a distribution only if k = 2 or p_y = 1."""
    return mechanism.q_support + mechanism.gap / 2 * (f_a + (1 - p_y) + f_b * (2 * p_y - 1))


def theorem_4(f_a: Floats, f_b: Floats, p_y: ArrayLike, n2: int, mechanism: GRR) -> Floats:
    """Mean squared error of the Phase II estimates of the first attribute, (..., k)."""
    p_y, gap = np.asarray(p_y, dtype=float)[..., None], mechanism.gap
    e = 2 * f_b - 1
    bias = (1 - f_a - f_b + p_y * e) / 2
    offset = gap / 2 * (f_a - f_b + p_y * e)
    return bias**2 + (1 / 4 - offset**2) / (n2 * gap**2)


def proposition_1(f_a: Floats, f_b: Floats, n2: int, _: GRR) -> Floats:
    """Proposition 1 as printed, (...) from frequencies (..., k): -2 times the minimiser of `theorem_4`'s average."""
    e = 2 * f_b - 1
    numerator = np.sum((1 - f_a - f_b) * e - (f_a - f_b) * e / n2, axis=-1) / 2
    denominator = np.sum(e**2, axis=-1) * (1 - 1 / n2) / 4
    return np.divide(numerator, denominator, out=np.zeros_like(denominator), where=denominator > 0)


def proposition_1_of_appendix(f_a: Floats, f_b: Floats, n2: int, mechanism: GRR) -> Floats:
    """Last formula of the appendix, -sum D_1 / (2 sum D_2), (...) from frequencies (..., k).

    Its variance is pi_v (1 - pi_v), which is that of `theorem_4` for two values only.
    """
    gap, e = mechanism.gap, 2 * f_b - 1
    alpha, beta = mechanism.q_support + gap / 2 * (1 + f_a - f_b), gap / 2 * e
    d_1 = (1 - f_a - f_b) * e / 2 + beta * (1 - 2 * alpha) / (n2 * gap**2)
    d_2 = e**2 / 4 - beta**2 / (n2 * gap**2)
    linear, square = np.sum(d_1, axis=-1), np.sum(d_2, axis=-1)
    return np.divide(-linear, 2 * square, out=np.zeros_like(square), where=square > 0)


def minimiser_of_theorem_4(f_a: Floats, f_b: Floats, n2: int, mechanism: GRR) -> Floats:
    """Minimiser of `theorem_4`'s average, (...) from frequencies (..., k); not finite where p_y does not matter."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return stationary_point(lambda p_y: theorem_4(f_a, f_b, p_y, n2, mechanism).mean(axis=-1))


def preprint(
    first: Floats,
    n2: int,
    mechanism: GRR,
    formula: Callable[[Floats, Floats, int, GRR], Floats] = proposition_1,
) -> Floats:
    """Rule of the preprint: a formula, compared with 0 and 1 by Theorem 4's average, one p_y per pair.

    The attribute of the lower index is the first one of the pair (Algorithm 1 computes p_y for j < k). A formula that
    gives no probability is left out. Returned are (..., d, d) symmetric copy probabilities, 1 on the diagonal.
    """
    d = first.shape[-2]
    low, high = np.triu_indices(d, k=1)
    f_a, f_b = first[..., low, :], first[..., high, :]
    found = formula(f_a, f_b, n2, mechanism)
    inside = np.where((found >= 0) & (found <= 1), found, 0)
    candidates = np.stack([np.zeros_like(inside), np.ones_like(inside), inside])
    errors = theorem_4(f_a, f_b, candidates, n2, mechanism).mean(axis=-1)
    best = first_smallest(errors, np.abs(errors).max(axis=0))
    copy = np.ones((*first.shape[:-2], d, d))
    copy[..., low, high] = copy[..., high, low] = np.take_along_axis(candidates, best[None], axis=0)[0]
    return copy


@dataclass(frozen=True, eq=False)
class CopyingPair:
    """Second-phase users with two attributes of one domain, whose marginals compare as `records_of` says of a `case`.

    The pivot, whichever attribute it is, is reported by the `mechanism` and copied with probability `p_y`.
    """

    case: str
    mechanism: GRR
    p_y: float

    @property
    def k(self) -> int:
        return self.mechanism.k

    @cached_property
    def records(self) -> Integers:
        """Records (n2, 2)."""
        return records_of(self.case, self.k)

    @property
    def n2(self) -> int:
        return len(self.records)

    @cached_property
    def frequencies(self) -> Floats:
        """Share (2, k) of the users with each value."""
        return np.stack([np.bincount(column, minlength=self.k) for column in self.records.T]) / self.n2

    @cached_property
    def reports(self) -> Floats:
        """Pr[Y_j = v] of each user, (n2, 2, k), from the channel of whole records."""
        copy = np.where(np.eye(2, dtype=bool), 1.0, self.p_y)
        return self.through(record_channel(self.mechanism, copy_channels(copy, self.k)))

    def through(self, channel: Floats) -> Floats:
        """Pr[Y_j = v] of each user, (n2, 2, k), for a channel (k^2, k^2) of whole records."""
        laws = channel[np.ravel_multi_index(self.records.T, (self.k, self.k))].reshape(self.n2, self.k, self.k)
        return np.stack([laws.sum(axis=2), laws.sum(axis=1)], axis=1)

    def error(self, j: int, v: int, *, fixed: bool = False) -> float:
        """Mean squared error of the estimated frequency of value v of attribute j.

        The users are drawn independently from the records, as in the papers' proofs; if `fixed`, they have exactly
        these records.
        """
        probabilities = self.reports[:, j, v]
        if not fixed:
            probabilities = np.full(self.n2, probabilities.mean())
        mean, variance = moments(probabilities, self.mechanism)
        return variance + (mean - self.frequencies[j, v]) ** 2

    def average_error(self, j: int) -> float:
        """Mean of `error` over the values of attribute j."""
        return float(np.mean([self.error(j, v) for v in range(self.k)]))

    def best_copy(self, j: int) -> float:
        """Return the stationary point in p_y of the enumerated average error of attribute j."""
        return stationary_point(lambda p_y: replace(self, p_y=p_y).average_error(j))

    def point(self, j: int, v: int | None = None) -> dict[str, Any]:
        """Return the setting columns of attribute j, or of its value v, without p_y."""
        equal = int(np.array_equal(*self.frequencies))
        columns = {"case": self.case, "n2": self.n2, "equal_marginals": equal, "attribute": j + 1}
        return columns if v is None else {**columns, "value": v}


def records_of(case: str, k: int) -> Integers:
    """Make the records (n2, 2) of k (k + 1) users whose first attribute has linearly falling frequencies.

    The marginal of the second attribute is the same ("equal"), reversed ("opposite"), or differs by one user ("near").
    The case "uniform" has every possible record once instead.
    """
    first = np.repeat(np.arange(k), 2 * np.arange(k, 0, -1))
    near = first.copy()
    near[-1] = 0
    if case == "uniform":
        return np.indices((k, k)).reshape(2, -1).T
    return np.column_stack([first, {"equal": first[::-1], "opposite": k - 1 - first, "near": near}[case]])


def moments(probabilities: Floats, mechanism: GRR) -> tuple[float, float]:
    """Mean and variance of GRR's estimate when user i reports a value with `probabilities` (n,), independently."""
    law = np.ones(1)
    for probability in probabilities:
        law = np.convolve(law, [1 - probability, probability])
    estimates = (np.arange(len(law)) / len(probabilities) - mechanism.q_support) / mechanism.gap
    mean = law @ estimates
    return float(mean), float(law @ (estimates - mean) ** 2)


T = TypeVar("T", float, Floats)


def stationary_point(quadratic: Callable[[float], T]) -> T:
    """Return the stationary point of a quadratic function from its values at 0, 1/2 and 1."""
    at_0, at_half, at_1 = (quadratic(p_y) for p_y in (0.0, 0.5, 1.0))
    square, linear = 2 * (at_0 - 2 * at_half + at_1), 4 * at_half - 3 * at_0 - at_1
    return -linear / (2 * square)

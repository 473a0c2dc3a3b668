"""The schemes of the Castell paper: RR-Joint, RR-Independent and RR-Ind-Joint, hybrid and truncated, bounds, repairs.

In the bounds, printed with the thresholds that Appendix C derives from them, `d` is the largest domain size of w
attributes and `epsilon` the budget of a record, epsilon / w for each attribute.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, plain_arguments
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.inversion import apply_axes, castell, channel_pair
from corrldp.protocols.castell.tables import marginals, product, shares
from corrldp.protocols.counting import perturb_axes
from corrldp.protocols.postprocess import simplex
from corrldp.protocols.protocol import AttributeBudget, RecordProtocol
from corrldp.protocols.records import check_records
from corrldp.protocols.smp import SPL


@dataclass(frozen=True)
class RRJoint(RecordProtocol):
    """RR-Joint: GRR over the Cartesian product of the attributes (Castell paper, Section II-B.1)."""

    epsilon: float
    sizes: tuple[int, ...]

    @cached_property
    def mechanism(self) -> GRR:
        """The randomizer of a record's number in the order of `numpy.ravel_multi_index`."""
        return GRR(self.epsilon, math.prod(self.sizes))

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, w) of users into reports (n, w)."""
        codes = np.ravel_multi_index(check_records(records, self.sizes).T, self.sizes)
        return np.column_stack(np.unravel_index(self.mechanism.privatize(codes, rng), self.sizes))

    def simulate(self, table: Integers, runs: int, rng: np.random.Generator) -> Integers:
        """Draw the table of reports (runs, k_1, ..., k_w) of users counted in `table` (k_1, ..., k_w); exact.

        GRR reports the truth with probability `gap`, and otherwise a value drawn uniformly from the whole domain.
        """
        kept = rng.binomial(np.broadcast_to(table.ravel(), (runs, table.size)), self.mechanism.gap)
        lost = int(table.sum()) - kept.sum(axis=1)
        drawn = rng.multinomial(lost, np.full(table.size, 1 / table.size))
        return (kept + drawn).reshape(runs, *self.sizes)

    def channel(self) -> Floats:
        """Pr[report | record], records in the order of `numpy.ravel_multi_index`."""
        return self.mechanism.channel()

    def unbias(self, observed: Floats) -> Floats:
        """Unbiased joint frequencies from observed ones, both (k_1, ..., k_w) (Eq. 1)."""
        return castell(observed.ravel(), [self.mechanism]).reshape(self.sizes)

    def estimate(self, reports: ArrayLike) -> Floats:
        """Joint frequencies (k_1, ..., k_w) from `reports` (n, w)."""
        return self.unbias(shares(reports, self.sizes))


@dataclass(frozen=True)
class IndependentRR(AttributeBudget):
    """GRR on every attribute, each with its own budget (Castell paper, Algorithm 1 and Section III-C.1).

    A record spends the sum of its attributes' budgets (Theorem 3).
    """

    sizes: tuple[int, ...]

    @cached_property
    def mechanisms(self) -> list[GRR]:
        """The randomizer of each attribute."""
        return [GRR(self.epsilon_per_attribute, k) for k in self.sizes]

    @cached_property
    def _spl(self) -> SPL:
        return SPL(self.epsilon, self.sizes)

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, w) of users into reports (n, w)."""
        return self._spl.privatize(records, rng)

    def simulate(self, table: Integers, runs: int, rng: np.random.Generator) -> Integers:
        """Draw the table of reports (runs, k_1, ..., k_w) of users counted in `table` (k_1, ..., k_w); exact."""
        return perturb_axes(np.broadcast_to(table, (runs, *self.sizes)), self.mechanisms, rng)

    def channel(self) -> Floats:
        """Pr[report | record], the Kronecker product of the channels (Theorem 1)."""
        return self._spl.channel()

    def estimate_joint(self, reports: ArrayLike) -> Floats:
        """Joint frequencies (k_1, ..., k_w) from `reports` (n, w) by RR-Ind-Joint."""
        return rr_ind_joint(shares(reports, self.sizes), self.mechanisms)

    def estimate_product(self, reports: ArrayLike) -> Floats:
        """Joint frequencies (k_1, ..., k_w) from `reports` (n, w) by RR-Independent."""
        return rr_independent(shares(reports, self.sizes), self.mechanisms)


def rr_ind_joint(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """RR-Ind-Joint: the unbiased estimate of the joint distribution from the observed frequencies (Algorithm 3)."""
    return castell(observed, mechanisms)


def rr_independent(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """RR-Independent: the product of the estimated marginals (Algorithm 2)."""
    return product([grr.unbias(seen, 1) for grr, seen in zip(mechanisms, marginals(observed), strict=True)])


def squared_error(mechanisms: list[GRR], n: int) -> float:
    """Exact expected squared error of RR-Ind-Joint, summed over all cells, for any n given records.

    A user's estimate is a product of columns of the inverse channels, each with the sum of squares r_j whatever the
    report, and is unbiased for a table with a single 1, so its variances sum to r_1 ... r_w - 1.
    """
    columns = [((1 - grr.q_support) ** 2 + (grr.k - 1) * grr.q_support**2) / grr.gap**2 for grr in mechanisms]
    return float((np.prod(columns) - 1) / n)


def hybrid_by_bounds(observed: Floats, mechanisms: list[GRR], n: int) -> Floats:
    """Choose by the printed bounds: RR-Ind-Joint where Eq. 10 is below Eq. 9 (Appendix C)."""
    w, d = len(mechanisms), max(grr.k for grr in mechanisms)
    joint = joint_bound(d, w, sum(grr.epsilon for grr in mechanisms), n) < independent_bound(d, w)
    return rr_ind_joint(observed, mechanisms) if joint else rr_independent(observed, mechanisms)


def hybrid_by_data(observed: Floats, mechanisms: list[GRR], n: int) -> Floats:
    """Choose by estimates of both squared errors from the reports alone.

    RR-Ind-Joint is unbiased with a known variance V; its squared distance to RR-Independent is about V plus the
    squared bias of RR-Independent. So if the squared distance is below 2 V, the squared bias is below V and
    RR-Independent is better.
    """
    joint, independent = rr_ind_joint(observed, mechanisms), rr_independent(observed, mechanisms)
    distance = ((joint - independent) ** 2).sum()
    return independent if distance < 2 * squared_error(mechanisms, n) else joint


def truncated(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """Algorithm 4 as printed: negative cells become 0, then the raw (w - 1)-way estimates are upper limits.

    Those limits may be negative, and then so is the result. A single attribute is only clipped.
    """
    raw = castell(observed, mechanisms)
    estimate = np.maximum(raw, 0)
    if observed.ndim > 1:
        for axis in range(observed.ndim):
            # The marginal of the estimate is the estimate from the marginal of the reports: the estimate is linear.
            np.minimum(estimate, raw.sum(axis=axis, keepdims=True), out=estimate)
    return estimate


def truncated_in_order(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """Apply inequality (8) as intended: limit the marginals of every dimension, from one up, by valid limits.

    Every marginal estimate lies between 0 and the smallest of its own marginals, so the result lies in [0, 1].
    """
    every = tuple(range(observed.ndim))
    subsets = [axes for ways in range(len(every) + 1) for axes in combinations(every, ways)]
    raw: dict[tuple[int, ...], Floats] = {every: castell(observed, mechanisms)}
    for axes in reversed(subsets[:-1]):
        summed = min(set(every) - set(axes), key=lambda axis: observed.shape[axis])
        wider = tuple(sorted((*axes, summed)))
        raw[axes] = raw[wider].sum(axis=wider.index(summed))
    limited: dict[tuple[int, ...], Floats] = {(): np.ones(())}
    for axes in subsets[1:]:
        limited[axes] = np.maximum(raw.pop(axes), 0)
        for place in range(len(axes)):
            limit = np.expand_dims(limited[axes[:place] + axes[place + 1 :]], place)
            np.minimum(limited[axes], limit, out=limited[axes])
    return limited[every]


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


def project_to_simplex(estimate: Floats) -> Floats:
    """Return the distribution nearest to `estimate` (any shape) in Euclidean distance; see `postprocess.simplex`."""
    return simplex(estimate.ravel()).reshape(estimate.shape)


def iterative_bayesian_update(
    observed: Floats, mechanisms: list[GRR], iterations: int = 200, tolerance: float = 1e-4
) -> Floats:
    """Maximum-likelihood distribution (k_1, ..., k_w) of the observed frequencies by EM, from the uniform one.

    For `iterations` and `tolerance` see `until_stable`.
    """
    pairs = [channel_pair(grr) for grr in mechanisms]

    def update(law: Floats) -> Floats:
        return law * apply_axes(observed / apply_axes(law.copy(), pairs), pairs)

    return until_stable(update, np.full(observed.shape, 1 / observed.size), iterations, tolerance)


def until_stable(update: Callable[[Floats], Floats], law: Floats, iterations: int, tolerance: float) -> Floats:
    """Repeat the step `update` of EM on a distribution, at most so many `iterations`.

    Stop when no cell changes by more than the `tolerance` times the largest cell.
    """
    for _ in range(iterations):
        updated = update(law)
        change = np.abs(updated - law).max()
        law = updated
        if change <= tolerance * law.max():
            break
    return law

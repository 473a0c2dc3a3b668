"""What Corr-RR, its extensions and Cond-RR share: the second phase reports pivots by GRR and synthesises the rest.

The second phase alone is a protocol, too: its users need to know a channel for each pair of attributes.

Throughout, `channels` (d, d, k, k) or (runs, d, d, k, k) contains, for pivot s and attribute j, the law
Pr[Y_j = v | Y_s = u] in row u, column v of `channels[..., s, j, :, :]`. A pivot's own channel is the identity, so
that the pivot needs no special case.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.arrays import Floats, Integers, as_floats, row_products
from corrldp.data.table import Table
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import check_laws, check_runs
from corrldp.privacy import check_channel
from corrldp.protocols.estimates import Estimate, Tally
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.records import Population, RecordTable, as_population, check_records
from corrldp.protocols.reports import SupportProtocol
from corrldp.protocols.two_phase import TwoPhase, TwoPhaseReports, Users, first_users

Channels = tuple[tuple[tuple[tuple[float, ...], ...], ...], ...]

LARGEST_DOMAIN = 2**20
"""Most reports that `PivotPhase.guarantee` enumerates."""


def copy_channels(copy: Floats, k: int) -> Floats:
    """Channels (..., d, d, k, k) of Corr-RR: repeat the pivot's report, or take another value uniformly.

    The attribute of the column copies the pivot of the row with probability `copy` (..., d, d), 1 on the diagonal.
    """
    copy = np.asarray(copy, dtype=float)[..., None, None]
    return np.where(np.eye(k, dtype=bool), copy, (1 - copy) / (k - 1))


def draw_reports(records: Integers, mechanism: GRR, channels: Floats, rng: np.random.Generator) -> Integers:
    """Perturb the `records` (n, d) of users into reports (n, d), each with a pivot drawn uniformly."""
    n, d = records.shape
    users, pivots = np.arange(n), rng.integers(d, size=n)
    pivot_reports = mechanism.privatize(records[users, pivots], rng)
    return np.column_stack([draw_rows(channels[pivots, j, pivot_reports], rng) for j in range(d)])


def draw_rows(laws: Floats, rng: np.random.Generator) -> Integers:
    """Draw one value from each of the laws (n, k)."""
    below = np.cumsum(laws[:, :-1], axis=1)
    return (rng.random((len(laws), 1)) >= below).sum(axis=1)


def simulate_reports(table: Population, mechanism: GRR, channels: Floats, rng: np.random.Generator) -> Integers:
    """Draw the counts (runs, d, k) of the reports, with `channels` (runs, d, d, k, k) for each run.

    Who draws which pivot depends on whole records. Given the reports of the pivots, those of the other attributes
    are independent of each other and multinomial.
    """
    runs = len(channels)
    pivot_reports = mechanism.perturb_counts(table.draw_one_attribute(runs, rng), rng)
    return np.einsum("rsjuv->rjv", rng.multinomial(pivot_reports[:, :, None, :], channels))


def record_channel(mechanism: GRR, channels: Floats) -> Floats:
    """Pr[report | record] of whole records (k^d, k^d), both in the order of `numpy.ravel_multi_index`."""
    d, k = channels.shape[0], mechanism.k
    records = np.column_stack(np.unravel_index(np.arange(k**d), (k,) * d))
    total = np.zeros((k**d, k**d))
    for s in range(d):
        total += (mechanism.channel() @ row_products(channels[s]))[records[:, s]]
    return total / d


@dataclass(frozen=True)
class PivotPhase(SupportProtocol):
    """Report a pivot, drawn uniformly, by GRR, and synthesise all other attributes from its report.

    All sizes are k. Estimates are biased unless the `channels` (d, d, k, k) have the law of the data.
    """

    name = "pivot phase"
    fewest_attributes = 2
    needs = "population"

    epsilon: float
    sizes: tuple[int, ...]
    channels: Channels

    def __post_init__(self) -> None:
        super().__post_init__()
        shape, laws = (self.d, self.d, self.sizes[0], self.sizes[0]), self.laws
        if len(set(self.sizes)) != 1 or laws.shape != shape:
            raise ValueError(f"channels of shape {laws.shape} must be (d, d, k, k) for sizes={self.sizes}, all equal")
        check_laws(laws, "channels")
        if any((laws[s, s] != np.eye(self.sizes[0])).any() for s in range(self.d)):
            raise ValueError("a pivot must repeat its own report: its channel is the identity")

    @classmethod
    def of(cls, epsilon: float, sizes: tuple[int, ...], channels: Floats) -> Self:
        """Build from an array of channels (d, d, k, k)."""
        return cls(epsilon, sizes, tuple(tuple(tuple(map(tuple, c)) for c in row) for row in channels.tolist()))

    @cached_property
    def laws(self) -> Floats:
        return as_floats(self.channels, "channels")

    @cached_property
    def mechanism(self) -> GRR:
        return GRR(self.epsilon, self.sizes[0])

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, d) of users into reports (n, d)."""
        return draw_reports(check_records(records, self.sizes), self.mechanism, self.laws, rng)

    def variance(self, frequencies: Floats, n: int) -> Floats:
        """NaN (d, k): the reports alone do not tell the bias."""
        return np.full(frequencies.shape, np.nan)

    def sampled_epsilon(self) -> float:
        return self.mechanism.sampled_epsilon()

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, k) from their exact distribution."""
        table = as_population(table, self.sizes)
        check_runs(runs, self.laws.size)
        channels = np.broadcast_to(self.laws, (runs, *self.laws.shape))
        return self.unbias(simulate_reports(table, self.mechanism, channels, rng), table.n)

    def channel(self) -> Floats:
        """Pr[report | record], both in the order of `numpy.ravel_multi_index`."""
        check_channel(self.sizes[0] ** self.d, self.sizes[0] ** self.d)
        return record_channel(self.mechanism, self.laws)

    def guarantee(self) -> Guarantee:
        """Find the largest ratio for attribute j: no other attribute has its reported value.

        With e_s the probability that pivot s, given its report, has the others report what they do, it is
        1 + (p / q - 1) e_j / (e_1 + ... + e_d).
        """
        d, k = self.d, self.sizes[0]
        if k**d > LARGEST_DOMAIN:
            return Guarantee(self.epsilon, (self.epsilon,) * d, exact=False)
        reports = np.stack(np.unravel_index(np.arange(k**d), self.sizes), axis=1)
        explained = np.stack(
            [np.prod([self.laws[s, j, reports[:, s], reports[:, j]] for j in range(d)], axis=0) for s in range(d)]
        )
        possible = explained[:, explained.any(axis=0)]
        shares = (possible / possible.sum(axis=0)).max(axis=1)
        odds = math.expm1(self.epsilon)
        return Guarantee(self.epsilon, tuple(math.log1p(odds * float(share)) for share in shares))

    def bias(self, frequencies: Floats) -> Floats:
        """Bias (d, k) of the estimates if the frequencies are those given, (d, k)."""
        pivots = self.mechanism.q_support + self.mechanism.gap * frequencies
        reported = np.einsum("sv,sjvw->jw", pivots, self.laws) / self.d
        return (reported - self.mechanism.q_support) / self.mechanism.gap - frequencies

    def variance_of_bias(self, first: Estimate) -> Floats:
        """Variance (d, k) of `bias` at the first phase's estimates, whose attributes are reported independently.

        The first phase has other users than the second, so the draw of users counts as well. Within an attribute the
        estimates by GRR sum to 1, so the weights of a contrast can be centred.
        """
        known = np.clip(first.frequencies, 0, 1)
        variances = first.standard_errors**2 + known * (1 - known) / first.n
        d, k = self.d, self.sizes[0]
        weights = self.laws / d  # [s, j, v, w]: of the frequency of v of attribute s in the bias of w of attribute j
        weights[range(d), range(d)] -= np.eye(k)
        centred = weights - weights.mean(axis=2, keepdims=True)
        # Estimates of one attribute correlate negatively by -1 / (k - 1) on average.
        return np.einsum("sjvw,sv->jw", centred**2, variances) * k / (k - 1)


class PivotProtocol(TwoPhase[Users]):
    """A two-phase protocol that estimates all Phase II reports by the pivots' GRR; all domain sizes are equal."""

    second_kind = PivotPhase

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(set(self.sizes)) != 1:
            raise ValueError(f"sizes={self.sizes} must be equal: align the domains first, see corr_rr.alignment")

    def channels_of(self, learned: NDArray[Any], users: int) -> Floats:
        """Channels (..., d, d, k, k) of a second phase of so many `users`, given what the first one taught."""
        raise ValueError(f"{type(self).__name__} has no second phase with parameters for its clients")

    def lesson(self, first: Tally) -> NDArray[Any]:
        """Return what reports of the first phase teach: here the frequencies (d, k)."""
        return self.spl.estimate_from(first).frequencies

    def learn(self, first: Tally, users: int) -> PivotPhase:
        return PivotPhase.of(self.epsilon, self.sizes, self.channels_of(self.lesson(first), users))

    def simulate_second(self, table: Users, learned: NDArray[Any], rng: np.random.Generator) -> Floats:
        channels = self.channels_of(learned, table.n)
        return self.mechanism.unbias(simulate_reports(table, self.mechanism, channels, rng), table.n)

    @property
    def mechanism(self) -> GRR:
        return GRR(self.epsilon, self.sizes[0])

    @property
    def followers(self) -> tuple[float, float]:
        """Between what the probability lies that an attribute takes a value, given the pivot's value: any channel."""
        return 0.0, 1.0

    def error_bound(self, n: int) -> Floats:
        """Return an upper bound (d, k) of the expected squared errors with `n` users, aside from the bias.

        The worst frequency in the first phase, and in the second one reports that are as uncertain as they can be.
        """
        n1 = first_users(n, self.phase1_fraction)
        ends = np.stack([np.full((self.d, max(self.sizes)), f) for f in (0.0, 1.0)])
        uncertain = float(np.clip(0.5, *self.followers))
        second = uncertain * (1 - uncertain) / ((n - n1) * self.mechanism.gap**2)
        return (n1 / n) ** 2 * self.spl.variance(ends, n1).max(axis=0) + (1 - n1 / n) ** 2 * second

    def bias_bound(self, n: int) -> Floats:
        """Return an upper bound (d, k) of the absolute bias, whatever the users have and the first phase has learned.

        A user of the second phase whose pivot is another attribute reports the value with a probability in `followers`,
        and is taken to have it by between (lowest - q) / gap and (highest - q) / gap, whether he has it or not.
        """
        lowest, highest = (np.array(self.followers) - self.mechanism.q_support) / self.mechanism.gap
        share = 1 - first_users(n, self.phase1_fraction) / n
        return np.full((self.d, max(self.sizes)), share * (1 - 1 / self.d) * max(highest, 1 - lowest))

    def estimate_second(self, reports: TwoPhaseReports) -> Floats:
        second = RecordTable.from_records(reports.second, self.sizes)
        return self.mechanism.unbias(second.marginals(), second.n)

    def combined_errors(self, first: Estimate, phase: PivotPhase, second: Estimate, reports: Tally) -> Floats:
        """Estimate the errors (d, k): reports of both phases, who is in which, and the second one's bias.

        The channels were chosen because the bias seemed small by the same reports, so errors are added, not their
        squares.
        """
        n1, n2, n = first.n, second.n, first.n + second.n
        reported = reports.support(phase.sizes) / n2
        of_second = reported * (1 - reported) / (n2 * phase.mechanism.gap**2)
        known = np.clip(first.frequencies, 0, 1)
        # The mean m of a user's debiased report lies in [0, 1], so the variance of m - 1[x = v] is at most E[m] + f.
        means = np.clip(second.frequencies, 0, 1)
        of_split = n1 * n2 / max(n - 1, 1) * (means + known) / n**2
        of_reports = (n1**2 * first.standard_errors**2 + n2**2 * of_second) / n**2
        bias = np.abs(phase.bias(first.frequencies)) + np.sqrt(phase.variance_of_bias(first))
        return np.sqrt(of_reports + of_split) + n2 / n * bias

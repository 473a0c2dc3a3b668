"""Corr-RR in rounds, and within groups of attributes that share the budget (PETS version, Sections 3.3.2 and 3.3.3).

With two pivots that jointly determine the other reports (Section 3.3.5), the text states neither the division of the
budget nor the parameters. Here each pivot gets epsilon / 2, as sequential composition requires, and there is one
parameter for pairs of reports that agree and one for pairs that do not.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import ROUNDING
from corrldp.protocols.corr_rr.pivot import PivotProtocol, copy_channels, draw_reports, draw_rows, simulate_reports
from corrldp.protocols.corr_rr.protocol import CorrRR, marginals_of_pairs, reported_pairs, simulate_pairs
from corrldp.protocols.corr_rr.rules import Rule, first_smallest
from corrldp.protocols.records import Population, RecordTable, as_population, check_records
from corrldp.protocols.two_phase import TwoPhaseReports, first_users, weigh


@dataclass(frozen=True)
class TwoPivotCorrRR(PivotProtocol[RecordTable]):
    """Report two pivots, drawn uniformly, by GRR with epsilon / 2 each, and derive the other attributes from them.

    If the pivots' reports agree, another attribute repeats them with probability a and takes any other value
    otherwise; if they differ it takes one of the two, each with b / 2, or any third value. For each pair of pivots
    and each other attribute, a and b minimise the squared bias that the estimates of the first phase predict: the
    part of the error that more users do not remove. With two values b is 1, since there is no third.
    """

    fewest_attributes = 3

    @property
    def mechanism(self) -> GRR:
        return GRR(self.epsilon / 2, self.sizes[0])

    @property
    def pivots(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.sizes)), 2))

    def privatize_second(self, records: Integers, first: Integers, rng: np.random.Generator) -> Integers:
        channels = self.channels(reported_pairs(first, self.sizes)[None])[0]
        drawn = rng.integers(len(self.pivots), size=len(records))
        left, right = np.asarray(self.pivots)[drawn].T
        users = np.arange(len(records))
        first_report = self.mechanism.privatize(records[users, left], rng)
        second_report = self.mechanism.privatize(records[users, right], rng)
        seen = first_report * self.mechanism.k + second_report
        return np.column_stack([draw_rows(channels[drawn, j, seen], rng) for j in range(len(self.sizes))])

    def simulate_first(self, table: RecordTable, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Estimates (runs, d, k) of the first phase, and the channels learned from it, see `channels`."""
        pairs = simulate_pairs(table, self.spl, runs, rng)
        return self.spl.unbias(marginals_of_pairs(pairs), table.n), self.channels(pairs)

    def simulate_second(self, table: RecordTable, learned: Floats, rng: np.random.Generator) -> Floats:
        runs, k = len(learned), self.mechanism.k
        assigned = rng.multinomial(table.counts_of(runs), np.full(len(self.pivots), 1 / len(self.pivots)))
        noise = np.kron(self.mechanism.channel(), self.mechanism.channel())
        reports = np.zeros((runs, table.d, k), dtype=np.int64)
        for index, (left, right) in enumerate(self.pivots):
            values = np.arange(k * k) == (table.rows[:, left] * k + table.rows[:, right])[:, None]
            seen = rng.multinomial(assigned[..., index] @ values.astype(np.int64), noise).sum(axis=1)
            reports += rng.multinomial(seen[:, None, :], learned[:, index]).sum(axis=2)
        return self.mechanism.unbias(reports, table.n)

    def channels(self, pairs: Integers) -> Floats:
        """Fit Pr[Y_j | reports of the pivots], (runs, pairs of pivots, d, k^2, k), to the first phase.

        `pairs` (runs, d, d, k, k) counts the pairs of values of each two attributes in its reports.
        """
        runs, d, _, k, _ = pairs.shape
        n = int(pairs[0, 0, 0].sum())
        marginals = self.spl.unbias(marginals_of_pairs(pairs), n)
        learned, noise = self.spl.mechanisms[0].channel(), self.mechanism.channel()
        transfer = np.linalg.inv(learned) @ noise
        channels = np.zeros((runs, len(self.pivots), d, k * k, k))
        for index, (left, right) in enumerate(self.pivots):
            law = (transfer.T @ (pairs[:, left, right] / n) @ transfer).reshape(runs, -1)
            base, agree, differ = pattern(k)
            for j in range(d):
                target = self.mechanism.q_support + self.mechanism.gap * marginals[:, j]
                fitted = box_least_squares(law @ agree, law @ differ, target - law @ base, fixed_b=k == 2)
                # The inverse magnifies what processors differ in; draws resolve nine digits, and bias hardly six.
                a, b = np.round(fitted, 6)
                channels[:, index, j] = base + a[:, None, None] * agree + b[:, None, None] * differ
            channels[:, index, left] = np.repeat(np.eye(k), k, axis=0)
            channels[:, index, right] = np.tile(np.eye(k), (k, 1))
        return channels


def pattern(k: int) -> tuple[Floats, Floats, Floats]:
    """Matrices (k^2, k) whose sum base + a agree + b differ is the law of a follower given both reports."""
    left, right = np.divmod(np.arange(k * k), k)
    repeated = (np.eye(k)[left] + np.eye(k)[right]) / 2
    named = repeated > 0
    other = ~named / np.maximum((~named).sum(axis=1, keepdims=True), 1)
    same = (left == right)[:, None]
    return other, np.where(same, repeated - other, 0), np.where(same, 0, repeated - other)


def box_least_squares(x: Floats, y: Floats, z: Floats, fixed_b: bool) -> tuple[Floats, Floats]:
    """For each run, a and b in [0, 1] that minimise |a x + b y - z|^2, with x, y, z (runs, k); or only a, with b = 1.

    The minimum is inside the square or the best point of an edge, and on an edge it is the clipped stationary point.
    """
    zero, one = np.zeros(len(x)), np.ones(len(x))
    candidates = [(_clipped(x, z - y), one)]
    if not fixed_b:
        candidates += [(_clipped(x, z), zero), (zero, _clipped(y, z)), (one, _clipped(y, z - x))]
        inside = np.linalg.pinv(np.stack([x, y], axis=-1)) @ z[..., None]
        feasible = ((inside >= 0) & (inside <= 1)).all(axis=(1, 2))
        a, b = (np.where(feasible, inside[:, i, 0], candidates[0][i]) for i in range(2))
        candidates.append((a, b))
    a, b = np.array(candidates).transpose(1, 0, 2)
    errors = np.sum((a[..., None] * x + b[..., None] * y - z) ** 2, axis=-1)
    best = first_smallest(errors, np.sum(x**2 + y**2 + z**2, axis=-1))
    runs = np.arange(len(x))
    return a[best, runs], b[best, runs]


def _clipped(direction: Floats, target: Floats) -> Floats:
    """Best multiple in [0, 1] of each `direction` (runs, k) for its `target`."""
    length = np.sum(direction**2, axis=-1)
    product = np.sum(direction * target, axis=-1)
    return np.clip(np.divide(product, length, out=np.zeros_like(length), where=length > ROUNDING**2), 0, 1)


@dataclass(frozen=True)
class IterativeCorrRR(CorrRR):
    """Run Corr-RR on random batches; each one's p_y comes from the first phases of all batches so far.

    As in Corr-RR, all users have the same weight in the estimate. One round is Corr-RR; `rounds` are batches as equal
    in size as possible.
    """

    rounds: int

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> TwoPhaseReports:
        """Perturb: the reports of users with `records` (n, d), those of all first and of all second phases."""
        firsts, seconds = [], []
        shuffled = rng.permutation(check_records(records, self.sizes), axis=0)
        for batch in np.array_split(shuffled, self.rounds):
            n1 = first_users(len(batch), self.phase1_fraction)
            firsts.append(self.spl.privatize(batch[:n1], rng))
            seconds.append(self.privatize_second(batch[n1:], np.concatenate(firsts), rng))
        return TwoPhaseReports(np.concatenate(firsts), np.concatenate(seconds))

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, k) from their exact distribution."""
        n1, n2 = 0, 0
        first, second = np.zeros((2, runs, self.d, max(self.sizes)))
        for batch in deal(as_population(table, self.sizes), self.rounds, runs, rng):
            learners, others = batch.split(first_users(batch.n, self.phase1_fraction), runs, rng)
            learned, _ = self.simulate_first(learners, runs, rng)
            first, n1 = weigh(first, n1, learned, learners.n), n1 + learners.n
            second = weigh(second, n2, self.simulate_second(others, first, rng), others.n)
            n2 += others.n
        return weigh(first, n1, second, n2)


def deal(table: Population, batches: int, runs: int, rng: np.random.Generator) -> Iterator[Population]:
    """Split the users at random, anew for each run, into batches of equal size (up to one user)."""
    for left in range(batches, 1, -1):
        batch, table = table.split(-(-table.n // left), runs, rng)
        yield batch
    yield table


Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class GroupedCorrRR(PivotProtocol[RecordTable]):
    """Each second-phase user reports one pivot per group by GRR with budget epsilon / t, and copies within the group.

    The t `groups` are a partition of the attributes 0, ..., d - 1; see `groups_by_strength`.
    """

    rule: Rule
    groups: Groups

    @property
    def mechanism(self) -> GRR:
        return GRR(self.epsilon / len(self.groups), self.sizes[0])

    def privatize_second(self, records: Integers, first: Integers, rng: np.random.Generator) -> Integers:
        reports, learned = np.empty_like(records), self.spl.estimate(first)
        for group in map(list, self.groups):
            channels = self._channels(learned[group], len(records))
            reports[:, group] = draw_reports(records[:, group], self.mechanism, channels, rng)
        return reports

    def simulate_second(self, table: RecordTable, learned: Floats, rng: np.random.Generator) -> Floats:
        reports = np.empty(learned.shape, dtype=np.int64)
        for group in map(list, self.groups):
            channels = self._channels(learned[:, group], table.n)
            # Records that agree in these attributes stay separate, which changes no distribution.
            part = replace(table, rows=table.rows[:, group], sizes=tuple(table.sizes[j] for j in group))
            reports[:, group] = simulate_reports(part, self.mechanism, channels, rng)
        return self.mechanism.unbias(reports, table.n)

    def _channels(self, learned: Floats, n2: int) -> Floats:
        return copy_channels(self.rule(learned, n2, self.mechanism), self.mechanism.k)


def groups_by_strength(strength: ArrayLike, threshold: float) -> Groups:
    """Partition attributes so that any two whose dependence `strength` (d, d) reaches `threshold` share a group."""
    from scipy.sparse.csgraph import connected_components  # half of scipy: only when needed

    _, labels = connected_components(np.asarray(strength) >= threshold, directed=False)
    return tuple(tuple(np.flatnonzero(labels == label).tolist()) for label in range(labels.max() + 1))

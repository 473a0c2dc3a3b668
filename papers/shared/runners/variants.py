"""Corr-RR in rounds, and within groups of attributes that share the budget (PETS version, Sections 3.3.2 and 3.3.3)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr import synthesis
from corrldp.protocols.corr_rr.pivot import PivotProtocol
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Rule
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Population, RecordTable, check_records
from corrldp.protocols.two_phase import TwoPhaseReports, first_users, weigh


@dataclass(frozen=True)
class IterativeCorrRR(RecordProtocol):
    """Run Corr-RR on random batches; each one's p_y comes from the first phases of all batches so far.

    As in Corr-RR, all users have the same weight in the estimate. One round is Corr-RR.

    Parameters
    ----------
    protocol : CorrRR
        What each batch runs, with its share of first-phase users.
    rounds : int
        Number of batches, as equal in size as possible, >= 1.
    """

    protocol: CorrRR
    rounds: int

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise ValueError(f"rounds={self.rounds} must be >= 1")

    @property
    def epsilon(self) -> float:
        return self.protocol.epsilon

    @property
    def sizes(self) -> tuple[int, ...]:
        return self.protocol.sizes

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> TwoPhaseReports:
        """Perturb: the reports of users with `records` (n, d), those of all first and of all second phases."""
        protocol, firsts, seconds = self.protocol, [], []
        shuffled = rng.permutation(check_records(records, protocol.sizes), axis=0)
        for batch in np.array_split(shuffled, self.rounds):
            n1 = first_users(len(batch), protocol.phase1_fraction)
            firsts.append(protocol.spl.privatize(batch[:n1], rng))
            seconds.append(protocol.privatize_second(batch[n1:], np.concatenate(firsts), rng))
        return TwoPhaseReports(np.concatenate(firsts), np.concatenate(seconds))

    def estimate(self, reports: TwoPhaseReports) -> Floats:
        """Frequencies (d, k) from the reports of all rounds."""
        return self.protocol.estimate(reports)

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> Floats:
        """Estimates (runs, d, k) with their exact distribution."""
        n1, n2 = 0, 0
        first, second = np.zeros((2, runs, table.d, max(table.sizes)))
        for batch in deal(table, self.rounds, runs, rng):
            learners, others = batch.split(first_users(batch.n, self.protocol.phase1_fraction), runs, rng)
            learned, _ = self.protocol.simulate_first(learners, runs, rng)
            first, n1 = weigh(first, n1, learned, learners.n), n1 + learners.n
            second = weigh(second, n2, self.protocol.simulate_second(others, first, rng), others.n)
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

    Parameters
    ----------
    epsilon, sizes, phase1_fraction
        See `TwoPhase`.
    rule : Rule
        How p_y follows from the first phase.
    groups : t tuples
        Partition of the attributes 0, ..., d - 1; see `groups_by_strength`.
    """

    rule: Rule
    groups: Groups

    def __post_init__(self) -> None:
        super().__post_init__()
        if sorted(j for group in self.groups for j in group) != list(range(len(self.sizes))) or () in self.groups:
            raise ValueError(f"groups={self.groups} must have each of 0..{len(self.sizes) - 1} once and no empty group")

    @property
    def mechanism(self) -> GRR:
        return GRR(self.epsilon / len(self.groups), self.sizes[0])

    def privatize_second(self, records: Integers, first: Integers, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n2, d) of the second phase, given the reports (n1, d) of the first."""
        reports, learned = np.empty_like(records), self.spl.estimate(first)
        for group in map(list, self.groups):
            channels = self._channels(learned[group], len(records))
            reports[:, group] = synthesis.privatize(records[:, group], self.mechanism, channels, rng)
        return reports

    def simulate_second(self, table: RecordTable, learned: Floats, rng: np.random.Generator) -> Floats:
        """Estimates (runs, d, k) of the second phase, given those of the first, `learned` (runs, d, k)."""
        reports = np.empty(learned.shape, dtype=np.int64)
        for group in map(list, self.groups):
            channels = self._channels(learned[:, group], table.n)
            reports[:, group] = synthesis.simulate(restrict(table, group), self.mechanism, channels, rng)
        return self.mechanism.unbias(reports, table.n)

    def expected_mse(self, table: RecordTable, copy: Floats) -> Floats:
        """Exact expected squared error of each frequency, (d, k), for given copy probabilities (d, d)."""
        n1, first = first_users(table.n, self.phase1_fraction), self.spl.expected_mse(table)
        errors = np.empty_like(first)
        for group in map(list, self.groups):
            channels = synthesis.copy_channels(copy[np.ix_(group, group)], self.mechanism.k)
            part = restrict(table, group)
            errors[group] = synthesis.expected_mse(part, n1, first[group], self.mechanism, channels)
        return errors

    def _channels(self, learned: Floats, n2: int) -> Floats:
        return synthesis.copy_channels(self.rule(learned, n2, self.mechanism), self.mechanism.k)


def restrict(table: RecordTable, attributes: list[int]) -> RecordTable:
    """Keep some attributes of a table; records that then agree stay separate, which changes no distribution."""
    return replace(table, rows=table.rows[:, attributes], sizes=tuple(table.sizes[j] for j in attributes))


def groups_by_strength(strength: ArrayLike, threshold: float) -> Groups:
    """Partition attributes so that any two whose dependence reaches `threshold` share a group.

    Parameters
    ----------
    strength : (d, d)
        Symmetric measure of dependence, such as the absolute correlations that the first phase estimates.
    threshold : float
        Smallest dependence that joins two attributes.
    """
    from scipy.sparse.csgraph import connected_components  # half of scipy: only when needed

    _, labels = connected_components(np.asarray(strength) >= threshold, directed=False)
    return tuple(tuple(np.flatnonzero(labels == label).tolist()) for label in range(labels.max() + 1))

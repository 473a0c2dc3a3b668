"""Iterative refinement of Corr-RR: batches of users, each after a new first phase (PETS version, Section 3.3.2)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from corrldp.mechanisms.pure import Floats
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Population, check_records
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
        """Privacy budget of a whole record."""
        return self.protocol.epsilon

    @property
    def sizes(self) -> tuple[int, ...]:
        """Domain sizes (d,)."""
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

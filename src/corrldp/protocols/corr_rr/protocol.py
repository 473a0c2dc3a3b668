"""Corr-RR itself: SPL for a few users, then a pivot by GRR and copies of its report (PETS version, Algorithm 1)."""

from dataclasses import dataclass

import numpy as np

from corrldp.mechanisms.pure import Floats
from corrldp.protocols.corr_rr import synthesis
from corrldp.protocols.corr_rr.pivot import PivotProtocol
from corrldp.protocols.corr_rr.rules import Rule
from corrldp.protocols.records import Integers, Population, RecordTable
from corrldp.protocols.two_phase import first_users


@dataclass(frozen=True)
class CorrRR(PivotProtocol[Population]):
    """Correlated randomized response for attributes with one domain size.

    Parameters
    ----------
    epsilon, sizes, phase1_fraction
        See `TwoPhase`.
    rule : Rule
        How p_y follows from the estimates of the first phase, see `corrldp.protocols.corr_rr.rules`.
    """

    rule: Rule

    def privatize_second(self, records: Integers, first: Integers, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n2, d) of the second phase, given the reports (n1, d) of the first."""
        copy = self.rule(self.spl.estimate(first), len(records), self.mechanism)
        return synthesis.privatize(records, self.mechanism, synthesis.copy_channels(copy, self.mechanism.k), rng)

    def simulate_second(self, table: Population, learned: Floats, rng: np.random.Generator) -> Floats:
        """Estimates (runs, d, k) of the second phase, given those of the first, `learned` (runs, d, k)."""
        copy = self.rule(learned, table.n, self.mechanism)
        channels = synthesis.copy_channels(copy, self.mechanism.k)
        return self.mechanism.unbias(synthesis.simulate(table, self.mechanism, channels, rng), table.n)

    def expected_mse(self, table: RecordTable, copy: Floats) -> Floats:
        """Exact expected squared error of each frequency, (d, k), for given copy probabilities (d, d).

        Parameters
        ----------
        table : RecordTable
            The records of one data set.
        copy : (d, d)
            p_y for each pivot (row) and follower (column), 1 on the diagonal, independent of the reports.
        """
        n1 = first_users(table.n, self.phase1_fraction)
        channels = synthesis.copy_channels(copy, self.mechanism.k)
        return synthesis.expected_mse(table, n1, self.spl.expected_mse(table), self.mechanism, channels)

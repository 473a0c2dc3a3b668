"""Cond-RR: Corr-RR with estimated conditional distributions of the other attributes (Corr-RR paper, Section 3.3.6)."""

from dataclasses import dataclass

import numpy as np

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr import synthesis
from corrldp.protocols.corr_rr.pivot import PivotProtocol
from corrldp.protocols.pairs import marginals_of_pairs, reported_pairs, simulate_pairs
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import RecordTable
from corrldp.protocols.two_phase import first_users


@dataclass(frozen=True)
class CondRR(PivotProtocol[RecordTable]):
    """Conditional randomized response for attributes of equal domain size.

    The first phase estimates the joint distribution of each pair of attributes without bias; clipped to [0, 1] and
    normalised, it yields the distribution of one attribute given the other. A second-phase user reports a pivot by GRR
    and draws every other attribute, independently, given the pivot's report. The collector estimates as for Corr-RR.

    Parameters: see `TwoPhase`.
    """

    @property
    def first_mechanism(self) -> GRR:
        """Randomizer of each attribute in the first phase."""
        return GRR(self.spl.epsilon_per_attribute, self.sizes[0])

    def privatize_second(self, records: Integers, first: Integers, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n2, d) of the second phase, given the reports (n1, d) of the first."""
        channels = conditional_channels(reported_pairs(first, self.sizes), self.first_mechanism)
        return synthesis.privatize(records, self.mechanism, channels, rng)

    def simulate_first(self, table: RecordTable, runs: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw the estimates (runs, d, k) of the first phase and the channels (runs, d, d, k, k) learned from it."""
        pairs = simulate_pairs(table, self.spl, runs, rng)
        estimates = self.spl.unbias(marginals_of_pairs(pairs), table.n)
        return estimates, conditional_channels(pairs, self.first_mechanism)

    def simulate_second(self, table: RecordTable, learned: Floats, rng: np.random.Generator) -> Floats:
        """Draw the estimates (runs, d, k) of the second phase, given the channels `learned` (runs, d, d, k, k)."""
        return self.mechanism.unbias(synthesis.simulate(table, self.mechanism, learned, rng), table.n)

    def expected_mse(self, table: RecordTable, channels: Floats) -> Floats:
        """Exact expected squared error of each frequency, (d, k), for given channels (d, d, k, k)."""
        n1 = first_users(table.n, self.phase1_fraction)
        return synthesis.expected_mse(table, n1, self.spl.expected_mse(table), self.mechanism, channels)


def conditional_channels(pairs: Integers, grr: GRR) -> Floats:
    """Estimated Pr[X_j = v | X_s = u], (..., d, d, k, k), from the counts of pairs of GRR reports.

    If the clipped estimate rules out a value of the pivot, the attribute's marginal distribution is used instead.
    """
    inverse = np.linalg.inv(grr.channel())
    n = pairs.sum(axis=(-1, -2), keepdims=True)
    joint = inverse.T @ (pairs / n) @ inverse
    joint = postprocess(joint.reshape(*joint.shape[:-2], -1), "clip_normalise").reshape(joint.shape)
    given = joint.sum(axis=-1, keepdims=True)
    marginal = joint.sum(axis=-2, keepdims=True)
    channels = np.where(given > 0, joint / np.where(given > 0, given, 1), marginal)
    d = pairs.shape[-3]
    channels[..., range(d), range(d), :, :] = np.eye(grr.k)
    return channels

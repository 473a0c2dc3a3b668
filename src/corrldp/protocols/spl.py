"""SPL: split the budget evenly over the attributes and report all of them (Corr-RR paper, Section 2.4.1)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.counting import grr_reports
from corrldp.protocols.kronecker import kronecker
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Population, check_records


@dataclass(frozen=True)
class SPL(RecordProtocol):
    """Each user reports every attribute by GRR with budget epsilon / d.

    Parameters: see `RecordProtocol`.
    """

    epsilon: float
    sizes: tuple[int, ...]

    @property
    def epsilon_per_attribute(self) -> float:
        """Privacy budget of each attribute."""
        return self.epsilon / self.d

    @cached_property
    def mechanisms(self) -> list[GRR]:
        """The randomizer of each attribute."""
        return [GRR(self.epsilon_per_attribute, k) for k in self.sizes]

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, d) of users into reports (n, d)."""
        records = check_records(records, self.sizes)
        return np.column_stack([grr.privatize(records[:, j], rng) for j, grr in enumerate(self.mechanisms)])

    def estimate(self, reports: ArrayLike) -> Floats:
        """Unbiased frequencies (d, K) from `reports` (n, d)."""
        reports = check_records(reports, self.sizes)
        counts = np.stack([np.bincount(column, minlength=max(self.sizes)) for column in reports.T])
        return self.unbias(counts, len(reports))

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K): exact, as reports of different attributes are independent given the records."""
        reports = np.zeros((runs, table.d, max(self.sizes)), dtype=np.int64)
        marginals = table.marginals_of(runs)
        for j, grr in enumerate(self.mechanisms):
            reports[:, j, : grr.k] = grr_reports(marginals[:, j, : grr.k], grr, rng)
        return self.unbias(reports, table.n)

    def unbias(self, reports: Integers, n: int) -> Floats:
        """Unbiased frequencies (..., d, K) from the counts (..., d, K) of the reports of `n` users."""
        estimates = np.full(reports.shape, np.nan)
        for j, grr in enumerate(self.mechanisms):
            estimates[..., j, : grr.k] = grr.unbias(reports[..., j, : grr.k], n)
        return estimates

    def expected_mse(self, table: Population) -> Floats:
        """Exact expected squared error of each frequency, (d, K) or (runs, d, K): its variance."""
        errors = table.frequencies()
        for j, grr in enumerate(self.mechanisms):
            errors[..., j, : grr.k] = grr.variance(errors[..., j, : grr.k], table.n)
        return errors

    def channel(self) -> Floats:
        """Pr[report | record] of whole records, both in the order of `numpy.ravel_multi_index`."""
        return kronecker(grr.channel() for grr in self.mechanisms)

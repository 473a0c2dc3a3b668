"""SMP: each user reports one random attribute with the whole budget and names it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.counting import grr_reports
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Population, check_records, within

# Expectations omit numbers of reports farther from the mean than DEVIATIONS standard deviations + MARGIN users.
DEVIATIONS, MARGIN = 10, 50


@dataclass(frozen=True)
class SMP(RecordProtocol):
    """Sample an attribute uniformly and report only it, by GRR with budget epsilon.

    The estimate of an attribute is that of GRR from its own reports; an attribute that nobody reports is
    estimated as uniform.

    Parameters: see `RecordProtocol`; d >= 2.
    """

    fewest_attributes = 2

    epsilon: float
    sizes: tuple[int, ...]

    @cached_property
    def mechanisms(self) -> list[GRR]:
        """The randomizer of each attribute."""
        return [GRR(self.epsilon, k) for k in self.sizes]

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, d) of users into reports (n, 2): attribute and value."""
        records = check_records(records, self.sizes)
        attributes = rng.integers(self.d, size=len(records))
        values = np.empty_like(attributes)
        for j, grr in enumerate(self.mechanisms):
            chosen = attributes == j
            if chosen.any():
                values[chosen] = grr.privatize(records[chosen, j], rng)
        return np.column_stack([attributes, values])

    def estimate(self, reports: ArrayLike) -> Floats:
        """Frequencies (d, K) from `reports` (n, 2)."""
        attributes, values = np.asarray(reports).T
        counts = np.zeros((self.d, max(self.sizes)), dtype=np.int64)
        np.add.at(counts, (attributes, values), 1)
        return self.unbias(counts)

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K) from their exact distribution."""
        reports = table.draw_one_attribute(runs, rng)
        for j, grr in enumerate(self.mechanisms):
            reports[:, j, : grr.k] = grr_reports(reports[:, j, : grr.k], grr, rng)
        return self.unbias(reports)

    def unbias(self, reports: Integers) -> Floats:
        """Frequencies (..., d, K) from the counts (..., d, K) of the reports."""
        heard = reports.sum(axis=-1)
        estimates = np.full(reports.shape, np.nan)
        for j, grr in enumerate(self.mechanisms):
            shares = reports[..., j, : grr.k] / np.maximum(heard[..., j, None], 1)
            raw = (shares - grr.q_support) / grr.gap
            estimates[..., j, : grr.k] = np.where(heard[..., j, None] > 0, raw, 1 / grr.k)
        return estimates

    def expected_mse(self, table: Population) -> Floats:
        """Exact expected squared error of each frequency, (d, K) or (runs, d, K).

        Given that m users report an attribute, they are a random sample of all, so the error is the variance of GRR
        with m users plus the sampling variance f (1 - f) (n - m) / (m (n - 1)); m is binomial.
        """
        frequencies, n = table.frequencies(), table.n
        silent = (1 - 1 / table.d) ** n
        inverse = self._mean_inverse(n)
        sampling = frequencies * (1 - frequencies) * max(n * inverse - (1 - silent), 0.0) / max(n - 1, 1)
        errors = sampling + silent * (1 / np.asarray(self.sizes)[:, None] - frequencies) ** 2
        for j, grr in enumerate(self.mechanisms):
            errors[..., j, : grr.k] += inverse * grr.variance(frequencies[..., j, : grr.k], 1)
        return np.where(within(self.sizes), errors, np.nan)

    def _mean_inverse(self, n: int) -> float:
        """E[1/m; m > 0] for m binomial with n trials and probability 1/d, from ratios of its probabilities."""
        d = self.d
        half = DEVIATIONS * np.sqrt(n * (d - 1)) / d + MARGIN
        m = np.arange(max(0, np.floor(n / d - half)), min(n, np.ceil(n / d + half)) + 1)
        logs = np.append(0, np.cumsum(np.log((n - m[:-1]) / (m[1:] * (d - 1)))))
        law = np.exp(logs - logs.max())
        heard = m > 0
        return float(np.sum(law[heard] / m[heard]) / law.sum())

    def channel(self) -> Floats:
        """Pr[report | record]: records in the order of `numpy.ravel_multi_index`, reports attribute by attribute."""
        records = np.column_stack(np.unravel_index(np.arange(np.prod(self.sizes)), self.sizes))
        blocks = [grr.channel()[records[:, j]] for j, grr in enumerate(self.mechanisms)]
        return np.hstack(blocks) / self.d

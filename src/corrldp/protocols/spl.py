"""SPL: split the budget evenly over the attributes and report all of them (Corr-RR paper, Section 2.4.1)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.mechanisms.coding import RawReports
from corrldp.privacy import record_channel
from corrldp.protocols.records import Population, as_population, check_records, check_support
from corrldp.protocols.reports import AttributeOracles, OracleProtocol, join


@dataclass(frozen=True)
class SPL(AttributeOracles, OracleProtocol):
    """Each user reports every attribute by an oracle with budget epsilon / d.

    Parameters
    ----------
    epsilon, sizes
        See `RecordProtocol`.
    oracle : str
        One of `oracles`; see `corrldp.mechanisms.oracles.choose`.
    """

    name = "SPL"
    all_reported = True

    epsilon: float
    sizes: tuple[int, ...]
    oracle: str = "GRR"

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> RawReports:
        """Perturb the `records` (n, d) of users into reports: (n, d) for GRR, else a list."""
        records = check_records(records, self.sizes)
        columns = [oracle.privatize(records[:, j], rng) for j, oracle in enumerate(self.mechanisms)]
        return join(columns, self.oracle)

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K): exact, as reports of different attributes are independent given the records."""
        table = as_population(table, self.sizes)
        marginals = table.marginals_of(runs)
        support = np.zeros((runs, table.d, max(self.sizes)), dtype=np.int64)
        for j, oracle in enumerate(self.mechanisms):
            support[:, j, : oracle.k] = oracle.perturb_counts(marginals[:, j, : oracle.k], rng)
        return self.unbias(support, table.n)

    def unbias(self, support: Integers, n: int) -> Floats:
        """Unbiased frequencies (..., d, K) from the support counts (..., d, K) of the reports of `n` users."""
        support = check_support(support, self.sizes)
        estimates = np.full(support.shape, np.nan)
        for j, oracle in enumerate(self.mechanisms):
            estimates[..., j, : oracle.k] = oracle.unbias(support[..., j, : oracle.k], n)
        return estimates

    def variance(self, frequencies: Floats, n: int) -> Floats:
        """Exact variance (..., d, K) of the estimates from `n` users who have these frequencies (..., d, K)."""
        errors = frequencies.copy()
        for j, oracle in enumerate(self.mechanisms):
            errors[..., j, : oracle.k] = oracle.variance(errors[..., j, : oracle.k], n)
        return errors

    def channel(self) -> Floats:
        """Pr[report | record] of whole records, both in the order of `numpy.ravel_multi_index`."""
        return record_channel(oracle.channel() for oracle in self.mechanisms)

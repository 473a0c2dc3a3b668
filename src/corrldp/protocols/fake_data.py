"""What RS+FD and RS+RFD share: one sampled attribute is real, all others are drawn from a fixed distribution.

Arcolezi et al. (CIKM 2021) draw the fake values uniformly, Arcolezi et al. (2022) from priors.
"""

import math
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import check_epsilon
from corrldp.protocols.counting import grr_reports
from corrldp.protocols.kronecker import kronecker
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Population, RecordTable, check_records, check_sizes


def amplified(epsilon: float, d: int) -> float:
    """Budget ln(d (e^epsilon - 1) + 1) of the sampled attribute in a report that hides which attribute was sampled.

    It is larger than epsilon. With uniform fakes the whole report is then epsilon-LDP for records that differ in one
    attribute (with other fakes not even for those), but records that differ in all attributes get only this budget.
    """
    check_epsilon(epsilon)
    return math.log1p(d * math.expm1(epsilon))


class FakeDataProtocol(RecordProtocol, ABC):
    """Random sampling plus fake data with GRR; subclasses define the distributions of the fake values.

    Parameters
    ----------
    epsilon, sizes
        See `RecordProtocol`.
    amplify : bool
        Whether the sampled attribute gets the budget `amplified` (as the inventors define the protocols) or
        epsilon itself (as the Corr-RR papers run them). With `amplify` a whole record spends that larger budget too.
    """

    amplify: bool

    @property
    @abstractmethod
    def fakes(self) -> Floats:
        """Distribution (d, K) of the fake values of each attribute, 0 beyond a domain."""

    @property
    def mechanisms(self) -> list[GRR]:
        """The randomizer of each attribute when it is sampled."""
        return sampled_mechanisms(self.epsilon, self.sizes, self.amplify)

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, d) of users into reports (n, d)."""
        records = check_records(records, self.sizes)
        sampled = rng.integers(self.d, size=len(records))
        reports = np.empty_like(records)
        for j, grr in enumerate(self.mechanisms):
            fake = rng.choice(grr.k, size=len(records), p=self.fakes[j, : grr.k])
            reports[:, j] = np.where(sampled == j, grr.privatize(records[:, j], rng), fake)
        return reports

    def estimate(self, reports: ArrayLike) -> Floats:
        """Unbiased frequencies (d, K) from `reports` (n, d)."""
        table = RecordTable.from_records(reports, self.sizes)
        return unbias(table.marginals(), table.n, self.mechanisms, self.fakes)

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K) from their exact distribution."""
        reports = simulate_reports(table, self.mechanisms, np.broadcast_to(self.fakes, (runs, *self.fakes.shape)), rng)
        return unbias(reports, table.n, self.mechanisms, self.fakes)

    def expected_mse(self, table: Population) -> Floats:
        """Exact expected squared error of each frequency, (d, K) or (runs, d, K): its variance."""
        return variance(table.frequencies(), table.n, self.mechanisms, self.fakes)

    def channel(self) -> Floats:
        """Pr[report | record] of whole records, both in the order of `numpy.ravel_multi_index`."""
        total = np.zeros(())
        for sampled in range(self.d):
            total = total + kronecker(
                grr.channel() if j == sampled else np.tile(self.fakes[j, : grr.k], (grr.k, 1))
                for j, grr in enumerate(self.mechanisms)
            )
        return total / self.d


def sampled_mechanisms(epsilon: float, sizes: tuple[int, ...], amplify: bool) -> list[GRR]:
    """Return the randomizer of each attribute when it is sampled."""
    check_sizes(sizes)
    budget = amplified(epsilon, len(sizes)) if amplify else epsilon
    return [GRR(budget, k) for k in sizes]


def simulate_reports(table: Population, mechanisms: list[GRR], fakes: Floats, rng: np.random.Generator) -> Integers:
    """Draw the counts (runs, d, K) of the reports; the distributions `fakes` (runs, d, K) may differ between runs.

    The numbers of users with each value who sample each attribute depend on whole records. Given these numbers, the
    reports of different attributes are independent.
    """
    runs = len(fakes)
    reports = table.draw_one_attribute(runs, rng)
    for j, grr in enumerate(mechanisms):
        real = reports[:, j, : grr.k]
        fake = rng.multinomial(table.n - real.sum(axis=1), fakes[:, j, : grr.k])
        reports[:, j, : grr.k] = grr_reports(real, grr, rng) + fake
    return reports


def unbias(reports: Integers, n: int, mechanisms: list[GRR], fakes: Floats) -> Floats:
    """Unbiased frequencies (..., d, K) from the counts (..., d, K) of the reports of `n` users.

    A user with a value reports it with probability (p + (d - 1) g) / d, any other user with (q + (d - 1) g) / d,
    where g is the probability of the value as a fake.
    """
    d = len(mechanisms)
    estimates = np.full(reports.shape, np.nan)
    for j, grr in enumerate(mechanisms):
        shares = reports[..., j, : grr.k] / n
        noise = grr.q_support + (d - 1) * fakes[..., j, : grr.k]
        estimates[..., j, : grr.k] = (d * shares - noise) / grr.gap
    return estimates


def variance(frequencies: Floats, n: int, mechanisms: list[GRR], fakes: Floats) -> Floats:
    """Exact variance (..., d, K) of the estimates when `n` users have the given frequencies (..., d, K).

    The inventors' formula treats the records as random too and is larger by f (1 - f) / n.
    """
    d = len(mechanisms)
    variances = np.full(frequencies.shape, np.nan)
    for j, grr in enumerate(mechanisms):
        f, g = frequencies[..., j, : grr.k], fakes[..., j, : grr.k]
        own, other = (grr.p_support + (d - 1) * g) / d, (grr.q_support + (d - 1) * g) / d
        spread = f * own * (1 - own) + (1 - f) * other * (1 - other)
        variances[..., j, : grr.k] = spread * d**2 / (n * grr.gap**2)
    return variances

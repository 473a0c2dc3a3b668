"""RS+FD, and what RS+RFD shares with it: the report on one sampled attribute is real, all others are fake.

Arcolezi et al. (CIKM 2021) draw the fake values uniformly, Arcolezi et al. (2022) from priors.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, kronecker
from corrldp.data.table import Table
from corrldp.mechanisms.oracles import ADAPTIVE, check_oracle
from corrldp.mechanisms.pure import LARGEST_EPSILON, FrequencyOracle, RawReports
from corrldp.mechanisms.validation import check_epsilon, check_flag, check_integer, check_runs, check_users
from corrldp.privacy import check_channel
from corrldp.protocols.fakes import FAKED_ORACLES, FakedOracle
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.records import Population, as_population, check_records, check_support, cut, padded, within
from corrldp.protocols.reports import OracleProtocol, join


def amplified(epsilon: float, d: int) -> float:
    """Budget ln(d (e^epsilon - 1) + 1) of the sampled attribute in a report that hides which attribute was sampled.

    It is larger than epsilon, and records that differ in all attributes get only this budget. Records that differ in
    one attribute get epsilon with empty fakes, and with uniform fakes of GRR if all domains have the same size. With
    other fakes, such as perturbed ones over three or more values, an attribute may get more or less than epsilon, see
    `FakeDataProtocol.attribute_epsilon`.
    """
    epsilon, d = check_epsilon(epsilon), check_integer(d, "d", 1)
    if epsilon > LARGEST_EPSILON:  # the same without overflow
        return epsilon + math.log(d)
    return math.log1p(d * math.expm1(epsilon))


class FakeDataProtocol(OracleProtocol, ABC):
    """Random sampling plus fake data; subclasses define the distributions of the fake values.

    With `amplify` the sampled attribute gets the budget `amplified` (as the inventors define the protocols), which a
    whole record spends, too; else epsilon itself (as the Corr-RR papers run them). The `oracle` is one of `oracles`;
    "adaptive" is, for each attribute, the one of `adaptive_choice` with the smaller variance, averaged over the values,
    if their frequencies are those of the fake values. If these are uniform, the average does not depend on the
    frequencies.
    """

    needs = "marginals"
    error_of = "frequencies"
    adaptive_choice: ClassVar[tuple[str, ...]]

    amplify: bool
    oracle: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_oracle(self.oracle, self.oracles)
        _ = self.faked  # a parameter out of range is refused here, not at first use

    @property
    @abstractmethod
    def fakes(self) -> Floats:
        """Distribution (d, K) of the fake values of each attribute, 0 beyond a domain."""

    @cached_property
    def chosen(self) -> list[str]:
        return [self._best(j) if self.oracle == ADAPTIVE else self.oracle for j in range(self.d)]

    @cached_property
    def faked(self) -> list[FakedOracle[Any]]:
        return [self._faked(name, j) for j, name in enumerate(self.chosen)]

    def _faked(self, name: str, attribute: int) -> FakedOracle[Any]:
        return FAKED_ORACLES[name](sampled_budget(self.epsilon, self.d, self.amplify), self.sizes[attribute])

    def _best(self, attribute: int) -> str:
        law = self.fakes[attribute, : self.sizes[attribute]]
        return min(
            self.adaptive_choice, key=lambda name: self._faked(name, attribute).variance(law, 1, law, self.d).mean()
        )

    @property
    def mechanisms(self) -> list[FrequencyOracle]:
        return [faked.oracle for faked in self.faked]

    def sampled_epsilon(self) -> float:
        """Return an upper bound of the epsilon of a record as reports are drawn: as if fakes did not hide anything."""
        return max(oracle.sampled_epsilon() for oracle in self.mechanisms)

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> RawReports:
        """Perturb the `records` (n, d) of users into reports: (n, d) for GRR, else a list."""
        records = check_records(records, self.sizes)
        sampled = rng.integers(self.d, size=len(records))
        columns = [
            faked.privatize(records[:, j], sampled == j, self.fakes[j, : self.sizes[j]], rng)
            for j, faked in enumerate(self.faked)
        ]
        return join(columns, self.oracle)

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K) from their exact distribution."""
        table = as_population(table, self.sizes)
        check_runs(runs, self.fakes.size)
        support = simulate_support(table, self.faked, np.broadcast_to(self.fakes, (runs, *self.fakes.shape)), rng)
        return self.unbias(support, table.n)

    def unbias(self, support: ArrayLike, n: int) -> Floats:
        return unbias(check_support(support, self.sizes), check_users(n), self.faked, self.fakes)

    def variance(self, frequencies: Floats, n: int) -> Floats:
        return variance(frequencies, n, self.faked, self.fakes)

    def channel(self) -> Floats:
        """Pr[report | record] of whole records, both in the order of `numpy.ravel_multi_index`."""
        real = [oracle.channel() for oracle in self.mechanisms]
        fake = [faked.fake_channel(self.fakes[j, : self.sizes[j]]) for j, faked in enumerate(self.faked)]
        check_channel(math.prod(self.sizes), math.prod(map(len, fake)))
        terms = []
        for sampled in range(self.d):
            term = kronecker(real[j] if j == sampled else fake[j][None] for j in range(self.d))
            terms.append(term.reshape(*(k if j == sampled else 1 for j, k in enumerate(self.sizes)), -1))
        total = reduce(np.add, terms)
        total /= self.d
        return total.reshape(-1, total.shape[-1])

    def guarantee(self) -> Guarantee:
        """Take the sampled budget, attained by a report that supports one record in all attributes, another in none."""
        record = sampled_budget(self.epsilon, self.d, self.amplify)
        return Guarantee(record, tuple(self.attribute_epsilon(j) for j in range(self.d)))

    def attribute_epsilon(self, attribute: int) -> float:
        """Exact epsilon of the whole report for records that differ in `attribute` alone, for domains of any size.

        A report has a probability proportional to the sum over the attributes of Pr[y_j | real] / Pr[y_j | fake]. Only
        one term depends on the value that differs, so a report tells most if all other terms are as small as possible.
        """
        check_integer(attribute, "attribute", 0, self.d - 1)
        laws = [self.fakes[j, :k] for j, k in enumerate(self.sizes)]
        others = sum(self.faked[j].least_ratio(laws[j]) for j in range(self.d) if j != attribute)
        return self.faked[attribute].epsilon_among(others, laws[attribute])


@dataclass(frozen=True)
class RSFD(FakeDataProtocol):
    """Random sampling plus fake data (Corr-RR paper, Section 2.4.2, with GRR); parameters as for `FakeDataProtocol`."""

    name = "RS+FD"
    oracles = (*FAKED_ORACLES, ADAPTIVE)
    adaptive_choice = ("GRR", "OUE-z")

    epsilon: float
    sizes: tuple[int, ...]
    amplify: bool = False
    oracle: str = "GRR"

    @property
    def fakes(self) -> Floats:
        return within(self.sizes) / np.asarray(self.sizes)[:, None]


def sampled_budget(epsilon: float, d: int, amplify: bool) -> float:
    """Return the budget of the sampled attribute."""
    return amplified(epsilon, d) if check_flag(amplify, "amplify") else epsilon


def simulate_support(
    table: Population, faked: Sequence[FakedOracle[Any]], fakes: Floats, rng: np.random.Generator
) -> Integers:
    """Draw the support counts (runs, d, K); the distributions `fakes` (runs, d, K) may differ between runs.

    The numbers of users with each value who sample each attribute depend on whole records. Given these numbers, the
    reports of different attributes are independent.
    """
    support = table.draw_one_attribute(len(fakes), rng)
    for j, (k, one) in enumerate(zip(table.sizes, faked, strict=True)):
        real = support[:, j, :k]
        support[:, j, :k] = one.simulate(real, table.n - real.sum(axis=1), fakes[:, j, :k], rng)
    return support


def unbias(support: ArrayLike, n: int, faked: Sequence[FakedOracle[Any]], fakes: Floats) -> Floats:
    """Unbiased frequencies (..., d, K) from the support counts (..., d, K) of the reports of `n` users."""
    sizes = [one.oracle.k for one in faked]
    columns = zip(faked, cut(np.asarray(support), sizes), cut(fakes, sizes), strict=True)
    return padded([one.unbias(column, n, law, len(faked)) for one, column, law in columns])


def variance(frequencies: Floats, n: int, faked: Sequence[FakedOracle[Any]], fakes: Floats) -> Floats:
    """Exact variance (..., d, K) of the estimates when `n` users have the given frequencies (..., d, K)."""
    sizes = [one.oracle.k for one in faked]
    columns = zip(faked, cut(frequencies, sizes), cut(fakes, sizes), strict=True)
    return padded([one.variance(column, n, law, len(faked)) for one, column, law in columns])

"""RS+FD, and what RS+RFD shares with it: the report on one sampled attribute is real, all others are fake.

Arcolezi et al. (CIKM 2021) draw the fake values uniformly, Arcolezi et al. (2022) from priors.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, kronecker
from corrldp.data.table import Table
from corrldp.mechanisms.pure import LARGEST_EPSILON, FrequencyOracle, RawReports
from corrldp.mechanisms.validation import check_epsilon, check_flag, check_integer, check_runs
from corrldp.privacy import check_channel
from corrldp.protocols.fakes import FAKED_ORACLES, FakedOracle, faked_oracle
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.records import Population, as_population, check_records, cut, padded, within
from corrldp.protocols.reports import ADAPTIVE, OracleProtocol, join


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
    the adaptive choice is that of `adaptive_choice` if frequencies are those of the fake values. If these are uniform,
    the average does not depend on the frequencies.
    """

    amplify: bool

    @property
    @abstractmethod
    def fakes(self) -> Floats:
        """Distribution (d, K) of the fake values of each attribute, 0 beyond a domain."""

    def estimator(self, name: str, attribute: int) -> FakedOracle[Any]:
        law = self.usual(attribute)
        return faked_oracle(name, sampled_budget(self.epsilon, self.d, self.amplify), law, self.d)

    def usual(self, attribute: int) -> Floats:
        """Return the law of the fake values."""
        return self.fakes[attribute, : self.sizes[attribute]]

    @property
    def mechanisms(self) -> list[FrequencyOracle]:
        return [faked.oracle for faked in self.estimators]

    def sampled_epsilon(self) -> float:
        """Return an upper bound of the epsilon of a record as reports are drawn: as if fakes did not hide anything."""
        return max(oracle.sampled_epsilon() for oracle in self.mechanisms)

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> RawReports:
        """Perturb the `records` (n, d) of users into reports: (n, d) for GRR, else a list."""
        records = check_records(records, self.sizes)
        sampled = rng.integers(self.d, size=len(records))
        columns = [faked.privatize(records[:, j], sampled == j, rng) for j, faked in enumerate(self.estimators)]
        return join(columns, self.oracle)

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K) from their exact distribution."""
        table = as_population(table, self.sizes)
        check_runs(runs, self.fakes.size)
        return simulate(table, self.estimators, runs, rng)

    def channel(self) -> Floats:
        """Pr[report | record] of whole records, both in the order of `numpy.ravel_multi_index`."""
        real = [oracle.channel() for oracle in self.mechanisms]
        fake = [faked.fake_channel() for faked in self.estimators]
        check_channel(math.prod(self.sizes), math.prod(map(len, fake)))
        faked = [np.broadcast_to(law, one.shape) for law, one in zip(fake, real, strict=True)]
        terms = (kronecker(real[j] if j == sampled else faked[j] for j in range(self.d)) for sampled in range(self.d))
        return reduce(np.add, terms) / self.d

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
        others = sum(faked.least_ratio() for j, faked in enumerate(self.estimators) if j != attribute)
        return self.estimators[attribute].epsilon_among(others)


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


def simulate(table: Population, faked: Sequence[FakedOracle[Any]], runs: int, rng: np.random.Generator) -> Floats:
    """Draw estimates (runs, d, K); the laws of fake values may be one for each run.

    The numbers of users with each value who sample each attribute depend on whole records. Given these numbers, the
    reports of different attributes are independent.
    """
    columns = cut(table.draw_one_attribute(runs, rng), table.sizes)
    support = [one.simulate(real, table.n - real.sum(axis=1), rng) for one, real in zip(faked, columns, strict=True)]
    return padded([one.unbias(counts, table.n) for one, counts in zip(faked, support, strict=True)])

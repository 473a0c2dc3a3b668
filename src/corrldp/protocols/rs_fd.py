"""RS+FD, and what RS+RFD shares with it: the report on one sampled attribute is real, all others are fake.

Arcolezi et al. (CIKM 2021) draw the fake values uniformly, Arcolezi et al. (2022) from priors. An attribute has an
oracle for users who sampled it, and fake reports for all others, of three kinds (CIKM 2021): a plain value
(RS+FD[GRR]), a perturbed value (UE-r) and a perturbed zero vector (UE-z), the latter two for any oracle that allows
them. An estimate depends only on how often a fake report supports a value.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import expm1, log1p
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers, kronecker
from corrldp.data.table import Table
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import LARGEST_EPSILON, FrequencyOracle, IndependentSupport, RawReports
from corrldp.mechanisms.validation import check_epsilon, check_flag, check_integer, check_runs, check_users
from corrldp.privacy import check_channel
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.records import Population, as_population, check_records, cut, padded, within
from corrldp.protocols.reports import ADAPTIVE, ORACLES, OracleProtocol, join

Oracle = TypeVar("Oracle", bound=FrequencyOracle, covariant=True)


@dataclass(frozen=True, eq=False)
class FakedOracle(ABC, Generic[Oracle]):
    """An oracle, by which users report an attribute that they sampled, whose reports can be faked for all others.

    One report in `d` is real. The `law` is the distribution of fake values, (k,); for estimates and their simulation it
    may be one of several, (..., k).
    """

    oracle: Oracle
    law: Floats
    d: int

    @property
    @abstractmethod
    def fake_support(self) -> Floats:
        """Probability (..., k) that a fake report supports each value."""

    @abstractmethod
    def privatize(self, values: Integers, real: Bits, rng: np.random.Generator) -> RawReports:
        """Perturb the `values` (n,) of users who are `real` (n,), and draw fake reports for the others."""

    @abstractmethod
    def simulate(self, real: Integers, fake: Integers, rng: np.random.Generator) -> Integers:
        """Draw the support (..., k) of users with counts `real` (..., k) and `fake` (...) others; exact."""

    @abstractmethod
    def fake_channel(self) -> Floats:
        """Distribution (reports,) of a fake report, in the order of the oracle's channel."""

    @abstractmethod
    def least_ratio(self) -> float:
        """Least ratio of a report's probability if it is real, whatever its value, to its probability if it is fake."""

    @abstractmethod
    def epsilon_among(self, others: float) -> float:
        """Exact epsilon if a report y has the likelihood Pr[y | v] + others Pr[y | fake] for a value v."""

    def unbias(self, support: ArrayLike, n: int) -> Floats:
        """Unbiased frequencies (..., k) from the support counts (..., k) of `n` reports.

        A report supports its user's value with probability (p + (d - 1) s) / d and any other value with probability
        (q + (d - 1) s) / d, where s is the probability that a fake report supports the value.
        """
        noise = self.oracle.q_support + (self.d - 1) * self.fake_support
        return (self.d * (np.asarray(support) / check_users(n)) - noise) / self.oracle.gap

    def variance(self, frequency: ArrayLike, n: int) -> Floats:
        """Exact variance (..., k) of the estimates when `n` users have the given frequencies (..., k).

        The inventors' formula treats the records as random too and is larger by f (1 - f) / n.
        """
        f, noise = np.asarray(frequency), (self.d - 1) * self.fake_support
        own, other = (self.oracle.p_support + noise) / self.d, (self.oracle.q_support + noise) / self.d
        spread = f * own * (1 - own) + (1 - f) * other * (1 - other)
        return spread * self.d**2 / (n * self.oracle.gap**2)


class PlainFakes(FakedOracle[GRR]):
    """A fake report is a fake value as it is; only a report of GRR can pass for a value."""

    @property
    def fake_support(self) -> Floats:
        return self.law

    def privatize(self, values: Integers, real: Bits, rng: np.random.Generator) -> Integers:
        fake = rng.choice(self.oracle.k, size=len(values), p=self.law)
        return np.where(real, self.oracle.privatize(values, rng), fake)

    def simulate(self, real: Integers, fake: Integers, rng: np.random.Generator) -> Integers:
        fakes = rng.multinomial(fake, self.law)
        return self.oracle.perturb_counts(real, rng) + fakes

    def fake_channel(self) -> Floats:
        return self.law

    def least_ratio(self) -> float:
        """Ratio of q to the largest probability of a fake value."""
        return self.oracle.q_support / float(self.law.max())

    def epsilon_among(self, others: float) -> float:
        """Exact epsilon, reached by the rarest fake value."""
        fake = others * float(self.law.min())
        return log1p(self.oracle.gap / (self.oracle.q_support + fake))


class PerturbedFakes(FakedOracle[FrequencyOracle]):
    """A fake report is that of a user who has a fake value."""

    @property
    def fake_support(self) -> Floats:
        return self.oracle.q_support + self.oracle.gap * self.law

    def privatize(self, values: Integers, real: Bits, rng: np.random.Generator) -> RawReports:
        fake = rng.choice(self.oracle.k, size=len(values), p=self.law)
        return self.oracle.privatize(np.where(real, values, fake), rng)

    def simulate(self, real: Integers, fake: Integers, rng: np.random.Generator) -> Integers:
        return self.oracle.perturb_counts(real + rng.multinomial(fake, self.law), rng)

    def fake_channel(self) -> Floats:
        return self.law @ self.oracle.channel()

    # A report is e^epsilon times likelier for a value that it supports than for any other. So relative to the latter a
    # fake one has the likelihood 1 + (e^epsilon - 1) G, where G is the probability of a fake value that it supports.

    def least_ratio(self) -> float:
        """Ratio of a report that supports as many and as frequent fake values as possible, for another value."""
        _, most = self.oracle.support_sizes
        return 1 / (1 + expm1(self.oracle.epsilon) * float(np.sort(self.law)[-most:].sum()))

    def epsilon_among(self, others: float) -> float:
        """Exact epsilon, reached by a report that supports as few and as rare fake values as possible."""
        fewest, _ = self.oracle.support_sizes
        odds = expm1(self.oracle.epsilon)
        return log1p(odds / (1 + others * (1 + odds * float(np.sort(self.law)[:fewest].sum()))))


class EmptyFakes(FakedOracle[IndependentSupport]):
    """A fake report is that of a user without a value; the law of fake values plays no role."""

    @property
    def fake_support(self) -> Floats:
        return np.full(self.law.shape, self.oracle.q_support)

    def privatize(self, values: Integers, real: Bits, rng: np.random.Generator) -> RawReports:
        reports = self.oracle.privatize(values, rng)
        reports[~real] = self.oracle.empty_reports(int(np.count_nonzero(~real)), rng)
        return reports

    def simulate(self, real: Integers, fake: Integers, rng: np.random.Generator) -> Integers:
        return self.oracle.perturb_counts(real, rng, fake)

    def fake_channel(self) -> Floats:
        return self.oracle.empty_channel()

    def least_ratio(self) -> float:
        """Ratio for a value that a report does not support."""
        own, other = self.oracle.zeros
        return own / other

    def epsilon_among(self, others: float) -> float:
        """Exact epsilon, reached by every report that supports some values but not all."""
        supported, other = self.oracle.p_support / self.oracle.q_support, self.least_ratio()
        return log1p((supported - other) / (other + others))


_OTHERS = [name for name in ORACLES if name != "GRR"]
_EMPTY = [name for name in _OTHERS if isinstance(ORACLES[name](1.0, 3), IndependentSupport)]
FAKED_ORACLES = ("GRR", *(f"{name}-z" for name in _EMPTY), *(f"{name}-r" for name in _OTHERS))
"""Names of oracles with their fakes, empty (-z) or perturbed (-r)."""

FAKES: dict[str, type[FakedOracle[Any]]] = {"": PlainFakes, "z": EmptyFakes, "r": PerturbedFakes}


def faked_oracle(name: str, epsilon: float, law: Floats, d: int) -> FakedOracle[Any]:
    """Return one of `FAKED_ORACLES` with the budget `epsilon`; for the others see `FakedOracle`."""
    oracle, _, fakes = name.partition("-")
    return FAKES[fakes](ORACLES[oracle](epsilon, law.shape[-1]), law, d)


def faked_grr(epsilon: float, laws: Floats, sizes: Sequence[int]) -> list[FakedOracle[Any]]:
    """Return GRR with its fakes for each attribute, all with the budget `epsilon`; their `laws` are (..., d, K)."""
    return [faked_oracle("GRR", epsilon, law, len(sizes)) for law in cut(laws, sizes)]


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

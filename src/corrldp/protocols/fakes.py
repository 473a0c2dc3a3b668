"""An attribute of RS+FD and RS+RFD: an oracle for users who sampled it, and fake reports for all others.

The three kinds of fake reports are those of Arcolezi et al. (CIKM 2021): a plain value (RS+FD[GRR]), a perturbed value
(UE-r) and a perturbed zero vector (UE-z), the latter two for any oracle that allows them. An estimate depends only on
how often a fake report supports a value.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import expm1, log1p
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.oracles import ORACLES
from corrldp.mechanisms.pure import FrequencyOracle, IndependentSupport, RawReports

Oracle = TypeVar("Oracle", bound=FrequencyOracle, covariant=True)


@dataclass(frozen=True)
class FakedOracle(ABC, Generic[Oracle]):
    """An oracle, by which users report an attribute that they sampled, whose reports can be faked for all others.

    A `law` (..., k) is the distribution of fake values.
    """

    oracle: Oracle

    @abstractmethod
    def fake_support(self, law: Floats) -> Floats:
        """Probability (..., k) that a fake report supports each value."""

    @abstractmethod
    def privatize(self, values: Integers, real: Bits, law: Floats, rng: np.random.Generator) -> RawReports:
        """Perturb the `values` (n,) of users who are `real` (n,), and draw fake reports for the others."""

    @abstractmethod
    def simulate(self, real: Integers, fake: Integers, law: Floats, rng: np.random.Generator) -> Integers:
        """Draw the support (..., k) of users with counts `real` (..., k) and `fake` (...) others; exact."""

    @abstractmethod
    def fake_channel(self, law: Floats) -> Floats:
        """Distribution (reports,) of a fake report, in the order of the oracle's channel."""

    @abstractmethod
    def least_ratio(self, law: Floats) -> float:
        """Least ratio of a report's probability if it is real, whatever its value, to its probability if it is fake."""

    @abstractmethod
    def epsilon_among(self, others: float, law: Floats) -> float:
        """Exact epsilon if a report y has the likelihood Pr[y | v] + others Pr[y | fake] for a value v."""

    def unbias(self, support: ArrayLike, n: int, law: Floats, d: int) -> Floats:
        """Unbiased frequencies (..., k) from the support counts (..., k) of `n` reports, one in `d` of which is real.

        A report supports its user's value with probability (p + (d - 1) s) / d and any other value with probability
        (q + (d - 1) s) / d, where s is the probability that a fake report supports the value.
        """
        noise = self.oracle.q_support + (d - 1) * self.fake_support(law)
        return (d * (np.asarray(support) / n) - noise) / self.oracle.gap

    def variance(self, frequency: ArrayLike, n: int, law: Floats, d: int) -> Floats:
        """Exact variance (..., k) of the estimates when `n` users have the given frequencies (..., k).

        The inventors' formula treats the records as random too and is larger by f (1 - f) / n.
        """
        f, s = np.asarray(frequency), self.fake_support(law)
        own, other = (self.oracle.p_support + (d - 1) * s) / d, (self.oracle.q_support + (d - 1) * s) / d
        spread = f * own * (1 - own) + (1 - f) * other * (1 - other)
        return spread * d**2 / (n * self.oracle.gap**2)


class PlainFakes(FakedOracle[GRR]):
    """A fake report is a fake value as it is; only a report of GRR can pass for a value."""

    def fake_support(self, law: Floats) -> Floats:
        return law

    def privatize(self, values: Integers, real: Bits, law: Floats, rng: np.random.Generator) -> Integers:
        fake = rng.choice(self.oracle.k, size=len(values), p=law)
        return np.where(real, self.oracle.privatize(values, rng), fake)

    def simulate(self, real: Integers, fake: Integers, law: Floats, rng: np.random.Generator) -> Integers:
        fakes = rng.multinomial(fake, law)
        return self.oracle.perturb_counts(real, rng) + fakes

    def fake_channel(self, law: Floats) -> Floats:
        return law

    def least_ratio(self, law: Floats) -> float:
        """Ratio of q to the largest probability of a fake value."""
        return self.oracle.q_support / float(law.max())

    def epsilon_among(self, others: float, law: Floats) -> float:
        """Exact epsilon, reached by the rarest fake value."""
        fake = others * float(law.min())
        return log1p(self.oracle.gap / (self.oracle.q_support + fake))


class PerturbedFakes(FakedOracle[FrequencyOracle]):
    """A fake report is that of a user who has a fake value."""

    def fake_support(self, law: Floats) -> Floats:
        return self.oracle.q_support + self.oracle.gap * law

    def privatize(self, values: Integers, real: Bits, law: Floats, rng: np.random.Generator) -> RawReports:
        fake = rng.choice(self.oracle.k, size=len(values), p=law)
        return self.oracle.privatize(np.where(real, values, fake), rng)

    def simulate(self, real: Integers, fake: Integers, law: Floats, rng: np.random.Generator) -> Integers:
        return self.oracle.perturb_counts(real + rng.multinomial(fake, law), rng)

    def fake_channel(self, law: Floats) -> Floats:
        return law @ self.oracle.channel()

    # A report is e^epsilon times likelier for a value that it supports than for any other. So relative to the latter a
    # fake one has the likelihood 1 + (e^epsilon - 1) G, where G is the probability of a fake value that it supports.

    def least_ratio(self, law: Floats) -> float:
        """Ratio of a report that supports as many and as frequent fake values as possible, for another value."""
        _, most = self.oracle.support_sizes
        return 1 / (1 + expm1(self.oracle.epsilon) * float(np.sort(law)[-most:].sum()))

    def epsilon_among(self, others: float, law: Floats) -> float:
        """Exact epsilon, reached by a report that supports as few and as rare fake values as possible."""
        fewest, _ = self.oracle.support_sizes
        odds = expm1(self.oracle.epsilon)
        return log1p(odds / (1 + others * (1 + odds * float(np.sort(law)[:fewest].sum()))))


class EmptyFakes(FakedOracle[IndependentSupport]):
    """A fake report is that of a user without a value; the law of fake values plays no role."""

    def fake_support(self, law: Floats) -> Floats:
        return np.full(np.shape(law), self.oracle.q_support)

    def privatize(self, values: Integers, real: Bits, law: Floats, rng: np.random.Generator) -> RawReports:
        reports = self.oracle.privatize(values, rng)
        reports[~real] = self.oracle.empty_reports(int(np.count_nonzero(~real)), rng)
        return reports

    def simulate(self, real: Integers, fake: Integers, law: Floats, rng: np.random.Generator) -> Integers:
        return self.oracle.perturb_counts(real, rng, fake)

    def fake_channel(self, law: Floats) -> Floats:
        return self.oracle.empty_channel()

    def least_ratio(self, law: Floats) -> float:
        """Ratio for a value that a report does not support."""
        own, other = self.oracle.zeros
        return own / other

    def epsilon_among(self, others: float, law: Floats) -> float:
        """Exact epsilon, reached by every report that supports some values but not all."""
        supported, other = self.oracle.p_support / self.oracle.q_support, self.least_ratio(law)
        return log1p((supported - other) / (other + others))


def _faked(kind: type[FakedOracle[Any]], name: str, epsilon: float, k: int) -> FakedOracle[Any]:
    return kind(ORACLES[name](epsilon, k))


_OTHERS = {name: oracle(1.0, 3) for name, oracle in ORACLES.items() if oracle is not GRR}

FAKED_ORACLES: dict[str, Callable[[float, int], FakedOracle[Any]]] = {
    "GRR": partial(_faked, PlainFakes, "GRR"),
    **{
        f"{name}-z": partial(_faked, EmptyFakes, name)
        for name, one in _OTHERS.items()
        if isinstance(one, IndependentSupport)
    },
    **{f"{name}-r": partial(_faked, PerturbedFakes, name) for name in _OTHERS},
}
"""Oracles with their fakes, empty (-z) or perturbed (-r), by name; each is built from a budget and a domain size."""


def faked_grr(epsilon: float, sizes: Sequence[int]) -> list[PlainFakes]:
    """Return GRR with its fakes for each attribute, all with the budget `epsilon`."""
    return [PlainFakes(GRR(epsilon, k)) for k in sizes]

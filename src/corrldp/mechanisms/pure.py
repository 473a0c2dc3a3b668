"""What mechanisms for one attribute share: their parameters and, if pure, how support counts become estimates.

A mechanism is *pure* when a report supports the user's own value with probability `p_support` and every other
value with probability `q_support` (Wang et al., USENIX Security 2017, Definition 1 and Eq. 1).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers, in_short, make_plain, plain
from corrldp.mechanisms.validation import (
    ChecksGenerator,
    check_counts,
    check_domain_size,
    check_epsilon,
    check_frequencies,
    check_runs,
    check_users,
    check_width,
)

RawReports = Any
"""What `privatize` returns for many users: an array, or a list or mapping of arrays. Which one, its class says, and
takes no other; so no type could be the same for all. `corrldp.Reports` checks the form."""

Report: TypeAlias = "int | str | Sequence[Report] | Mapping[str, Report]"
"""What one user sends: a number, or a list, as JSON has them; of a collection with an id, an object."""


def encode_bits(reports: Bits) -> list[Report]:
    """Return the positions of the bits that are set in each of the reports (n, bits)."""
    users, places = np.nonzero(reports)
    ends = np.searchsorted(users, np.arange(len(reports) + 1)).tolist()
    found = places.tolist()
    return [found[start:end] for start, end in pairwise(ends)]


def decode_bits(reports: Sequence[Report], width: int) -> Bits:
    """Return bits (n, width) from the positions of those that are set."""
    bits = np.zeros((len(reports), width), dtype=bool)
    lists: Any = reports
    if {*map(type, lists)} <= {list} and {*map(type, chain.from_iterable(lists))} <= {int}:
        found = [*chain.from_iterable(lists)]
        if min(found, default=0) >= 0 and max(found, default=0) < width:
            bits[np.repeat(np.arange(len(reports)), [*map(len, lists)]), found] = True
            if np.count_nonzero(bits) == len(found):
                return bits
    for row, report in zip(bits, reports, strict=True):  # to say what is wrong with the first
        row[members(report, width)] = True
    return bits


def whole(number: Report, below: int) -> int:
    """Return an integer of 0, ..., below - 1, or raise ValueError."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < below:
        raise ValueError(f"{in_short(number)} in a report must be an integer of 0..{below - 1}")
    return number


def parts(report: Report, length: int) -> list[Report]:
    """Return a list of a given length, or raise ValueError."""
    if not isinstance(report, list | tuple) or len(report) != length:
        raise ValueError(f"report {in_short(report)} must be a list of length {length}")
    return list(report)


def members(report: Report, below: int, size: int | None = None) -> list[int]:
    """Return the distinct members of a subset of 0, ..., below - 1, `size` of them if it is given."""
    if not isinstance(report, list | tuple) or (size is not None and len(report) != size):
        raise ValueError(
            f"report {in_short(report)} must be a list of {'any number of' if size is None else size} values"
        )
    found = [whole(member, below) for member in report]
    if len(set(found)) != len(found):
        raise ValueError(f"report {in_short(report)} must have every value once")
    return found


SMALLEST_EPSILON, LARGEST_EPSILON = 1e-100, 700
FEW_DIGITS = 1e-6


@dataclass(frozen=True)
class Budgeted(ChecksGenerator):
    """A mechanism with a chosen privacy budget `epsilon` > 0 of a whole report, for a domain of `k` >= 2 values.

    A parameter outside its range, including those of subclasses, is a ValueError.
    """

    epsilon: float
    k: int

    def __post_init__(self) -> None:
        make_plain(self)
        check_epsilon(self.epsilon)
        if not SMALLEST_EPSILON <= self.epsilon <= LARGEST_EPSILON:
            raise ValueError(
                f"epsilon={self.epsilon} must lie in [{SMALLEST_EPSILON}, {LARGEST_EPSILON}]: beyond, probabilities "
                "or variances leave the range of floating point"
            )
        check_domain_size(self.k)


class PureMechanism(ChecksGenerator, ABC):
    """Unbiased estimation from support counts; users perturb independently unless a subclass says otherwise."""

    if TYPE_CHECKING:  # in subclasses a field or a property

        @property
        def k(self) -> int:
            """Domain size."""

    @property
    @abstractmethod
    def p_support(self) -> float:
        """Probability that a report supports its user's value."""

    @property
    @abstractmethod
    def q_support(self) -> float:
        """Probability that a report supports one given other value."""

    @abstractmethod
    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        """Draw support counts (runs, k) of users with `counts` (k,): the law of their reports, whatever n is."""

    @property
    def gap(self) -> float:
        """`p_support - q_support`; overridden where the difference would lose digits."""
        return self.p_support - self.q_support

    @abstractmethod
    def support(self, reports: RawReports) -> Integers:
        """Count, for each of the k values, the reports that support it: (k,)."""

    def estimate_counts(self, support: ArrayLike, n: int) -> Floats:
        """Unbiased counts (..., k), in users, from support counts (..., k) of `n` reports."""
        return (check_width(support, self.k) - check_users(n) * self.q_support) / self.gap

    def unbias(self, support: ArrayLike, n: int) -> Floats:
        """Unbiased frequencies (..., k) from support counts (..., k) of `n` reports."""
        return self.estimate_counts(support, n) / check_users(n)

    def estimate(self, reports: RawReports) -> Floats:
        """Unbiased frequencies (k,) from the reports of all users."""
        return self.unbias(self.support(reports), len(reports))

    def variance_of_counts(self, count: ArrayLike, n: int) -> Floats:
        """Exact variance of the estimated count of a value that `count` of the `n` users have."""
        count, n = np.asarray(count, dtype=float), plain(n)
        p, q = self.p_support, self.q_support
        return (count * p * (1 - p) + (n - count) * q * (1 - q)) / self.gap**2

    def variance(self, frequency: ArrayLike, n: int) -> Floats:
        """Exact variance of the estimated frequency of a value whose true frequency is `frequency`."""
        n = check_users(n)
        return self.variance_of_counts(check_frequencies(frequency) * n, n) / n**2


class FrequencyOracle(PureMechanism):
    """A pure mechanism whose users perturb independently: what protocols for whole records apply to one attribute."""

    if TYPE_CHECKING:  # in subclasses a field or a property

        @property
        def epsilon(self) -> float:
            """Exact epsilon of a report."""

    @property
    @abstractmethod
    def support_sizes(self) -> tuple[int, int]:
        """Fewest and most values that a report supports, among reports that support some values but not all."""

    @property
    def fixed_size(self) -> int | None:
        """How many values every report supports; None if reports differ in that."""
        return None

    @abstractmethod
    def channel(self) -> Floats:
        """Row-stochastic (k, reports) matrix of Pr[report | value]."""

    @abstractmethod
    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> RawReports:
        """Perturb the `values` (n,) of users into n reports."""

    @abstractmethod
    def perturb_counts(self, counts: Integers, rng: np.random.Generator) -> Integers:
        """Draw the support counts (..., k) of populations with `counts` (..., k), possibly 0, from their exact law."""

    def sampled_epsilon(self) -> float:
        """Exact epsilon of a report as it is drawn, with random numbers of finitely many digits; see `randomness`.

        Infinite if a report is possible under one value only. If the class does not say how it draws, a ValueError.
        """
        raise ValueError(f"it is not known how {type(self).__name__} draws its reports: define sampled_epsilon")

    def encode(self, reports: RawReports) -> list[Report]:
        """Return the JSON of each of n reports that `privatize` returned."""
        raise ValueError(f"{type(self).__name__} has no JSON form: define encode and decode")

    def decode(self, reports: Sequence[Report]) -> RawReports:
        """Return the inverse of `encode`; a report that the oracle cannot make is a ValueError."""
        raise ValueError(f"{type(self).__name__} has no JSON form: define encode and decode")

    def simulate(self, counts: ArrayLike, runs: int, rng: np.random.Generator) -> Integers:
        runs = check_runs(runs, self.k)
        return self.perturb_counts(np.broadcast_to(check_counts(counts, self.k), (runs, self.k)), rng)


class IndependentSupport(FrequencyOracle):
    """An oracle whose reports support each value independently of the others, and which can thus report no value.

    The report of a user without a value, an *empty report*, supports every value with probability `q_support`.
    """

    @property
    def support_sizes(self) -> tuple[int, int]:
        return 1, self.k - 1

    @property
    def zeros(self) -> tuple[float, float]:
        """Probabilities that a report does not support its user's value, and that it does not support another one."""
        return 1 - self.p_support, 1 - self.q_support

    @abstractmethod
    def empty_reports(self, n: int, rng: np.random.Generator) -> RawReports:
        """Draw the reports of `n` users without a value."""

    @abstractmethod
    def empty_channel(self) -> Floats:
        """Distribution (reports,) of an empty report, in the order of `channel`."""

    def effective_channel(self) -> Floats:
        """Distribution (k, k) of the value guessed from a report given the true one; see `guess_channel`."""
        return guess_channel(self.p_support, self.q_support, self.k)

    def perturb_counts(self, counts: Integers, rng: np.random.Generator, empty: ArrayLike = 0) -> Integers:
        """Draw the support counts (..., k) of populations with `counts` (..., k) and `empty` (...) further users.

        Exact at a cost independent of the number of users. The further users have no value.
        """
        users = counts.sum(axis=-1) + np.asarray(empty)
        holders = rng.binomial(counts, self.p_support)
        return holders + rng.binomial(users[..., None] - counts, self.q_support)


# The attack of the CPL paper's Appendix B: guess a user's value from one report.


def guess_channel(p: float, q: float, k: int) -> Floats:
    """Channel (k, k) of a guess, if a report supports its value with probability p and each other with q.

    The guess is uniform among the values that a report supports, or among all if it supports none. The supports of the
    k values are independent. With J other values supported, the true one is picked with probability 1 / (1 + J) if it
    is also supported; for J binomial with k - 1 trials the mean of this probability is (1 - (1 - q)^k) / (k q). If no
    value is supported, the pick is uniform.
    """
    share = -np.expm1(k * np.log1p(-q)) / (k * q)
    return symmetric_channel(p * share + (1 - p) * (1 - q) ** (k - 1) / k, k)


def symmetric_channel(correct: float, k: int) -> Floats:
    """Return the (k, k) channel that keeps a value with probability `correct`, else moves to another uniformly."""
    wrong = (1 - correct) / (k - 1)
    return np.full((k, k), wrong) + np.diag(np.full(k, correct - wrong))

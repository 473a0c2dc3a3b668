"""The two-phase framework: the collector learns from some users by SPL, and the others report with what it learned.

Source: Corr-RR paper, Section 3.1. The users of the first phase are a random subset.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.arrays import Floats, Integers, in_short
from corrldp.data.table import Table
from corrldp.domain import Domain
from corrldp.mechanisms.validation import check_share
from corrldp.protocols.estimates import Estimate, Estimates, Tally
from corrldp.protocols.protocol import Guarantee, RecordProtocol
from corrldp.protocols.records import Population, as_population, check_records
from corrldp.protocols.smp import SPL

PHASE1_FRACTION = 0.1  # the Corr-RR paper recommends 10 to 20 %
ANOTHER = "the second aggregator is of another protocol than second_phase(first)"
Users = TypeVar("Users", bound=Population, contravariant=True)


class TwoPhaseReports(NamedTuple):
    """Reports (n1, d) of the first phase and (n2, d) of the second."""

    first: Integers
    second: Integers


class Collected(Protocol):
    """The reports of one phase: an aggregator, with what its users ran and reported, and names, if there are any."""

    protocol: RecordProtocol
    tally: Tally
    domain: Domain | None


class Phased(RecordProtocol):
    """A protocol whose second phase depends on the reports of the first, so clients and servers run one of them.

    `first_phase` and `second_phase` return protocols with clients and aggregators of their own.
    """

    if TYPE_CHECKING:  # in subclasses a field or a property

        @property
        def phase1_fraction(self) -> float:
            """Share of the users in the first phase."""

    @abstractmethod
    def first_phase(self) -> RecordProtocol:
        """Return what the users of the first phase run."""

    @abstractmethod
    def learn(self, first: Tally, users: int) -> RecordProtocol:
        """Return what `users` of the second phase run, given the reports of the first."""

    @abstractmethod
    def combine_tallies(self, first: Tally, phase: RecordProtocol, second: Tally) -> Estimate:
        """Estimate from both phases, the second of which ran `phase`."""

    def second_phase(self, first: Collected) -> RecordProtocol:
        """Return what the users of the second phase, as many as fit `phase1_fraction`, run, given the first aggregator.

        Without reports, or with those of another protocol than `first_phase()`, a ValueError.
        """
        tally, share = self._learned(first), self.phase1_fraction
        return self.learn(tally, max(1, round(tally.n * (1 - share) / share)))

    def combine(self, first: Collected, second: Collected) -> Estimates:
        """Estimate from the aggregators of both phases, weighted by their numbers of users.

        Standard errors are from the reports alone. Those of Corr-RR and Cond-RR include the bias of the second phase as
        the first one estimates it, and that estimate's own error, so their intervals tend to be too wide. A phase
        without reports, or with those of another protocol, is a ValueError.
        """
        found = self.combine_tallies(self._learned(first), second.protocol, second.tally.check())
        return Estimates(found, self.sizes, first.domain)

    def _learned(self, first: Collected) -> Tally:
        if first.protocol != self.first_phase():
            raise ValueError(f"the first aggregator must be of first_phase(), {self.first_phase()}")
        return first.tally.check()

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> TwoPhaseReports:
        """Perturb the `records` (n, d) of users in both phases."""
        shuffled = rng.permutation(check_records(records, self.sizes), axis=0)
        n1 = first_users(len(shuffled), self.phase1_fraction)
        first = self.first_phase().privatize(shuffled[:n1], rng)
        return TwoPhaseReports(first, self.privatize_second(shuffled[n1:], first, rng))

    def privatize_second(self, records: Integers, first: Integers, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n2, d) of the second phase, given the reports (n1, d) of the first."""
        reports: Integers = self.learn(self.first_phase().tally(first), len(records)).privatize(records, rng)
        return reports

    def estimate(self, reports: TwoPhaseReports) -> Floats:
        """Frequencies (d, K) from the reports of both phases."""
        if not isinstance(reports, TwoPhaseReports):
            raise ValueError(f"reports={in_short(reports)} must be those of both phases, as privatize returns them")
        first, second = self.first_phase().estimate(reports.first), self.estimate_second(reports)
        return weigh(first, len(reports.first), second, len(reports.second))

    def estimate_second(self, reports: TwoPhaseReports) -> Floats:
        """Frequencies (d, K) from the second phase alone."""
        learned = self.learn(self.first_phase().tally(reports.first), len(reports.second))
        return learned.estimate(reports.second)


@dataclass(frozen=True)
class TwoPhase(Phased, ABC, Generic[Users]):
    """A first phase of SPL and a second one defined by subclasses; estimates are weighted by numbers of users.

    `Users` is what `simulate` needs to know about the users: any `Population`, or a `RecordTable` of whole records. The
    budget is that of every user of either phase, `phase1_fraction`, in (0, 1), the share of the first one; d >= 2.
    """

    fewest_attributes = 2
    second_kind: ClassVar[type[RecordProtocol]]
    """What the second phase runs once it has learned."""

    epsilon: float
    sizes: tuple[int, ...]
    phase1_fraction: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share(self.phase1_fraction, "phase1_fraction")

    @cached_property
    def spl(self) -> SPL:
        return SPL(self.epsilon, self.sizes)

    def guarantee(self) -> Guarantee:
        """Assume the worst: a learned prior rules a value out, or learned channels tell which attribute was the pivot.

        Then an attribute spends what a record does in the second phase; the first phase spends no more.
        """
        return Guarantee(self.epsilon, (self.epsilon,) * self.d)

    def first_phase(self) -> RecordProtocol:
        return self.spl

    def combine_tallies(self, first: Tally, phase: RecordProtocol, second: Tally) -> Estimate:
        if not isinstance(phase, self.second_kind) or phase.sizes != self.sizes:
            raise ValueError(ANOTHER)
        one, two = self.first_phase().estimate_from(first), phase.estimate_from(second)
        frequencies = weigh(one.frequencies, one.n, two.frequencies, two.n)
        return Estimate(frequencies, self.combined_errors(one, phase, two, second), one.n + two.n)

    def combined_errors(self, first: Estimate, phase: Any, second: Estimate, reports: Tally) -> Floats:  # noqa: ANN401
        """Return standard errors (d, K): here both phases are unbiased for their own users."""
        return np.hypot(first.n * first.standard_errors, second.n * second.standard_errors) / (first.n + second.n)

    def simulate(self, table: Users | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K) from their exact distribution."""
        users = as_population(table, self.sizes)
        learners, others = users.split(first_users(users.n, self.phase1_fraction), runs, rng)
        first, learned = self.simulate_first(learners, runs, rng)
        return weigh(first, learners.n, self.simulate_second(others, learned, rng), others.n)

    def simulate_first(self, table: Users, runs: int, rng: np.random.Generator) -> tuple[Floats, NDArray[Any]]:
        """Simulate the first phase: estimates (runs, d, K), and what the second phase learns from (the same here)."""
        estimates = self.spl.simulate(table, runs, rng)
        return estimates, estimates

    @abstractmethod
    def simulate_second(self, table: Users, learned: NDArray[Any], rng: np.random.Generator) -> Floats:
        """Draw the estimates (runs, d, K) of the second phase, given `learned`; its users differ between runs."""


def first_users(n: int, fraction: float) -> int:
    """Return the number of users in the first phase, or raise ValueError if a phase is empty."""
    n1 = round(fraction * n)
    if not 0 < n1 < n:
        raise ValueError(
            f"phase1_fraction={fraction} of n={n} users leaves a phase empty: change it or take more users"
        )
    return n1


def weigh(first: Floats, n1: int, second: Floats, n2: int) -> Floats:
    """Combine the estimates of both phases, each weighted by its number of users."""
    return (n1 * first + n2 * second) / (n1 + n2)

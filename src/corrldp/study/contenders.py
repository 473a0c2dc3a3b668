"""The protocols that a study compares, built for its domains and held against their budgets, and the users they see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import nan
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from claimaudit.words.numbers import listed
from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.privacy import attribute_epsilon, epsilon_of_channel, smaller
from corrldp.privacy_tests import FAILURES, above, epsilon_of_users
from corrldp.protocols.names import call_own, label, parse, source_of
from corrldp.protocols.records import Population, RecordTable, draw_without_replacement, within
from corrldp.protocols.registry import protocol
from corrldp.study.settings import StudySettings
from corrldp.study.tables import Gap, PrivacyRow, rows_of

T = TypeVar("T")

LARGEST_BATCH = 2**24  # numbers that a batch of runs may hold

ATTAINED = {True: "exactly", False: "at most"}
STATED = "as the class states"
WITHIN, OVER, UNKNOWN = "yes", "no", "not known"


@dataclass(frozen=True)
class Users:
    """The users of a table, as much as each protocol needs."""

    table: Table

    @cached_property
    def marginals(self) -> Marginals:
        counts = np.zeros((self.table.d, max(self.table.sizes)), dtype=np.int64)
        for j, k in enumerate(self.table.sizes):
            counts[j, :k] = self.table.counts((j,))
        return Marginals(counts, self.table.sizes)

    @cached_property
    def records(self) -> RecordTable:
        return RecordTable.from_records(self.table.codes, self.table.sizes)


@dataclass(frozen=True)
class Contender:
    """One protocol at one budget."""

    name: str
    epsilon: float
    protocol: Any

    @property
    def law(self) -> str:
        """What determines the law of its reports: an adaptive oracle that chooses GRR everywhere is GRR.

        It is the key of the random stream, so that protocols that do the same get the same numbers.
        """
        chosen = getattr(self.protocol, "chosen", None)
        return f"{parse(self.name).base}[{', '.join(chosen)}]" if chosen else self.name

    @property
    def needs_records(self) -> bool:
        return getattr(self.protocol, "needs", "records") != "marginals"

    @property
    def closed(self) -> bool:
        """Whether its expected error is known in closed form from the users alone, as its class says."""
        return getattr(self.protocol, "error_of", None) == "frequencies"

    def behaviour(self, users: Users) -> str:
        """Name what the protocol does to these users; names of one protocol share it, as do equal errors."""
        if not self.closed:
            return self.law
        return " ".join(f"{error:.9g}" for error in self.expected_mse(self.population(users)).ravel())

    def call(self, method: str, function: Callable[[], T]) -> T:
        """Call a method of the protocol; if it is one of the user's own, a ValueError says what goes wrong in it."""
        return _call(self.name, f"{method} of {label(self.name)}", function)

    def population(self, users: Users) -> Population:
        """Return what the protocol needs to know about the users."""
        return users.records if self.needs_records else users.marginals

    def expected_mse(self, population: Population) -> Floats:
        """Return the expected squared error (d, K) of each frequency."""
        return self.call("expected_mse", lambda: np.asarray(self.protocol.expected_mse(population), dtype=float))

    def simulate(self, users: Users, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K), in batches that bound the memory."""
        population = self.population(users)
        rows = len(population.rows) if isinstance(population, RecordTable) else 1
        batch = max(1, LARGEST_BATCH // (rows * population.d))
        sizes = [min(batch, runs - first) for first in range(0, runs, batch)]
        batches = (self.protocol.simulate(population, size, rng) for size in sizes)
        return self.call("simulate", lambda: np.concatenate([*batches]))


def contenders(settings: StudySettings, sizes: tuple[int, ...]) -> tuple[list[Contender], list[Gap]]:
    """Return every protocol at every budget, and which of them cannot be built for these domains and why."""
    found: list[Contender] = []
    left_out: list[Gap] = []
    for epsilon in settings.epsilons:
        for name in settings.protocols:
            try:
                found.append(Contender(name, epsilon, built(name, epsilon, sizes)))
            except ValueError as error:
                left_out.append(Gap("protocol", name, epsilon, str(error)))
    return found, left_out


def built(name: str, epsilon: float, sizes: tuple[int, ...]) -> Any:  # noqa: ANN401 (a class of any methods)
    """Return a protocol by its name; see `corrldp.protocols.registry.protocol`."""
    return _call(name, f"building {label(name)}", lambda: protocol(name, epsilon, sizes))


def _call(name: str, what: str, function: Callable[[], T]) -> T:
    return function() if source_of(name) is None else call_own(what, function)


@dataclass(frozen=True, eq=False)
class Marginals(Population):
    """Users of whom only the one-way counts are known, as if their attributes were independent of each other.

    The `counts` (d, K) or (runs, d, K) are 0 beyond a domain. In SPL, SMP, RS+FD and RS+RFD, what a user reports on one
    attribute depends on that attribute's value and on chance, never on other values of the record. So the law of each
    attribute's estimates is exact, at a cost independent of the number of users; only the dependence between estimates
    of different attributes is lost, and no error of a frequency depends on that.
    """

    counts: Integers
    sizes: tuple[int, ...]

    @property
    def n(self) -> int:
        return int(self.counts.reshape(-1, *self.counts.shape[-2:])[0, 0].sum())

    def count_marginals(self) -> Integers:
        """Return the counts."""
        return self.counts.copy()

    def split(self, size: int, runs: int, rng: np.random.Generator) -> tuple[Marginals, Marginals]:
        """Draw `size` users at random, anew for each run and attribute."""
        counts = self.marginals_of(runs)
        chosen = draw_without_replacement(counts.reshape(-1, counts.shape[-1]), size, rng).reshape(counts.shape)
        return replace(self, counts=chosen), replace(self, counts=counts - chosen)

    def draw_one_attribute(self, runs: int, rng: np.random.Generator) -> Integers:
        """Count the users with each value of each attribute who drew it, (runs, d, K)."""
        return np.where(within(self.sizes), rng.binomial(self.marginals_of(runs), 1 / self.d), 0)


def privacy(contender: Contender, sizes: tuple[int, ...]) -> PrivacyRow:
    """Return what a protocol guarantees, what its channel on small domains spends, and whether that is in its budget.

    Epsilons are NaN if the protocol guarantees nothing, or has no channel.
    """
    name, epsilon, own = contender.name, contender.epsilon, source_of(contender.name) is not None
    record = attribute = found_record = found_attribute = nan
    attained, where, small = "", "", smaller(sizes)
    with suppress(*FAILURES, MemoryError):
        guarantee = contender.call("guarantee", contender.protocol.guarantee)
        stated = STATED if own else ATTAINED[guarantee.exact]
        record, attribute, attained = float(guarantee.record), float(max(guarantee.attributes)), stated
    with suppress(*FAILURES):
        channel = contender.call("channel", built(name, epsilon, small).channel)
        of_attributes = [attribute_epsilon(channel, small, j) for j in range(len(small))]
        found_record, found_attribute = epsilon_of_channel(channel), max(of_attributes)
        where = " by ".join(map(str, small))
    drawn = sent(contender, sizes)
    if drawn > np.nan_to_num(found_record):
        found_record, found_attribute, where = drawn, nan, "reports that were drawn"
    actual, holds = np.fmax(record, found_record), UNKNOWN
    if not np.isnan(actual):
        holds = OVER if above(actual, epsilon) else STATED if own else WITHIN
    return PrivacyRow(name, epsilon, record, attribute, attained, where, found_record, found_attribute, holds)


def split(contenders: Sequence[Contender], privacy: pd.DataFrame) -> tuple[list[Contender], list[Gap]]:
    """Return the contenders that keep their budget, as far as is known, and why the others must not compete."""
    over = [(row.protocol, row.epsilon) for row in rows_of(PrivacyRow, privacy) if row.holds == OVER]
    kept = [one for one in contenders if (one.name, one.epsilon) not in over]
    return kept, [Gap("protocol", *one, "over its budget") for one in over]


def of_broken(privacy: pd.DataFrame) -> list[str]:
    """Name the protocols that are over their budget, with both epsilons.

    The actual one is the larger one of what the protocol itself guarantees and what enumeration, or a draw of reports,
    finds; on larger domains it may be larger still.
    """
    over = privacy[privacy["holds"] == OVER]
    actual = np.fmax(over["record"], over["enumerated_record"])
    spent = [f"{more:.4g} where it states {stated:g}" for more, stated in zip(actual, over["epsilon"], strict=True)]
    return [
        f"{name} is over its budget and does not compete: a record spends epsilon = {listed(list(found))}."
        for name, found in over.assign(spent=spent).groupby("protocol", sort=False)["spent"]
    ]


def of_unknown(privacy: pd.DataFrame) -> list[str]:
    """Name the protocols of which nobody knows whether they keep their budget."""
    names = privacy[privacy["holds"] == UNKNOWN]["protocol"].unique()
    return [f"{name} states no guarantee and cannot be enumerated: its epsilon is not known." for name in names]


def sent(contender: Contender, sizes: tuple[int, ...]) -> float:
    """Return the epsilon that the reports of a protocol of the user's own show, if it is above the budget; else NaN."""
    if source_of(contender.name) is None:
        return np.nan
    factory = partial(built, contender.name)
    try:
        return contender.call("privatize", lambda: epsilon_of_users(factory, contender.epsilon, sizes))
    except ValueError:  # it does not work, which a study of errors need not mind
        return np.nan

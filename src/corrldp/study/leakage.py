"""What the collected columns reveal about a column, collected or not, and which budget keeps that within a limit.

Tables are in factors of odds: the exponential of the leakage, which is a logarithm.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import bisect

from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.leakage.cpl import conditional, leakage_bound
from corrldp.leakage.total import joint_leakage, total_leakage
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.validation import MOST_EPSILON, ROUNDING
from corrldp.protocols.records import RecordTable
from corrldp.randomness import generator
from corrldp.study.settings import StudySettings
from corrldp.study.tables import ANY, JOINT, PAIR, SUM, BudgetRow, Leak, LeakAlong

RESAMPLES = 100
FEW = 30  # records with a value of the attacked column below which its conditional distributions are guesses
LARGEST_LAW = 20_000  # cells of the law of the reports whose leakage is computed exactly
LARGEST_BOUND = 200_000  # work of a bound on whole records up to which it is computed for resampled records, too
CURVE = tuple(float(f"{epsilon:.3g}") for epsilon in np.geomspace(0.1, 10, 13))
NONE = np.zeros(0)
LARGEST_EXPONENT = 700.0


@dataclass(frozen=True)
class Attack:
    """One attacked column and the columns that are collected.

    `epsilon` is the budget of a record of `d` collected columns throughout, of which SPL gives each an equal part.
    """

    table: Table
    column: str
    collected: tuple[str, ...]

    @property
    def direct(self) -> bool:
        return self.column in self.collected

    @property
    def neighbours(self) -> tuple[str, ...]:
        return tuple(name for name in self.collected if name != self.column)

    @cached_property
    def tables(self) -> dict[str, Integers]:
        """Counts (m, t) of the attacked column and each neighbour."""
        return {name: self._occurring(self.table.counts((self.column, name))) for name in self.neighbours}

    @cached_property
    def laws(self) -> dict[str, Floats]:
        """Distribution (m, t) of each neighbour given the attacked column."""
        return {name: conditional(counts) for name, counts in self.tables.items()}

    @cached_property
    def records(self) -> Integers:
        """Counts (m, records) of the attacked column and the record of its neighbours."""
        view = self.table.subset([self.column, *self.neighbours])
        found = RecordTable.from_records(view.codes, view.sizes)
        _, numbers = np.unique(found.rows[:, 1:], axis=0, return_inverse=True)
        counts = np.zeros((view.sizes[0], int(numbers.max()) + 1), dtype=np.int64)
        np.add.at(counts, (found.rows[:, 0], numbers.ravel()), found.counts)
        return self._occurring(counts)

    def _occurring(self, counts: Integers) -> Integers:
        return counts[self.occurrences > 0]

    @cached_property
    def occurrences(self) -> Integers:
        """Records (m,) with each value of the attacked column."""
        return self.table.counts((self.column,))

    def share(self, epsilon: float) -> float:
        """Return SPL's budget of one column."""
        return epsilon / len(self.collected)

    def of_pair(self, neighbour: str, epsilon: float) -> float:
        """Return the largest leakage of SPL through one neighbour, by any oracle."""
        return float(leakage_bound(self.laws[neighbour], self.share(epsilon)))

    def of_sum(self, epsilon: float) -> float:
        """Return the sum over all neighbours, with the column's own report if it is collected."""
        own = self.share(epsilon) if self.direct else 0.0
        return own + sum(self.of_pair(name, epsilon) for name in self.neighbours)

    def of_any(self, epsilon: float) -> float:
        """Return the largest leakage of all protocols that satisfy epsilon-LDP for the whole record."""
        return epsilon if self.direct else float(leakage_bound(conditional(self.records), epsilon))

    @property
    def bounds(self) -> dict[str, Callable[[float], float]]:
        """What bounds the leakage as a whole, given the budget of a record."""
        return {SUM: self.of_sum, ANY: self.of_any}

    @cached_property
    def joined(self) -> tuple[str, ...]:
        """As many neighbours as can be enumerated together, those that leak most alone first."""
        chosen: list[str] = []
        cells = len(self.occurrences)
        for name in sorted(self.neighbours, key=lambda name: -round(self.of_pair(name, 1.0), 9)):
            size = self.tables[name].shape[1]
            if cells * size <= LARGEST_LAW:
                chosen.append(name)
                cells *= size
        return tuple(chosen)

    @cached_property
    def joint(self) -> Integers:
        """Counts (m, t_1, ...) of the attacked column and the neighbours in `joined`."""
        return self._occurring(self.table.counts([self.column, *self.joined]))

    def of_joint(self, epsilon: float, law: Integers | None = None) -> float:
        """Return the leakage of SPL with GRR through all columns in `joined`, for another `law` if one is given."""
        law = self.joint if law is None else law
        channels = [GRR(self.share(epsilon), size).channel() for size in law.shape[1:]]
        if self.direct:
            own = GRR(self.share(epsilon), len(self.occurrences)).channel()[self.occurrences > 0]
            return total_leakage(law, own, channels)
        return joint_leakage(law, channels)


def attacks(table: Table, settings: StudySettings) -> list[Attack]:
    """Return an attack on each sensitive column, which is not collected, or on every column if none is sensitive."""
    collected = tuple(name for name in table.names if name not in settings.sensitive)
    return [Attack(table, name, collected) for name in settings.sensitive or table.names]


def odds(leakage: ArrayLike) -> Floats:
    """Return the factor of odds of a leakage."""
    return np.exp(np.minimum(leakage, LARGEST_EXPONENT))


def convinced(share: ArrayLike, factor: float) -> Floats:
    """Return the probability whose odds are larger by a factor than those of a `share`."""
    share = np.asarray(share, dtype=float)
    return share * factor / (1 - share + share * factor)


def example(attack: Attack) -> tuple[str, float]:
    """Return the value about which reports convince most, by a factor of e, and the share that has it."""
    shares = attack.occurrences / attack.occurrences.sum()
    place = int(np.argmax(convinced(shares, np.e) - shares))
    return attack.table.values[attack.table.names.index(attack.column)][place], float(shares[place])


def leaks(attack: Attack, settings: StudySettings) -> Iterator[Leak]:
    """Yield what leaks about the attacked column at each budget."""
    rare = int(((attack.occurrences > 0) & (attack.occurrences < FEW)).sum())
    value, share = example(attack)

    def row(epsilon: float, what: str, through: str, leakage: float, resamples: Floats) -> Leak:
        factor, low, high = odds([leakage, *_interval(leakage, resamples)]).tolist()
        most = float(convinced(share, factor))
        return Leak(attack.column, epsilon, what, through, factor, low, high, value, share, most, rare)

    drawn = {name: conditional(resampled(attack, counts, name, settings)) for name, counts in attack.tables.items()}
    exact = bool(settings.sensitive)  # intervals of joint leakages take long, so not for every column
    joint = resampled(attack, attack.joint, "joint", settings) if exact else ()
    few = exact and attack.records.size * len(attack.records) <= LARGEST_BOUND
    records = conditional(resampled(attack, attack.records, "records", settings)) if few else None
    for epsilon in settings.epsilons:
        samples = {name: leakage_bound(laws, attack.share(epsilon)) for name, laws in drawn.items()}
        own = attack.share(epsilon) if attack.direct else 0.0
        for name, values in samples.items():
            yield row(epsilon, PAIR, name, attack.of_pair(name, epsilon), values)
        added = own + np.sum(list(samples.values()), axis=0) if samples else NONE
        yield row(epsilon, SUM, "all", attack.of_sum(epsilon), added)
        if attack.joined:
            together = np.array([attack.of_joint(epsilon, law) for law in joint])
            yield row(epsilon, JOINT, ", ".join(attack.joined), attack.of_joint(epsilon), together)
        worst = NONE if records is None else leakage_bound(records, epsilon)
        yield row(epsilon, ANY, "all", attack.of_any(epsilon), worst)


def resampled(attack: Attack, counts: Integers, what: str, settings: StudySettings) -> Integers:
    """Draw tables (resamples, m, ...) of as many records as in `counts` (m, ...), with replacement."""
    rng = generator(settings.seed, "study", "resamples", attack.column, what)
    return rng.multinomial(counts.sum(), (counts / counts.sum()).ravel(), size=RESAMPLES).reshape(-1, *counts.shape)


def _interval(estimate: float, resamples: Floats) -> tuple[float, float]:
    """Return the basic bootstrap interval: a table with fewer different records leaks more, which it corrects."""
    if not len(resamples):
        return np.nan, np.nan
    low, high = 2 * estimate - np.quantile(resamples, [0.975, 0.025])
    return max(0.0, float(low)), max(0.0, float(high))


def curve(attack: Attack, settings: StudySettings) -> Iterator[LeakAlong]:
    """Yield the leakage about the attacked column along the budget."""
    for epsilon in sorted({*CURVE, *settings.epsilons}):
        for what, leakage in attack.bounds.items():
            yield LeakAlong(attack.column, epsilon, what, float(odds(leakage(epsilon))))


def budgets(attack: Attack, settings: StudySettings) -> Iterator[BudgetRow]:
    """Yield the largest budgets that keep the attacked column's leakage within the limit."""
    for what, leakage in attack.bounds.items():
        budget = largest_budget(leakage, float(np.log(settings.odds_limit)))
        yield BudgetRow(attack.column, what, settings.odds_limit, budget)


def largest_budget(leakage: Callable[[float], float], limit: float) -> float:
    """Return the largest budget with a leakage within the limit, as leakage increases with the budget."""
    high = 2 * limit
    while leakage(high) <= limit * (1 + ROUNDING):
        if high == MOST_EPSILON:
            return float("inf")
        high = min(4 * high, MOST_EPSILON)
    return float(bisect(lambda epsilon: leakage(epsilon) - limit, 0.0, high, xtol=1e-6))

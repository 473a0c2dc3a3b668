"""Protocols whose aggregators count the reports that support each value, among them those that report by oracles."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, check_choice
from corrldp.data.table import Table
from corrldp.mechanisms import pure
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.pure import FrequencyOracle, PureMechanism, RawReports, Report
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.protocols.estimates import Estimate, Key, Tally
from corrldp.protocols.protocol import Guarantee, RecordProtocol
from corrldp.protocols.records import Population, RecordTable, as_population, check_records, check_support, cut, padded
from corrldp.randomness import rounded

ORACLES: dict[str, Callable[[float, int], FrequencyOracle]] = {
    "GRR": GRR,
    "SUE": UnaryEncoding.symmetric,
    "OUE": UnaryEncoding.optimized,
    "OLH": LocalHashing.optimal,
    "SS": SubsetSelection.rounded,
}
"""Oracles by name, each built from a budget and a domain size."""

ADAPTIVE = "adaptive"
NAMES = (*ORACLES, ADAPTIVE)
"""What a protocol's `oracle` may be, unless the protocol has its own."""


class SupportProtocol(RecordProtocol):
    """A protocol whose tally has how many reports support value v of attribute j, (j, v).

    Here reports are codes, and one pure `mechanism` estimates all attributes.
    """

    if TYPE_CHECKING:  # in subclasses a property

        @property
        def mechanism(self) -> PureMechanism:
            """What a code is reported by."""

    def unbias(self, support: ArrayLike, n: int) -> Floats:
        """Frequencies (..., d, K) from the support counts (..., d, K) of the reports of `n` users."""
        return self.mechanism.unbias(support, n)

    def variance(self, frequencies: Floats, n: int) -> Floats:
        """Variance (..., d, K) of the estimates from `n` users who have these frequencies; NaN if it is unknown."""
        return self.mechanism.variance(frequencies, n)

    def expected_mse(self, table: Population | Table) -> Floats:
        """Exact expected squared error of each frequency, (d, K) or (runs, d, K): its variance."""
        table = as_population(table, self.sizes)
        return self.variance(table.frequencies(), table.n)

    @property
    def supported(self) -> list[int | None]:
        """How many values each report on an attribute supports, (d,), or None if reports differ in that."""
        return [1] * self.d

    def tally(self, reports: RawReports) -> Tally:
        table = RecordTable.from_records(reports, self.sizes)
        return Tally.of_support(table.marginals(), table.n)

    def admits(self, key: Key) -> bool:
        return is_cell(key, self.sizes)

    def possible(self, tally: Tally) -> bool:
        """Whether some reports have this tally: each of them supports as many values as it must."""
        sums = tally.support(self.sizes).sum(axis=1).tolist()
        return all(total == size * tally.n for total, size in zip(sums, self.supported, strict=True) if size)

    def estimate_from(self, tally: Tally) -> Estimate:
        n = tally.check().n
        frequencies = self.unbias(tally.support(self.sizes), n)
        return Estimate(frequencies, np.sqrt(self.variance(np.clip(frequencies, 0, 1), n)), n)


class Oracles(RecordProtocol):
    """A protocol whose users report attributes by oracles, the user's choice or, if it is "adaptive", of the best ones.

    The adaptive choice has, for each attribute, the smaller variance, averaged over the values.
    """

    oracles = NAMES
    needs = "marginals"
    error_of = "frequencies"
    adaptive_choice: ClassVar[tuple[str, ...]] = ("GRR", "OUE")

    oracle: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.oracle, "oracle", self.oracles or ("GRR",))
        _ = self.estimators  # a parameter out of range is refused here, not at first use

    @abstractmethod
    def estimator(self, name: str, attribute: int) -> Any:  # noqa: ANN401 (an oracle, or one with fakes)
        """Return the oracle of this name for an attribute, which estimates it from its support counts."""

    def usual(self, attribute: int) -> Floats | float:
        """Return frequencies at which the variance is the average over the values: here 1 / k, as it is linear.

        Wang et al., USENIX Security 2017, Section 4.4, compare the variances at frequency 0, the limit for many values,
        so that GRR is chosen for k < 3 e^epsilon + 2; near this bound the exact comparison can differ.
        """
        return 1 / self.sizes[attribute]

    def _average_variance(self, name: str, attribute: int) -> float:
        return float(rounded(np.mean(self.estimator(name, attribute).variance(self.usual(attribute), 1))))

    @cached_property
    def chosen(self) -> list[str]:
        if self.oracle != ADAPTIVE:
            return [self.oracle] * self.d
        return [min(self.adaptive_choice, key=partial(self._average_variance, attribute=j)) for j in range(self.d)]

    @cached_property
    def estimators(self) -> list[Any]:
        return [self.estimator(name, j) for j, name in enumerate(self.chosen)]

    @property
    def mechanisms(self) -> list[FrequencyOracle]:
        """The oracle of each attribute."""
        return self.estimators


@dataclass(frozen=True)
class AttributeOracles(Oracles):
    """A protocol without fakes."""

    all_reported: ClassVar[bool]
    """Whether a user reports all attributes, with equal parts of the budget, or names one and spends all on it."""

    epsilon: float
    sizes: tuple[int, ...]
    oracle: str = "GRR"

    @property
    def epsilon_per_attribute(self) -> float:
        return self.epsilon / self.d if self.all_reported else self.epsilon

    def estimator(self, name: str, attribute: int) -> FrequencyOracle:
        return ORACLES[name](self.epsilon_per_attribute, self.sizes[attribute])

    def of_record(self, budgets: Sequence[float]) -> float:
        """Return the epsilon of a record: a sum if all attributes are reported, the largest if the report names one."""
        return math.fsum(budgets) if self.all_reported else max(budgets)

    def guarantee(self) -> Guarantee:
        """Return the budgets, which reports attain exactly."""
        budgets = tuple(float(oracle.epsilon) for oracle in self.mechanisms)
        return Guarantee(self.of_record(budgets), budgets)

    def sampled_epsilon(self) -> float:
        return self.of_record([oracle.sampled_epsilon() for oracle in self.mechanisms])


class OracleProtocol(Oracles, SupportProtocol):
    """A protocol by which users report every attribute by an oracle; an array (n, d) of values if it is GRR."""

    @property
    def supported(self) -> list[int | None]:
        return [oracle.fixed_size for oracle in self.mechanisms]

    def unbias(self, support: ArrayLike, n: int) -> Floats:
        columns = cut(check_support(support, self.sizes), self.sizes)
        return padded([one.unbias(column, n) for one, column in zip(self.estimators, columns, strict=True)])

    def variance(self, frequencies: Floats, n: int) -> Floats:
        return variance(frequencies, n, self.estimators, self.sizes)

    def encode(self, reports: RawReports) -> list[Report]:
        columns = split(reports, self.sizes, self.oracle)
        coded = [oracle.encode(column) for oracle, column in zip(self.mechanisms, columns, strict=True)]
        return [list(report) for report in zip(*coded, strict=True)]

    def decode(self, reports: Sequence[Report]) -> RawReports:
        rows = [pure.parts(report, self.d) for report in reports]
        columns = [oracle.decode([row[j] for row in rows]) for j, oracle in enumerate(self.mechanisms)]
        return join(columns, self.oracle)

    def tally(self, reports: RawReports) -> Tally:
        columns = split(reports, self.sizes, self.oracle)
        return Tally.of_support(count_support(enumerate(columns), self.mechanisms), len(columns[0]))


def variance(frequencies: Floats, n: int, estimators: Sequence[Any], sizes: Sequence[int]) -> Floats:
    """Exact variance (..., d, K) of the estimates when `n` users have the given frequencies (..., d, K)."""
    columns = cut(frequencies, sizes)
    return padded([one.variance(column, n) for one, column in zip(estimators, columns, strict=True)])


def join(columns: list[Any], oracle: str) -> RawReports:
    """Return the reports on each attribute as an array (n, d) if the protocol's oracle is GRR, else as they are."""
    return np.stack(columns).T if oracle == "GRR" else columns


def split(reports: RawReports, sizes: tuple[int, ...], oracle: str) -> list[Any]:
    """Return the reports on each attribute of d attributes, all of the same n >= 1 users, else raise ValueError."""
    if oracle != "GRR" and not (isinstance(reports, list | tuple) and all(map(np.ndim, reports))):
        raise ValueError(f"reports of type {type(reports).__name__} must be a list of the reports on each attribute")
    columns = list(check_records(reports, sizes).T) if oracle == "GRR" else list(reports)
    users = {len(column) for column in columns}
    if len(columns) != len(sizes) or len(users) != 1 or not min(users):
        raise ValueError(f"{len(columns)} lists of {sorted(users)} reports must be {len(sizes)} of one length n >= 1")
    return columns


def count_support(columns: Iterable[tuple[int, Any]], mechanisms: Sequence[FrequencyOracle]) -> Integers:
    """Count the reports that support each value, (d, K), given pairs of an attribute and the reports on it."""
    counts = np.zeros((len(mechanisms), max(oracle.k for oracle in mechanisms)), dtype=np.int64)
    for j, reports in columns:
        counts[j, : mechanisms[j].k] = mechanisms[j].support(reports)
    return counts


def is_cell(key: Key, sizes: Sequence[int]) -> bool:
    """Whether a key (j, v) names a value of an attribute."""
    return len(key) == 2 and 0 <= key[0] < len(sizes) and 0 <= key[1] < sizes[key[0]]

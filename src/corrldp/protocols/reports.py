"""Protocols whose aggregators count the reports that support each value, among them those that report by oracles."""

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from corrldp.arrays import Floats, Integers
from corrldp.data.table import Table
from corrldp.mechanisms import pure
from corrldp.mechanisms.oracles import NAMES, ORACLES, choose
from corrldp.mechanisms.pure import FrequencyOracle, RawReports, Report
from corrldp.protocols.estimates import Estimate, Key, Tally
from corrldp.protocols.protocol import Guarantee, RecordProtocol
from corrldp.protocols.records import Population, as_population, check_records


class SupportProtocol(RecordProtocol):
    """A protocol whose tally has how many reports support value v of attribute j, (j, v); here reports are codes."""

    @abstractmethod
    def unbias(self, support: Integers, n: int) -> Floats:
        """Frequencies (..., d, K) from the support counts (..., d, K) of the reports of `n` users."""

    @abstractmethod
    def variance(self, frequencies: Floats, n: int) -> Floats:
        """Variance (..., d, K) of the estimates from `n` users who have these frequencies; NaN if it is unknown."""

    @property
    def supported(self) -> list[int | None]:
        """How many values each report on an attribute supports, (d,), or None if reports differ in that."""
        return [1] * self.d

    def tally(self, reports: RawReports) -> Tally:
        codes = check_records(reports, self.sizes)
        support = np.zeros((self.d, max(self.sizes)), dtype=np.int64)
        for j, k in enumerate(self.sizes):
            support[j, :k] = np.bincount(codes[:, j], minlength=k)
        return Tally.of_support(support, len(codes))

    def admits(self, key: Key) -> bool:
        return is_cell(key, self.sizes)

    def possible(self, tally: Tally) -> bool:
        """Whether some reports have this tally: each of them supports as many values as it must."""
        sums = tally.support(self.sizes).sum(axis=1).tolist()
        return all(total == size * tally.n for total, size in zip(sums, self.supported, strict=True) if size)

    def estimate_from(self, tally: Tally) -> Estimate:
        return self.estimate_from_support(tally.check().support(self.sizes), tally.n)

    def estimate_from_support(self, support: Integers, n: int) -> Estimate:
        """Estimate frequencies (d, K) with their errors from support counts (d, K)."""
        frequencies = self.unbias(support, n)
        return Estimate(frequencies, np.sqrt(self.variance(np.clip(frequencies, 0, 1), n)), n)


class AttributeOracles(RecordProtocol):
    """A protocol whose users report attributes by oracles that are named."""

    oracles = NAMES
    needs = "marginals"
    error_of = "frequencies"
    all_reported: ClassVar[bool]
    """Whether a user reports all attributes, with equal parts of the budget, or names one and spends all on it."""

    oracle: str

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.mechanisms  # a parameter out of range is refused here, not at first use

    @property
    def epsilon_per_attribute(self) -> float:
        return self.epsilon / self.d if self.all_reported else self.epsilon

    @cached_property
    def chosen(self) -> list[str]:
        return [choose(self.oracle, self.epsilon_per_attribute, k) for k in self.sizes]

    @cached_property
    def mechanisms(self) -> list[FrequencyOracle]:
        return [ORACLES[name](self.epsilon_per_attribute, k) for name, k in zip(self.chosen, self.sizes, strict=True)]

    def of_record(self, budgets: Sequence[float]) -> float:
        """Return the epsilon of a record: a sum if all attributes are reported, the largest if the report names one."""
        return math.fsum(budgets) if self.all_reported else max(budgets)

    def guarantee(self) -> Guarantee:
        """Return the budgets, which reports attain exactly."""
        budgets = tuple(float(oracle.epsilon) for oracle in self.mechanisms)
        return Guarantee(self.of_record(budgets), budgets)

    def sampled_epsilon(self) -> float:
        return self.of_record([oracle.sampled_epsilon() for oracle in self.mechanisms])


class OracleProtocol(SupportProtocol):
    """A protocol by which users report every attribute by an oracle; an array (n, d) of values if it is GRR."""

    oracle: str

    if TYPE_CHECKING:  # in subclasses a property

        @property
        def mechanisms(self) -> list[FrequencyOracle]:
            """The oracle of each attribute."""

    @property
    def supported(self) -> list[int | None]:
        return [oracle.fixed_size for oracle in self.mechanisms]

    def expected_mse(self, table: Population | Table) -> Floats:
        """Exact expected squared error of each frequency, (d, K) or (runs, d, K): its variance."""
        table = as_population(table, self.sizes)
        return self.variance(table.frequencies(), table.n)

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

"""A population as a multi-attribute protocol sees it, usually a table of its distinct records."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.arrays import Bits, Floats, Integers, as_array, in_short, is_integer, make_plain
from corrldp.data.table import Table
from corrldp.mechanisms.validation import MOST_VALUES, check_domain_size, check_runs

# numpy draws hypergeometric numbers only for smaller populations.
LARGEST_POPULATION = 10**9

# With at most so many users per class, drawing for each user is cheaper than drawing for each class.
FEW_USERS = 8

# Beyond these, numpy does not number records.
MOST_AXES, LARGEST_NUMBER = 32, 2**62

Users = TypeVar("Users", bound="Population")
Scalar = TypeVar("Scalar", bound=np.generic)
_TABULATED: WeakKeyDictionary[Table, RecordTable] = WeakKeyDictionary()


class Population(ABC):
    """The users of one data set, or of one data set per run, as far as a protocol needs to know about them.

    Attributes of different sizes share arrays of width K, the largest size; frequencies beyond an attribute's
    own domain are NaN.
    """

    if TYPE_CHECKING:  # in subclasses a field or a property

        @property
        def sizes(self) -> tuple[int, ...]:
            """Domain sizes (d,)."""

    @property
    def d(self) -> int:
        return len(self.sizes)

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of users."""

    @abstractmethod
    def count_marginals(self) -> Integers:
        """Compute the counts that `marginals` returns."""

    @abstractmethod
    def split(self, size: int, runs: int, rng: np.random.Generator) -> tuple[Self, Self]:
        """Draw `size` users at random, anew for each run, and return the populations of these and of all others.

        Errors are those of `marginals_of` and `draw_without_replacement`.
        """

    @abstractmethod
    def draw_one_attribute(self, runs: int, rng: np.random.Generator) -> Integers:
        """Let each user draw one attribute uniformly; count those with each value who drew it, (runs, d, K)."""

    def marginals(self) -> Integers:
        """Count the users with each value of each attribute, (d, K) or (runs, d, K), 0 beyond a domain."""
        return self._marginals

    @cached_property
    def _marginals(self) -> Integers:
        marginals = self.count_marginals()
        marginals.flags.writeable = False
        return marginals

    def marginals_of(self, runs: int) -> Integers:
        """Return the marginal counts (runs, d, K) of each run; `runs` must be the number of data sets, if many."""
        marginals = self.marginals()
        check_runs(runs, math.prod(marginals.shape[-2:]), None if marginals.ndim == 2 else len(marginals))
        return np.broadcast_to(marginals, (runs, *marginals.shape[-2:]))

    def frequencies(self) -> Floats:
        """Share of the users with each value of each attribute, (d, K) or (runs, d, K), NaN beyond a domain."""
        return np.where(within(self.sizes), self.marginals() / self.n, np.nan)


@dataclass(frozen=True, eq=False)
class RecordTable(Population):
    """Contingency table of the records of one data set, or of one data set per run.

    The `rows` (m, d) are distinct records, as codes; the `counts` (m,) or, with one data set per run, all of the same
    size n, (runs, m), the users with each. A code outside its domain, a negative count, or data sets that are empty or
    differ in size are a ValueError.
    """

    rows: Integers
    counts: Integers
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        make_plain(self)
        rows, counts = check_records(self.rows, self.sizes), as_array(self.counts)
        if counts.ndim not in (1, 2) or counts.shape[-1] != len(rows) or not is_integer(counts):
            raise ValueError(f"counts of shape {counts.shape} must be (m,) or (runs, m) integers, m={len(rows)} rows")
        totals = np.unique(counts.sum(axis=-1))
        if counts.min() < 0 or totals.size != 1 or totals[0] < 1:
            raise ValueError(f"counts from {counts.min()} with sums {totals[:3]} must be >= 0 with one sum n >= 1")
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "counts", counts.astype(np.int64))

    @classmethod
    def from_records(cls, records: ArrayLike, sizes: Sequence[int]) -> RecordTable:
        """Tabulate records (n, d) of codes."""
        records, sizes = as_records(records, sizes), check_sizes(sizes)
        if len(sizes) > MOST_AXES or math.prod(sizes) > LARGEST_NUMBER:
            rows, counts = np.unique(records, axis=0, return_counts=True)
        else:
            numbers, counts = np.unique(np.ravel_multi_index(tuple(records.T), sizes), return_counts=True)
            rows = np.column_stack(np.unravel_index(numbers, sizes))
        return cls(rows, counts, sizes)

    @property
    def n(self) -> int:
        return int(np.atleast_2d(self.counts)[0].sum())

    @cached_property
    def tails(self) -> tuple[Integers, Integers, list[list[tuple[int, slice, Integers]]]]:
        """The distinct tails (x_j, ..., x_d) of the records, for each attribute j.

        First, the rows ordered by the sorted distinct records, and the start of each of these. Then, for each attribute
        and each value x_j: the value, the positions of its tails among the sorted ones, and the indices of their
        remainders (x_j+1, ..., x_d) among the tails of the next attribute.
        """
        numbers, tails = np.zeros(len(self.rows), dtype=np.int64), []
        for column in reversed(self.rows.T):
            kinds = int(numbers.max()) + 1
            keys, numbers = np.unique(column * kinds + numbers, return_inverse=True)
            values, rests = np.divmod(keys, kinds)
            present, starts = np.unique(values, return_index=True)
            blocks = map(slice, starts, [*starts[1:], len(values)])
            tails.append([(int(value), block, rests[block]) for value, block in zip(present, blocks, strict=True)])
        order = np.argsort(numbers, kind="stable")
        return order, np.unique(numbers[order], return_index=True)[1], tails[::-1]

    def counts_of(self, runs: int) -> Integers:
        """Return the counts (runs, m) of each run: those of the only data set, or of each run's own."""
        check_runs(runs, len(self.rows), None if self.counts.ndim == 1 else len(self.counts))
        return np.broadcast_to(self.counts, (runs, len(self.rows)))

    def split(self, size: int, runs: int, rng: np.random.Generator) -> tuple[RecordTable, RecordTable]:
        counts = self.counts_of(runs)
        chosen = draw_without_replacement(counts, size, rng)
        return replace(self, counts=chosen), replace(self, counts=counts - chosen)

    def draw_one_attribute(self, runs: int, rng: np.random.Generator) -> Integers:
        deal = self._deal_users if has_few_users(self.n, len(self.rows)) else self._deal_attributes
        return deal(self.counts_of(runs), rng)

    def _deal_users(self, counts: Integers, rng: np.random.Generator) -> Integers:
        width, drawn = max(self.sizes), np.empty((len(counts), self.d, max(self.sizes)), dtype=np.int64)
        cells = (self.rows + width * np.arange(self.d)).ravel()
        alike = self.counts.ndim == 1
        of_runs = repeat(users_of(self.counts), len(counts)) if alike else map(users_of, counts)
        for run, of_run in enumerate(of_runs):  # the users of one run stay in the processor's cache
            users = of_run * self.d + rng.integers(self.d, size=len(of_run))
            drawn[run] = np.bincount(cells[users], minlength=self.d * width).reshape(self.d, width)
        return drawn

    def _deal_attributes(self, counts: Integers, rng: np.random.Generator) -> Integers:
        """Deal the attributes in turn.

        Once those who drew attribute j are known, the value of j no longer matters for all others, so records that
        agree from attribute j + 1 on are merged and the tables shrink.
        """
        runs = len(counts)
        drawn = np.zeros((runs, self.d, max(self.sizes)), dtype=np.int64)
        order, firsts, tails = self.tails
        users = counts[:, order]
        if len(firsts) < len(order):
            users = np.add.reduceat(users, firsts, axis=1)
        for j, blocks in enumerate(tails):
            chosen = rng.binomial(users, 1 / (self.d - j))
            for value, block, _ in blocks:
                drawn[:, j, value] = chosen[:, block].sum(axis=1)
            others = np.subtract(users, chosen, out=chosen)
            users = np.zeros((runs, 1 + max(int(rests.max()) for _, _, rests in blocks)), dtype=np.int64)
            for _, block, rests in blocks:
                users[:, rests] += others[:, block]
        return drawn

    def count_marginals(self) -> Integers:
        counts = np.zeros((*self.counts.shape[:-1], self.d, max(self.sizes)), dtype=np.int64)
        indicators = [self.rows[:, [j]] == np.arange(k) for j, k in enumerate(self.sizes)]
        # A product of doubles is much faster, and exact for fewer than 2^53 users.
        counts[..., within(self.sizes)] = self.counts.astype(float) @ np.concatenate(indicators, axis=1)
        return counts


def draw_without_replacement(counts: Integers, size: int | Integers, rng: np.random.Generator) -> Integers:
    """Choose `size`, a number or (draws,), of the users counted in classes (draws, m); count those from each class.

    The classes are halved repeatedly: the number of a node's chosen users in its left half is hypergeometric, so a draw
    takes log2(m) vectorised steps. If the classes have few users (`has_few_users`) and all draws have the same number
    of users and the same size, users are drawn instead. Fewer users than `size`, or 10^9 and more, are a
    ValueError.
    """
    totals, sizes = counts.sum(axis=1), np.broadcast_to(size, len(counts))
    impossible = np.flatnonzero((sizes < 0) | (sizes > totals) | (totals >= LARGEST_POPULATION))
    if impossible.size:
        first = impossible[0]
        raise ValueError(
            f"size={sizes[first]} of n={totals[first]} users must satisfy 0 <= size <= n < {LARGEST_POPULATION}"
        )
    classes = counts.shape[1]
    if np.ndim(size) == 0 and (totals == totals[0]).all() and has_few_users(totals[0], classes):
        drawn = (rng.choice(users, int(size), replace=False, shuffle=False) for users in map(users_of, counts))
        return np.stack([np.bincount(users, minlength=classes) for users in drawn])
    return _halve(counts, sizes, rng)


def users_of(counts: Integers) -> Integers:
    """Return the class (n,) of each user, given the number of users in each class (m,)."""
    return np.repeat(np.arange(len(counts)), counts)


def _halve(counts: Integers, sizes: Integers, rng: np.random.Generator) -> Integers:
    draws, m = counts.shape
    levels = [np.zeros((draws, 1 << (m - 1).bit_length()), dtype=np.int64)]
    levels[0][:, :m] = counts
    while levels[-1].shape[1] > 1:
        levels.append(levels[-1][:, ::2] + levels[-1][:, 1::2])
    chosen = sizes[:, None]
    for level in reversed(levels[:-1]):
        halves = np.empty_like(level)
        halves[:, ::2] = rng.hypergeometric(level[:, ::2], level[:, 1::2], chosen)
        halves[:, 1::2] = chosen - halves[:, ::2]
        chosen = halves
    return chosen[:, :m]


def has_few_users(n: int, classes: int) -> bool:
    """Whether drawing for each of `n` users is cheaper than drawing for each class."""
    return n <= FEW_USERS * classes


def within(sizes: Sequence[int]) -> Bits:
    """(d, K) mask of the values that belong to each attribute's domain."""
    return np.arange(max(sizes)) < np.asarray(sizes)[:, None]


def cut(table: NDArray[Scalar], sizes: Sequence[int]) -> list[NDArray[Scalar]]:
    """Return the numbers (..., k_j) of each attribute from those of all, (..., d, K)."""
    return [table[..., j, :k] for j, k in enumerate(sizes)]


def padded(columns: Sequence[NDArray[Any]]) -> Floats:
    """Return the numbers (..., d, K) of all attributes, NaN beyond a domain, from those of each, (..., k_j)."""
    width = max(column.shape[-1] for column in columns)
    table = np.full((*columns[0].shape[:-1], len(columns), width), np.nan)
    for j, column in enumerate(columns):
        table[..., j, : column.shape[-1]] = column
    return table


def average_error(errors: ArrayLike) -> Floats:
    """Mean of errors (..., d, K) over the values of each attribute, then over attributes (Corr-RR paper, Eq. 2)."""
    errors = np.asarray(errors, dtype=float)
    means = errors.mean(axis=-1)  # the same where nothing is NaN, in half the time
    return (np.nanmean(errors, axis=-1) if np.isnan(means).any() else means).mean(axis=-1)


def check_sizes(sizes: Sequence[int] | Integers, fewest: int = 1) -> tuple[int, ...]:
    """Return `sizes` as ints, or raise ValueError unless they are the domain sizes of at least `fewest` attributes."""
    if isinstance(sizes, np.ndarray) and sizes.ndim == 1:
        sizes = sizes.tolist()
    if not isinstance(sizes, Sequence) or len(sizes) < fewest:
        raise ValueError(f"sizes={in_short(sizes)} must name at least {fewest} attribute(s)")
    return tuple(check_domain_size(size, MOST_VALUES) for size in sizes)


def as_population(table: Users | Table, sizes: Sequence[int]) -> Users:
    """Return a population, tabulated if it is a table of records; one of other domains than `sizes` is a ValueError."""
    if not isinstance(table, Population | Table):
        raise ValueError(f"population of type {type(table).__name__} must be a Table or a RecordTable of its records")
    if tuple(table.sizes) != tuple(sizes):
        raise ValueError(f"the population has sizes={table.sizes} but the protocol has {sizes}: build it for these")
    if isinstance(table, Population):
        return table
    if table not in _TABULATED:
        _TABULATED[table] = RecordTable.from_records(table.codes, table.sizes)
    return cast("Users", _TABULATED[table])


def check_support(support: ArrayLike, sizes: Sequence[int]) -> Integers:
    """Return counts (..., d, K), or raise ValueError unless the last two axes fit the domains."""
    support = as_array(support)
    if support.ndim < 2 or support.shape[-2:] != (len(sizes), max(sizes)) or support.dtype.kind not in "iuf":
        raise ValueError(f"support of shape {support.shape} must be numbers (..., {len(sizes)}, {max(sizes)})")
    return support


def check_records(records: ArrayLike, sizes: Sequence[int]) -> Integers:
    """Return `records` as (n, d) codes, or raise ValueError unless each is in 0, ..., k_j - 1."""
    return as_records(records, sizes).astype(np.int64)


def as_records(records: ArrayLike, sizes: Sequence[int]) -> NDArray[np.integer]:
    """Return `records` as `check_records` does, but in their own type, which may be small."""
    sizes = check_sizes(sizes)
    records, d = as_array(records), len(sizes)
    if records.ndim != 2 or records.shape[1] != d or not len(records) or not is_integer(records):
        raise ValueError(f"records of shape {records.shape} and type {records.dtype} must be (n, {d}) integers, n >= 1")
    if records.min() < 0 or any(column.max() >= k for column, k in zip(records.T, sizes, strict=True)):
        raise ValueError(f"records reach {records.max(axis=0)} but must lie in 0..k-1 for sizes {sizes}: recode them")
    return records

"""Attributes of different domain sizes, mapped to one common size for Corr-RR (PETS version, Section 3.3.4)."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, as_rows, in_short
from corrldp.data.table import Table
from corrldp.privacy import check_channel
from corrldp.protocols.documents import as_json
from corrldp.protocols.estimates import Estimate, Key, Tally
from corrldp.protocols.protocol import Guarantee, RecordProtocol
from corrldp.protocols.records import RecordTable, as_population, check_records
from corrldp.protocols.two_phase import ANOTHER, Phased

Mappings = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Alignment(RecordProtocol):
    """Run a protocol on merged values; a report is a value drawn uniformly among those of its class.

    The collector sees only the classes, so it divides a class's estimated frequency evenly among its values. The
    `mappings` give, for each attribute, the class of each of its values: every class has a value and, unlike in the
    paper's example, every value a class, else a ValueError.
    """

    protocol: Any
    mappings: Mappings

    def __post_init__(self) -> None:
        object.__setattr__(self, "mappings", as_rows(self.mappings, "mappings", "iu"))
        if len(self.mappings) != len(self.protocol.sizes):
            raise ValueError(f"{len(self.mappings)} mappings do not fit {len(self.protocol.sizes)} attributes")
        for mapping, classes in zip(self.mappings, self.protocol.sizes, strict=True):
            if len(set(mapping)) != classes or set(mapping) != set(range(classes)):  # the first costs little
                raise ValueError(
                    f"mapping={in_short(mapping)} must reach each of the classes 0..{classes - 1}, and no other"
                )

    @property
    def epsilon(self) -> float:
        return float(self.protocol.epsilon)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.mappings))

    def guarantee(self) -> Guarantee:
        """Values of one class are reported alike; of two classes, as by the protocol on classes."""
        return self.protocol.guarantee()

    def simulate(self, table: RecordTable | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Estimates (runs, d, K) with their exact distribution."""
        table = as_population(table, self.sizes)
        merged = replace(table, rows=self.merge(table.rows), sizes=self.protocol.sizes)
        return self.spread(self.protocol.simulate(merged, runs, rng))

    def merge(self, records: ArrayLike) -> Integers:
        """Replace each value of `records` (n, d) by its class."""
        records = check_records(records, self.sizes)
        return np.column_stack([np.asarray(mapping)[records[:, j]] for j, mapping in enumerate(self.mappings)])

    def spread(self, estimates: Floats) -> Floats:
        """Divide the frequencies (..., d, classes) evenly among the values of a class: (..., d, K)."""
        result = np.full((*estimates.shape[:-1], max(self.sizes)), np.nan)
        for j, mapping in enumerate(self.mappings):
            result[..., j, : len(mapping)] = (estimates[..., j, :] / self.members(j))[..., mapping]
        return result

    def spread_estimate(self, merged: Estimate) -> Estimate:
        """Divide the frequency of each class evenly among its values.

        Reports do not tell how a class divides, so the error of a value in a class of m includes the largest possible
        one, 1 - 1/m of the class's frequency.
        """
        frequencies = self.spread(merged.frequencies)
        share = self.share_of_class
        worst = np.clip(frequencies / share, 0, 1) * (1 - share)
        return Estimate(frequencies, np.hypot(self.spread(merged.standard_errors), worst), merged.n)

    @property
    def share_of_class(self) -> Floats:
        """What part of its class's frequency each value gets, (d, K): 1/m in a class of m."""
        return self.spread(np.ones((self.d, max(self.protocol.sizes))))

    def members(self, j: int) -> Integers:
        """Count the values in each class of attribute j."""
        return np.bincount(self.mappings[j], minlength=max(self.protocol.sizes))

    def draw_members(self, classes: Integers, rng: np.random.Generator) -> Integers:
        """Draw a value of each of the `classes` (n, d)."""
        columns = []
        for j, mapping in enumerate(self.mappings):
            by_class, members = np.argsort(mapping, kind="stable"), self.members(j)
            start = np.cumsum(members) - members
            columns.append(by_class[start[classes[:, j]] + rng.integers(members[classes[:, j]])])
        return np.column_stack(columns)


class Aligned(Alignment, Phased):
    """A two-phase protocol on merged values."""

    error_of = "bound"

    def error_bound(self, n: int) -> Floats:
        """Return an upper bound (d, K) of the expected squared errors with `n` users, aside from the bias."""
        return self.spread(np.sqrt(self.protocol.error_bound(n))) ** 2

    def bias_bound(self, n: int) -> Floats:
        """Return an upper bound (d, K) of the absolute bias: that of a class, divided, and how a class may divide."""
        return self.spread(self.protocol.bias_bound(n)) + 1 - self.share_of_class

    def first_phase(self) -> "AlignedPhase":
        return AlignedPhase(self.protocol.first_phase(), self.mappings)

    def learn(self, first: Tally, users: int) -> "AlignedPhase":
        return AlignedPhase(self.protocol.learn(first, users), self.mappings)

    def combine_tallies(self, first: Tally, phase: RecordProtocol, second: Tally) -> Estimate:
        if not isinstance(phase, AlignedPhase) or phase.mappings != self.mappings:
            raise ValueError(ANOTHER)
        return self.spread_estimate(self.protocol.combine_tallies(first, phase.protocol, second))

    @property
    def phase1_fraction(self) -> float:
        return float(self.protocol.phase1_fraction)

    def describe(self) -> dict[str, Any]:
        """Return name, epsilon, sizes and options: those of the protocol on classes, and the mappings."""
        inner = self.protocol.describe()
        return {**inner, "sizes": list(self.sizes), "options": {**inner["options"], "mappings": as_json(self.mappings)}}


class AlignedPhase(Alignment):
    """One phase of a two-phase protocol on merged values; its tally is that of the phase on classes."""

    name = "aligned phase"

    def describe(self) -> dict[str, Any]:
        """Return name, epsilon, sizes and options: the description of the phase on classes, and the mappings."""
        options = {"protocol": self.protocol.describe(), "mappings": as_json(self.mappings)}
        return {"name": self.name, "epsilon": self.epsilon, "sizes": list(self.sizes), "options": options}

    def sampled_epsilon(self) -> float:
        return float(self.protocol.sampled_epsilon())

    def tally(self, reports: ArrayLike) -> Tally:
        tally: Tally = self.protocol.tally(self.merge(reports))
        return tally

    def admits(self, key: Key) -> bool:
        return bool(self.protocol.admits(key))

    def possible(self, tally: Tally) -> bool:
        return bool(self.protocol.possible(tally))

    def estimate_from(self, tally: Tally) -> Estimate:
        return self.spread_estimate(self.protocol.estimate_from(tally))

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, d) of users into reports (n, d), both in the original domains."""
        merged = self.protocol.privatize(self.merge(records), rng)
        return self.draw_members(merged, rng)

    def channel(self) -> Floats:
        """Pr[report | record], both in the order of `numpy.ravel_multi_index`."""
        check_channel(math.prod(self.sizes), math.prod(self.sizes))
        records = np.column_stack(np.unravel_index(np.arange(np.prod(self.sizes)), self.sizes))
        merged = self.merge(records)
        cells = np.ravel_multi_index(merged.T, self.protocol.sizes)
        members = np.prod([self.members(j)[merged[:, j]] for j in range(self.d)], axis=0)
        return self.protocol.channel()[np.ix_(cells, cells)] / members


def aligned(build: Callable[[tuple[int, ...]], Phased], sizes: tuple[int, ...], mappings: Mappings | None) -> Phased:
    """Build a protocol for one domain size on merged values, unless all sizes are equal and nothing is to be merged."""
    if mappings is None:
        if len(set(sizes)) == 1:
            return build(sizes)
        mappings = even_mappings(sizes)
    mappings = as_rows(mappings, "mappings", "iu")
    if tuple(map(len, mappings)) != sizes:
        raise ValueError(f"mappings={mappings} must give the class of each value of domains of sizes {sizes}")
    classes = max((max(mapping) for mapping in mappings), default=0) + 1
    return Aligned(build((classes,) * len(sizes)), mappings)


def even_mappings(sizes: Sequence[int]) -> Mappings:
    """Deal the values of each attribute, in order, evenly to as many classes as the smallest domain has.

    The mappings depend on the domains alone, which are public.
    """
    classes = min(sizes)
    return tuple(tuple(value * classes // size for value in range(size)) for size in sizes)

"""Attributes of different domain sizes, mapped to one common size for Corr-RR (PETS version, Section 3.3.4)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import in_short, make_plain
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.guarantee import Guarantee
from corrldp.protocols.kronecker import check_channel
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Integers, RecordTable, check_population, check_records
from corrldp.protocols.two_phase import Phased, TwoPhaseReports

Mappings = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Alignment(RecordProtocol):
    """Run a protocol on merged values; a report is a value drawn uniformly among those of its class.

    The collector sees only the classes, so it divides a class's estimated frequency evenly among its values.

    Parameters
    ----------
    protocol : RecordProtocol
        The protocol for the merged records; its domain sizes are the numbers of classes.
    mappings : d tuples
        For each attribute the class of each of its values. (The paper's example leaves its fifth value without a
        class; here every value has one.)

    Raises
    ------
    ValueError
        A class has no value, or a value no class.
    """

    protocol: Any
    mappings: Mappings

    def __post_init__(self) -> None:
        make_plain(self)
        if len(self.mappings) != len(self.protocol.sizes):
            raise ValueError(f"{len(self.mappings)} mappings do not fit {len(self.protocol.sizes)} attributes")
        for mapping, classes in zip(self.mappings, self.protocol.sizes, strict=True):
            if len(set(mapping)) != classes or set(mapping) != set(range(classes)):
                raise ValueError(
                    f"mapping={in_short(mapping)} must reach each of the classes 0..{classes - 1}, and no other"
                )

    @property
    def epsilon(self) -> float:
        """Privacy budget of a whole record."""
        return float(self.protocol.epsilon)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Domain sizes (d,) before merging."""
        return tuple(map(len, self.mappings))

    def guarantee(self) -> Guarantee:
        """Values of one class are reported alike; of two classes, as by the protocol on classes."""
        found: Guarantee = self.protocol.guarantee()
        return found

    def simulate(self, table: RecordTable, runs: int, rng: np.random.Generator) -> Floats:
        """Estimates (runs, d, K) with their exact distribution."""
        check_population(table, self.sizes)
        merged = replace(table, rows=self.merge(table.rows), sizes=self.protocol.sizes)
        return self.spread(self.protocol.simulate(merged, runs, rng))

    def merge(self, records: Integers) -> Integers:
        """Replace each value of `records` (n, d) by its class."""
        return np.column_stack([np.asarray(mapping)[records[:, j]] for j, mapping in enumerate(self.mappings)])

    def spread(self, estimates: Floats) -> Floats:
        """Divide the frequencies (..., d, classes) evenly among the values of a class: (..., d, K)."""
        result = np.full((*estimates.shape[:-1], max(self.sizes)), np.nan)
        for j, mapping in enumerate(self.mappings):
            result[..., j, : len(mapping)] = (estimates[..., j, :] / self.members(j))[..., mapping]
        return result

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

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> TwoPhaseReports:
        """Perturb: reports of users with `records` (n, d), in the original domains."""
        merged = self.protocol.privatize(self.merge(check_records(records, self.sizes)), rng)
        return TwoPhaseReports(*(self.draw_members(reports, rng) for reports in merged))

    def estimate(self, reports: TwoPhaseReports) -> Floats:
        """Frequencies (d, K) from the reports of both phases."""
        return self.spread(self.protocol.estimate(TwoPhaseReports(*map(self.merge, reports))))


class AlignedPhase(Alignment):
    """One phase of a two-phase protocol on merged values."""

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, d) of users into reports (n, d), both in the original domains."""
        merged = self.protocol.privatize(self.merge(check_records(records, self.sizes)), rng)
        return self.draw_members(merged, rng)

    def estimate(self, reports: ArrayLike) -> Floats:
        """Frequencies (d, K) from the reports (n, d) of all users."""
        return self.spread(self.protocol.estimate(self.merge(check_records(reports, self.sizes))))

    def channel(self) -> Floats:
        """Pr[report | record], both in the order of `numpy.ravel_multi_index`."""
        check_channel(math.prod(self.sizes), math.prod(self.sizes))
        records = np.column_stack(np.unravel_index(np.arange(np.prod(self.sizes)), self.sizes))
        merged = self.merge(records)
        cells = np.ravel_multi_index(merged.T, self.protocol.sizes)
        members = np.prod([self.members(j)[merged[:, j]] for j in range(self.d)], axis=0)
        return self.protocol.channel()[np.ix_(cells, cells)] / members


def even_mappings(sizes: Sequence[int]) -> Mappings:
    """Deal the values of each attribute, in order, evenly to as many classes as the smallest domain has.

    The mappings depend on the domains alone, which are public.
    """
    classes = min(sizes)
    return tuple(tuple(value * classes // size for value in range(size)) for size in sizes)

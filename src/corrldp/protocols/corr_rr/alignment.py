"""Attributes of different domain sizes, mapped to one common size for Corr-RR (PETS version, Section 3.3.4)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.mechanisms.pure import Floats
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import Integers, RecordTable, check_records
from corrldp.protocols.two_phase import TwoPhase, TwoPhaseReports

Mappings = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Aligned(RecordProtocol):
    """Run a protocol on merged values; a report is a value drawn uniformly among those of its class.

    The collector sees only the classes, so it divides a class's estimated frequency evenly among its values.

    Parameters
    ----------
    protocol : TwoPhase
        The protocol for the merged records; its domain sizes are the numbers of classes.
    mappings : d tuples
        For each attribute the class of each of its values. (The paper's example leaves its fifth value without a
        class; here every value has one.)

    Raises
    ------
    ValueError
        A class has no value, or a value no class.
    """

    protocol: TwoPhase[RecordTable]
    mappings: Mappings

    def __post_init__(self) -> None:
        if len(self.mappings) != len(self.protocol.sizes):
            raise ValueError(f"{len(self.mappings)} mappings do not fit {len(self.protocol.sizes)} attributes")
        for mapping, classes in zip(self.mappings, self.protocol.sizes, strict=True):
            if set(mapping) != set(range(classes)):
                raise ValueError(f"mapping={mapping} must reach each of the classes 0..{classes - 1}, and no other")

    @property
    def epsilon(self) -> float:
        """Privacy budget of a whole record."""
        return self.protocol.epsilon

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Domain sizes (d,) before merging."""
        return tuple(map(len, self.mappings))

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> TwoPhaseReports:
        """Perturb: reports of users with `records` (n, d), in the original domains."""
        merged = self.protocol.privatize(self.merge(check_records(records, self.sizes)), rng)
        return TwoPhaseReports(*(self._draw_members(reports, rng) for reports in merged))

    def estimate(self, reports: TwoPhaseReports) -> Floats:
        """Frequencies (d, K) from the reports of both phases."""
        return self.spread(self.protocol.estimate(TwoPhaseReports(*map(self.merge, reports))))

    def simulate(self, table: RecordTable, runs: int, rng: np.random.Generator) -> Floats:
        """Estimates (runs, d, K) with their exact distribution."""
        merged = replace(table, rows=self.merge(table.rows), sizes=self.protocol.sizes)
        return self.spread(self.protocol.simulate(merged, runs, rng))

    def merge(self, records: Integers) -> Integers:
        """Replace each value of `records` (n, d) by its class."""
        return np.column_stack([np.asarray(mapping)[records[:, j]] for j, mapping in enumerate(self.mappings)])

    def spread(self, estimates: Floats) -> Floats:
        """Divide the frequencies (..., d, classes) evenly among the values of a class: (..., d, K)."""
        result = np.full((*estimates.shape[:-1], max(self.sizes)), np.nan)
        for j, mapping in enumerate(self.mappings):
            result[..., j, : len(mapping)] = (estimates[..., j, :] / self._members(j))[..., mapping]
        return result

    def _members(self, j: int) -> Integers:
        """Count the values in each class of attribute j."""
        return np.bincount(self.mappings[j], minlength=max(self.protocol.sizes))

    def _draw_members(self, classes: Integers, rng: np.random.Generator) -> Integers:
        """Draw a value of each of the `classes` (n, d)."""
        columns = []
        for j, mapping in enumerate(self.mappings):
            by_class, members = np.argsort(mapping, kind="stable"), self._members(j)
            start = np.cumsum(members) - members
            columns.append(by_class[start[classes[:, j]] + rng.integers(members[classes[:, j]])])
        return np.column_stack(columns)


def even_mappings(sizes: Sequence[int]) -> Mappings:
    """Deal the values of each attribute, in order, evenly to as many classes as the smallest domain has.

    The mappings depend on the domains alone, which are public.
    """
    classes = min(sizes)
    return tuple(tuple(value * classes // size for value in range(size)) for size in sizes)

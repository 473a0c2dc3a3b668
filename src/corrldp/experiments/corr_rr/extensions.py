"""Corr-RR on attributes of different domain sizes and in groups (PETS version, Sections 3.3.3 and 3.3.4).

The text leaves open which values are merged and which groups are formed. Here adjacent values are merged to the
smallest domain size, and the groups are those of the true correlations, which a collector would have to estimate.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from corrldp.experiments.corr_rr.correlation import correlations
from corrldp.protocols.corr_rr.alignment import Aligned
from corrldp.protocols.corr_rr.grouping import GroupedCorrRR, groups_by_strength
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Rule
from corrldp.protocols.records import RecordTable


def aligned(table: RecordTable, epsilon: float, phase1_fraction: float, rule: Rule) -> Aligned:
    """Return Corr-RR on adjacent values that are merged to classes of nearly equal numbers of values."""
    k = min(table.sizes)
    mappings = tuple(tuple(value * k // size for value in range(size)) for size in table.sizes)
    return Aligned(CorrRR(epsilon, (k,) * table.d, phase1_fraction, rule), mappings)


def in_groups(alone: Aligned, table: RecordTable, strength: float) -> Aligned:
    """Return the same within groups: chains of attributes whose merged codes correlate by at least `strength`."""
    whole = alone.protocol
    merged = replace(table, rows=alone.merge(table.rows), sizes=whole.sizes)
    groups = groups_by_strength(np.abs(correlations(merged)).mean(axis=0), strength)
    return replace(alone, protocol=GroupedCorrRR(whole.epsilon, whole.sizes, whole.phase1_fraction, whole.rule, groups))

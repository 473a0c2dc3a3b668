"""Extensions of Corr-RR to different domain sizes and to groups of attributes (PETS version, Section 3.3).

The text leaves open which values are merged and which groups are formed. Here adjacent values are merged to the
smallest domain size, and the groups follow the true correlations, which a collector would have to estimate.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from corrldp.experiments.axes import Axis, Number, by_name
from corrldp.experiments.corr_rr.correlation import correlations
from corrldp.protocols.corr_rr.alignment import Aligned, even_mappings
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Rule
from corrldp.protocols.corr_rr.variants import GroupedCorrRR, groups_by_strength
from corrldp.protocols.records import RecordTable

AXES = by_name(
    Axis("rounds", number=Number(1, 1000, "{} rounds of iterative Corr-RR", "batches of users", whole=True), default=4),
    Axis(
        "group_strength",
        number=Number(0, 1, "groups of attributes that correlate by {:g} or more", "absolute correlation"),
        default=0.3,
    ),
)


def aligned(table: RecordTable, epsilon: float, phase1_fraction: float, rule: Rule) -> Aligned:
    """Return Corr-RR on adjacent values merged into classes of nearly equal size (Section 3.3.4)."""
    classes = (min(table.sizes),) * table.d
    return Aligned(CorrRR(epsilon, classes, phase1_fraction, rule), even_mappings(table.sizes))


def grouped(table: RecordTable, epsilon: float, phase1_fraction: float, rule: Rule, strength: float) -> Aligned:
    """Return the same within groups of attributes whose merged codes correlate by `strength` or more (3.3.3)."""
    alone = aligned(table, epsilon, phase1_fraction, rule)
    merged = replace(table, rows=alone.merge(table.rows), sizes=alone.protocol.sizes)
    groups = groups_by_strength(np.abs(correlations(merged)).mean(axis=0), strength)
    return replace(alone, protocol=GroupedCorrRR(epsilon, merged.sizes, phase1_fraction, rule, groups))

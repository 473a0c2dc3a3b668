"""The mechanisms that the Corr-RR papers compare, under one reading."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import AfterValidator
from shared.runners.data import correlations
from shared.runners.fakes import with_fakes, with_realistic_fakes
from shared.runners.two_phases import RULES, Estimator, corr_rr, corr_rr_as_read, on_truth, rule_of, spl
from shared.runners.variants import GroupedCorrRR, IterativeCorrRR, TwoPivotCorrRR, groups_by_strength

from claimaudit.experiments.engine import Cell
from claimaudit.names import nearest
from corrldp.protocols.corr_rr.alignment import Aligned, even_mappings
from corrldp.protocols.corr_rr.protocol import CondRR, CorrRR
from corrldp.protocols.corr_rr.rules import Fixed, joint
from corrldp.protocols.names import label, load_class, source_of
from corrldp.protocols.records import Population, RecordTable
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD
from corrldp.protocols.smp import SMP, SPL


class UniformGuess:
    """The estimate without any data: all values are equally frequent."""

    needs = "marginals"

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        guess = np.where(np.isnan(table.frequencies()), np.nan, 1 / np.asarray(table.sizes)[:, None])
        return np.broadcast_to(guess, (runs, *guess.shape[-2:]))

    def expected_mse(self, table: Population) -> np.ndarray:
        """Squared error of each frequency, (d, K) or (runs, d, K)."""
        return (1 / np.asarray(table.sizes)[:, None] - table.frequencies()) ** 2


class Mechanism(NamedTuple):
    """The protocol whose needs and phases a mechanism has, and how it is built for the users of a cell."""

    protocol: Any
    build: Callable[[Cell, Any], Estimator]


MECHANISMS = {
    "SPL": Mechanism(SPL, lambda cell, table: spl(cell, table.sizes)),
    "SMP": Mechanism(SMP, lambda cell, table: SMP(cell["epsilon"], table.sizes)),
    "RS+FD": Mechanism(RSFD, lambda cell, table: with_fakes(cell, table, cell["amplify"])),
    "RS+FD amplified": Mechanism(RSFD, lambda cell, table: with_fakes(cell, table, amplify=True)),
    "RS+RFD": Mechanism(TwoPhaseRSRFD, lambda cell, table: with_realistic_fakes(cell, table, cell["amplify"])),
    "RS+RFD amplified": Mechanism(TwoPhaseRSRFD, lambda cell, table: with_realistic_fakes(cell, table, amplify=True)),
    "Corr-RR": Mechanism(CorrRR, corr_rr_as_read),
    "Corr-RR copying": Mechanism(CorrRR, lambda cell, table: corr_rr(cell, table, Fixed(1.0))),
    "Corr-RR oracle": Mechanism(CorrRR, lambda cell, table: corr_rr(cell, table, on_truth(table.frequencies()))),
    "Corr-RR true marginals": Mechanism(
        CorrRR, lambda cell, table: corr_rr(cell, table, on_truth(table.frequencies(), rule_of(cell, table)))
    ),
    "Corr-RR joint": Mechanism(CorrRR, lambda cell, table: corr_rr(cell, table, joint)),
    "Corr-RR iterative": Mechanism(
        CorrRR,
        lambda cell, table: IterativeCorrRR(
            cell["epsilon"], table.sizes, cell["phase1_fraction"], rule_of(cell, table), cell["rounds"]
        ),
    ),
    "Corr-RR two pivots": Mechanism(
        TwoPivotCorrRR, lambda cell, table: TwoPivotCorrRR(cell["epsilon"], table.sizes, cell["phase1_fraction"])
    ),
    "Corr-RR aligned": Mechanism(Aligned, lambda cell, table: aligned(cell, table)),
    "Corr-RR grouped": Mechanism(Aligned, lambda cell, table: grouped(cell, table)),
    "Cond-RR": Mechanism(CondRR, lambda cell, table: CondRR(cell["epsilon"], table.sizes, cell["phase1_fraction"])),
    "Uniform": Mechanism(UniformGuess, lambda cell, table: UniformGuess()),
}
"""Mechanisms by name."""


def protocol_of(name: str) -> object:
    """Return the class of a mechanism, which says whether it has two phases and what it needs to know of users."""
    return MECHANISMS[name].protocol if name in MECHANISMS else load_class(name)


def needs_records(name: str) -> bool:
    """Whether a mechanism needs whole records, not just counts along a tree."""
    return getattr(protocol_of(name), "needs", "records") == "records"


def _known(name: str) -> str:
    if name not in MECHANISMS and source_of(name) is None:
        raise ValueError(
            f"{name!r} is no mechanism; there are {', '.join(MECHANISMS)}, and MODULE:CLASS or FILE.py:CLASS"
            f"{nearest(name, MECHANISMS)}"
        )
    return name


MechanismName = Annotated[str, AfterValidator(_known)]
"""One of `MECHANISMS`, or a protocol that the user provides, see `corrldp.protocols.names.load_class`."""


def labels(setting: Any) -> list[str]:  # noqa: ANN401
    """Return the names of a setting's mechanisms as result tables have them."""
    return [label(name) for name in setting.mechanisms]


def build(name: str, cell: Cell, table: Population) -> Estimator:
    """Return a mechanism for the users of a cell."""
    if name in MECHANISMS:
        return MECHANISMS[name].build(cell, table)
    return load_class(name)(cell["epsilon"], table.sizes)


def aligned(cell: Cell, table: RecordTable) -> Aligned:
    """Return Corr-RR on adjacent values merged into classes of nearly equal size (Section 3.3.4)."""
    classes = (min(table.sizes),) * table.d
    protocol = CorrRR(cell["epsilon"], classes, cell["phase1_fraction"], RULES[cell["py_rule"]])
    alone = Aligned(protocol, even_mappings(table.sizes))
    return replace(alone, protocol=replace(protocol, rule=rule_of(cell, merged(alone, table))))


def merged(alone: Aligned, table: RecordTable) -> RecordTable:
    """Return the records with the classes of values that a protocol reports."""
    return replace(table, rows=alone.merge(table.rows), sizes=alone.protocol.sizes)


def grouped(cell: Cell, table: RecordTable) -> Aligned:
    """Return the same within groups of attributes whose merged codes correlate enough (Section 3.3.3)."""
    alone = aligned(cell, table)
    one = alone.protocol
    groups = groups_by_strength(np.abs(correlations(merged(alone, table))).mean(axis=0), cell["group_strength"])
    return replace(alone, protocol=GroupedCorrRR(one.epsilon, one.sizes, one.phase1_fraction, one.rule, groups))

"""The mechanisms that the Corr-RR papers compare, under one reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple, Protocol

import numpy as np
from pydantic import AfterValidator
from shared.runners.data import correlations
from shared.runners.preprint import preprint, preprint_appendix
from shared.runners.single_phase import SinglePhaseRSRFD
from shared.runners.variants import GroupedCorrRR, IterativeCorrRR, TwoPivotCorrRR, groups_by_strength

from claimaudit.experiments.engine import Cell
from claimaudit.names import nearest
from corrldp.arrays import Floats
from corrldp.protocols.corr_rr.alignment import Aligned, even_mappings
from corrldp.protocols.corr_rr.cond_rr import CondRR
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import (
    Fixed,
    Rule,
    exact,
    joint,
    pets_appendix,
    pets_body,
    pets_body_clipped,
)
from corrldp.protocols.names import label, load_class, source_of
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population, RecordTable
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD
from corrldp.protocols.smp import SMP, SPL
from corrldp.protocols.two_phase import TwoPhase, first_users, weigh

RULES: dict[str, Rule] = {
    "body": pets_body,
    "body_clipped": pets_body_clipped,
    "appendix": pets_appendix,
    "exact": exact,
    "preprint": preprint,
    "preprint_appendix": preprint_appendix,
    "always_copy": Fixed(1.0),
    "never_copy": Fixed(0.0),
}


class Estimator(Protocol):
    """What an experiment needs from a mechanism."""

    def simulate(self, table: Any, runs: int, rng: np.random.Generator) -> np.ndarray:  # noqa: ANN401
        """Return estimates (runs, d, K) of a `Population`, which must be a `RecordTable` if it `needs_records`."""


class UniformGuess:
    """The estimate without any data: all values are equally frequent."""

    phases = 1
    needs = "marginals"

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        guess = np.where(np.isnan(table.frequencies()), np.nan, 1 / np.asarray(table.sizes)[:, None])
        return np.broadcast_to(guess, (runs, *guess.shape[-2:]))

    def expected_mse(self, table: Population) -> np.ndarray:
        """Squared error of each frequency, (d, K) or (runs, d, K)."""
        return (1 / np.asarray(table.sizes)[:, None] - table.frequencies()) ** 2


@dataclass(frozen=True)
class GRREstimated:
    """RS+FD with GRR's estimator, which treats fake values as reports and so is biased towards equal frequencies."""

    protocol: RSFD

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        real = 1 / table.d
        uniform = 1 / np.asarray(table.sizes)[:, None]
        return real * self.protocol.simulate(table, runs, rng) + (1 - real) * uniform


@dataclass(frozen=True)
class SecondPhaseNormalised:
    """A two-phase protocol whose Phase II estimate is clipped and normalised before the phases are combined."""

    protocol: TwoPhase[Population]

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        first, second = self.protocol.simulate_phases(table, runs, rng)
        n1 = first_users(table.n, self.protocol.phase1_fraction)
        return weigh(first, n1, postprocess(second, "clip_normalise"), table.n - n1)


@dataclass(frozen=True)
class Normalised:
    """A protocol whose estimates are clipped and normalised."""

    protocol: Estimator

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        return postprocess(self.protocol.simulate(table, runs, rng), "clip_normalise")


def rs_fd(cell: Cell, table: Population, amplify: bool) -> Estimator:
    """Return RS+FD with its own estimator or with that of GRR."""
    protocol = RSFD(cell["epsilon"], table.sizes, amplify)
    return protocol if cell["rs_fd_estimator"] == "unbiased" else GRREstimated(protocol)


def rs_rfd(cell: Cell, table: Population, amplify: bool) -> Estimator:
    """Return RS+RFD in two phases (PETS version) or in one with a known prior (preprint)."""
    epsilon, postprocessing = cell["epsilon"], cell["rs_rfd_postprocess"]
    if cell["rs_rfd"] == "single_phase" and postprocessing != "second_phase_clip_normalise":
        protocol: Estimator = SinglePhaseRSRFD(epsilon, table.sizes, cell["prior"], amplify, cell["rs_fd_estimator"])
    else:
        protocol = TwoPhaseRSRFD(epsilon, table.sizes, cell["phase1_fraction"], amplify, cell["prior_repair"])
        if postprocessing == "second_phase_clip_normalise":
            return SecondPhaseNormalised(protocol)
    return Normalised(protocol) if postprocessing == "clip_normalise" else protocol


def rule_of(cell: Cell) -> Rule:
    """Return the rule for p_y that a reading chooses."""
    rule = RULES[cell["py_rule"]]
    if cell["py_input"] == "clip_normalise":
        rule = on_repaired(rule)
    if cell["py_order"] == "transposed":
        rule = transposed(rule)
    return rule


def on_repaired(rule: Rule) -> Rule:
    """Return a rule that is given post-processed estimates of the first phase; the papers use the raw ones."""
    return lambda first, n2, mechanism: rule(postprocess(first, "clip_normalise"), n2, mechanism)


def transposed(rule: Rule) -> Rule:
    """Return a rule with the roles of a pair swapped: p_y suits the pivot's estimate, not the follower's.

    The PETS version writes the same symbol for both orders of a pair; this is its other reading.
    """
    return lambda first, n2, mechanism: np.swapaxes(rule(first, n2, mechanism), -1, -2)


def on_truth(frequencies: Floats, rule: Rule = exact) -> Rule:
    """Return a rule that is given the true frequencies, (d, k) or (runs, d, k)."""
    return lambda first, n2, mechanism: rule(np.broadcast_to(frequencies, first.shape), n2, mechanism)


def corr_rr(cell: Cell, table: Population, rule: Rule) -> CorrRR:
    """Return Corr-RR with a rule for p_y."""
    return CorrRR(cell["epsilon"], table.sizes, cell["phase1_fraction"], rule)


class Mechanism(NamedTuple):
    """The protocol whose needs and phases a mechanism has, and how it is built for the users of a cell."""

    protocol: Any
    build: Callable[[Cell, Any], Estimator]


MECHANISMS = {
    "SPL": Mechanism(SPL, lambda cell, table: SPL(cell["epsilon"], table.sizes)),
    "SMP": Mechanism(SMP, lambda cell, table: SMP(cell["epsilon"], table.sizes)),
    "RS+FD": Mechanism(RSFD, lambda cell, table: rs_fd(cell, table, cell["amplify"])),
    "RS+FD amplified": Mechanism(RSFD, lambda cell, table: rs_fd(cell, table, amplify=True)),
    "RS+RFD": Mechanism(TwoPhaseRSRFD, lambda cell, table: rs_rfd(cell, table, cell["amplify"])),
    "RS+RFD amplified": Mechanism(TwoPhaseRSRFD, lambda cell, table: rs_rfd(cell, table, amplify=True)),
    "Corr-RR": Mechanism(CorrRR, lambda cell, table: corr_rr(cell, table, rule_of(cell))),
    "Corr-RR copying": Mechanism(CorrRR, lambda cell, table: corr_rr(cell, table, Fixed(1.0))),
    "Corr-RR oracle": Mechanism(CorrRR, lambda cell, table: corr_rr(cell, table, on_truth(table.frequencies()))),
    "Corr-RR true marginals": Mechanism(
        CorrRR, lambda cell, table: corr_rr(cell, table, on_truth(table.frequencies(), rule_of(cell)))
    ),
    "Corr-RR joint": Mechanism(CorrRR, lambda cell, table: corr_rr(cell, table, joint)),
    "Corr-RR iterative": Mechanism(
        CorrRR, lambda cell, table: IterativeCorrRR(corr_rr(cell, table, rule_of(cell)), cell["rounds"])
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
    """Return the class of a mechanism, which has its number of phases and what it needs to know of users."""
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
    protocol = CorrRR(cell["epsilon"], classes, cell["phase1_fraction"], rule_of(cell))
    return Aligned(protocol, even_mappings(table.sizes))


def grouped(cell: Cell, table: RecordTable) -> Aligned:
    """Return the same within groups of attributes whose merged codes correlate enough (Section 3.3.3)."""
    alone = aligned(cell, table)
    one, merged = alone.protocol, replace(table, rows=alone.merge(table.rows), sizes=alone.protocol.sizes)
    groups = groups_by_strength(np.abs(correlations(merged)).mean(axis=0), cell["group_strength"])
    return replace(alone, protocol=GroupedCorrRR(one.epsilon, one.sizes, one.phase1_fraction, one.rule, groups))

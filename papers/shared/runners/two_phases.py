"""Protocols of two phases as a reading has them: budgets, who reports again, p_y, and how the phases are combined."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from shared.runners.second_phase import minimiser_of_theorem_4, preprint, proposition_1_of_appendix

from claimaudit.experiments.engine import Cell
from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.protocol import CorrRR
from corrldp.protocols.corr_rr.rules import Fixed, Rule, exact, pets_appendix, pets_body, pets_body_clipped
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population
from corrldp.protocols.smp import SPL
from corrldp.protocols.two_phase import TwoPhase, first_users, weigh

RULES: dict[str, Rule] = {
    "body": pets_body,
    "body_clipped": pets_body_clipped,
    "appendix": pets_appendix,
    "two_values": replace(exact, values=2),
    "exact": exact,
    "preprint": preprint,
    "preprint_appendix": partial(preprint, formula=proposition_1_of_appendix),
    "preprint_exact": partial(preprint, formula=minimiser_of_theorem_4),
    "always_copy": Fixed(1.0),
    "never_copy": Fixed(0.0),
}


class Estimator(Protocol):
    """What an experiment needs from a mechanism."""

    def simulate(self, table: Any, runs: int, rng: np.random.Generator) -> np.ndarray:  # noqa: ANN401
        """Return estimates (runs, d, K) of a `Population`, which must be a `RecordTable` if it `needs_records`."""


@dataclass(frozen=True)
class Simulated:
    """An estimator by what draws its estimates (runs, d, K) of a population, given the runs and a generator."""

    simulate: Callable[[Any, int, np.random.Generator], np.ndarray]


def spl(cell: Cell, sizes: tuple[int, ...], whole: str = "spl_whole") -> SPL:
    """Return SPL as the reading splits its budget: not at all if the axis says `whole`."""
    parts = {"one_more": 1 + 1 / len(sizes), "whole": 1 / len(sizes), whole: 1 / len(sizes)}.get(cell["split"], 1)
    return SPL(cell["epsilon"] / parts, sizes)


def in_two_phases(
    cell: Cell,
    protocol: TwoPhase[Population],
    change: Callable[[Floats, Floats, Population], Floats] | None = None,
) -> Estimator:
    """Return a protocol whose phases are combined as the reading says.

    A `change` of the estimates of Phase II, given those of Phase I and all users, comes before both are combined. Users
    of Phase I may report again, and count twice.
    """
    again, phases = cell["phase1_users"], cell["phases"]
    if isinstance(protocol, CorrRR):
        phases = phases.removeprefix("own_")

    def simulate(table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        learners, others = table.split(first_users(table.n, protocol.phase1_fraction), runs, rng)
        first = spl(cell, table.sizes, "phase1_whole").simulate(learners, runs, rng)
        second = protocol.simulate_second(others if again == "once" else table, first, rng)
        second = change(second, first, table) if change else second
        if phases == "last":
            return second
        if phases == "equal":
            return (first + second) / 2
        return weigh(first, learners.n, second, table.n if again == "again_weighed" else others.n)

    return Simulated(simulate)


def rule_of(cell: Cell, table: Population) -> Rule:
    """Return the rule for p_y that a reading chooses."""
    rule = RULES[cell["py_rule"]]
    if cell["py_input"] == "true":
        rule = on_truth(table.frequencies(), rule)
    elif cell["py_input"] != "raw":
        rule = on_repaired(rule, cell["py_input"])
    if cell["py_pairs"] != "each":
        rule = on_pairs(rule, cell["py_pairs"])
    return rule if cell["copies"] == "other" else copying_by_chance(rule)


def copying_by_chance(rule: Rule) -> Rule:
    """Return a rule whose p_y leaves the other users any value, so that 1 in k of them copies, too."""

    def copied(first: Floats, n2: int, mechanism: GRR) -> Floats:
        chosen = rule(first, n2, mechanism)
        return chosen + (1 - chosen) / mechanism.k

    return copied


def on_repaired(rule: Rule, how: str) -> Rule:
    """Return a rule that is given post-processed estimates of the first phase; the papers use the raw ones."""
    return lambda first, n2, mechanism: rule(postprocess(first, how), n2, mechanism)


def on_pairs(rule: Rule, how: str) -> Rule:
    """Return a rule with a pair's roles swapped, `transposed`, or with one p_y for all: the `mean`, `first` or `last`.

    The PETS version writes one symbol for both orders of a pair, so both may have the `larger` or the mean of both,
    `equal`. A rule of the preprint decides once for both, for the attribute of the lower index, if `reversed` for that
    of the higher one.
    """

    def chosen(first: Floats, n2: int, mechanism: GRR) -> Floats:
        copy = rule(first, n2, mechanism)
        if how == "transposed":
            return np.swapaxes(copy, -1, -2)
        if how in ("larger", "equal"):
            both = np.stack([copy, np.swapaxes(copy, -1, -2)])
            return both.max(axis=0) if how == "larger" else both.mean(axis=0)
        if how == "reversed":
            return rule(first[..., ::-1, :], n2, mechanism)[..., ::-1, ::-1]
        pairs = copy[(..., *np.triu_indices(copy.shape[-1], k=1))]
        one = pairs.mean(axis=-1) if how == "mean" else pairs[..., 0 if how == "first" else -1]
        return np.where(np.eye(copy.shape[-1], dtype=bool), 1.0, one[..., None, None])

    return chosen


def on_truth(frequencies: Floats, rule: Rule = exact) -> Rule:
    """Return a rule that is given the true frequencies, (d, k) or (runs, d, k)."""
    return lambda first, n2, mechanism: rule(np.broadcast_to(frequencies, first.shape), n2, mechanism)


def corr_rr(cell: Cell, table: Population, rule: Rule) -> CorrRR:
    """Return Corr-RR with a rule for p_y."""
    return CorrRR(cell["epsilon"], table.sizes, cell["phase1_fraction"], rule)


def corr_rr_as_read(cell: Cell, table: Population) -> Estimator:
    """Return Corr-RR as the reading says."""
    protocol = corr_rr(cell, table, rule_of(cell, table))
    if cell["split"] == "phase2":
        protocol = replace(protocol, epsilon=protocol.epsilon / protocol.d)

    def over_all_users(second: Floats, _: Floats, table: Population) -> Floats:
        mechanism, share = protocol.mechanism, 1 - first_users(table.n, protocol.phase1_fraction) / table.n
        return share * second - (1 - share) * mechanism.q_support / mechanism.gap

    return in_two_phases(cell, protocol, over_all_users if cell["phases"] == "all_in_second" else None)

"""The mechanisms that the Corr-RR papers compare, under one reading."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple, Protocol

import numpy as np
from pydantic import AfterValidator
from shared.runners.data import correlations
from shared.runners.second_phase import minimiser_of_theorem_4, preprint, proposition_1_of_appendix
from shared.runners.variants import GroupedCorrRR, IterativeCorrRR, TwoPivotCorrRR, groups_by_strength

from claimaudit.experiments.engine import Cell
from claimaudit.names import nearest
from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols import rs_fd
from corrldp.protocols.corr_rr.alignment import Aligned, even_mappings
from corrldp.protocols.corr_rr.protocol import CondRR, CorrRR
from corrldp.protocols.corr_rr.rules import Fixed, Rule, exact, joint, pets_appendix, pets_body, pets_body_clipped
from corrldp.protocols.names import label, load_class, source_of
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population, RecordTable, within
from corrldp.protocols.reports import variance
from corrldp.protocols.rs_fd import RSFD, FakedOracle, faked_grr, sampled_budget
from corrldp.protocols.rs_rfd import TwoPhaseRSRFD
from corrldp.protocols.smp import SMP, SPL
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
    again, phases = cell["phase1_users"], cell["phases"].removeprefix("own_" if isinstance(protocol, CorrRR) else "")

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


def with_fakes(cell: Cell, table: Population, amplify: bool) -> Estimator:
    """Return RS+FD, with its own estimator or with that of GRR: RS+RFD with a uniform prior."""
    return SinglePhaseRSRFD(cell["epsilon"], table.sizes, "uniform", amplify, cell["rs_fd_estimator"])


def with_realistic_fakes(cell: Cell, table: Population, amplify: bool) -> Estimator:
    """Return RS+RFD in two phases (PETS version) or in one with a known prior (preprint)."""
    epsilon, how, estimator = cell["epsilon"], cell["rs_rfd_postprocess"], cell["rs_fd_estimator"]
    if cell["rs_rfd"] == "single_phase" and how != "second_phase_clip_normalise":
        protocol: Estimator = SinglePhaseRSRFD(epsilon, table.sizes, cell["prior"], amplify, estimator)
    else:
        two = TwoPhaseRSRFD(epsilon, table.sizes, cell["phase1_fraction"], amplify, cell["prior_repair"])

        def estimates(second: Floats, first: Floats, _: Population) -> Floats:
            if estimator == "uniform":
                priors = np.nan_to_num(postprocess(first, two.repair))
                second = misread(second, priors, sampled_budget(epsilon, two.d, amplify), two.sizes, estimator)
            return postprocess(second, "clip_normalise" if how == "second_phase_clip_normalise" else "none")

        protocol = in_two_phases(cell, two, estimates)
    if how != "clip_normalise":
        return protocol
    return Simulated(lambda table, runs, rng: postprocess(protocol.simulate(table, runs, rng), how))


def misread(estimates: Floats, fakes: Floats, budget: float, sizes: tuple[int, ...], how: str) -> Floats:
    """Return what another estimator makes of the reports behind unbiased `estimates` (runs, d, K).

    The fake values have the laws `fakes`, (d, K) or (runs, d, K); GRR's estimator, "grr", treats them as reports, and
    that of RS+FD, "uniform", as uniform.
    """
    oracles = [GRR(budget, k) for k in sizes]
    q, gap = np.array([(each.q_support, each.gap) for each in oracles]).T[:, :, None]
    if how == "grr":
        return (estimates + (len(sizes) - 1) * (fakes - q) / gap) / len(sizes)
    uniform = np.where(within(sizes), 1 / np.asarray(sizes)[:, None], fakes)
    return estimates + (len(sizes) - 1) * (fakes - uniform) / gap


def rule_of(cell: Cell, table: Population) -> Rule:
    """Return the rule for p_y that a reading chooses."""
    rule = RULES[cell["py_rule"]]
    if cell["py_input"] == "clip_normalise":
        rule = on_repaired(rule)
    if cell["py_input"] == "true":
        rule = on_truth(table.frequencies(), rule)
    if cell["py_pairs"] != "each":
        rule = on_pairs(rule, cell["py_pairs"])
    return rule if cell["copies"] == "other" else copying_by_chance(rule)


def copying_by_chance(rule: Rule) -> Rule:
    """Return a rule whose p_y leaves the other users any value, so that 1 in k of them copies, too."""

    def copied(first: Floats, n2: int, mechanism: GRR) -> Floats:
        chosen = rule(first, n2, mechanism)
        return chosen + (1 - chosen) / mechanism.k

    return copied


def on_repaired(rule: Rule) -> Rule:
    """Return a rule that is given post-processed estimates of the first phase; the papers use the raw ones."""
    return lambda first, n2, mechanism: rule(postprocess(first, "clip_normalise"), n2, mechanism)


def on_pairs(rule: Rule, how: str) -> Rule:
    """Return a rule with a pair's roles swapped, `transposed`, or with one p_y for all: the `mean`, `first` or `last`.

    The PETS version writes the same symbol for both orders of a pair. A rule of the preprint decides once for both, for
    the attribute of the lower index, if `reversed` for that of the higher one.
    """

    def chosen(first: Floats, n2: int, mechanism: GRR) -> Floats:
        copy = rule(first, n2, mechanism)
        if how == "transposed":
            return np.swapaxes(copy, -1, -2)
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


# Budget of the published statistics behind the prior "noisy", for all attributes together; our choice.
PRIOR_EPSILON = 0.1


@dataclass(frozen=True)
class SinglePhaseRSRFD:
    """All users report by RS+RFD; each run has the `prior` of its own data set.

    The law of the fake values is "true", the true marginals, "uniform", or "noisy", the true marginals with the
    Laplace noise of a trusted curator, then clipped and normalised. With `amplify` the sampled attribute gets the
    larger budget ln(d (e^epsilon - 1) + 1). The `estimator` is its own, "unbiased", or another one, see `misread`.
    """

    epsilon: float
    sizes: tuple[int, ...]
    prior: Literal["true", "uniform", "noisy"]
    amplify: bool = False
    estimator: Literal["unbiased", "grr", "uniform"] = "unbiased"

    def faked(self, laws: Floats) -> list[FakedOracle[Any]]:
        """Return GRR with fakes that have these laws, (..., d, K)."""
        return faked_grr(self.budget, laws, self.sizes)

    @property
    def budget(self) -> float:
        """Return the budget of the sampled attribute."""
        return sampled_budget(self.epsilon, len(self.sizes), self.amplify)

    @property
    def closed(self) -> bool:
        """Whether the expected error has a closed form: the prior is not random and the estimator not biased."""
        return self.prior != "noisy" and self.estimator == "unbiased"

    def simulate(self, table: Population, runs: int, rng: np.random.Generator) -> np.ndarray:
        """Return estimates (runs, d, K)."""
        fakes = np.broadcast_to(self.fakes(table, rng, runs), (runs, table.d, max(self.sizes)))
        estimates = rs_fd.simulate(table, self.faked(fakes), runs, rng)
        if self.estimator == "unbiased":
            return estimates
        return misread(estimates, fakes, self.budget, self.sizes, self.estimator)

    def expected_mse(self, table: Population) -> np.ndarray:
        """Exact expected squared errors, (d, K) or (runs, d, K), if it is `closed`."""
        return variance(table.frequencies(), table.n, self.faked(self.fakes(table)), self.sizes)

    def fakes(self, table: Population, rng: np.random.Generator | None = None, runs: int = 1) -> np.ndarray:
        """Law of the fake values of each attribute, (d, K) or (runs, d, K), 0 beyond a domain."""
        if self.prior == "uniform":
            return within(self.sizes) / np.asarray(self.sizes)[:, None]
        true = table.frequencies()
        if self.prior == "true":
            return np.nan_to_num(true)
        assert rng is not None
        scale = 2 * table.d / (PRIOR_EPSILON * table.n)
        noisy = true + rng.laplace(scale=scale, size=(runs, *true.shape[-2:]))
        return np.nan_to_num(postprocess(noisy, "clip_normalise"))

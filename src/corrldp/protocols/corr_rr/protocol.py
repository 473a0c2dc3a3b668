"""Corr-RR (PETS version, Algorithm 1) and Cond-RR (Section 3.3.6): SPL for a few users, then a pivot by GRR.

Corr-RR copies the pivot's report; Cond-RR draws the other attributes from conditional distributions that the collector
learns from counts of the pairs of values in SPL's reports.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, check_choice, in_short
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell import Castell, perturb_axes
from corrldp.protocols.corr_rr.alignment import Mappings, aligned
from corrldp.protocols.corr_rr.pivot import PivotProtocol, copy_channels
from corrldp.protocols.corr_rr.rules import RULES, Rule
from corrldp.protocols.estimates import Tally
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population, RecordTable
from corrldp.protocols.smp import SPL
from corrldp.protocols.two_phase import PHASE1_FRACTION, Phased


@dataclass(frozen=True)
class CorrRR(PivotProtocol[Population]):
    """Correlated randomized response for attributes with one domain size; see `TwoPhase`.

    The `rule` says how p_y follows from the estimates of the first phase, see `corrldp.protocols.corr_rr.rules`.
    """

    name = "Corr-RR"
    needs = "population"
    error_of = "bound"

    rule: Rule

    @classmethod
    def build(
        cls,
        epsilon: float,
        sizes: tuple[int, ...],
        phase1_fraction: float = PHASE1_FRACTION,
        rule: str = "exact",
        mappings: Mappings | None = None,
    ) -> Phased:
        """Return the protocol by the name of its rule, on merged values if sizes differ or `mappings` are given."""
        chosen = RULES[check_choice(rule, "rule", RULES)]
        return aligned(lambda classes: cls(epsilon, classes, phase1_fraction, chosen), sizes, mappings)

    @property
    def followers(self) -> tuple[float, float]:
        return self.mechanism.q_support, self.mechanism.p_support

    def describe(self) -> dict[str, Any]:
        """Return name, epsilon, sizes and options; a rule without a name is a ValueError."""
        names = [name for name, rule in RULES.items() if rule == self.rule]
        if not names:
            raise ValueError(f"rule={in_short(self.rule)} has no name: JSON knows {', '.join(RULES)}")
        options = {"phase1_fraction": self.phase1_fraction, "rule": names[0]}
        return {"name": self.name, "epsilon": self.epsilon, "sizes": list(self.sizes), "options": options}

    def channels_of(self, learned: Floats, users: int) -> Floats:
        return copy_channels(self.rule(learned, users, self.mechanism), self.mechanism.k)


LARGEST_DOMAIN = 20_000  # possible records: the count level keeps a table of them for every run


@dataclass(frozen=True)
class CondRR(PivotProtocol[RecordTable]):
    """Conditional randomized response for attributes of equal domain size; parameters as those of `TwoPhase`.

    The first phase estimates the joint distribution of each pair of attributes without bias; clipped to [0, 1] and
    normalised, it yields the distribution of one attribute given the other. A second-phase user reports a pivot by GRR
    and draws every other attribute, independently, given the pivot's report. The collector estimates as for Corr-RR.
    """

    name = "Cond-RR"
    error_of = "bound"

    @classmethod
    def build(
        cls,
        epsilon: float,
        sizes: tuple[int, ...],
        phase1_fraction: float = PHASE1_FRACTION,
        mappings: Mappings | None = None,
    ) -> Phased:
        """Return the protocol, on merged values if the domain sizes differ or `mappings` are given."""
        return aligned(lambda classes: cls(epsilon, classes, phase1_fraction), sizes, mappings)

    def first_phase(self) -> Castell:
        return Castell(self.epsilon, self.sizes)

    def lesson(self, first: Tally) -> Integers:
        """Return the counts of the pairs of values of each pair of attributes, (d, d, k, k)."""
        rows, counts = first.rows()
        return reported_pairs(rows, self.sizes, counts)

    def channels_of(self, learned: Integers, users: int) -> Floats:
        return conditional_channels(learned, GRR(self.spl.epsilon_per_attribute, self.sizes[0]))

    def simulate_first(self, table: RecordTable, runs: int, rng: np.random.Generator) -> tuple[Floats, Integers]:
        """Draw the estimates (runs, d, k) of the first phase and its counts of pairs (runs, d, d, k, k)."""
        pairs = simulate_pairs(table, self.spl, runs, rng)
        return self.spl.unbias(marginals_of_pairs(pairs), table.n), pairs


def conditional_channels(pairs: Integers, grr: GRR) -> Floats:
    """Estimated Pr[X_j = v | X_s = u], (..., d, d, k, k), from the counts of pairs of GRR reports.

    If the clipped estimate rules out a value of the pivot, the attribute's marginal distribution is used instead.
    """
    inverse = np.linalg.inv(grr.channel())
    n = pairs.sum(axis=(-1, -2), keepdims=True)
    joint = inverse.T @ (pairs / n) @ inverse
    joint = postprocess(joint.reshape(*joint.shape[:-2], -1), "clip_normalise").reshape(joint.shape)
    given = joint.sum(axis=-1, keepdims=True)
    marginal = joint.sum(axis=-2, keepdims=True)
    channels = np.where(given > 0, joint / np.where(given > 0, given, 1), marginal)
    d = pairs.shape[-3]
    channels[..., range(d), range(d), :, :] = np.eye(grr.k)
    return channels


def reported_pairs(reports: Integers, sizes: tuple[int, ...], counts: ArrayLike = 1) -> Integers:
    """Count the pairs of values of each pair of attributes, (d, d, k, k), in reports (n, d); all sizes are k.

    If the reports are distinct ones, `counts` (n,) says how many there are of each.
    """
    has = (reports[:, :, None] == np.arange(sizes[0])).reshape(len(reports), -1).astype(float)
    return (has.T * counts @ has).astype(np.int64).reshape(2 * (len(sizes), sizes[0])).swapaxes(1, 2)


def simulate_pairs(table: RecordTable, spl: SPL, runs: int, rng: np.random.Generator) -> Integers:
    """Draw the counts of the pairs of values of each pair of attributes, (runs, d, d, k, k), in SPL's reports by GRR.

    The table of all possible records is perturbed attribute by attribute; too many of them are a ValueError.
    """
    tables = dense(table.rows, table.counts_of(runs), table.sizes)
    mechanisms = [GRR(spl.epsilon_per_attribute, k) for k in spl.sizes]
    return pair_counts(perturb_axes(tables, mechanisms, rng))


def marginals_of_pairs(pairs: Integers) -> Integers:
    """Return the counts (..., d, k) of single values: the diagonals of each attribute's pairs with itself."""
    return np.einsum("...jjuu->...ju", pairs)


def dense(rows: Integers, counts: Integers, sizes: tuple[int, ...]) -> Integers:
    """Contingency tables (runs, k_1, ..., k_d) from `rows` (m, d), which may repeat, and `counts` (runs, m)."""
    cells = int(np.prod(sizes, dtype=float))
    if cells > LARGEST_DOMAIN:
        raise ValueError(f"sizes={sizes} allow {cells} records, above {LARGEST_DOMAIN}: use the user level instead")
    table = np.zeros((len(counts), cells), dtype=np.int64)
    np.add.at(table.T, np.ravel_multi_index(tuple(rows.T), sizes), counts.T)
    return table.reshape(len(counts), *sizes)


def pair_counts(tables: Integers) -> Integers:
    """Count the pairs of values of each pair of attributes, (runs, d, d, k, k), in tables (runs, k, ..., k)."""
    runs, *sizes = tables.shape
    d, k = len(sizes), sizes[0]
    pairs = np.zeros((runs, d, d, k, k), dtype=np.int64)
    for s in range(d):
        for j in range(s, d):
            joint = tables.sum(axis=tuple(axis + 1 for axis in range(d) if axis not in (s, j)))
            pairs[:, s, j] = joint if s != j else joint[:, :, None] * np.eye(k, dtype=np.int64)
            pairs[:, j, s] = np.swapaxes(pairs[:, s, j], 1, 2)
    return pairs

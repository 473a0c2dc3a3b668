"""Corr-RR itself: SPL for a few users, then a pivot by GRR and copies of its report (PETS version, Algorithm 1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from corrldp.arrays import Floats, Integers, in_short
from corrldp.mechanisms.validation import check_share
from corrldp.protocols.corr_rr import synthesis
from corrldp.protocols.corr_rr.alignment import MAPPINGS, Mappings, aligned
from corrldp.protocols.corr_rr.pivot import PivotPhase, PivotProtocol
from corrldp.protocols.corr_rr.rules import RULES, Rule
from corrldp.protocols.documents import Check, text
from corrldp.protocols.estimates import Tally
from corrldp.protocols.records import Population, RecordTable
from corrldp.protocols.two_phase import PHASE1_FRACTION, Phased, first_users


@dataclass(frozen=True)
class CorrRR(PivotProtocol[Population]):
    """Correlated randomized response for attributes with one domain size; see `TwoPhase`.

    The `rule` says how p_y follows from the estimates of the first phase, see `corrldp.protocols.corr_rr.rules`.
    """

    name = "Corr-RR"
    options: ClassVar[Mapping[str, Check]] = {"phase1_fraction": check_share, "rule": text, "mappings": MAPPINGS}
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
        if rule not in RULES:
            raise ValueError(f"rule={in_short(rule)} must be one of {', '.join(RULES)}")
        return aligned(lambda classes: cls(epsilon, classes, phase1_fraction, RULES[rule]), sizes, mappings)

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

    def learn(self, first: Tally, users: int) -> PivotPhase:
        """Return what `users` of the second phase run, with the copy probabilities that the rule chooses for them."""
        copy = self.rule(self.spl.estimate_from(first).frequencies, users, self.mechanism)
        return PivotPhase.of(self.epsilon, self.sizes, synthesis.copy_channels(copy, self.mechanism.k))

    def privatize_second(self, records: Integers, first: Integers, rng: np.random.Generator) -> Integers:
        copy = self.rule(self.spl.estimate(first), len(records), self.mechanism)
        return synthesis.privatize(records, self.mechanism, synthesis.copy_channels(copy, self.mechanism.k), rng)

    def simulate_second(self, table: Population, learned: Floats, rng: np.random.Generator) -> Floats:
        copy = self.rule(learned, table.n, self.mechanism)
        channels = synthesis.copy_channels(copy, self.mechanism.k)
        return self.mechanism.unbias(synthesis.simulate(table, self.mechanism, channels, rng), table.n)

    def expected_mse(self, table: RecordTable, copy: Floats) -> Floats:
        """Exact expected squared error of each frequency, (d, k), for given copy probabilities (d, d).

        They have p_y for each pivot (row) and follower (column), 1 on the diagonal, and do not depend on the reports.
        """
        n1 = first_users(table.n, self.phase1_fraction)
        channels = synthesis.copy_channels(copy, self.mechanism.k)
        return synthesis.expected_mse(table, n1, self.spl.expected_mse(table), self.mechanism, channels)

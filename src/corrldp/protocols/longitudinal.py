"""Protocols for repeated collection: L-SPL and L-SMP, whose clients keep permanent responses.

Source: Arcolezi et al., arXiv:2111.04636; see `corrldp.mechanisms.longitudinal`. One report has the law of SPL or SMP
with budget epsilon, which is what counts, estimates, errors and simulations are inherited from. As in that paper, a
user of L-SMP samples one attribute once and for all: sampling anew would spend `permanent` on each of them in turn.

The guarantee over many reports is that of a record that stays. A new value of an attribute gets a permanent response of
its own, which spends `permanent` on it again (with L-SPL its part); besides, many reports reveal that a value has
changed, against which no protocol with memoisation protects.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from corrldp.arrays import make_plain
from corrldp.mechanisms.longitudinal import LONGITUDINAL, Longitudinal, check_permanent
from corrldp.mechanisms.validation import check_epsilon
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.reports import AttributeOracles
from corrldp.protocols.smp import SMP, SPL


@dataclass(frozen=True)
class Memoised(AttributeOracles):
    """A protocol whose client keeps permanent responses, one for each attribute that it reports and each value of it.

    All reports on a record that stays spend `permanent`, which is more than epsilon, the budget of one report.
    """

    oracles = tuple(LONGITUDINAL)

    permanent: float = field(kw_only=True)

    def __post_init__(self) -> None:
        make_plain(self)
        check_permanent(self.permanent, check_epsilon(self.epsilon))
        super().__post_init__()

    @cached_property
    def lasting(self) -> SPL | SMP:
        """What draws the permanent responses, with budget `permanent`; those of OSUE are drawn by OUE."""
        kind: type[SPL] | type[SMP] = SPL if self.all_reported else SMP
        return kind(self.permanent, self.sizes, "OUE" if self.oracle == "OSUE" else self.oracle)

    def estimator(self, name: str, attribute: int) -> Longitudinal:
        permanent = self.lasting.epsilon_per_attribute
        return LONGITUDINAL[name](self.epsilon_per_attribute, self.sizes[attribute], permanent)

    @property
    def rounds(self) -> list[Longitudinal]:
        return self.estimators

    def reported(self, rng: np.random.Generator) -> list[int]:
        """Return the attributes that one user reports in every round: all, or one that is drawn."""
        return list(range(self.d)) if self.all_reported else [int(rng.integers(self.d))]

    def guarantee_after(self, reports: float) -> Guarantee:
        """Return the exact epsilon of so many reports on a record that stays; `math.inf` gives the limit."""
        budgets = tuple(oracle.epsilon_after(reports) for oracle in self.rounds)
        return Guarantee(self.of_record(budgets), budgets)


@dataclass(frozen=True)
class LSPL(Memoised, SPL):
    """Split both budgets evenly over the attributes and report all of them by longitudinal oracles; see `Memoised`.

    The `oracle` is GRR for L-GRR, SUE for L-SUE (basic RAPPOR) or OSUE for L-OSUE.
    """

    name = "L-SPL"


@dataclass(frozen=True)
class LSMP(Memoised, SMP):
    """Sample an attribute once and report it in every round by a longitudinal oracle, with both whole budgets.

    Parameters are those of `LSPL`; d >= 2.
    """

    name = "L-SMP"

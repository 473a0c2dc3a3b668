"""Attribute-independent randomised response: what RR-Independent and RR-Ind-Joint share, and their estimates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.castell.inversion import castell
from corrldp.protocols.castell.tables import marginals, product, shares
from corrldp.protocols.counting import perturb_axes
from corrldp.protocols.protocol import AttributeBudget
from corrldp.protocols.spl import SPL


@dataclass(frozen=True)
class IndependentRR(AttributeBudget):
    """GRR on every attribute, each with its own budget (Castell paper, Algorithm 1 and Section III-C.1).

    A record spends the sum of its attributes' budgets (Theorem 3).

    Parameters: see `AttributeBudget` and `RecordProtocol`.
    """

    sizes: tuple[int, ...]

    @cached_property
    def mechanisms(self) -> list[GRR]:
        """The randomizer of each attribute."""
        return [GRR(self.epsilon_per_attribute, k) for k in self.sizes]

    @cached_property
    def _spl(self) -> SPL:
        return SPL(self.epsilon, self.sizes)

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> Integers:
        """Perturb the `records` (n, w) of users into reports (n, w)."""
        return self._spl.privatize(records, rng)

    def simulate(self, table: Integers, runs: int, rng: np.random.Generator) -> Integers:
        """Draw the table of reports (runs, k_1, ..., k_w) of users counted in `table` (k_1, ..., k_w); exact."""
        return perturb_axes(np.broadcast_to(table, (runs, *self.sizes)), self.mechanisms, rng)

    def channel(self) -> Floats:
        """Pr[report | record], the Kronecker product of the channels (Theorem 1)."""
        return self._spl.channel()

    def estimate_joint(self, reports: ArrayLike) -> Floats:
        """Joint frequencies (k_1, ..., k_w) from `reports` (n, w) by RR-Ind-Joint."""
        return rr_ind_joint(shares(reports, self.sizes), self.mechanisms)

    def estimate_product(self, reports: ArrayLike) -> Floats:
        """Joint frequencies (k_1, ..., k_w) from `reports` (n, w) by RR-Independent."""
        return rr_independent(shares(reports, self.sizes), self.mechanisms)


def rr_ind_joint(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """RR-Ind-Joint: the unbiased estimate of the joint distribution from the observed frequencies (Algorithm 3)."""
    return castell(observed, mechanisms)


def rr_independent(observed: Floats, mechanisms: list[GRR]) -> Floats:
    """RR-Independent: the product of the estimated marginals (Algorithm 2)."""
    return product([grr.unbias(seen, 1) for grr, seen in zip(mechanisms, marginals(observed), strict=True)])


def squared_error(mechanisms: list[GRR], n: int) -> float:
    """Exact expected squared error of RR-Ind-Joint, summed over all cells, for any n given records.

    A user's estimate is a product of columns of the inverse channels, each with the sum of squares r_j whatever the
    report, and is unbiased for a table with a single 1, so its variances sum to r_1 ... r_w - 1.
    """
    columns = [((1 - grr.q_support) ** 2 + (grr.k - 1) * grr.q_support**2) / grr.gap**2 for grr in mechanisms]
    return float((np.prod(columns) - 1) / n)

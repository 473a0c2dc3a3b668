"""The users of a study as protocols see them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from corrldp.arrays import Integers
from corrldp.data.table import Table
from corrldp.protocols.counting import draw_without_replacement
from corrldp.protocols.records import Population, within


@dataclass(frozen=True, eq=False)
class Marginals(Population):
    """Users of whom only the one-way counts are known, as if their attributes were independent of each other.

    In SPL, SMP, RS+FD and RS+RFD, what a user reports on one attribute depends on that attribute's value and on chance,
    never on other values of the record. So the law of each attribute's estimates is exact, at a cost independent of the
    number of users; only the dependence between estimates of different attributes is lost, and no error of a frequency
    depends on that.

    Parameters
    ----------
    counts : (d, K) or (runs, d, K)
        Users with each value of each attribute, 0 beyond a domain.
    sizes : (d,)
        Domain sizes.
    """

    counts: Integers
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, table: Table) -> Marginals:
        """Count the values of each attribute of a table."""
        counts = np.zeros((table.d, max(table.sizes)), dtype=np.int64)
        for j, k in enumerate(table.sizes):
            counts[j, :k] = np.bincount(table.codes[:, j], minlength=k)
        return cls(counts, table.sizes)

    @property
    def n(self) -> int:
        """Number of users."""
        return int(self.counts.reshape(-1, *self.counts.shape[-2:])[0, 0].sum())

    def count_marginals(self) -> Integers:
        """Return the counts."""
        return self.counts.copy()

    def split(self, size: int, runs: int, rng: np.random.Generator) -> tuple[Marginals, Marginals]:
        """Draw `size` users at random, anew for each run and attribute."""
        counts = self.marginals_of(runs)
        chosen = draw_without_replacement(counts.reshape(-1, counts.shape[-1]), size, rng).reshape(counts.shape)
        return replace(self, counts=chosen), replace(self, counts=counts - chosen)

    def draw_one_attribute(self, runs: int, rng: np.random.Generator) -> Integers:
        """Count the users with each value of each attribute who drew it, (runs, d, K)."""
        return np.where(within(self.sizes), rng.binomial(self.marginals_of(runs), 1 / self.d), 0)

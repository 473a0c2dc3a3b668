"""SynA and SynB: synthetic records whose attributes copy each other (Corr-RR paper, Section 4.2.3).

On three points the text is silent or contradicts its own Table 2; they are explicit arguments here: the distribution
of the first attribute, the value of an attribute that does not copy, and who draws an attribute's parent in SynB. The
first attribute, random in the text, is number 0 here, which matters to Corr-RR if its p_y hangs on the order of a pair.
"""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import numpy as np

from corrldp.arrays import Floats, Integers

NonCopy = Literal["different", "any", "marginal"]
Parent = Literal["attribute", "user"]

# Each run keeps a table of all possible records; above this size, draw records instead.
LARGEST_DOMAIN = 200_000


@dataclass(frozen=True)
class CopyModel:
    """Attribute 0 has a given distribution; each later one copies an earlier one with probability rho.

    The `marginal` (k,) is the distribution of attribute 0. The `parents` are, for each later attribute, the earlier
    ones from which every user draws the one to copy; a single entry is the same for all users. What is drawn otherwise,
    `non_copy`, is uniformly a value other than the parent's ("different", as in the text), uniformly "any" value, or a
    value from the "marginal".
    """

    marginal: tuple[float, ...]
    rho: float
    parents: tuple[tuple[int, ...], ...]
    non_copy: NonCopy

    @property
    def sizes(self) -> tuple[int, ...]:
        return (len(self.marginal),) * (len(self.parents) + 1)

    @property
    def transition(self) -> Floats:
        """Pr[child = v | parent = u], (k, k)."""
        k = len(self.marginal)
        fresh = {
            "different": (1 - np.eye(k)) / (k - 1),
            "any": np.full((k, k), 1 / k),
            "marginal": np.tile(self.marginal, (k, 1)),
        }
        return self.rho * np.eye(k) + (1 - self.rho) * fresh[self.non_copy]

    @cached_property
    def marginals(self) -> Floats:
        """Distributions (d, k) of the attributes."""
        found = [np.asarray(self.marginal)]
        for parents in self.parents:
            found.append(np.mean([found[parent] for parent in parents], axis=0) @ self.transition)
        return np.stack(found)

    @cached_property
    def law(self) -> Floats:
        """Joint distribution of a record, (k, ..., k); more than 200,000 possible records are a ValueError."""
        if np.prod(self.sizes, dtype=float) > LARGEST_DOMAIN:
            raise ValueError(f"sizes={self.sizes} allow more than {LARGEST_DOMAIN} records: draw records instead")
        law = np.asarray(self.marginal)
        for parents in self.parents:
            others = [[axis for axis in range(law.ndim) if axis != parent] for parent in parents]
            law = np.mean([law[..., None] * np.expand_dims(self.transition, axes) for axes in others], axis=0)
        return law

    def records(self, n: int, rng: np.random.Generator) -> Integers:
        """Draw the records (n, d) of `n` users."""
        columns = [rng.choice(len(self.marginal), size=n, p=self.marginal)]
        users = np.arange(n)
        for parents in self.parents:
            drawn = np.asarray(parents)[rng.integers(len(parents), size=n)]
            copied = np.stack(columns)[drawn, users]
            columns.append(np.where(rng.random(n) < self.rho, copied, self._fresh(copied, rng)))
        return np.column_stack(columns)

    def table(self, n: int, data_sets: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
        """Draw tables of `n` users at a cost independent of n: all records (k^d, d), and counts (data_sets, k^d)."""
        rows = np.indices(self.law.shape).reshape(self.law.ndim, -1).T
        return rows, rng.multinomial(n, self.law.ravel(), size=data_sets)

    def _fresh(self, parent: Integers, rng: np.random.Generator) -> Integers:
        """Draw the values (n,) of users who do not copy `parent` (n,)."""
        k = len(self.marginal)
        if self.non_copy == "marginal":
            return rng.choice(k, size=parent.size, p=self.marginal)
        if self.non_copy == "any":
            return rng.integers(k, size=parent.size)
        return (parent + rng.integers(1, k, size=parent.size)) % k


_model = cache(CopyModel)  # experiments draw many trees, few of which differ


def syn_a(d: int, rho: float, marginal: tuple[float, ...], non_copy: NonCopy) -> CopyModel:
    """SynA: all later attributes copy attribute 0."""
    return _model(marginal, rho, ((0,),) * (d - 1), non_copy)


def syn_b(
    d: int, rho: float, marginal: tuple[float, ...], non_copy: NonCopy, parent: Parent, rng: np.random.Generator
) -> CopyModel:
    """SynB: later attributes copy a random earlier one.

    With ``parent="attribute"`` each parent is drawn here, once for all users of a data set; with ``"user"`` every user
    draws a parent for each attribute, and `rng` is not used.
    """
    parents: tuple[tuple[int, ...], ...] = tuple(tuple(range(child)) for child in range(1, d))
    if parent == "attribute":
        parents = tuple((int(rng.integers(child)),) for child in range(1, d))
    return _model(marginal, rho, parents, non_copy)

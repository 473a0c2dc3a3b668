"""Operations of Algorithms 1 and 2 as printed, against their stated orders m^2 t^2 and m^2 t log t."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cmp_to_key
from itertools import permutations

import numpy as np

from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Swept


class Setting(BaseSetting):
    """Domain sizes of the attacked attribute (`m`) and of its neighbour (`t`)."""

    m: Swept[DomainSize]
    t: Swept[DomainSize]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the operations on random laws, counted rather than timed: divisions, comparisons, steps of the loop."""
    m, t = cell["m"], cell["t"]
    laws = cell.rng(m=m, t=t).dirichlet(np.ones(t), size=m)
    count = sum(2 * t + _comparisons(laws[x] / laws[y]) for x, y in permutations(range(m), 2))
    yield Measure("Algorithm 2", "operations", count)
    yield Measure("Algorithm 2", "operations_over_order", count / (m**2 * t * np.log2(t)))
    count = sum(_products(laws[x], laws[y]) for x, y in permutations(range(m), 2) for _ in range(t))
    yield Measure("Algorithm 1", "operations", count)
    yield Measure("Algorithm 1", "operations_over_order", count / (m**2 * t**2))


def _products(g: np.ndarray, h: np.ndarray) -> int:
    """Return the number of operations of line 7 of Algorithm 1: two inner products, a quotient and a comparison."""
    return g.size + h.size + 2


def _comparisons(ratios: np.ndarray) -> int:
    """Return the number of comparisons that sorting takes."""
    count = 0

    def compare(a: float, b: float) -> int:
        nonlocal count
        count += 1
        return (a < b) - (a > b)

    sorted(ratios.tolist(), key=cmp_to_key(compare))
    return count

"""How much the mean squared error falls from one correlation to another (Corr-RR preprint, Section 4.3.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from corrldp.experiments.corr_rr import accuracy
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import Point, Probability

AXES = accuracy.AXES


class Setting(accuracy.Setting):
    """Synthetic data; `changes` are the pairs of correlations to compare, in place of `rho`."""

    changes: tuple[tuple[Probability, Probability], ...]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every change at every other setting."""
        for rho_from, rho_to in self.changes:
            for point in super().points(choices):
                yield {"rho_from": rho_from, "rho_to": rho_to, **point}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the share mse(rho_to) / mse(rho_from) that is left of every mechanism's error, and its fall, 1 - share.

    The runs of different correlations are independent of each other, so the standard error follows by the delta method.
    """
    before, after = ([*cell.once(_errors, cell[end])] for end in ("rho_from", "rho_to"))
    for first, last in zip(before, after, strict=True):
        ratio = last.mean / first.mean
        se = ratio * np.hypot(first.se / first.mean, last.se / last.mean)
        theory = last.theory / first.theory
        yield Measure(first.mechanism, "mse_left", ratio, se, first.runs, theory)
        yield Measure(first.mechanism, "mse_fall", 1 - ratio, se, first.runs, 1 - theory)


def _errors(cell: Cell, rho: float) -> list[Measure]:
    point = {name: cell.point[name] for name in cell.point if name not in ("rho_from", "rho_to")}
    return [*accuracy.measure(cell.of({**point, "rho": rho}))]

"""How much lower the mean squared error of Corr-RR is than that of others (in the words of the Corr-RR preprint)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.corr_rr import accuracy
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure

AXES = accuracy.AXES
OWN = "Corr-RR"


class Setting(accuracy.Setting):
    """As for the mean squared error itself; `mechanisms` are Corr-RR and those with which it is compared."""


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield, for every other mechanism, the relative saving 1 - mse(Corr-RR) / mse, and how many times mse is larger.

    The runs of different mechanisms are independent of each other, so the standard errors follow by the delta method.
    """
    errors = {error.mechanism: error for error in accuracy.measure(cell)}
    own = errors.pop(OWN)
    for name, other in errors.items():
        share = own.mean / other.mean
        relative = np.hypot(own.se / own.mean, other.se / other.mean)
        yield Measure(name, "saving", 1 - share, share * relative, own.runs)
        yield Measure(name, "times", 1 / share, relative / share, own.runs)

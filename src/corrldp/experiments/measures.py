"""Measures: the numbers that a cell of an experiment yields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.metrics import mean_and_se


@dataclass(frozen=True)
class Measure:
    """One number of a result table, exact unless `runs` says otherwise.

    Parameters
    ----------
    mechanism, metric : str
        What was measured, and of which mechanism. Planning reads these names, and the keys of `place`, from the code:
        those that come from data are written as f-strings.
    mean : float
        The number; of a simulation, the mean over the runs.
    se : float
        Monte-Carlo standard error of `mean`.
    runs : int
        Number of runs; 0 marks an exact number.
    theory : float
        Closed form of the expectation, NaN if there is none.
    place : mapping
        Setting columns beyond those of the point.
    """

    mechanism: str
    metric: str
    mean: float
    se: float = 0.0
    runs: int = 0
    theory: float = float("nan")
    place: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of_runs(
        cls,
        mechanism: str,
        metric: str,
        values: ArrayLike,
        theory: float = float("nan"),
        place: Mapping[str, Any] | None = None,
    ) -> Measure:
        """Return the mean of one value per run, (runs,), with its standard error; a single value counts as exact."""
        values = np.asarray(values, dtype=float)
        if values.size == 1:
            return cls(mechanism, metric, float(values.item()), theory=theory, place=place or {})
        mean, se = mean_and_se(values)
        return cls(mechanism, metric, float(mean), float(se), values.size, theory, place or {})

    def row(self) -> dict[str, Any]:
        """Return the columns of the result table that a measure fills, without its place."""
        return {
            "mechanism": self.mechanism,
            "metric": self.metric,
            "mean": float(self.mean),
            "se": float(self.se),
            "runs": self.runs,
            "theory": float(self.theory),
        }

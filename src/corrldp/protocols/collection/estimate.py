"""Estimates that carry their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from corrldp.arrays import Floats


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimated frequencies with standard errors, both from reports alone.

    Parameters
    ----------
    frequencies : (d, K) or (k_1, ..., k_w)
        Frequencies of each value of each attribute, NaN beyond a domain, or of each cell of a joint table. They are
        not post-processed, so they may lie outside [0, 1].
    standard_errors : as `frequencies`
        Root of the estimated mean squared error. Infinite if nothing was reported, NaN if the error is unknown.
    n : int
        Number of reports.
    """

    frequencies: Floats
    standard_errors: Floats
    n: int

    def interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """Lower and upper ends, each as `frequencies` and in [0, 1], of intervals that cover with probability `level`.

        The normal approximation holds for each frequency alone, with some hundreds of reports or more.

        Raises
        ------
        ValueError
            The level is not between 0 and 1.
        """
        if not 0 < level < 1:
            raise ValueError(f"level={level} must lie between 0 and 1, as 0.95 does")
        reach = float(ndtri((1 + level) / 2)) * self.standard_errors
        lower, upper = self.frequencies - reach, self.frequencies + reach
        return np.clip(lower, 0, 1), np.clip(upper, 0, 1)

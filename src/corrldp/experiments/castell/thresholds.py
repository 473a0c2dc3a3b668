"""Thresholds between RR-Ind-Joint and RR-Independent by the printed bounds (Table III and Appendix C)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import row
from corrldp.protocols.castell.bounds import largest_w, smallest_epsilon, smallest_n


def run(experiment: Experiment) -> pd.DataFrame:
    """Return n*, epsilon* and w* of Appendix C for the largest domain size d and n users; all rows are exact.

    The number of attributes and the epsilon behind Table III are readings. A threshold that the formula does not
    define (a logarithm of a negative number) has no row.
    """
    rows: list[dict[str, Any]] = []
    d, n = experiment.setting["d"], experiment.setting["n"]
    for reading in experiment.all_readings():
        _, axes = reading
        w, epsilon = axes["ways"], axes["epsilon"]
        levels = {
            "n_star": smallest_n(d, w, epsilon),
            "epsilon_star": smallest_epsilon(d, w, n),
            "w_star": largest_w(d, n),
        }
        for name, value in levels.items():
            if value == value:
                rows.append(row({"d": d, "n": n}, reading, "hybrid", name, value))
    return pd.DataFrame(rows)


if __name__ == "__main__":
    main(run)

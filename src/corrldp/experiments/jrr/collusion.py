"""Theorem 2 of the JRR paper over small groups: the claimed epsilon, the exact one and the enumerated one."""

from __future__ import annotations

import itertools

import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row
from corrldp.protocols.jrr.enumeration import LARGEST_N, truth_log_odds
from corrldp.protocols.jrr.law import TruthLaw, lowest_correlation
from corrldp.protocols.jrr.privacy import claimed_epsilon, exact_epsilon


def run(experiment: Experiment) -> pd.DataFrame:
    """Return Eq. 20 and the exact epsilon for every p, share of the smallest rho, n and number of colluders.

    Where the group is small enough, the exact epsilon has the one by listing all pairings as its `theory`.
    """
    setting = experiment.setting
    rows = []
    for p, share, n in itertools.product(setting["p"], setting["rho_share"], setting["n"]):
        rho = share * lowest_correlation(p)
        for m in range(n):
            point = {"p": p, "rho_share": share, "rho": rho, "n": n, "colluders": m}
            rows.append(row(point, STRICT, "JRR", "epsilon_claimed", claimed_epsilon(p, rho, n, m)))
            enumerated = enumerate_epsilon(p, rho, n, m) if n <= setting["enumerate_up_to"] else float("nan")
            exact = exact_epsilon(p, rho, n, m)
            rows.append(row(point, STRICT, "JRR", "epsilon_exact", exact, theory=enumerated))
    return pd.DataFrame(rows)


def enumerate_epsilon(p: float, rho: float, n: int, m: int) -> float:
    """Return the exact epsilon by listing all pairings of n <= 10 users and all truthfulness of m colluders."""
    if n > LARGEST_N:
        raise ValueError(f"n={n} users cannot be enumerated; take at most {LARGEST_N}")
    law = TruthLaw(p, rho)
    patterns = [(1,) * truthful + (0,) * (m - truthful) for truthful in range(m + 1)]
    odds = (truth_log_odds(law, pattern, n) for pattern in patterns)
    return max(abs(value) for value in odds if value == value)


if __name__ == "__main__":
    main(run)

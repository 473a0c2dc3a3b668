"""Theorem 2 of the JRR paper over small groups: the claimed epsilon, the exact one and the enumerated one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from annotated_types import Ge, Le

from corrldp.experiments.engine import Cell
from corrldp.experiments.jrr.population import Truthfulness
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Point, Probability, Swept, Users
from corrldp.protocols.jrr.enumeration import LARGEST_N, truth_log_odds
from corrldp.protocols.jrr.law import TruthLaw, lowest_correlation
from corrldp.protocols.jrr.privacy import claimed_epsilon, exact_epsilon


class Setting(BaseSetting):
    """Probabilities of the truth, shares of the smallest rho, and sizes, enumerated up to `enumerate_up_to`."""

    p: Swept[Truthfulness]
    rho_share: Swept[Probability]
    n: Swept[Users]
    enumerate_up_to: Annotated[int, Ge(0), Le(LARGEST_N)]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every p, rho and n with every number of colluders."""
        for point in super().points(choices):
            p, share, n = point.values()
            for m in range(n):
                yield {"p": p, "rho_share": share, "rho": share * lowest_correlation(p), "n": n, "colluders": m}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield Eq. 20 and the exact epsilon, whose `theory`, for small groups, comes from listing all pairings."""
    p, rho, n, m = (cell[name] for name in ("p", "rho", "n", "colluders"))
    enumerated = enumerate_epsilon(p, rho, n, m) if n <= cell.setting.enumerate_up_to else float("nan")
    yield Measure("JRR", "epsilon_claimed", claimed_epsilon(p, rho, n, m))
    yield Measure("JRR", "epsilon_exact", exact_epsilon(p, rho, n, m), theory=enumerated)


def enumerate_epsilon(p: float, rho: float, n: int, m: int) -> float:
    """Return the exact epsilon by listing all pairings of n <= 10 users and all truthfulness of m colluders."""
    if n > LARGEST_N:
        raise ValueError(f"n={n} users cannot be enumerated; take at most {LARGEST_N}")
    law = TruthLaw(p, rho)
    patterns = [(1,) * truthful + (0,) * (m - truthful) for truthful in range(m + 1)]
    odds = (truth_log_odds(law, pattern, n) for pattern in patterns)
    return max(abs(value) for value in odds if value == value)

"""Thresholds between RR-Ind-Joint and RR-Independent by the printed bounds (Table III and Appendix C)."""

from __future__ import annotations

import math
from collections.abc import Iterator

from corrldp.experiments.axes import Axis, Number, by_name
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Swept, Users
from corrldp.protocols.castell.schemes import largest_w, smallest_epsilon, smallest_n

AXES = by_name(
    Axis(
        "ways",
        {"w_star": "thresholds for w* attributes, the threshold of the same table"},
        Number(1, 20, "thresholds for {} attributes", "attributes", whole=True),
        default=2,
    ),
    Axis("epsilon", number=Number(0.001, 100, "epsilon = {:g} in the thresholds", "nats"), default=4),
)


class Setting(BaseSetting):
    """Largest domain sizes d and numbers n of users."""

    d: Swept[DomainSize]
    n: Swept[Users]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield n*, epsilon* and w* of Appendix C.

    A threshold that the formula does not define (a logarithm of a negative number) is left out.
    """
    d, n = cell["d"], cell["n"]
    w_star = largest_w(d, n)
    w = w_star if cell["ways"] == "w_star" else cell["ways"]
    levels = {
        "n_star": smallest_n(d, w, cell["epsilon"]),
        "epsilon_star": smallest_epsilon(d, w, n),
        "w_star": w_star,
    }
    for name, value in levels.items():
        if not math.isnan(value):
            yield Measure("hybrid", name, value)

"""Find the readings that published tables and curves fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from corrldp.results import STRICT


@dataclass(frozen=True)
class Fit:
    """The fit of a reading: number of tables it fits, of those no earlier reading fits, and share of cells inside."""

    reading: str
    fitting: int
    gained: int
    inside: float


def fits(compared: list[dict[str, Any]]) -> tuple[Fit, list[Fit], int]:
    """Find the fit of the strict reading, the fewest readings that fit most tables, and how many tables fit none.

    `compared` holds verdict records of kind `cells`. The readings are chosen greedily, each to fit as many of the
    remaining tables as possible; ties go to the strict reading, then to the one with most cells inside their interval.
    """
    readings = list(dict.fromkeys(item["reading"] for record in compared for item in record["evidence"]))
    fitting: dict[str, set[int]] = {reading: set() for reading in readings}
    cells = {reading: np.zeros(2) for reading in readings}
    for number, record in enumerate(compared):
        for item in record["evidence"]:
            cells[item["reading"]] += item["estimate"] * item["rows"], item["rows"]
            if item["holds"]:
                fitting[item["reading"]].add(number)
    inside = {reading: float(within / total) for reading, (within, total) in cells.items()}
    chosen, remaining = [], set().union(*fitting.values())
    none = len(compared) - len(remaining)
    while remaining:
        best = max(
            readings, key=lambda reading: (len(fitting[reading] & remaining), reading == STRICT, inside[reading])
        )
        chosen.append(Fit(best, len(fitting[best]), len(fitting[best] & remaining), inside[best]))
        remaining -= fitting[best]
    return Fit(STRICT, len(fitting[STRICT]), len(fitting[STRICT]), inside[STRICT]), chosen, none

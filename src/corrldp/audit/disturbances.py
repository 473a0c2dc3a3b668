"""Could a check fail? The table of a claim that holds is disturbed and judged again.

A check that holds whatever the numbers are is no evidence.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from corrldp.audit.cases import Case, Meaning, tests_of
from corrldp.audit.evidence import Claim, Levels
from corrldp.audit.quantities import variable
from corrldp.digits import Printed
from corrldp.expressions import names_in
from corrldp.results import STRICT, axes_of

FACTORS = (1.5, 0.5, 4.0, 0.25, -1.0)
"""By how much numbers are moved."""

PAIRS = 12
"""Pairs of mechanisms that are swapped, at most."""


def can_fail(case: Case, published_dir: Path, levels: Levels) -> bool:
    """Return whether some disturbance of the numbers behind a claim that holds makes its check no longer hold."""
    first = case.meanings[0]
    if first.rows is None:
        claims = _moved_prints(first.claim)
        return any(not _holds(replace(first, claim=claim), published_dir, levels) for claim in claims)
    strict = first.rows[first.rows["reading"] == STRICT]
    claim = {name: field for name, field in first.claim.items() if name != "lacking"}
    disturbed = _disturbed(claim, strict)
    return any(not _holds(Meaning("", claim, rows), published_dir, levels) for rows in disturbed)


def _holds(meaning: Meaning, published_dir: Path, levels: Levels) -> bool:
    try:
        return bool(tests_of((meaning,), published_dir)[STRICT](levels).holds)
    except ValueError:
        return True  # the disturbed table cannot be judged, which shows nothing


def _disturbed(claim: Claim, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield disturbed tables, those first that the kind of check should notice."""
    orders = {"ordering": (_swapped, _moved, _reversed, _one_moved), "monotone": (_reversed, _one_moved)}
    for disturb in orders.get(claim["kind"], (_one_moved, _moved, _reversed, _swapped)):
        yield from disturb(claim, rows)


def _moved(claim: Claim, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Move all numbers of one metric of one mechanism."""
    for factor in FACTORS:
        for chosen in _series(claim, rows):
            yield _times(claim, rows, chosen, factor)


def _one_moved(claim: Claim, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Move the first and the last number of one metric of one mechanism."""
    for factor in FACTORS:
        for chosen in _series(claim, rows):
            for place in (chosen[:1], chosen[-1:]):
                yield _times(claim, rows, place, factor)


def _swapped(claim: Claim, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Exchange the names of two mechanisms that the claim compares."""
    mechanisms = rows.loc[np.concatenate(_series(claim, rows)), "mechanism"].unique()
    for one, other in list(combinations(mechanisms, 2))[:PAIRS]:
        yield rows.assign(mechanism=rows["mechanism"].replace({one: other, other: one}))


def _reversed(claim: Claim, rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Reverse the order of the values of a setting."""
    settings, _ = axes_of(rows)
    for name in [claim["along"]] if "along" in claim else settings:
        values = sorted(rows[name].dropna().unique(), key=lambda value: (str(type(value)), value))
        if len(values) > 1:
            yield rows.assign(**{name: rows[name].map(dict(zip(values, reversed(values), strict=True)))})


def _series(claim: Claim, rows: pd.DataFrame) -> list[np.ndarray]:
    """Return the index labels of each metric of each mechanism that the claim's expressions name, or of all."""
    sides = [claim[side] for side in ("quantity", "against") if isinstance(claim.get(side), str)]
    known = {name for side in sides for name in names_in(side)}
    groups = {
        variable(str(metric), str(mechanism)): group.index.to_numpy()
        for (metric, mechanism), group in rows.groupby(["metric", "mechanism"], sort=False)
    }
    return [labels for name, labels in groups.items() if name in known] or list(groups.values())


def _times(claim: Claim, rows: pd.DataFrame, chosen: np.ndarray, factor: float) -> pd.DataFrame:
    """Multiply chosen numbers; if the claim is that simulation and closed form agree, only the simulated ones."""
    moved = rows.copy()
    mean = rows.loc[chosen, "mean"]
    # A number of 0 is moved as well, to either side.
    moved.loc[chosen, "mean"] = mean * factor + np.where(mean == 0, factor - 1, 0.0)
    if claim["kind"] != "agreement":
        moved.loc[chosen, "theory"] *= factor
    return moved


def _moved_prints(claim: Claim) -> Iterator[Claim]:
    """Yield a claim about printed numbers with each of them moved."""
    for name, printed in claim["printed"].items():
        number = Printed.read(printed).value if isinstance(printed, str) else printed
        for factor in FACTORS:
            yield {**claim, "printed": {**claim["printed"], name: number * factor + (number == 0)}}

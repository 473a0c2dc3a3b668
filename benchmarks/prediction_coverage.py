"""How many printed numbers lie inside their predicted 95 % intervals, in sample and out of sample.

Run by hand on the result tables of a run: `PYTHONPATH=src python benchmarks/prediction_coverage.py results` prints the
table of docs/benchmarks.md.

Out of sample, an exhibit is treated as if it had never been digitised: its readings and its number of runs are inferred
from the exhibits that share its settings.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from tabulate import tabulate

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.standing import Material, Standing, agree, readings_of
from claimaudit.audit.predictions import predict_exhibit
from claimaudit.digits import interval
from claimaudit.expressions import select
from claimaudit.papers import validation
from claimaudit.papers.folder import Folder
from claimaudit.papers.jobs import PaperExhibit, ShownRows
from claimaudit.published import read_files
from claimaudit.results import STRICT, read, read_record

ROOT = Path(__file__).parent.parent
IN, OUT = "in", "out"
LEAST = 1e-300

Predicted = dict[str, ShownRows]
Row = dict[str, Any]


@dataclass(frozen=True)
class Coverage:
    """Which printed numbers of an exhibit lie inside their predicted intervals.

    Attributes
    ----------
    numbers
        The printed numbers.
    inside
        A row per printed number, a column per reading.
    source
        What says which readings stand, as in `claimaudit.audit.fitting.standing.Standing`.
    standing
        The readings that stand, the best first; the strict one alone if nothing says what was run.
    """

    numbers: pd.DataFrame
    inside: pd.DataFrame
    source: str
    standing: tuple[str, ...]

    def of(self, *readings: str) -> int:
        """Return how many numbers are inside the interval of at least one of the readings."""
        return int(self.inside[list(readings)].any(axis=1).sum())


def load(paper: str, results: Path) -> tuple[Material, Predicted, Collection[str]]:
    """Return what is known of a paper, what predictions need to know of it, and the names of its figures."""
    configured = validation.load(Folder(ROOT / "papers" / paper))
    experiments = {exhibit.experiment for exhibit in configured.judged.values()}
    tables = {name: results / paper / f"{name}.csv" for name in sorted(experiments)}
    found = {name: Result(read(path), tuple(read_record(path)["standin"])) for name, path in tables.items()}
    material = Material(configured.outline(), found, read_files((ROOT / "papers" / paper / "published").glob("*.csv")))
    return material, configured.predicted(), set(configured.figures)


def without(material: Material, name: str) -> Material:
    """Return the evidence as if an exhibit, and others that show some of its numbers, had never been digitised."""
    mine = _places(material, name)
    exhibits = tuple(
        replace(item, published=None) if item.published and mine & _places(material, item.name) else item
        for item in material.outline.exhibits
    )
    return replace(material, outline=replace(material.outline, exhibits=exhibits))


def file_of(exhibit: PaperExhibit) -> str:
    """Return the name of the file of an exhibit's printed numbers, whether or not they tell what was run."""
    return exhibit.published or exhibit.name


def _places(material: Material, name: str) -> set[tuple[str, int]]:
    """Return the files and rows of the printed numbers of an exhibit."""
    (exhibit,) = [item for item in material.outline.exhibits if item.name == name]
    if exhibit.published is None:
        return set()
    numbers = select(material.published[exhibit.published], exhibit.rows)
    return {(exhibit.published, row) for row in numbers.index}


def coverage(material: Material, predicted: Predicted, name: str) -> Iterator[tuple[str, Coverage]]:
    """Yield the coverage of one exhibit in sample and, if the numbers of another tell what was run, out of sample."""
    item = material.standing[name]
    numbers = select(material.published[file_of(item.exhibit)], item.exhibit.rows)
    numbers = numbers.reset_index(drop=True)
    for sample, known in ((IN, material), (OUT, without(material, name))):
        fits = {other: stands.fit for other, stands in known.standing.items() if stands.fit is not None}
        explained = {other for other in fits if known.standing[other].record.source == "own"}
        if sample == OUT and not explained & _neighbours(material, name):
            return
        stands = known.standing[name]
        predictions = predict_exhibit(
            stands,
            material.tables[item.exhibit.experiment],
            replace(predicted[name], drawn=None),
            known.runs.get(name, RunsRatio()),
        )
        found = (ranked(stands, known) if stands.evidence else ()) or (STRICT,)
        inside = _inside(numbers if sample == OUT else numbers.assign(unit=0.0), predictions)
        yield sample, Coverage(numbers, inside, stands.record.source, found)


def ranked(stands: Standing, material: Material) -> tuple[str, ...]:
    """Return standing readings, the best first: by their own numbers, else by those of the exhibits beside.

    Without numbers of its own, a reading has the product of the largest p-values of the readings of other exhibits that
    agree with it in what they share.
    """
    if stands.fit is not None:
        return stands.readings
    values = readings_of(material.tables[stands.exhibit.experiment])
    total = dict.fromkeys(stands.readings, 0.0)
    for other in _neighbours(material, stands.exhibit.name):
        item = material.standing.get(other)
        if item is None or item.fit is None:
            continue
        axes = material.pools.variables.axes_between(stands.exhibit.name, other)
        theirs = readings_of(material.tables[item.exhibit.experiment])
        for reading in total:
            agreeing = [item.fit.p_values[name] for name, them in theirs.items() if agree(them, values[reading], axes)]
            total[reading] += np.log(max([LEAST, *agreeing]))
    return tuple(sorted(stands.readings, key=lambda reading: -total[reading]))


def _neighbours(material: Material, name: str) -> set[str]:
    """Return the names of the exhibits that share anything with one."""
    return {other for group in material.outline.shared if name in group.exhibits for other in group.exhibits} - {name}


def _inside(numbers: pd.DataFrame, predictions: pd.DataFrame) -> pd.DataFrame:
    """Return whether each printed number is inside its interval, for every reading; one without interval is not.

    A number with a ``unit`` is inside if one that prints like it is: the interval of a number that is not known to be
    printed does not allow for its digits.
    """
    keys = [column for column in numbers if column in predictions and column not in ("value", "unit", "runs")]
    shown = predictions.merge(numbers[keys].drop_duplicates(), on=keys)
    inside = {}
    for reading, frame in shown.groupby("reading", sort=False):
        paired = numbers[[*keys, "value", "unit"]].merge(
            frame[[*keys, "low", "high"]], on=keys, how="left", validate="many_to_one"
        )
        lowest, highest = interval(paired["value"], paired["unit"])
        inside[reading] = (lowest <= paired["high"]) & (highest >= paired["low"])
    return pd.DataFrame(inside)


def rows_of(paper: str, results: Path) -> Iterator[Row]:
    """Yield a row of the table for each exhibit of a paper with printed numbers.

    An exhibit without predictions, such as one whose numbers are exact, has no row.
    """
    material, predicted, figures = load(paper, results)
    places = {item.name: _places(material, item.name) for item in material.outline.exhibits}
    for name, item in material.standing.items():
        if file_of(item.exhibit) not in material.published or name not in predicted:
            continue
        found = dict(coverage(material, predicted, name))
        if found[IN].inside.empty:
            continue
        part = bool(places[name]) and any(places[name] < others for others in places.values())
        row = {
            "exhibit": f"{paper} {name}{' (part)' if part else ''}",
            "figure": name in figures,
            "numbers": len(found[IN].numbers),
            "stated": found[IN].of(STRICT),
        }
        for sample, covered in found.items():
            row |= {
                f"readings {sample}": len(covered.standing) if covered.source in ("own", "inferred") else 0,
                f"any {sample}": covered.of(*covered.standing),
                f"best {sample}": covered.of(covered.standing[0]),
            }
        yield row


def totals(rows: list[Row]) -> list[Row]:
    """Return percentages by paper, over all figures, all others and everything; each number counts once."""
    whole = [row for row in rows if not row["exhibit"].endswith("(part)")]
    papers = dict.fromkeys(row["exhibit"].split()[0] for row in whole)
    groups = {f"{paper}, all": [row for row in whole if row["exhibit"].split()[0] == paper] for paper in papers}
    groups["all figures"] = [row for row in whole if row["figure"]]
    groups["all others"] = [row for row in whole if not row["figure"]]
    groups["all"] = whole
    return [_total(name, members) for name, members in groups.items()]


def _total(name: str, members: list[Row]) -> Row:
    row: Row = {"exhibit": name, "numbers": sum(member["numbers"] for member in members)}
    for column in ("stated", *(f"{kind} {sample}" for sample in (IN, OUT) for kind in ("any", "best"))):
        having = [member for member in members if column in member]
        if having:
            share = sum(member[column] for member in having) / sum(member["numbers"] for member in having)
            row[column] = f"{100 * share:.1f} %"
    return row


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path)
    results = parser.parse_args().results
    papers = sorted(path.parent.name for path in ROOT.glob("papers/*/published"))
    rows = [row for paper in papers for row in rows_of(paper, results)]
    table = pd.DataFrame([*rows, *totals(rows)]).drop(columns="figure")
    print(tabulate(table.astype(object).fillna("").to_dict("records"), headers="keys", tablefmt="github"))


if __name__ == "__main__":
    main()

"""A plan as a page: one file that needs no network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimaudit.report.markup import environment
from claimaudit.report.sheets import Cell, Column, Sheet
from claimaudit.results import write_bytes
from corrldp.deployment.plan import Plan
from corrldp.deployment.plan_command import (
    HEADS,
    HEADS_OF_ATTRIBUTES,
    best_of,
    cells,
    cells_of_attribute,
    left_out,
    meanings,
    question,
)
from corrldp.study.collecting import notice


@dataclass(frozen=True)
class PlanTable:
    """A table of the page."""

    id: str
    title: str
    numbers: Sheet


def write(found: Plan, path: Path) -> None:
    """Write the page of a plan."""
    write_bytes(path, render(found).encode())


def render(found: Plan) -> str:
    """Return the page; the same plan always yields the same bytes."""
    best, protocol = found.options[0], best_of(found)
    names = [f"attribute {one.attribute}" for one in best.attributes]
    sheets = [
        PlanTable("protocols", "Protocols, the best first", _sheet(HEADS, map(cells, found.options))),
        PlanTable(
            "attributes",
            f"{best.protocol}, by attribute",
            _sheet(HEADS_OF_ATTRIBUTES, map(cells_of_attribute, best.attributes)),
        ),
    ]
    return (
        environment("corrldp.study")
        .get_template("plan.html")
        .render(
            title="A plan",
            question=question(found),
            best=best,
            answer=dict(zip(HEADS, cells(best), strict=True)),
            meanings=meanings(found),
            sheets=sheets,
            left_out=left_out(found),
            protocol=protocol.to_json(),
            notice=notice(protocol, names),
        )
    )


def _sheet(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Sheet:
    columns = [Column(head, head, number > 0) for number, head in enumerate(heads)]
    return Sheet(columns, [[Cell(text, text) for text in row] for row in rows])

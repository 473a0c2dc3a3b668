"""The page of a study: answers first, then figures and tables, in one file that needs no network."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corrldp.plots.layers import Drawing
from corrldp.report import svg
from corrldp.report.markup import data_tables, environment, pack
from corrldp.report.sheets import Sheet, from_csv
from corrldp.results import write_bytes
from corrldp.study.figures import figures
from corrldp.study.names import ABOUT
from corrldp.study.output import Tables, read_tables
from corrldp.study.privacy import of_broken, of_unknown
from corrldp.study.sheets import ShownTable, shown
from corrldp.study.words import MEASURES, answers, attacked, lede, nats, of_domains, rare
from corrldp.words.numbers import number

SECTIONS = {
    "answers": "Answers",
    "protocol": "Which protocol",
    "error": "How large is the error",
    "joint": "Tables of several columns",
    "leakage": "What leaks",
    "budget": "Which budget",
    "dependence": "Dependence",
    "privacy": "Exact privacy",
    "data": "Data",
}


@dataclass(frozen=True)
class Shown:
    """A figure on the page; `theory` says whether it shows closed forms, which a reader may hide."""

    id: str
    name: str
    section: str
    title: str
    caption: str
    markup: str
    drawing: Drawing
    numbers: Sheet
    theory: bool


def write(directory: Path) -> Path:
    """Draw the figures and write the page of the tables in a directory; return the page.

    Raises
    ------
    ValueError
        A table in the directory is not the one that was written.
    """
    tables, about = read_tables(directory)
    drawn = []
    for figure in figures(tables, about):
        contents = figure.drawn()
        for suffix, content in contents.items():
            write_bytes(directory / "figures" / f"{figure.name}.{suffix}", content)
        own = f"figure-{figure.name}"
        markup = svg.inline(contents["svg"].decode(), f"svg-{figure.name}", figure.title)
        drawing = Drawing.from_json(contents["json"].decode())
        numbers = from_csv(contents["csv"].decode(), figure.style.get("labels"))
        theory = bool(figure.rows["theory"].notna().any())
        named = (own, figure.name, figure.section, figure.title, figure.caption)
        drawn.append(Shown(*named, markup, drawing, numbers, theory))
    path = directory / "index.html"
    write_bytes(path, render(tables, about, drawn).encode())
    return path


def render(tables: Tables, about: dict[str, Any], drawn: list[Shown]) -> str:
    """Return the page; the same tables and drawings always yield the same bytes."""
    sheets = shown(tables, about)
    items: list[Shown | ShownTable] = [*drawn, *sheets]
    numbers = {
        "sheets": {item.id: item.numbers.packed() for item in items},
        "points": {item.id: item.drawing.values for item in drawn},
    }
    present = {item.section for item in items} | {"answers", "data"}
    return (
        environment()
        .get_template("study.html")
        .render(
            title=f"A study of {about['facts']['file'] or 'a table'}",
            lede=lede(about),
            about=about,
            answers=answers(tables, about),
            warnings={
                "A protocol is over its budget.": of_broken(tables["privacy"]),
                "Nobody knows how private a protocol is.": of_unknown(tables["privacy"]),
                "Domains were taken from the data.": of_domains(about["facts"]),
            },
            attacked=attacked(about),
            limit=nats(about["settings"]["leakage_limit"]),
            factor=number(math.exp(about["settings"]["leakage_limit"])),
            figures=drawn,
            sheets=sheets,
            sections=[(name, heading) for name, heading in SECTIONS.items() if name in present],
            measures=MEASURES,
            rare=rare(tables, about),
            packed=pack(json.dumps(numbers)),
            library=data_tables(),
        )
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: `DIRECTORY/study.json`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("about", type=Path, help=f"{ABOUT} beside the tables")
    arguments = parser.parse_args(argv)
    try:
        write(arguments.about.parent)
    except ValueError as error:
        sys.exit(f"study: {error}")


if __name__ == "__main__":
    main()

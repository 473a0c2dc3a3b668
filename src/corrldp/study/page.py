"""The page of a study: answers first, then figures and tables, in one file that needs no network."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from corrldp.plots.layers import Drawing
from corrldp.report import svg
from corrldp.report.rendering import pack, plain_environment
from corrldp.report.sheets import Sheet, from_csv
from corrldp.results import write_bytes
from corrldp.study.answers import answers, nats
from corrldp.study.figures import figures
from corrldp.study.names import ABOUT
from corrldp.study.notices import of_domains
from corrldp.study.output import Tables, read_tables
from corrldp.study.privacy import of_broken, of_unknown
from corrldp.study.sheets import ShownTable, shown
from corrldp.study.words import MEASURES
from corrldp.words.numbers import listed, number, plural

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
FEW_PER_RECORD = 0.1
"""Share of distinct records from which on whole records are too rare to say what they reveal."""


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
    environment = plain_environment()
    sheets = shown(tables, about)
    items: list[Shown | ShownTable] = [*drawn, *sheets]
    numbers = {
        "sheets": {item.id: item.numbers.packed() for item in items},
        "points": {item.id: item.drawing.values for item in drawn},
    }
    library = resources.files("itables").joinpath("html/dt_bundle.js").read_text(encoding="utf-8")
    present = {item.section for item in items} | {"answers", "data"}
    return environment.get_template("study.html").render(
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
        library=pack(library),
    )


def lede(about: dict[str, Any]) -> str:
    """Say what was studied in one sentence."""
    sensitive = about["settings"]["sensitive"]
    aside = f", and what they reveal about {listed(sensitive)}, which nobody reports" if sensitive else ""
    columns = plural(len(about["collected"]), "column")
    return f"{plural(about['n'], 'record')} of {columns} that users report under local differential privacy{aside}."


def attacked(about: dict[str, Any]) -> str:
    """Say which columns are attacked."""
    sensitive = about["settings"]["sensitive"]
    if sensitive:
        verb = "is" if len(sensitive) == 1 else "are"
        return f"{listed(sensitive)} {verb} not collected; an attacker learns about it from the reports on all others."
    return "No column is set as sensitive, so each in turn is attacked, through its own report and those on all others."


def rare(tables: Tables, about: dict[str, Any]) -> list[str]:
    """Return warnings about cells that are too rare to say what they reveal."""
    counts = tables["leakage"].groupby("column", sort=False)["rare"].max()
    warnings = [
        f"{plural(int(count), 'value')} of {column} occur{'s' * (count == 1)} in fewer than 30 records; what leaks "
        "about them rests on guesses."
        for column, count in counts.items()
        if count
    ]
    if about["distinct"] > FEW_PER_RECORD * about["n"]:
        warnings.append(
            f"{about['distinct']:,} of {about['n']:,} records differ, so that whole records say little about the "
            "population: the leakage through any protocol is that in this table, and in the population less."
        )
    return warnings


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

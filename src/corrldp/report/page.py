"""Assemble what the report says and render it as one HTML page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from corrldp.report import sheets, svg
from corrldp.report.inputs import Contents
from corrldp.report.markup import FILTERS, VERDICTS, Verdict, anchor
from corrldp.report.sheets import Sheet

STANDIN = "stand-in"
# What a reader should see first: the papers' own contradictions, then failures, then everything that has an "if".
URGENCY = ("self-contradictory", "not reproduced", "reproduced under another reading", "untested")


@dataclass(frozen=True)
class Claim:
    """One claim: its verdict record as the audit wrote it, and its evidence as a table.

    `shown_by` and `experiment` are ids on the page; `printed` are the paper's numbers when there are several.
    """

    record: dict[str, Any]
    verdict: Verdict
    evidence: Sheet
    id: str
    shown_by: str | None
    experiment: str | None
    printed: Any


@dataclass(frozen=True)
class Exhibit:
    """One figure or table: its configuration, the numbers, the drawing (figures only) and the claims about it."""

    name: str
    entry: dict[str, Any]
    id: str
    numbers: Sheet
    csv: str
    file: str
    drawing: Markup | None
    claims: list[Claim]
    experiment: str
    standin: bool


@dataclass(frozen=True)
class Experiment:
    """One experiment: the module that runs it, the readings of each axis, and the record of its result table."""

    name: str
    runner: str
    readings: dict[str, dict[str, Any]]
    id: str
    record: dict[str, Any]


@dataclass(frozen=True)
class Paper:
    """Everything about one paper; `pressing` are the claims that are not simply reproduced, the worst first."""

    name: str
    entry: dict[str, Any]
    counts: Counter[str]
    claims: list[Claim]
    pressing: list[Claim]
    figures: list[Exhibit]
    tables: list[Exhibit]
    experiments: list[Experiment]


def context(setting: dict[str, Any], contents: Contents) -> dict[str, Any]:
    """Return everything that the template shows, from the setting of the report and the contents of its files."""
    papers = [_paper(name, entry, contents) for name, entry in sorted(setting["papers"].items())]
    return {
        "papers": papers,
        "verdicts": list(VERDICTS.values()),
        "totals": sum((paper.counts for paper in papers), Counter()),
        "made_up": [record for record in contents.data if record["status"] == STANDIN],
        "affected": [
            (paper, experiment) for paper in papers for experiment in paper.experiments if experiment.record["standin"]
        ],
        "data": contents.data,
        "seed": setting["seed"],
        "level": setting["level"],
        "versions": setting["versions"],
        "runs_factor": setting.get("runs_factor", 1),
    }


def render(page: dict[str, Any]) -> str:
    """Return the HTML page of a `context`; the same context gives the same bytes."""
    environment = Environment(
        loader=PackageLoader("corrldp.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(FILTERS)
    return environment.get_template("page.html").render(page)


def _paper(name: str, entry: dict[str, Any], contents: Contents) -> Paper:
    claims = [_claim(name, entry, record) for record in contents.verdicts[name]]
    pressing = [claim for verdict in URGENCY for claim in claims if claim.verdict.name == verdict]
    return Paper(
        name=name,
        entry=entry,
        counts=Counter(claim.verdict.name for claim in claims),
        claims=claims,
        pressing=pressing,
        figures=[_exhibit("figure", name, figure, entry, claims, contents) for figure in entry["figures"]],
        tables=[_exhibit("table", name, table, entry, claims, contents) for table in entry["tables"]],
        experiments=[
            Experiment(
                name=experiment,
                runner=entry["experiments"][experiment]["runner"],
                readings=entry["experiments"][experiment].get("readings", {}),
                id=anchor("experiment", name, experiment),
                record=contents.records[name, experiment],
            )
            for experiment in entry["experiments"]
        ],
    )


def _claim(paper: str, entry: dict[str, Any], record: dict[str, Any]) -> Claim:
    shown, experiment = record["figure"], record["table"]
    kind = "figure" if shown in entry["figures"] else "table"
    return Claim(
        record=record,
        verdict=VERDICTS[record["verdict"]],
        evidence=sheets.of_evidence(record),
        id=anchor("claim", paper, record["id"]),
        shown_by=anchor(kind, paper, shown) if shown else None,
        experiment=anchor("experiment", paper, experiment) if experiment else None,
        printed=None if sheets.single_number(record["printed"]) else record["printed"],
    )


def _exhibit(
    kind: str, paper: str, name: str, entry: dict[str, Any], claims: list[Claim], contents: Contents
) -> Exhibit:
    """Return one exhibit; `kind` is ``figure`` or ``table``, `entry` the configuration of the whole paper."""
    key, own = (paper, name), anchor(kind, paper, name)
    part = entry[f"{kind}s"][name]
    drawing = None
    if kind == "figure":
        csv = contents.figure_tables[key]
        numbers = sheets.from_csv(csv, part.get("style", {}).get("labels"))
        drawing = Markup(svg.inline(contents.figures[key], anchor("svg", *key), part["title"]))
    else:
        csv = contents.tables[key]
        numbers = sheets.from_markdown(contents.tables_markdown[key])
    return Exhibit(
        name=name,
        entry=part,
        id=own,
        numbers=numbers,
        csv=csv,
        file=f"{paper}-{name}.csv",
        drawing=drawing,
        claims=[claim for claim in claims if claim.shown_by == own],
        experiment=anchor("experiment", paper, part["experiment"]),
        standin=bool(contents.records[paper, part["experiment"]]["standin"]),
    )

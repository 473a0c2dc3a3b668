"""The report's content, independent of format: papers with findings, claims, figures, tables and experiments."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from corrldp.report import sheets
from corrldp.report.findings import Findings, findings
from corrldp.report.inputs import Contents
from corrldp.report.markup import VERDICTS, Verdict, anchor
from corrldp.report.sheets import Sheet

STANDIN = "stand-in"
TITLE = "Local differential privacy for correlated data: a replication report"


@dataclass(frozen=True)
class Claim:
    """One claim: the audit's verdict record, and the evidence as a table.

    `shown_by` and `experiment` are ids on the page; `printed` holds the paper's numbers if there are several.
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
    """One figure or table: its configuration, its numbers and the claims about it.

    `svg` and `pdf` are the drawing of a figure; a table has neither.
    """

    name: str
    entry: dict[str, Any]
    id: str
    numbers: Sheet
    svg: str | None
    pdf: bytes | None
    claims: list[Claim]
    experiment: str
    standin: bool


@dataclass(frozen=True)
class Experiment:
    """One experiment: its runner, its axes and readings in words, and the record of its result table."""

    name: str
    runner: str
    axes: dict[str, dict[str, Any]]
    readings: dict[str, str]
    id: str
    record: dict[str, Any]


@dataclass(frozen=True)
class Paper:
    """Everything about one paper."""

    name: str
    entry: dict[str, Any]
    counts: Counter[str]
    findings: Findings
    claims: list[Claim]
    figures: list[Exhibit]
    tables: list[Exhibit]
    experiments: list[Experiment]


@dataclass(frozen=True)
class Document:
    """The whole report; `setting` has seed, family_level, runs_factor, versions, and the papers with a notebook."""

    papers: list[Paper]
    data: list[dict[str, Any]]
    setting: dict[str, Any]

    @property
    def totals(self) -> Counter[str]:
        """Number of claims by verdict, over all papers."""
        return sum((paper.counts for paper in self.papers), Counter())

    @property
    def made_up(self) -> list[dict[str, Any]]:
        """Records of the data sets replaced by stand-ins."""
        return [record for record in self.data if record["status"] == STANDIN]

    @property
    def affected(self) -> list[tuple[Paper, Experiment]]:
        """Experiments that rest on stand-in data."""
        return [
            (paper, experiment)
            for paper in self.papers
            for experiment in paper.experiments
            if experiment.record["standin"]
        ]


def assemble(setting: dict[str, Any], contents: Contents) -> Document:
    """Return the report of a setting that holds the configuration of each paper under `papers`."""
    papers = [_paper(name, entry, contents) for name, entry in sorted(setting["papers"].items())]
    return Document(papers, contents.data, setting)


def _paper(name: str, entry: dict[str, Any], contents: Contents) -> Paper:
    records = contents.verdicts[name]
    claims = [_claim(name, entry, record) for record in records]
    return Paper(
        name=name,
        entry=entry,
        counts=Counter(claim.verdict.name for claim in claims),
        findings=findings(records),
        claims=claims,
        figures=[_exhibit("figure", name, figure, entry, claims, contents) for figure in entry["figures"]],
        tables=[_exhibit("table", name, table, entry, claims, contents) for table in entry["tables"]],
        experiments=[
            Experiment(
                name=experiment,
                runner=entry["experiments"][experiment]["runner"],
                axes=entry["experiments"][experiment]["axes"],
                readings=entry["experiments"][experiment]["readings"],
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
    """Return one figure or table; `kind` is ``figure`` or ``table``, `entry` the configuration of the whole paper."""
    key, own = (paper, name), anchor(kind, paper, name)
    part = entry[f"{kind}s"][name]
    if kind == "figure":
        numbers = sheets.from_csv(contents.figure_tables[key], part.get("style", {}).get("labels"))
    else:
        numbers = sheets.from_table(contents.tables[key], contents.tables_markdown[key])
    return Exhibit(
        name=name,
        entry=part,
        id=own,
        numbers=numbers,
        svg=contents.figures.get(key) if kind == "figure" else None,
        pdf=contents.figure_pages.get(key) if kind == "figure" else None,
        claims=[claim for claim in claims if claim.shown_by == own],
        experiment=anchor("experiment", paper, part["experiment"]),
        standin=bool(contents.records[paper, part["experiment"]]["standin"]),
    )

"""What the report of a project is told beside its results."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal

from pydantic import Field

from claimaudit import yaml_files
from claimaudit.configuration import Entry, Place
from claimaudit.fingerprint import numeric_versions
from claimaudit.papers.paper import Paper
from claimaudit.report.about import About, Beside, GlossaryFile, Options, ReportJob, WaysFile, source_of_project
from claimaudit.report.sources import ReadView, ShownDataSet
from replication.data.registry import AnyDataset, Counts, DataFile, Registry, UserFile
from replication.run import USUAL_SECONDS

ABOUT = About(
    title="Local differential privacy for correlated data: a replication report",
    software="corrldp",
    judge_paper="snakemake --cores all PAPER",
    judge_claim="python workflow/claim.py PAPER/CLAIM",
    method=(
        "All simulations were run anew from the text and public data, at the level of the counts that an aggregator "
        "sees, which have the same distribution as if each user's report were drawn; what can be enumerated was "
        "computed exactly. No code of the authors was run."
    ),
    promises="corrldp",
    rates=("hidden", "referees"),
    costs="costs",
)

SEPARATORS = {",": "a comma", ", ": "a comma and a blank", ";": "a semicolon", " ": "a blank"}

RESULTS = ("cases", "cases_of_n", "cases_estimated", "cases_between")


Ranges = dict[str, tuple[float | None, float | None]]


class CasesFile(Entry):
    """config/cases.yaml: pages, and for two the claims they show, with the least and largest value of their cases."""

    pages: dict[Literal["jrr", "corr_rr", "versions", "example"], Beside]
    jrr: dict[str, Ranges] = Field(default={})
    corr_rr: dict[str, Ranges] = Field(default={})

    def named(self) -> Iterator[tuple[Place, str]]:
        """Yield the claims with their places in the file."""
        yield from (((page, name), name) for page, claims in self if page != "pages" for name in claims)


class Change(Entry):
    """What changed between two versions, in words that may quote numbers, and the claims of both.

    `moves` says in short by what factor the error changes, if it does for the same settings and data.
    """

    about: str
    kind: Literal["formula", "claim", "setting", "data"]
    changed: str
    error: str
    moves: str = ""
    preprint: tuple[str, ...]
    accepted: tuple[str, ...]


class VersionsFile(Entry):
    """versions.yaml in the folder of a preprint: the id of the accepted version, and the changes."""

    accepted: str
    changes: tuple[Change, ...]

    def named(self, preprint: str) -> Iterator[tuple[Place, str]]:
        """Yield the claims of both versions, of which `preprint` is the id of one, with their places in the file."""
        for number, change in enumerate(self.changes):
            for side, paper in (("preprint", preprint), ("accepted", self.accepted)):
                yield from ((("changes", number, side), f"{paper}/{claim}") for claim in getattr(change, side))


@dataclass(frozen=True)
class CaseJob:
    """A page by its name, and what its menu lists: all such pages by name, and papers, each with its short name."""

    name: str
    pages: dict[str, Beside]
    papers: tuple[tuple[str, str], ...]


def pages(root: Path, papers: Collection[str]) -> dict[str, Beside]:
    """Return the pages of a run of these papers."""
    known = yaml_files.load(root / "config/cases.yaml", CasesFile).pages
    return {name: page for name, page in known.items() if {*page.papers} <= {*papers}}


def told(root: Path, options: Options, registry: Registry, papers: Mapping[str, Paper]) -> ReportJob:
    """Return what the report of a project is told."""
    return ReportJob(
        about=ABOUT,
        versions=numeric_versions(),
        source=source_of_project(root),
        options=options,
        notebooks=tuple(name for name, paper in papers.items() if paper.folder.notebook.exists()),
        datasets={name: data_set(dataset) for name, dataset in registry.datasets.items()},
        views={name: _view(name, registry) for name in registry.views},
        glossary=yaml_files.load(root / "config/glossary.yaml", GlossaryFile),
        ways=yaml_files.load(root / "config/ways.yaml", WaysFile),
        beside=tuple(pages(root, papers).values()),
        takes={name: f"{USUAL_SECONDS[name]:.0f} s" for name in ("figure", "table")},
    )


def data_set(dataset: AnyDataset) -> ShownDataSet:
    """Return what a reader of the report needs to know of a data set, and to supply it."""
    same = {field.name for field in fields(ShownDataSet)}
    shown = ShownDataSet(**{name: fact for name, fact in dataset if name in same and fact is not None})
    if isinstance(dataset, Counts):
        return replace(shown, rows=dataset.n, ones=dataset.n1, supply="Nothing: no records are read.")
    if isinstance(dataset, UserFile):
        return shown
    ask = f"List {dataset.name} under optional_data in config/config.yaml. " if dataset.optional else ""
    return replace(
        shown,
        layout=_layout(dataset),
        supply=(
            f"{ask}If no address answers, put {dataset.file}, or {dataset.file}.gz, into a directory, name that under "
            "mirrors in config/config.yaml, and run snakemake --cores all."
        ),
        addresses=tuple(source.url for source in dataset.sources),
    )


def _layout(dataset: DataFile) -> str:
    columns, lines = len(dataset.columns), dataset.format.preamble
    first = "names of columns first" if "{columns}" in lines else f"lines before the records: {len(lines)}"
    separator = SEPARATORS[dataset.format.separator]
    return f"a record a line, {columns} {'column' if columns == 1 else f'columns separated by {separator}'}, {first}"


def _view(name: str, registry: Registry) -> ReadView:
    view, datasets = registry.views[name], registry.read_by(name)
    return ReadView(
        view.title,
        view.why,
        view.datasets,
        view.rows or sum(dataset.rows for dataset in datasets),
        len(datasets[0].attributes if view.attributes == "all" else view.attributes),
        view.drop,
    )

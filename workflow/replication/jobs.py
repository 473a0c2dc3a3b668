"""What the jobs of the workflow read and make: functions of the names that a rule has as wildcards.

All are pure functions of the planned project, so that they can be tested without Snakemake.
`replication.parameters` has their settings and fingerprints.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from claimaudit.names import ConfigurationError, known_names
from claimaudit.papers.paper import Paper
from replication.project import Project

PRODUCTS = {
    "experiments": ("results", ("csv", "json")),
    "figures": ("figures", ("csv", "json", "pdf", "png", "svg")),
    "tables": ("tables", ("csv", "json", "md")),
}
"""Where all files of an experiment, a figure and a table are, and their suffixes."""


MADE = "results/{paper}/made/{experiment}.csv"
"""What a command of a paper writes."""


@dataclass(frozen=True)
class Jobs:
    """The files of a project.

    Attributes
    ----------
    root
        The directory of the project. Its files are named relative to the working directory, because absolute inputs
        would be stale where the project moves.
    config
        The settings of a user, config/config.yaml.
    project
        The registry of data sets, and the papers.
    """

    root: Path
    config: Mapping[str, Any]
    project: Project

    @property
    def papers(self) -> Mapping[str, Paper]:
        """The papers by their ids."""
        return self.project.papers

    def of_project(self, path: str) -> str:
        """Return the path of a file of the project as seen from here."""
        return os.path.relpath(self.root / path)

    def folder(self, paper: str) -> str:
        """Return the path of the folder of a paper as seen from here."""
        return os.path.relpath(self.papers[paper].folder.path)

    def of_paper(self, paper: str, path: str) -> str:
        """Return the path of a file in the folder of a paper as seen from here."""
        return f"{self.folder(paper)}/{path}"

    def _present(self, paper: str, path: Path) -> list[str]:
        return [self.of_paper(paper, path.name)] if path.exists() else []

    def every(self, kind: str, pattern: str, papers: Iterable[str] | None = None) -> list[str]:
        """Return the files of all `experiments`, `figures` or `tables` of some papers; by default of all papers."""
        return [
            pattern.format(paper=paper, name=name)
            for paper in (self.papers if papers is None else papers)
            for name in self._named(paper, kind)
        ]

    def check(self, names: Mapping[str, str]) -> None:
        """Check the names in a requested file, by wildcard.

        Raises
        ------
        ConfigurationError
            There is no such figure, table, search, data set or view.
        """
        registry = self.project.registry
        known: dict[str, Collection[str]] = {"dataset": registry["datasets"], "view": registry["views"]}
        if "paper" in names:
            paper = self.papers[names["paper"]]
            known |= {"figure": paper.figures, "table": paper.tables, "exhibit": paper.searches()}
        for kind, name in names.items():
            if kind in known and name not in known[kind]:
                of_paper = f" of {names['paper']}" if "paper" in names else ""
                what = {"exhibit": "search for the readings", "dataset": "data set"}.get(kind, kind)
                raise ConfigurationError(f"no {what} {name!r}{of_paper}{known_names(name, known[kind])}")

    def _named(self, paper: str, kind: str) -> Iterable[str]:
        """Return the names of all `experiments`, `figures` or `tables` of a paper."""
        planned = self.papers[paper]
        names: dict[str, Iterable[str]] = {"figures": planned.figures, "tables": planned.tables}
        return names.get(kind, planned.entry.experiments)

    # Data

    @cached_property
    def datasets(self) -> list[str]:
        """The data sets to fetch: all that the papers read, but large ones only if the user names them."""
        registry = self.project.registry
        read = {name for view in self._read for name in registry["views"][view]["datasets"]}
        return [
            name
            for name, entry in registry["datasets"].items()
            if name in read
            and entry["kind"] == "file"
            and (not entry.get("optional") or name in self.config["optional_data"])
        ]

    @cached_property
    def views(self) -> list[str]:
        """The aligned views that the papers read and whose data sets are fetched."""
        views = self.project.registry["views"]
        return [name for name in views if name in self._read and set(views[name]["datasets"]) <= set(self.datasets)]

    @cached_property
    def _read(self) -> set[str]:
        """The views that the papers read, and those of data sets that the user names."""
        papers, named = self.papers.values(), self.config["optional_data"]
        asked = {
            name for name, view in self.project.registry["views"].items() if not {*named}.isdisjoint(view["datasets"])
        }
        return asked.union(
            view for paper in papers for name in paper.entry.experiments for view in paper.view_names(name)
        )

    @property
    def records_of_origin(self) -> list[str]:
        """Where each data set came from."""
        return [f"data/raw/{name}.json" for name in self.datasets]

    def aligned(self, views: Collection[str] | None = None) -> list[str]:
        """Return the files of some views, by default all; of those only whose data sets are fetched."""
        names = self.views if views is None else [view for view in views if view in self.views]
        return [f"data/aligned/{view}{suffix}" for view in names for suffix in (".npy", ".json")]

    def raw(self, view: str) -> dict[str, list[str]]:
        """Return the raw files behind a view, and their records."""
        names = self.project.registry["views"][view]["datasets"]
        return {
            "raw": [f"data/raw/{name}.data" for name in names],
            "records": [f"data/raw/{name}.json" for name in names],
        }

    # Experiments

    def views_of(self, paper: str, experiment: str) -> list[str]:
        """Return the views that an experiment reads; optional ones only if their data sets are fetched."""
        return self.aligned(self.papers[paper].view_names(experiment))

    def number_of_parts(self, paper: str, experiment: str) -> int:
        """Return the number of jobs that share the points of an experiment; 0 if one job computes them all."""
        planned = self.papers[paper]
        stated = planned.entry.experiments[experiment]
        if stated.runs and self.config["parts"] > 1:
            return max(stated.parts, min(self.config["parts"], planned.most_parts(experiment)))
        return stated.parts if stated.parts > 1 else 0

    def parts(self, paper: str, experiment: str) -> list[str]:
        """Return the files of an experiment's parts, in order."""
        count = self.number_of_parts(paper, experiment)
        return [f"results/{paper}/parts/{experiment}.{part}-of-{count}.json" for part in range(count)]

    @cached_property
    def results(self) -> dict[str, list[str]]:
        """Experiments as ``paper/name`` by the rule that makes their results, and under ``command`` what makes files.

        Those that read data are a rule of their own, which is not cached: the key of the cache covers how data are
        fetched, not the bytes obtained.
        """
        rules = ("experiment", "experiment_on_data", "join", "given", "command")
        found: dict[str, list[str]] = {rule: [] for rule in rules}
        for paper, planned in self.papers.items():
            for name, entry in planned.entry.experiments.items():
                if entry.command is not None:
                    found["command"].append(f"{paper}/{name}")
                if entry.runner is None:
                    found["given"].append(f"{paper}/{name}")
                    continue
                on_data = "experiment_on_data" if planned.view_names(name) else "experiment"
                found["join" if self.number_of_parts(paper, name) else on_data].append(f"{paper}/{name}")
        return found

    def files_of(self, paper: str, experiment: str) -> list[str]:
        """Return the files of a paper that an experiment reads: results that are given, or inputs of a command."""
        return [self.of_paper(paper, name) for name in self.papers[paper].files_of(experiment)]

    def given(self, paper: str, experiment: str) -> list[str]:
        """Return the file with the results of an experiment that has no runner."""
        entry = self.papers[paper].entry.experiments[experiment]
        return [MADE.format(paper=paper, experiment=experiment)] if entry.command else self.files_of(paper, experiment)

    # Figures, tables, audit

    def figure(self, paper: str, figure: str) -> dict[str, Any]:
        """Return the result table that a figure draws, and the printed numbers, if it has any."""
        planned = self.papers[paper]
        return {
            "table": f"results/{paper}/{planned.entry.experiment_of(figure)}.csv",
            "published": self.published(paper, planned.published(figure)),
        }

    def table(self, paper: str, table: str) -> dict[str, list[str]]:
        """Return the result tables that a table shows, the printed numbers, and what the audit says was run."""
        planned, shown = self.papers[paper], self.papers[paper].table(table)
        experiments = [shown["experiment"], *(exhibit["experiment"] for exhibit in shown["exhibits"].values())]
        return {
            "results": _tables(paper, experiments),
            "published": self.published(paper, planned.published(table)),
            "verdicts": [f"report/verdicts/{paper}.json"] if shown["exhibits"] else [],
        }

    def published(self, paper: str, names: Iterable[str] | None = None) -> list[str]:
        """Return the files of printed numbers of a paper, all or some."""
        found = self._published[paper] if names is None else names
        return [self.of_paper(paper, f"published/{name}.csv") for name in found]

    @cached_property
    def _published(self) -> dict[str, list[str]]:
        places = {name: paper.folder.published for name, paper in self.papers.items()}
        return {paper: sorted(path.stem for path in place.glob("*.csv")) for paper, place in places.items()}

    def search(self, paper: str, exhibit: str) -> dict[str, list[str]]:
        """Return what a search for the readings of an exhibit needs.

        The tables are those of the exhibits that share their number of runs with it.
        """
        planned = self.papers[paper]
        exhibits = planned.search(exhibit)["exhibits"].values()
        return {
            "published": self.published(paper),
            "tables": _tables(paper, (entry["experiment"] for entry in exhibits)),
            "views": self.views_of(paper, planned.entry.experiment_of(exhibit)),
        }

    def searches(self, papers: Iterable[str], suffix: str) -> list[str]:
        """Return the tables of tried readings of some papers, or their records."""
        return [f"results/{paper}/search/{name}{suffix}" for paper in papers for name in self.papers[paper].searches()]

    def audit(self, paper: str) -> dict[str, Any]:
        """Return what the verdicts on a paper rest on."""
        return {
            "claims": self._present(paper, self.papers[paper].folder.claims),
            "replies": self._present(paper, self.papers[paper].folder.replies),
            "published": self.published(paper),
            "tables": self.every("experiments", "results/{paper}/{name}.csv", [paper]),
            "searches": self.searches([paper], ".csv"),
        }

    def predicted(self, paper: str) -> dict[str, list[str]]:
        """Return the result tables of the experiments that repeat an exhibit, and the printed numbers."""
        exhibits = self.papers[paper].entry.judged.values()
        experiments = (str(exhibit.experiment) for exhibit in exhibits)
        return {"published": self.published(paper), "tables": _tables(paper, experiments)}

    # Report

    @cached_property
    def walkthroughs(self) -> list[str]:
        """The papers that have a notebook."""
        return [name for name, paper in self.papers.items() if paper.folder.notebook.exists()]

    def described(self, paper: str) -> str:
        """Return the file with the configuration of a paper."""
        return self.of_paper(paper, "paper.yaml")

    def notebook(self, paper: str) -> dict[str, Any]:
        """Return what a notebook reads."""
        return {
            "script": self.of_paper(paper, "notebook.py"),
            "tables": self.every("experiments", "results/{paper}/{name}.csv", [paper]),
            "published": self.published(paper),
            "verdicts": f"report/verdicts/{paper}.json",
        }

    def notebooks(self, papers: Collection[str]) -> list[str]:
        """Return the files of the notebooks of some papers."""
        return [
            f"report/notebooks/{name}.{suffix}"
            for name in self.walkthroughs
            if name in papers
            for suffix in ("html", "ipynb")
        ]

    def products(self, paper: str) -> list[str]:
        """Return all products of a paper but what the report says of it: results, figures, tables, verdicts, ..."""
        shown = [
            f"{place}/{paper}/{name}.{suffix}"
            for kind, (place, suffixes) in PRODUCTS.items()
            for name in self._named(paper, kind)
            for suffix in suffixes
        ]
        return [
            *shown,
            *self.searches([paper], ".csv"),
            *self.searches([paper], ".json"),
            f"report/verdicts/{paper}.json",
            f"report/predictions/{paper}.json",
            *self.notebooks([paper]),
        ]

    @property
    def pages(self) -> list[str]:
        """The pages of the report, the first of them first."""
        names = ("index", "data", "provenance", "method", "glossary", "ways", *self.papers)
        certificates = (f"certificate_{paper}" for paper in self.papers)
        return [f"report/{name}.html" for name in (*names, *certificates)]

    @property
    def printed(self) -> list[str]:
        """The report and its certificates as PDF files."""
        return ["report/report.pdf", *(f"report/certificate_{paper}.pdf" for paper in self.papers)]

    @property
    def report(self) -> list[str]:
        """All files that the report shows."""
        return [
            *(f"report/papers/{paper}.json" for paper in self.papers),
            *(f"report/verdicts/{paper}.json" for paper in self.papers),
            *(f"report/predictions/{paper}.csv" for paper in self.papers),
            *self.every("figures", "figures/{paper}/{name}.svg"),
            *self.every("figures", "figures/{paper}/{name}.csv"),
            *self.every("figures", "figures/{paper}/{name}.json"),
            *self.every("tables", "tables/{paper}/{name}.json"),
            *self.records_of_origin,
            *self.every("experiments", "results/{paper}/{name}.json"),
            self.of_project("config/conclusions.yaml"),
        ]

    @property
    def report_products(self) -> list[str]:
        """The files of the report that are for readers and for programs."""
        return [
            *self.pages,
            *self.printed,
            *(f"report/claims.{suffix}" for suffix in ("csv", "json", "txt")),
            "report/predictions.csv",
            *(f"report/verdicts/{paper}.json" for paper in self.papers),
            *self.notebooks(self.papers),
        ]

    @property
    def archive(self) -> dict[str, Any]:
        """The files of the report, and those that document their sources."""
        return {
            "parts": self.report_products,
            "citation": self.of_project("CITATION.cff"),
            "papers": [f"report/papers/{paper}.json" for paper in self.papers],
            "data": self.records_of_origin,
            "results": self.every("experiments", "results/{paper}/{name}.json"),
        }

    @property
    def everything(self) -> list[str]:
        """All products; a deleted one is made again."""
        papers = [name for paper in self.papers for name in self.products(paper)]
        found = [*self.report_products, "report/ro-crate-metadata.json", *self.aligned(), *papers]
        return list(dict.fromkeys(found))


def _tables(paper: str, experiments: Iterable[str]) -> list[str]:
    return [f"results/{paper}/{name}.csv" for name in dict.fromkeys(experiments)]

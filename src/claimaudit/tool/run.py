"""Audit a paper in one process: what the workflow does in jobs, without data sets, notebooks or metadata.

The files lie below a directory as those of the workflow do: ``results``, ``figures``, ``tables`` and ``report``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from claimaudit import results
from claimaudit.audit import summary
from claimaudit.audit.judging.files import judge_files
from claimaudit.audit.predictions import predict_files, to_csv
from claimaudit.audit.search import search_files
from claimaudit.experiments.engine import Experiment, join, run
from claimaudit.experiments.given import make, table_of
from claimaudit.fingerprint import numeric_versions
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.plots.draw import draw_files
from claimaudit.report import files
from claimaudit.report.about import About, source_of_folder
from claimaudit.report.table import table_files
from claimaudit.tool.folder import read
from claimaudit.verdicts import Verdicts, adapter, plain

LEVELS = {"level": 0.001, "family_level": 0.01}
"""Of a check, and of all checks of the paper together."""


@dataclass(frozen=True)
class Options:
    """What a user may set: the seed of runners, and their runs relative to the paper's number."""

    seed: int = 1
    runs_factor: float = 1.0


@dataclass(frozen=True)
class Audit:
    """The audit of one paper, with its files below `out`."""

    paper: Paper
    out: Path
    options: Options

    @property
    def id(self) -> str:
        """The paper's id."""
        return self.paper.folder.id

    def path(self, kind: str, name: str) -> Path:
        """Return the path of a product of the paper."""
        return self.out / kind / self.id / name

    def tables(self, experiments: Iterable[str] | None = None) -> list[Path]:
        """Return the result tables of some experiments, by default of all."""
        names = self.paper.entry.experiments if experiments is None else dict.fromkeys(experiments)
        return [self.path("results", f"{name}.csv") for name in names]

    def published(self, names: Iterable[str] | None = None) -> list[Path]:
        """Return the files of printed numbers, all or some."""
        place = self.paper.folder.published
        return sorted(place.glob("*.csv")) if names is None else [place / f"{name}.csv" for name in names]

    @cached_property
    def verdicts_file(self) -> Path:
        """Where the verdicts are."""
        return self.out / "report/verdicts" / f"{self.id}.json"

    def made(self) -> dict[str, Path]:
        """Run the commands of the paper, and return the files that they write, by experiment."""
        found = {}
        for name, entry in self.paper.entry.experiments.items():
            if entry.command is not None:
                found[name] = self.path("results", f"made/{name}.csv")
                make(entry.command, self.paper.folder.path, found[name])
        return found

    def compute(self, name: str, made: Path | None) -> None:
        """Write the result table of an experiment, with its record."""
        job, entry = self.paper.job(name), self.paper.entry.experiments[name]
        if entry.runner is None:
            table, record = table_of(job, made or self.paper.folder.path / str(entry.results))
        else:
            record = {**job, **self._sizes(name), "standin": []}
            experiment = Experiment.load(record, {})
            table = join(experiment, [run(experiment)])
        record["versions"] = numeric_versions()
        results.write(table, self.path("results", f"{name}.csv"), self.path("results", f"{name}.json"), record)

    def _sizes(self, name: str) -> dict[str, int]:
        """Return the seed and the number of runs of an experiment."""
        entry = self.paper.entry.experiments[name]
        factor = min(self.options.runs_factor, entry.most_runs or self.options.runs_factor)
        return {"seed": self.options.seed, "runs": max(2, round((entry.runs or 0) * factor))}

    def search(self) -> None:
        """Search the readings of the exhibits that ask for it."""
        for exhibit in self.paper.searches():
            setting = self.paper.search(exhibit)
            setting["job"] |= self._sizes(setting["job"]["experiment"])
            tables = self.tables(entry["experiment"] for entry in setting["exhibits"].values())
            found = search_files(setting, self.published(), tables)
            table = self.path("results", f"search/{exhibit}.csv")
            content = found.to_csv(index=False, lineterminator="\n").encode()
            record = setting | {"versions": numeric_versions()}
            results.write_recorded(content, table, table.with_suffix(".json"), record)

    def judge(self) -> Verdicts:
        """Judge the claims."""
        setting = {"paper": self.id, **LEVELS, "context": self.paper.context(), **self.paper.evidence()}
        searches = [self.path("results", f"search/{exhibit}.csv") for exhibit in self.paper.searches()]
        verdicts = judge_files(setting, self.paper.folder.claims, self.tables(), searches)
        content = plain(verdicts)
        adapter(Verdicts).validate_python(content)
        results.write_sealed(self.verdicts_file, content)
        return verdicts

    def draw(self) -> None:
        """Draw the figures."""
        for name, shown in self.paper.figures.items():
            texts, style = self.paper.texts(name), self.paper.style(name)
            setting = {"paper": self.id, "figure": name, "plot": shown.plot, **texts, "style": style}
            printed = next(iter(self.published(self.paper.published(name))), None)
            (table,) = self.tables([self.paper.entry.experiment_of(name)])
            contents = draw_files(setting, table, printed)
            self._write("figures", name, contents)

    def tabulate(self) -> None:
        """Lay out the tables."""
        for name in self.paper.tables:
            setting = {"paper": self.id, "table": name, **self.paper.table(name)}
            exhibits = setting["exhibits"].values()
            tables = self.tables([setting["experiment"], *(exhibit["experiment"] for exhibit in exhibits)])
            printed = self.published(self.paper.published(name))
            verdicts = self.verdicts_file if exhibits else None
            self._write("tables", name, table_files(setting, tables, printed, verdicts))

    def _write(self, kind: str, name: str, contents: dict[str, bytes]) -> None:
        for suffix, content in contents.items():
            results.write_bytes(self.path(kind, f"{name}.{suffix}"), content)

    def predict(self) -> None:
        """Predict the printed numbers."""
        setting = {"paper": self.id, "predicted": self.paper.predicted(), **self.paper.evidence()}
        found = to_csv(predict_files(setting, self.paper.folder.published, self.tables()))
        table = self.out / "report/predictions" / f"{self.id}.csv"
        results.write_recorded(found, table, table.with_suffix(".json"), setting)
        results.write_bytes(self.out / "report/predictions.csv", found)

    def report(self, verdicts: Verdicts) -> None:
        """Write the pages, the PDF files, and the verdicts as CSV and JSON."""
        report = self.out / "report"
        description = report / "papers" / f"{self.id}.json"
        here = os.path.relpath(self.paper.folder.path, self.out)
        results.write_sealed(description, Paper(self.paper.entry, Folder(self.paper.folder.path, here)).resolved())
        document = files.document_of(
            self._setting(),
            [
                description,
                self.verdicts_file,
                report / "predictions" / f"{self.id}.csv",
                *(
                    self.path("figures", f"{name}.{suffix}")
                    for name in self.paper.figures
                    for suffix in ("svg", "csv", "json")
                ),
                *(self.path("tables", f"{name}.json") for name in self.paper.tables),
                *(self.path("results", f"{name}.json") for name in self.paper.entry.experiments),
            ],
        )
        contents = files.render(document)
        text = summary.write({self.id: verdicts}, report / "claims.csv", report / "claims.json")
        for name, content in {**contents, "claims.txt": f"{text}\n".encode()}.items():
            results.write_bytes(report / name, content)

    def _setting(self) -> dict[str, Any]:
        """Return what the report says of itself and of how it was made."""
        run = f"claimaudit run {self.paper.folder.shown} --out {self.out}"
        about = About(
            title=f"Audit of {self.paper.entry.title}",
            software="claimaudit",
            judge_paper=run,
            judge_claim=run,
            workflow=False,
        )
        return {
            "about": asdict(about),
            "seed": self.options.seed,
            "family_level": LEVELS["family_level"],
            "runs_factor": self.options.runs_factor,
            "versions": numeric_versions(),
            "source": source_of_folder(self.paper.folder.path),
            "notebooks": [],
            "datasets": {},
            "views": {},
        }


def audit(folder: Folder, out: Path, options: Options) -> Verdicts:
    """Audit the paper of a folder, and write all that there is to show below `out`.

    Raises
    ------
    ConfigurationError
        The folder has a mistake; one line for each.
    ValueError
        A command fails, or results do not fit what is asked of them.
    """
    found = Audit(read(folder), out, options)
    made = found.made()
    if made:
        read(folder, made)
    for name in found.paper.entry.experiments:
        found.compute(name, made.get(name))
    found.search()
    verdicts = found.judge()
    found.draw()
    found.tabulate()
    found.predict()
    found.report(verdicts)
    return verdicts

"""The parameters of the workflow's jobs, which make their products stale: settings and fingerprints of code.

Snakemake compares the parameters of a job with those of its last run, without their names, and shows those that
differ. So each is a text that Snakemake records in a short form, such as ``code: 3f0c9a4be1d27c55``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from claimaudit import configuration
from claimaudit.fingerprint import fingerprint, numeric_versions
from claimaudit.papers.folder import SHARED
from claimaudit.report.about import source_of_project
from claimaudit.report.ways import WaysFile
from claimaudit.results import identity
from claimaudit.words.glossary import GlossaryFile
from corrldp.protocols.names import source_of
from replication.data import described
from replication.data.store import SHIPPED, Store, attempt, mirror_locations
from replication.jobs import Jobs

ABOUT = {
    "title": "Local differential privacy for correlated data: a replication report",
    "software": "corrldp",
    "judge_paper": "snakemake --cores all PAPER",
    "judge_claim": "python workflow/claim.py PAPER/CLAIM",
    "method": (
        "All simulations were run anew from the text and public data, at the level of the counts that an aggregator "
        "sees, which have the same distribution as if each user's report were drawn; what can be enumerated was "
        "computed exactly."
    ),
    "promises": "corrldp",
    "rates": ["hidden", "referees"],
}
"""What the report says of itself, see `claimaudit.report.about.About`."""

LONGEST = 24  # characters of a value that is shown as it is


class Recorded(str):
    """A text for which Snakemake records a shorter one, which changes whenever the text does.

    Snakemake records the representation of a parameter, but passes its text to commands and to the key of the cache.
    """

    __slots__ = ("record",)

    record: str

    @classmethod
    def of(cls, text: str, record: str) -> Recorded:
        """Return a text with what is recorded of it."""
        made = cls(text)
        made.record = record
        return made

    def __repr__(self) -> str:
        return self.record


def canonical(**setting: object) -> Recorded:
    """Return a whole setting as one JSON text; recorded are its short values, and digests of the others."""
    values = {name: _json(value) for name, value in sorted(setting.items())}
    shown = (f"{name}: {text if len(text) <= LONGEST else _digest(text)}" for name, text in values.items())
    return Recorded.of(_json(setting), f"setting ({', '.join(shown)})")


def _json(content: object) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def code(*modules: str, data: tuple[Path, ...] = (), numeric: bool = False) -> Recorded:
    """Return the fingerprint of the code of a job: modules, further files of the package, numeric libraries."""
    parts = [fingerprint(modules[0], *data), *map(fingerprint, modules[1:])]
    text = " ".join(parts + ([numeric_versions()] if numeric else []))
    return Recorded.of(text, f"code: {text if len(parts) == 1 else _digest(text)}")


@dataclass(frozen=True)
class Parameters:
    """The parameters of jobs, by the names that their rules have as wildcards."""

    jobs: Jobs
    environment: Mapping[str, str]

    # Data

    def fetch(self, dataset: str, place: Path) -> Recorded:
        """Return what a data set is, and how often a stand-in for it is to be replaced; `place` has earlier files."""
        jobs, entry = self.jobs, self.jobs.project.registry["datasets"][dataset]
        locations = mirror_locations(jobs.config["mirrors"], self.environment, jobs.root)
        record, store = place / f"data/raw/{dataset}.json", Store.of(self.environment)
        number = attempt(record, entry, [*locations, str(jobs.root / SHIPPED)], store)
        return canonical(name=dataset, dataset=entry, attempt=number)

    @cached_property
    def fetch_policy(self) -> str:
        """How data are found, not which: no parameter, since it makes no file stale."""
        return canonical(**{name: self.jobs.config[name] for name in ("mirrors", "fetch", "on_unavailable")})

    def align(self, view: str) -> Recorded:
        """Return the recipe of a view and its data sets."""
        registry = self.jobs.project.registry
        recipe = registry["views"][view]
        datasets = {name: registry["datasets"][name] for name in recipe["datasets"]}
        return canonical(name=view, view=_without_reasons(recipe), datasets=datasets)

    # Experiments

    def planned(self, paper: str, experiment: str) -> dict[str, Any]:
        """Return all that determines an experiment's result, except code and data."""
        found = self.jobs.papers[paper]
        computed = found.entry.experiments[experiment].runner is not None
        return found.job(experiment) | (self._sizes(paper, experiment) if computed else {})

    def _sizes(self, paper: str, experiment: str) -> dict[str, int]:
        """Return the seed and the number of runs of an experiment."""
        config, stated = self.jobs.config, self.jobs.papers[paper].entry.experiments[experiment]
        factor = min(config["runs_factor"], stated.most_runs or config["runs_factor"]) * config["multiply_runs"]
        return {"seed": config["seed"], "runs": max(2, round((stated.runs or 0) * factor))}

    def experiment(self, paper: str, experiment: str) -> Recorded:
        """Return the setting of an experiment."""
        return canonical(**self.planned(paper, experiment))

    def command(self, paper: str, experiment: str) -> Recorded:
        """Return the command that writes the results of an experiment, and where it runs."""
        entry = self.jobs.papers[paper].entry.experiments[experiment]
        return canonical(command=entry.command, directory=self.jobs.folder(paper))

    @cached_property
    def identities(self) -> str:
        """What each result must rest on: jobs believe no other table, such as a foreign entry of the cache."""
        found = {
            f"{paper}/{name}": identity(self.planned(paper, name))
            for paper, planned in self.jobs.papers.items()
            for name in planned.entry.experiments
        }
        return _json(found)

    def runner(self, paper: str, experiment: str) -> Recorded:
        """Return the fingerprint of all that determines the digits of a result."""
        return code("claimaudit.experiments", *self.jobs.papers[paper].modules(experiment), numeric=True)

    def describe(self, paper: str) -> Recorded:
        """Return the fingerprint of the code that reads a paper's configuration."""
        planned = self.jobs.papers[paper]
        return code(
            "claimaudit.papers",
            *sorted({module for name in planned.entry.experiments for module in planned.modules(name)}),
        )

    # Figures, tables, audit

    def figure(self, paper: str, figure: str) -> Recorded:
        """Return the setting of a figure."""
        planned = self.jobs.papers[paper]
        plot = planned.figures[figure].plot
        return canonical(paper=paper, figure=figure, plot=plot, **planned.texts(figure), style=planned.style(figure))

    def table(self, paper: str, table: str) -> Recorded:
        """Return the setting of a table."""
        return canonical(paper=paper, table=table, **self.jobs.papers[paper].table(table))

    def search(self, paper: str, exhibit: str) -> Recorded:
        """Return the setting of a search."""
        found = self.jobs.papers[paper].search(exhibit)
        found["job"] |= self._sizes(paper, found["job"]["experiment"])
        return canonical(**found)

    def searching(self, paper: str, exhibit: str) -> Recorded:
        """Return the fingerprint of all that determines the digits of a search."""
        planned = self.jobs.papers[paper]
        modules = planned.modules(planned.entry.experiment_of(exhibit))
        return code("claimaudit.audit.search", *modules, numeric=True)

    def audit(self, paper: str) -> Recorded:
        """Return the levels of the audit, and what a paper says of its exhibits and readings."""
        config = self.jobs.config
        levels = {name: config[name] for name in ("level", "family_level")}
        planned = self.jobs.papers[paper]
        return canonical(paper=paper, **levels, context=planned.context(), **planned.evidence())

    def predictions(self, paper: str) -> Recorded:
        """Return what is to be predicted."""
        planned = self.jobs.papers[paper]
        return canonical(paper=paper, predicted=planned.predicted(), **planned.evidence())

    # Report

    @cached_property
    def report(self) -> Recorded:
        """The parts of the configuration that the report states."""
        jobs, config = self.jobs, self.jobs.config
        registry = jobs.project.registry
        return canonical(
            about=ABOUT,
            seed=config["seed"],
            family_level=config["family_level"],
            runs_factor=config["runs_factor"] * config["multiply_runs"],
            versions=numeric_versions(),
            notebooks=jobs.walkthroughs,
            source=source_of_project(jobs.root),
            ways=configuration.load(jobs.root / "config/ways.yaml", WaysFile).model_dump(mode="json"),
            glossary=configuration.load(jobs.root / "config/glossary.yaml", GlossaryFile).model_dump(
                mode="json", exclude_defaults=True
            ),
            datasets=described.datasets(registry),
            views=described.views(registry),
        )

    def notebook(self, paper: str) -> Recorded:
        """Return the fingerprint of the code that makes a notebook, and of the modules that its script imports."""
        script = self.jobs.papers[paper].folder.notebook.read_text(encoding="utf-8")
        packages = "|".join(("claimaudit", "corrldp", SHARED, paper))
        modules = re.findall(rf"^from ((?:{packages})\b[\w.]*) import", script, flags=re.MULTILINE)
        return code("claimaudit.report.notebook", *modules)

    @property
    def archive(self) -> Recorded:
        """The settings that the metadata of the run state."""
        names = ("seed", "runs_factor", "multiply_runs", "level", "family_level", "on_unavailable")
        return canonical(**{name: self.jobs.config[name] for name in names}, versions=numeric_versions())


def of_study(protocols: tuple[str, ...]) -> Recorded:
    """Return the fingerprint of all that determines the digits of a study.

    Raises
    ------
    ValueError
        If there is no file of a protocol that the user names.
    """
    return code("corrldp.study.numbers", *filter(None, map(source_of, protocols)), numeric=True)


def _without_reasons(content: object) -> object:
    """Return a recipe without its reasons: prose makes no data stale."""
    if isinstance(content, list):
        return [_without_reasons(entry) for entry in content]
    if not isinstance(content, Mapping):
        return content
    return {key: _without_reasons(value) for key, value in content.items() if key != "why"}

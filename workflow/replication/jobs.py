"""The files and jobs of a project: its data sets, its papers (`claimaudit.stages`) and its report."""

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from claimaudit.fingerprint import SOURCE, arithmetic, fingerprint, numeric_versions
from claimaudit.names import ConfigurationError, known_names
from claimaudit.papers.folder import SHARED
from claimaudit.papers.paper import Paper
from claimaudit.report.about import Beside, Options
from claimaudit.results import PLANNED_VARIABLE, identity
from claimaudit.stages import NAMED, STAGES, Item, Job, Plan, Stage, stage
from claimaudit.task import Task, keep, plain
from corrldp.study.tables import TABLES as STUDY_TABLES
from replication import report
from replication.data.align import AlignJob
from replication.data.registry import FetchJob, Registry
from replication.data.store import POLICY_VARIABLE, Policy
from replication.times import TOGETHER

TASKS = Path(".snakemake/tasks")
"""Where the settings of jobs are, under names that change with their content: a parameter that Snakemake compares."""

FETCHES = ("replication.data.fetch", "claimaudit.task")  # the modules that fetch a data set

TEMPLATES = sorted((SOURCE / "claimaudit/report/templates").glob("*"))
BETWEEN = ("command", "part")  # the stages whose files only other jobs read

READ = {
    "report": TEMPLATES,
    "cases": [
        *TEMPLATES,
        SOURCE / "corrldp/study/templates/exhibits.yaml",
        *sorted((Path(__file__).parent / "templates").glob("*")),
    ],
}
"""Files of the package that the jobs of a stage read besides code."""


@dataclass(frozen=True)
class Jobs:
    """The jobs of a project under the settings of a user.

    What Snakemake asks for is plain data, so that `replication.project.Planned` can remember it. Files are named
    relative to the working directory, because absolute inputs would be stale where it moves.
    """

    root: Path
    config: Mapping[str, Any]
    registry: Registry
    papers: Mapping[str, Paper]

    @cached_property
    def plan(self) -> Plan:
        names = ("seed", "runs_factor", "parts", "level", "family_level")
        options = Options(**{name: self.config[name] for name in names})
        shown = (*self.records_of_origin, self.of_project("config/conclusions.yaml"))
        told = report.told(self.root, options, self.registry, self.papers)
        return Plan(self.papers, told, shown, self.aligned)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        align = Stage(
            "align",
            "replication.data.align:align_files",
            "data/aligned/{view}",
            {"codes": ".npy", "domain": ".json"},
            "Aligning {view}",
            lambda plan, view: self.align(view),
            lambda plan: [(view,) for view in self.views],
            light=True,
            priority=30,
        )
        cases = Stage(
            "cases",
            "replication.cases:case_files",
            "report/cases/{page}",
            {"page": ".html"},
            "Page {page}",
            lambda plan, page: self.page(page),
            lambda plan: [(page,) for page in self.pages],
            light=True,
        )
        archive = Stage(
            "archive",
            "replication.archive:crate_files",
            "report/ro-crate-metadata",
            {"metadata": ".json"},
            "Writing the metadata of the run",
            lambda plan: self.archive(),
            light=True,
        )
        return (align, *STAGES, notebook, cases, archive)

    @property
    def rules(self) -> list[dict[str, Any]]:
        """What Snakemake's rules of each stage say: one for any item, and one for each process that makes several.

        Snakemake prefers the latter, which have no wildcards. Where stages share a form of files, each lists its own
        results.
        """
        return [rule for stage in self.stages for rule in (self._rule(stage), *self._rules_together(stage))]

    def _rule(self, stage: Stage) -> dict[str, Any]:
        stem, suffixes = stage.named(stage.stem), [*stage.suffixes(self.plan).values()]
        return {
            **{name: getattr(stage, name) for name in ("name", "cached", "priority", "light")},
            "stage": stage.name,
            "names": [],
            "stem": stem,
            "suffixes": suffixes,
            "files": [f"{stem}{suffix}" for suffix in suffixes],
            "log": stage.named(stage.log),
            "message": re.sub(r"{(\w+)}", r"{wildcards.\1}", stage.named(stage.message)),
            "results": ["/".join(item) for item in stage.items(self.plan)] if stage.listed else [],
            "target": "" if stage.kinds else stage.outputs(self.plan, ())[0],
        }

    def _rules_together(self, stage: Stage) -> Iterator[dict[str, Any]]:
        for first, *others in stage.jobs(self.plan) if stage.together else ():
            if others:
                files = [file for item in (first, *others) for file in stage.outputs(self.plan, item)]
                names = [*first, *(item[-1] for item in others)]
                shown = dict(zip(stage.kinds, [*first[:-1], ", ".join(names[len(first) - 1 :])], strict=True))
                yield {
                    **self._rule(stage),
                    "name": TOGETHER.join((stage.name, *first)),
                    "names": names,
                    "files": files,
                    "target": files[0],
                    "log": stage.log.format(**dict(zip(stage.kinds, first, strict=True))),
                    "message": stage.message.format(**shown),
                }

    def job(self, stage: str, *names: str) -> dict[str, Any]:
        """Return what the job of an item, or of several that differ in the last name, reads, its task and its code.

        Raises ConfigurationError if there is no such item; see `check`.
        """
        one = next(one for one in self.stages if one.name == stage)
        common = len(one.kinds) - 1
        items = [(*names[:common], last) for last in names[common:]] if one.kinds else [()]
        for item in items:
            self.check(dict(zip(one.kinds, item, strict=True)))
        jobs = {item: one.job(self.plan, *item) for item in items}
        job = jobs[items[0]]
        return {"reads": dict(job.reads), "task": self.task(one, jobs), "code": code_of(one, job)}

    def task(self, stage: Stage, jobs: Mapping[Item, Job]) -> str:
        """Return the file of the task of some jobs."""
        return keep(stage.task(self.plan, jobs).to_json(), TASKS)

    def of_project(self, path: str) -> str:
        """Return the path of a file of the project as seen from here."""
        return os.path.relpath(self.root / path)

    def check(self, names: Mapping[str, str]) -> None:
        """Check the names in a requested file, by wildcard; one that does not exist is a ConfigurationError."""
        views = self.registry.views
        if "view" in names and names["view"] not in views:
            raise ConfigurationError(f"no view {names['view']!r}{known_names(names['view'], views)}")
        for kind in NAMED.keys() & names.keys():
            name, paper = names[kind], names["paper"]
            known = NAMED[kind](self.papers[paper])
            if name not in known:
                raise ConfigurationError(f"no {kind} {name!r} of {paper}{known_names(name, known)}")

    # Data

    @cached_property
    def views(self) -> list[str]:
        """The views that the papers read, but of large data sets those, and all, that the user names."""
        papers, named = self.papers.values(), {*self.config["optional_data"]}
        read = {view for paper in papers for name in paper.entry.experiments for view in paper.view_names(name)}
        left = {name for name, dataset in self.registry.files.items() if dataset.optional} - named
        return [
            name
            for name, view in self.registry.views.items()
            if left.isdisjoint(view.datasets) and (name in read or not named.isdisjoint(view.datasets))
        ]

    @cached_property
    def datasets(self) -> list[str]:
        """The data sets to fetch: those of all views."""
        used = {name for view in self.views for name in self.registry.views[view].datasets}
        return [name for name in self.registry.files if name in used]

    @property
    def records_of_origin(self) -> list[str]:
        return [f"data/raw/{name}.json" for name in self.datasets]

    def aligned(self, views: Collection[str]) -> list[str]:
        """Return the files of some views, of those only whose data sets are fetched."""
        return [f"data/aligned/{view}{suffix}" for view in views if view in self.views for suffix in (".npy", ".json")]

    def raw(self, dataset: str) -> tuple[str, str]:
        """Return the file of a data set and its SHA-256; an unknown data set is a ConfigurationError."""
        known = self.registry.file(dataset)
        return known.file, known.sha256

    def fetch(self, dataset: str, attempt: str) -> dict[str, str]:
        """Return the task of the job that fetches a data set, and its code."""
        job = FetchJob(dataset=self.registry.file(dataset), attempt=int(attempt))
        task = Task("replication.data.fetch:fetch_files", {dataset: {"job": plain(job)}}, (), ("raw", "record"))
        return {"task": keep(task.to_json(), TASKS), "code": code(*FETCHES)}

    @property
    def variables(self) -> dict[str, str]:
        """What jobs are told by variables of the environment and not by parameters, as it makes no file stale.

        How data are found, not which, and what each result must rest on: jobs believe no other table, such as a foreign
        entry of the cache.
        """
        results = {"/".join(item): identity(plain(self.plan.setting(*item))) for item in self.plan.named("experiment")}
        policy = {name: self.config[name] for name in Policy.model_fields}
        return {POLICY_VARIABLE: json.dumps(policy), PLANNED_VARIABLE: json.dumps(results)}

    def align(self, view: str) -> Job:
        """Return the job that aligns a view."""
        datasets = tuple(self.registry.read_by(view))
        files = {
            name: [f"data/raw/{dataset.name}{suffix}" for dataset in datasets]
            for name, suffix in (("raw", ".data"), ("records", ".json"))
        }
        return Job({"job": AlignJob(view, self.registry.views[view], datasets)}, files)

    # Products

    @property
    def homes(self) -> dict[str, str]:
        return {name: str(paper.folder.path.parent) for name, paper in self.papers.items()}

    def title(self, paper: str, figure: str = "") -> str:
        """Return the title of a paper, or of a figure of it."""
        return str(self.papers[paper].figures[figure].title) if figure else self.papers[paper].title

    arithmetic = staticmethod(arithmetic)
    study = tuple(STUDY_TABLES)

    def products(self, paper: str | None = None) -> list[str]:
        """Return all products, or those of a paper but what the report says of it; a deleted one is made again."""
        stages = [stage for stage in self.stages if stage.name not in BETWEEN]
        asked = [stage.name for stage in stages if paper is None or "paper" in stage.kinds]
        return self.made_by(*asked, paper=paper)

    def made_by(self, *stages: str, paper: str | None = None) -> list[str]:
        """Return the files that stages make, in their order, of all papers or of one."""
        known = {stage.name: stage for stage in self.stages}
        return [
            file
            for name in stages
            for item in known[name].items(self.plan)
            if paper is None or item[0] == paper
            for file in known[name].outputs(self.plan, item)
        ]

    @cached_property
    def pages(self) -> dict[str, Beside]:
        return report.pages(self.root, self.papers)

    def page(self, page: str) -> Job:
        """Return the job of a page of the project's own."""
        versions = page == "versions"
        entries = self.plan.folder("corr_rr_preprint", "versions.yaml") if versions else "config/cases.yaml"
        reads = {
            "verdicts": [f"report/verdicts/{paper}.json" for paper in self.pages[page].papers],
            "entries": [entries if versions else self.of_project(entries)],
            "tables": self.plan.tables("corrldp", report.RESULTS) if page == "corr_rr" else [],
        }
        named = sorted(self.papers, key=lambda name: (name == report.ABOUT.promises, name))
        papers = tuple((name, self.papers[name].entry.short or name) for name in named)
        return Job({"job": report.CaseJob(page, self.pages, papers)}, reads)

    def archive(self) -> Job:
        """Return the job that describes the files of the report, and those that document their sources."""
        names = ("seed", "runs_factor", "level", "family_level", "on_unavailable")
        reads = {
            "parts": self.made_by("report", "claims", "predictions", "verdicts", "notebook", "cases"),
            "citation": [self.of_project("CITATION.cff")],
            "data": self.records_of_origin,
            "results": [f"results/{paper}/{name}.json" for paper, name in self.plan.named("experiment")],
        }
        settings = {**{name: self.config[name] for name in names}, "versions": numeric_versions()}
        about = {"title", "authors", "venue"}
        papers = {name: paper.entry.model_dump(include=about) for name, paper in self.papers.items()}
        return Job({"settings": settings, "papers": papers}, reads)


@stage(
    "claimaudit.report.notebook:notebook_files",
    "report/notebooks/{paper}",
    {"page": ".html", "notebook": ".ipynb"},
    "{paper}: notebook",
    chosen=lambda plan: [(name,) for name, paper in plan.papers.items() if paper.folder.notebook.exists()],
)
def notebook(plan: Plan, paper: str) -> Job:
    """Plan the walk-through of a paper."""
    script = plan.papers[paper].folder.notebook
    packages = "|".join(("claimaudit", "corrldp", SHARED, paper))
    imported = rf"^from ((?:{packages})\b[\w.]*) import"
    modules = tuple(re.findall(imported, script.read_text(encoding="utf-8"), flags=re.MULTILINE))
    reads = {
        "script": plan.present(script),
        "tables": plan.tables(paper),
        "published": plan.published(paper),
        "verdicts": plan.verdicts(paper),
    }
    return Job({}, reads, modules)


def code(*modules: str, data: Iterable[Path] = (), numeric: bool = False) -> str:
    """Return the fingerprint of the code of a job: modules, further files of the package, numeric libraries."""
    parts = [fingerprint(modules[0], *data), *map(fingerprint, modules[1:])]
    text = " ".join(parts + ([numeric_versions()] if numeric else []))
    return f"code: {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def modules_of(stage: Stage, job: Job) -> tuple[str, ...]:
    """Return the modules that a job of a stage imports, with all that these import."""
    return (stage.does.partition(":")[0], "claimaudit.task", *job.modules)


def code_of(stage: Stage, job: Job) -> str:
    """Return the fingerprint of the code of a job of a stage."""
    return code(*modules_of(stage, job), data=READ.get(stage.name, ()), numeric=stage.numeric)

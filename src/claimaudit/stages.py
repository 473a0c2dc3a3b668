"""The stages of an audit, each said once: what its jobs read, what they make, and the function that does it.

`claimaudit run` executes `STAGES` in order; a workflow makes a rule of each. All are functions of the planned papers,
so that they can be tested without either.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from claimaudit.experiments.engine import ExperimentJob, PartJob
from claimaudit.experiments.given import CommandJob, GivenJob
from claimaudit.names import ConfigurationError, known_names
from claimaudit.papers.folder import SHARED
from claimaudit.papers.jobs import AuditJob, PredictionsJob
from claimaudit.papers.paper import Paper
from claimaudit.report.about import ReportJob
from claimaudit.task import Files, Task, plain


@dataclass(frozen=True)
class Options:
    """What a user may set.

    Attributes
    ----------
    seed
        The root of all random streams.
    runs_factor
        Number of runs relative to a paper's, but for experiments that limit it.
    parts
        The largest number of jobs that share the points of an experiment.
    level, family_level
        Significance of a check, and of all checks of a paper together.
    """

    seed: int = 1
    runs_factor: float = 1.0
    parts: int = 1
    level: float = 0.001
    family_level: float = 0.01


@dataclass(frozen=True)
class Job:
    """A job of a stage: the setting of its function, the files that it reads, and further modules whose code counts."""

    setting: object
    reads: Files = field(default_factory=dict)
    modules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The papers of an audit and where the files of its jobs are, as seen from the working directory.

    Attributes
    ----------
    report
        What the report is told beside the results.
    shown
        Further files that the report shows.
    aligned
        Function from the names of views to their files.
    out
        The directory of all products.
    """

    papers: Mapping[str, Paper]
    options: Options
    report: ReportJob
    shown: tuple[str, ...] = ()
    aligned: Callable[[Collection[str]], list[str]] = lambda views: []
    out: str = ""

    def place(self, path: str) -> str:
        """Return the path of a product."""
        return os.path.join(self.out, path)  # noqa: PTH118 (Snakemake takes texts)

    def folder(self, paper: str, path: str = "") -> str:
        """Return the path of a file in the folder of a paper, or of the folder."""
        return os.path.relpath(self.papers[paper].folder.path / path)

    def present(self, *paths: Path) -> list[str]:
        """Return the files that there are."""
        return [os.path.relpath(path) for path in paths if path.exists()]

    def tables(self, paper: str, experiments: Iterable[str] | None = None) -> list[str]:
        """Return the result tables of some experiments, each once; by default of all."""
        names = self.papers[paper].entry.experiments if experiments is None else dict.fromkeys(experiments)
        return [self.place(f"results/{paper}/{name}.csv") for name in names]

    def published(self, paper: str, names: Iterable[str] | None = None) -> list[str]:
        """Return the files of printed numbers of a paper, all or some."""
        found = self._published[paper] if names is None else names
        return [self.folder(paper, f"published/{name}.csv") for name in found]

    @cached_property
    def _published(self) -> dict[str, list[str]]:
        places = {name: paper.folder.published for name, paper in self.papers.items()}
        return {paper: sorted(path.stem for path in place.glob("*.csv")) for paper, place in places.items()}

    def verdicts(self, paper: str) -> list[str]:
        """Return the file of the verdicts on a paper."""
        return [self.place(f"report/verdicts/{paper}.json")]

    def views(self, paper: str, experiment: str) -> list[str]:
        """Return the views that an experiment reads; optional ones only if their data sets are there."""
        return self.aligned(self.papers[paper].view_names(experiment))

    def sized(self, job: ExperimentJob) -> ExperimentJob:
        """Return an experiment with its seed and its number of runs."""
        options, stated = self.options, self.papers[job.paper].entry.experiments[job.experiment]
        return replace(job, seed=options.seed, runs=stated.runs_at(options.runs_factor))

    def computed(self, paper: str, experiment: str) -> ExperimentJob:
        """Return the setting of an experiment that has a runner."""
        return self.sized(self.papers[paper].computed(experiment))

    def setting(self, paper: str, experiment: str) -> ExperimentJob | GivenJob:
        """Return the setting of an experiment, which the record of its result repeats; so a foreign one is found."""
        job = self.papers[paper].job(experiment)
        return self.sized(job) if isinstance(job, ExperimentJob) else job

    def number_of_parts(self, paper: str, experiment: str) -> int:
        """Return the number of jobs that share the points of an experiment; 0 if one job computes them all."""
        planned = self.papers[paper]
        stated = planned.entry.experiments[experiment]
        if stated.runs and self.options.parts > 1:
            return max(stated.parts, min(self.options.parts, planned.most_parts(experiment)))
        return stated.parts if stated.parts > 1 else 0

    def parts(self, paper: str, experiment: str) -> list[str]:
        """Return the files of an experiment's parts, in order."""
        count = self.number_of_parts(paper, experiment)
        return [self.place(f"results/{paper}/parts/{experiment}.{part}-of-{count}.json") for part in range(count)]

    @cached_property
    def results(self) -> dict[str, list[tuple[str, str]]]:
        """Experiments, as paper and name, by the stage that makes their results; under ``command``, what makes files.

        Those that read data are a stage of their own, which is not cached: the key of a cache covers how data are
        fetched, not the bytes obtained.
        """
        found: dict[str, list[tuple[str, str]]] = {}
        for paper, planned in self.papers.items():
            for name, entry in planned.entry.experiments.items():
                if entry.command is not None:
                    found.setdefault("command", []).append((paper, name))
                if entry.runner is None:
                    stage = "given"
                elif self.number_of_parts(paper, name):
                    stage = "join"
                else:
                    stage = "experiment_on_data" if planned.view_names(name) else "experiment"
                found.setdefault(stage, []).append((paper, name))
        return found

    def check(self, names: Mapping[str, str]) -> None:
        """Check the names in a requested file, by wildcard.

        Raises
        ------
        ConfigurationError
            A paper has no such figure or table.
        """
        if "paper" not in names:
            return
        paper = self.papers[names["paper"]]
        known: dict[str, Collection[str]] = {
            "figure": paper.figures,
            "difference": paper.compared,
            "table": paper.tables,
        }
        for kind, name in names.items():
            if kind in known and name not in known[kind]:
                raise ConfigurationError(f"no {kind} {name!r} of {names['paper']}{known_names(name, known[kind])}")


Item = tuple[str, ...]
"""The names of what a job makes: the paper, and an experiment, a figure ... of it."""


@dataclass(frozen=True)
class Stage:
    """Jobs of one kind, of which a workflow makes a rule.

    Attributes
    ----------
    does
        The function of its jobs, see `claimaudit.task.Task`.
    stem
        The common path of the files of a job; braces stand for the names of its item.
    makes
        The suffixes of these files, by what the function calls their contents.
    items
        The items of which each job makes one.
    numeric
        Whether the versions of numeric libraries determine what it makes.
    listed
        Whether other stages make files of the same form.
    light
        Whether its jobs take so little time that they need no place on a cluster.
    cached
        Whether clones may share what it makes.
    priority
        Jobs of higher priority begin earlier.
    """

    name: str
    does: str
    stem: str
    makes: Callable[[Plan], Mapping[str, str]]
    items: Callable[[Plan], Iterable[Item]]
    job: Callable[..., Job]
    message: str
    numeric: bool = False
    listed: bool = False
    light: bool = False
    cached: bool = False
    priority: int = 0

    @property
    def kinds(self) -> list[str]:
        """What the names of an item are of: ``paper``, ``figure`` ..."""
        return re.findall(r"{(\w+)}", self.stem)

    def named(self, pattern: str) -> str:
        """Return a pattern of names; where stages share a form of files, the result is named in one piece."""
        return pattern.replace("{paper}/{experiment}", "{result}") if self.listed else pattern

    @property
    def log(self) -> str:
        paper, *others = [f"{{{kind}}}" for kind in self.kinds] or [""]
        return "/".join(filter(None, ["logs", paper, ".".join([*others, self.name])])) + ".log"

    def outputs(self, plan: Plan, item: Item) -> list[str]:
        """Return the files that the job of an item makes."""
        stem = self.stem.format(**dict(zip(self.kinds, item, strict=True)))
        return [plan.place(f"{stem}{suffix}") for suffix in self.makes(plan).values()]

    def task(self, plan: Plan, job: Job, item: Item) -> Task:
        """Return the job of an item as a task."""
        reads = tuple((name, len(files)) for name, files in job.reads.items())
        makes = tuple(self.makes(plan))
        return Task(", ".join(item) or self.name, self.does, plain(job.setting), reads, makes)


RESULT = {"table": ".csv", "record": ".json"}
SHOWN = {
    "experiments": ("csv", "json"),
    "figures": ("csv", "json", "pdf", "png", "svg"),
    "tables": ("csv", "json", "md"),
}


def _always(makes: Mapping[str, str]) -> Callable[[Plan], Mapping[str, str]]:
    return lambda plan: makes


def _suffixes(kind: str) -> Callable[[Plan], Mapping[str, str]]:
    return _always({suffix: f".{suffix}" for suffix in SHOWN[kind]})


def _results_of(stage: str) -> Callable[[Plan], Iterable[Item]]:
    return lambda plan: plan.results.get(stage, ())


def _once(plan: Plan) -> Iterable[Item]:
    return [()]


def _each_paper(plan: Plan) -> Iterable[Item]:
    return [(paper,) for paper in plan.papers]


def _each(names: Callable[[Paper], Iterable[str]]) -> Callable[[Plan], Iterable[Item]]:
    return lambda plan: [(paper, name) for paper, planned in plan.papers.items() for name in names(planned)]


def _experiment(plan: Plan, paper: str, experiment: str) -> Job:
    views = plan.views(paper, experiment)
    return Job(plan.computed(paper, experiment), {"views": views}, plan.papers[paper].modules(experiment))


def _part(plan: Plan, paper: str, experiment: str, part: str, parts: str) -> Job:
    whole = _experiment(plan, paper, experiment)
    return replace(whole, setting=PartJob(plan.computed(paper, experiment), int(part), int(parts)))


def _parts(plan: Plan) -> Iterable[Item]:
    for item in plan.results.get("join", ()):
        count = plan.number_of_parts(*item)
        yield from ((*item, str(part), str(count)) for part in range(count))


def _join(plan: Plan, paper: str, experiment: str) -> Job:
    parts = plan.parts(paper, experiment)
    return Job(plan.computed(paper, experiment), {"parts": parts}, plan.papers[paper].modules(experiment))


def _command(plan: Plan, paper: str, experiment: str) -> Job:
    planned = plan.papers[paper]
    files = [plan.folder(paper, name) for name in planned.files_of(experiment)]
    command = str(planned.entry.experiments[experiment].command)
    return Job(CommandJob(command, plan.folder(paper)), {"files": files})


def _given(plan: Plan, paper: str, experiment: str) -> Job:
    planned = plan.papers[paper]
    stated = planned.entry.experiments[experiment].results
    file = plan.folder(paper, stated) if stated else plan.place(f"results/{paper}/made/{experiment}.csv")
    return Job(planned.job(experiment), {"file": [file]})


def _search(plan: Plan, paper: str) -> Job:
    planned = plan.papers[paper]
    search = planned.search()
    reads = {
        "published": plan.published(paper),
        "tables": plan.tables(paper, (exhibit.experiment for exhibit in search.outline.exhibits)),
        "views": list(dict.fromkeys(path for name in search.experiments for path in plan.views(paper, name))),
    }
    modules = dict.fromkeys(module for name in search.experiments for module in planned.modules(name))
    experiments = {name: plan.sized(job) for name, job in search.experiments.items()}
    return Job(replace(search, experiments=experiments), reads, tuple(modules))


def _verdicts(plan: Plan, paper: str) -> Job:
    planned, options = plan.papers[paper], plan.options
    job = AuditJob(paper, planned.context(), planned.outline(), options.level, options.family_level)
    reads = {
        "claims": plan.present(planned.folder.claims),
        "replies": plan.present(planned.folder.replies),
        "published": plan.published(paper),
        "tables": plan.tables(paper),
        "searches": [plan.place(f"report/searches/{paper}.csv")] if planned.proposals else [],
    }
    return Job(job, reads)


def _predictions(plan: Plan, paper: str) -> Job:
    planned = plan.papers[paper]
    tables = plan.tables(paper, (str(exhibit.experiment) for exhibit in planned.entry.judged.values()))
    reads = {"published": plan.published(paper), "tables": tables}
    return Job(PredictionsJob(paper, planned.outline(), planned.predicted()), reads)


def _figure(plan: Plan, paper: str, figure: str) -> Job:
    planned = plan.papers[paper]
    table = plan.tables(paper, [planned.entry.experiment_of(figure)])
    return Job(planned.figure(figure), {"table": table, "published": plan.published(paper, planned.published(figure))})


def _difference(plan: Plan, paper: str, exhibit: str) -> Job:
    reads = {"predictions": [plan.place(f"report/predictions/{paper}.csv")], "verdicts": plan.verdicts(paper)}
    return Job(plan.papers[paper].difference(exhibit), reads)


def _table(plan: Plan, paper: str, table: str) -> Job:
    planned = plan.papers[paper]
    shown = planned.table(table)
    reads = {
        "tables": plan.tables(paper, [shown.experiment, *(exhibit.experiment for exhibit in shown.exhibits)]),
        "published": plan.published(paper, planned.published(table)),
        "verdicts": plan.verdicts(paper) if shown.exhibits else [],
    }
    return Job(shown, reads)


def _notebook(plan: Plan, paper: str) -> Job:
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
    return Job(None, reads, modules)


def _description(plan: Plan, paper: str) -> Job:
    planned = plan.papers[paper]
    modules = {module for name in planned.entry.experiments for module in planned.modules(name)}
    folder = os.path.relpath(planned.folder.path, plan.out or ".")
    return Job(folder, {"file": plan.present(planned.folder.paper)}, tuple(sorted(modules)))


def _of_all_papers(place: str) -> Callable[[Plan], Job]:
    """Return the job that reads one file of each paper, which is its ``verdicts`` or a ``part`` of the whole."""
    name = "verdicts" if "verdicts" in place else "parts"
    return lambda plan: Job(None, {name: [plan.place(place.format(paper=paper)) for paper in plan.papers]})


def _report(plan: Plan) -> Job:
    shown = [
        *(plan.place(f"report/papers/{paper}.json") for paper in plan.papers),
        *(plan.place(f"report/verdicts/{paper}.json") for paper in plan.papers),
        *(plan.place(f"report/predictions/{paper}.csv") for paper in plan.papers),
        *(
            plan.place(f"figures/{paper}/{name}.{kind}")
            for paper, planned in plan.papers.items()
            for name in planned.drawings
            for kind in ("svg", "csv", "json")
        ),
        *(plan.place(f"tables/{paper}/{name}.json") for paper, name in TABLES(plan)),
        *(plan.place(f"results/{paper}/{name}.json") for paper, name in EXPERIMENTS(plan)),
    ]
    return Job(plan.report, {"files": [*shown, *plan.shown]})


def _pages(plan: Plan) -> Mapping[str, str]:
    names = [
        "index",
        "claims",
        "data",
        "provenance",
        "method",
        "glossary",
        *(["ways"] if plan.report.ways.ways else []),
    ]
    names += [*plan.papers, *(f"certificate_{paper}" for paper in plan.papers)]
    files = [*(f"{name}.html" for name in names), "report.pdf", *(f"certificate_{paper}.pdf" for paper in plan.papers)]
    return {name: name for name in files}


EXPERIMENTS = _each(lambda paper: paper.entry.experiments)
FIGURES = _each(lambda paper: paper.figures)
TABLES = _each(lambda paper: paper.tables)

_EXPERIMENT = Stage(
    "experiment",
    "claimaudit.experiments.engine:compute",
    "results/{paper}/{experiment}",
    _always(RESULT),
    _results_of("experiment"),
    _experiment,
    "Experiment {paper}/{experiment}",
    numeric=True,
    listed=True,
    cached=True,
    priority=20,
)

COMMAND = Stage(
    "command",
    "claimaudit.experiments.given:call",
    "results/{paper}/made/{experiment}",
    _always({"file": ".csv"}),
    _results_of("command"),
    _command,
    "Experiment {paper}/{experiment}: its command",
    priority=20,
)

STAGES = (
    COMMAND,
    replace(
        _EXPERIMENT,
        name="given",
        does="claimaudit.experiments.given:convert_file",
        items=_results_of("given"),
        job=_given,
        message="Experiment {paper}/{experiment}: its results as they are given",
        light=True,
        cached=False,
    ),
    _EXPERIMENT,
    # Not cached: the key of the cache covers how data were fetched, not the bytes obtained.
    replace(_EXPERIMENT, name="experiment_on_data", items=_results_of("experiment_on_data"), cached=False),
    Stage(
        "part",
        "claimaudit.experiments.engine:compute_part",
        "results/{paper}/parts/{experiment}.{part}-of-{parts}",
        _always({"rows": ".json"}),
        _parts,
        _part,
        "Experiment {paper}/{experiment}, part {part} of {parts}",
        numeric=True,
        priority=40,
    ),
    replace(
        _EXPERIMENT,
        name="join",
        does="claimaudit.experiments.engine:join_parts",
        items=_results_of("join"),
        job=_join,
        message="Joining the parts of experiment {paper}/{experiment}",
        light=True,
        cached=False,
    ),
    Stage(
        "search",
        "claimaudit.audit.search:search_files",
        "report/searches/{paper}",
        _always(RESULT),
        lambda plan: [(paper,) for paper, planned in plan.papers.items() if planned.proposals],
        _search,
        "{paper}: searching for what was run",
        numeric=True,
    ),
    Stage(
        "verdicts",
        "claimaudit.audit.judging.audit:judge_files",
        "report/verdicts/{paper}",
        _always({"verdicts": ".json"}),
        _each_paper,
        _verdicts,
        "{paper}: checking the claims",
    ),
    Stage(
        "figure",
        "claimaudit.plots.draw:draw_files",
        "figures/{paper}/{figure}",
        _suffixes("figures"),
        FIGURES,
        _figure,
        "{paper}: {figure}",
    ),
    Stage(
        "table",
        "claimaudit.report.table:table_files",
        "tables/{paper}/{table}",
        _suffixes("tables"),
        TABLES,
        _table,
        "{paper}: {table}",
    ),
    Stage(
        "predictions_of_paper",
        "claimaudit.audit.predictions:predict_files",
        "report/predictions/{paper}",
        _always(RESULT),
        _each_paper,
        _predictions,
        "{paper}: predicting the numbers of its figures and tables",
    ),
    Stage(
        "difference",
        "claimaudit.audit.differences:difference_files",
        "figures/{paper}/differences/{difference}",
        _suffixes("figures"),
        _each(lambda paper: paper.compared),
        _difference,
        "{paper}: printed numbers of {difference} against ours",
    ),
    Stage(
        "describe",
        "claimaudit.papers.validation:describe_files",
        "report/papers/{paper}",
        _always({"description": ".json"}),
        _each_paper,
        _description,
        "{paper}: resolving experiments and readings",
        light=True,
    ),
    Stage(
        "claims",
        "claimaudit.audit.summary:together_files",
        "report/claims",
        _always({"csv": ".csv", "json": ".json", "txt": ".txt"}),
        _once,
        _of_all_papers("report/verdicts/{paper}.json"),
        "Collecting the verdicts of all papers",
        light=True,
    ),
    Stage(
        "predictions",
        "claimaudit.audit.predictions:join_files",
        "report/predictions",
        _always({"table": ".csv"}),
        _once,
        _of_all_papers("report/predictions/{paper}.csv"),
        "Collecting the predictions of all papers",
        light=True,
    ),
    Stage(
        "report",
        "claimaudit.report.page:report_files",
        "report/",
        _pages,
        _once,
        _report,
        "Assembling the report",
    ),
)
"""What `claimaudit run` executes, in order."""

NOTEBOOK = Stage(
    "notebook",
    "claimaudit.report.notebook:notebook_files",
    "report/notebooks/{paper}",
    _always({"page": ".html", "notebook": ".ipynb"}),
    lambda plan: [(name,) for name, paper in plan.papers.items() if paper.folder.notebook.exists()],
    _notebook,
    "{paper}: notebook",
)
"""A walk-through of a paper, which only a workflow makes."""

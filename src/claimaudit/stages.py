"""The stages of an audit, each said once: what its jobs read, what they make, and the function that does it.

`claimaudit run` executes `STAGES` in order; a workflow makes a rule of each. All are functions of the planned papers,
so that they can be tested without either.
"""

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from claimaudit.experiments.engine import ExperimentJob
from claimaudit.experiments.given import GivenJob
from claimaudit.papers.paper import Paper
from claimaudit.report.about import ReportJob
from claimaudit.task import Files, Task, plain
from claimaudit.verdicts import Levels

Item = tuple[str, ...]  # the names of what a job makes: the paper, and an experiment, a figure ... of it


@dataclass(frozen=True)
class Job:
    """A job of a stage: the settings and files that its function takes, and further modules whose code counts."""

    settings: Mapping[str, object]
    reads: Files = field(default_factory=dict)
    modules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """The papers of an audit and where the files of its jobs are, as seen from the working directory.

    `report` is what the report is told beside the results, with the options of the user, `shown` further files that it
    shows; `aligned` maps the names of views to their files, and `out` is the directory of all products.
    """

    papers: Mapping[str, Paper]
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
        if names is None:
            names = sorted(path.stem for path in self.papers[paper].folder.published.glob("*.csv"))
        return [self.folder(paper, f"published/{name}.csv") for name in names]

    def verdicts(self, paper: str) -> list[str]:
        """Return the file of the verdicts on a paper."""
        return [self.place(f"report/verdicts/{paper}.json")]

    def views(self, paper: str, experiment: str) -> list[str]:
        """Return the views that an experiment reads; optional ones only if their data sets are there."""
        return self.aligned(self.papers[paper].view_names(experiment))

    def setting(self, paper: str, experiment: str) -> ExperimentJob | GivenJob:
        """Return the setting of an experiment, which the record of its result repeats; so a foreign one is found."""
        planned, options = self.papers[paper], self.report.options
        if planned.entry.experiments[experiment].runner is None:
            return planned.given(experiment)
        return planned.computed(experiment, options.seed, options.runs_factor)

    def number_of_parts(self, paper: str, experiment: str) -> int:
        """Return the number of jobs that share the points of an experiment; 0 if one job computes them all."""
        planned = self.papers[paper]
        stated, asked = planned.entry.experiments[experiment], self.report.options.parts
        if stated.runs and asked > 1:
            return max(stated.parts, min(asked, planned.most_parts(experiment)))
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

    def named(self, kind: str) -> list[Item]:
        """Return all that the papers have of a kind, such as ``figure``: the paper and its name."""
        return [(paper, name) for paper, planned in self.papers.items() for name in NAMED[kind](planned)]


NAMED: dict[str, Callable[[Paper], Collection[str]]] = {
    "experiment": lambda paper: paper.entry.experiments,
    "figure": lambda paper: paper.figures,
    "difference": lambda paper: paper.compared,
    "table": lambda paper: paper.tables,
}

Makes = Mapping[str, str] | Callable[[Plan], Mapping[str, str]]
"""The suffixes of the files of a job by what the function calls their contents, fixed or as planned."""


@dataclass(frozen=True)
class Stage:
    """Jobs of one kind, of which a workflow makes a rule, by the function that plans them.

    The function of the jobs themselves is `does`, see `claimaudit.task.Task`. Their files have the common path `stem`,
    in which braces stand for the names of the item, and the suffixes `makes`. `chosen` are the items of which each job
    makes one; by default all that there are.

    Further: whether the versions of numeric libraries determine what is made (`numeric`), other stages make files of
    the same form (`listed`), jobs that read the same files are one process (`together`), they take so little time that
    they need no place on a cluster (`light`), clones may share what is made (`cached`); jobs of higher `priority` begin
    earlier.
    """

    name: str
    does: str
    stem: str
    makes: Makes
    message: str
    job: Callable[..., Job]
    chosen: Callable[[Plan], Iterable[Item]] | None = None
    numeric: bool = False
    listed: bool = False
    together: bool = False
    light: bool = False
    cached: bool = False
    priority: int = 0

    @property
    def kinds(self) -> list[str]:
        """What the names of an item are of: ``paper``, ``figure`` ..."""
        return re.findall(r"{(\w+)}", self.stem)

    def items(self, plan: Plan) -> Iterable[Item]:
        """Return the items, by their names."""
        if self.chosen:
            return self.chosen(plan)
        kind = self.kinds[-1] if self.kinds else None
        if kind == "experiment":
            return plan.results.get(self.name, ())
        return plan.named(kind) if kind in NAMED else [(paper,) for paper in plan.papers] if kind else [()]

    def suffixes(self, plan: Plan) -> Mapping[str, str]:
        """Return the suffixes of the files of a job."""
        return self.makes(plan) if callable(self.makes) else self.makes

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
        return [plan.place(f"{stem}{suffix}") for suffix in self.suffixes(plan).values()]

    def jobs(self, plan: Plan) -> list[dict[Item, Job]]:
        """Return the jobs by item; those of a dictionary are one process."""
        found: dict[object, dict[Item, Job]] = {}
        for item in self.items(plan):
            job = self.job(plan, *item)
            found.setdefault(str(job.reads) if self.together else item, {})[item] = job
        return [*found.values()]

    def task(self, plan: Plan, jobs: Mapping[Item, Job]) -> Task:
        """Return the jobs of some items, which read the same files, as one task."""
        settings = {
            ", ".join(item) or self.name: {name: plain(value) for name, value in job.settings.items()}
            for item, job in jobs.items()
        }
        files = next(iter(jobs.values())).reads
        reads = tuple((name, len(paths)) for name, paths in files.items())
        return Task(self.does, settings, reads, tuple(self.suffixes(plan)))


def stage(does: str, stem: str, makes: Makes, message: str, **more: Any) -> Callable[..., Stage]:  # noqa: ANN401
    """Make a stage of the function that plans its jobs, with the name of this function."""
    return lambda job: Stage(job.__name__, does, stem, makes, message, job, **more)


RESULT = {"table": ".csv", "record": ".json"}
FIGURE = {suffix: f".{suffix}" for suffix in ("csv", "json", "pdf", "png", "svg")}
TABLE = {suffix: f".{suffix}" for suffix in ("csv", "json", "md")}

OF_RESULTS = {"numeric": True, "listed": True, "priority": 20}  # flags of the stages that make result tables


@stage(
    "claimaudit.experiments.given:call",
    "results/{paper}/made/{experiment}",
    {"file": ".csv"},
    "Experiment {paper}/{experiment}: its command",
    priority=20,
)
def command(plan: Plan, paper: str, experiment: str) -> Job:
    planned = plan.papers[paper]
    files = [plan.folder(paper, name) for name in planned.files_of(experiment)]
    command = planned.entry.experiments[experiment].command
    return Job({"command": command, "directory": plan.folder(paper)}, {"files": files})


@stage(
    "claimaudit.experiments.given:convert_file",
    "results/{paper}/{experiment}",
    RESULT,
    "Experiment {paper}/{experiment}: its results as they are given",
    light=True,
    **OF_RESULTS,
)
def given(plan: Plan, paper: str, experiment: str) -> Job:
    planned = plan.papers[paper]
    stated = planned.entry.experiments[experiment].results
    file = plan.folder(paper, stated) if stated else plan.place(f"results/{paper}/made/{experiment}.csv")
    return Job({"job": planned.given(experiment)}, {"file": [file]})


@stage(
    "claimaudit.experiments.engine:compute",
    "results/{paper}/{experiment}",
    RESULT,
    "Experiment {paper}/{experiment}",
    cached=True,
    **OF_RESULTS,
)
def experiment(plan: Plan, paper: str, experiment: str) -> Job:
    reads = {"views": plan.views(paper, experiment)}
    return Job({"job": plan.setting(paper, experiment)}, reads, plan.papers[paper].modules(experiment))


experiment_on_data = replace(experiment, name="experiment_on_data", cached=False)


def _parts(plan: Plan) -> Iterable[Item]:
    for item in plan.results.get("join", ()):
        count = plan.number_of_parts(*item)
        yield from ((*item, str(part), str(count)) for part in range(count))


@stage(
    "claimaudit.experiments.engine:compute_part",
    "results/{paper}/parts/{experiment}.{part}-of-{parts}",
    {"rows": ".json"},
    "Experiment {paper}/{experiment}, part {part} of {parts}",
    chosen=_parts,
    numeric=True,
    priority=40,
)
def part(plan: Plan, paper: str, name: str, part: str, parts: str) -> Job:
    whole: Job = experiment.job(plan, paper, name)
    return replace(whole, settings={**whole.settings, "part": int(part), "parts": int(parts)})


@stage(
    "claimaudit.experiments.engine:join_parts",
    "results/{paper}/{experiment}",
    RESULT,
    "Joining the parts of experiment {paper}/{experiment}",
    light=True,
    **OF_RESULTS,
)
def join(plan: Plan, paper: str, experiment: str) -> Job:
    reads = {"parts": plan.parts(paper, experiment)}
    return Job({"job": plan.setting(paper, experiment)}, reads, plan.papers[paper].modules(experiment))


@stage(
    "claimaudit.audit.search:search_files",
    "report/searches/{paper}",
    RESULT,
    "{paper}: searching for what was run",
    chosen=lambda plan: [(paper,) for paper, planned in plan.papers.items() if planned.proposals],
    numeric=True,
)
def search(plan: Plan, paper: str) -> Job:
    planned = plan.papers[paper]
    outline = planned.searched()
    experiments = {exhibit.experiment: plan.setting(paper, exhibit.experiment) for exhibit in outline.exhibits}
    reads = {
        "published": plan.published(paper),
        "tables": plan.tables(paper, experiments),
        "views": list(dict.fromkeys(path for name in experiments for path in plan.views(paper, name))),
    }
    modules = dict.fromkeys(module for name in experiments for module in planned.modules(name))
    return Job({"outline": outline, "experiments": experiments, "proposals": planned.proposals}, reads, tuple(modules))


@stage(
    "claimaudit.audit.judging.audit:judge_files",
    "report/verdicts/{paper}",
    {"verdicts": ".json"},
    "{paper}: checking the claims",
)
def verdicts(plan: Plan, paper: str) -> Job:
    planned, options = plan.papers[paper], plan.report.options
    levels = Levels(options.level, options.family_level)
    settings = {"paper": paper, "context": planned.context(), "outline": planned.outline(), "levels": levels}
    reads = {
        "claims": plan.present(planned.folder.claims),
        "replies": plan.present(planned.folder.replies),
        "published": plan.published(paper),
        "tables": plan.tables(paper),
        "searches": [plan.place(f"report/searches/{paper}.csv")] if planned.proposals else [],
    }
    return Job(settings, reads)


@stage("claimaudit.plots.draw:draw_files", "figures/{paper}/{figure}", FIGURE, "{paper}: {figure}", together=True)
def figure(plan: Plan, paper: str, figure: str) -> Job:
    planned = plan.papers[paper]
    table = plan.tables(paper, [planned.entry.experiment_of(figure)])
    reads = {"table": table, "published": plan.published(paper, planned.published(figure))}
    return Job({"job": planned.figure(figure)}, reads)


@stage("claimaudit.report.table:table_files", "tables/{paper}/{table}", TABLE, "{paper}: {table}", together=True)
def table(plan: Plan, paper: str, table: str) -> Job:
    planned = plan.papers[paper]
    shown = planned.table(table)
    reads = {
        "tables": plan.tables(paper, [shown.experiment, *(exhibit.experiment for exhibit in shown.exhibits)]),
        "published": plan.published(paper, planned.published(table)),
        "verdicts": plan.verdicts(paper) if shown.exhibits else [],
    }
    return Job({"job": shown}, reads)


@stage(
    "claimaudit.audit.predictions:predict_files",
    "report/predictions/{paper}",
    RESULT,
    "{paper}: predicting the numbers of its figures and tables",
)
def predictions_of_paper(plan: Plan, paper: str) -> Job:
    planned = plan.papers[paper]
    tables = plan.tables(paper, (exhibit.experiment for exhibit in planned.judged.values()))
    reads = {"published": plan.published(paper), "tables": tables}
    return Job({"paper": paper, "outline": planned.outline(), "predicted": planned.predicted()}, reads)


@stage(
    "claimaudit.plots.difference:difference_files",
    "figures/{paper}/differences/{difference}",
    FIGURE,
    "{paper}: printed numbers of {difference} against ours",
    together=True,
)
def difference(plan: Plan, paper: str, exhibit: str) -> Job:
    reads = {"predictions": [plan.place(f"report/predictions/{paper}.csv")], "verdicts": plan.verdicts(paper)}
    return Job({"job": plan.papers[paper].difference(exhibit)}, reads)


@stage(
    "claimaudit.audit.summary:together_files",
    "report/claims",
    {"csv": ".csv", "json": ".json", "txt": ".txt"},
    "Collecting the verdicts of all papers",
    light=True,
)
def claims(plan: Plan) -> Job:
    return Job({}, {"verdicts": [path for paper in plan.papers for path in plan.verdicts(paper)]})


@stage(
    "claimaudit.audit.predictions:join_files",
    "report/predictions",
    {"table": ".csv"},
    "Collecting the predictions of all papers",
    light=True,
)
def predictions(plan: Plan) -> Job:
    return Job({}, {"parts": [plan.place(f"report/predictions/{paper}.csv") for paper in plan.papers]})


def _pages(plan: Plan) -> Mapping[str, str]:
    ways = ["ways"] if plan.report.ways.ways else []
    certificates = [f"certificate_{paper}" for paper in plan.papers]
    names = ["index", "claims", "data", "provenance", "method", "glossary", *ways, *plan.papers, *certificates]
    files = [*(f"{name}.html" for name in names), *(f"{name}.pdf" for name in ("report", *certificates))]
    return dict(zip(files, files, strict=True))


@stage("claimaudit.report.page:report_files", "report/", _pages, "Assembling the report")
def report(plan: Plan) -> Job:
    shown = []
    for paper, planned in plan.papers.items():
        shown += [f"report/verdicts/{paper}.json", f"report/predictions/{paper}.csv"]
        shown += [f"figures/{paper}/{name}.{kind}" for name in planned.drawings for kind in ("svg", "csv", "json")]
        shown += [f"tables/{paper}/{name}.json" for name in planned.tables]
        shown += [f"results/{paper}/{name}.json" for name in planned.entry.experiments]
    papers = {paper: planned.description() for paper, planned in plan.papers.items()}
    return Job({"job": replace(plan.report, papers=papers)}, {"files": [*map(plan.place, shown), *plan.shown]})


STAGES = (
    command,
    given,
    experiment,
    experiment_on_data,
    part,
    join,
    search,
    verdicts,
    figure,
    table,
    predictions_of_paper,
    difference,
    claims,
    predictions,
    report,
)
"""What `claimaudit run` executes, in order."""

"""What the command ``claimaudit`` does: audits of a paper's folder in one process, without a workflow.

There are no data sets, notebooks or metadata of a run.
"""

import json
import os
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path

import yaml

from claimaudit import verdicts
from claimaudit.audit.summary import scoreboard
from claimaudit.experiments.given import Columns
from claimaudit.fingerprint import numeric_versions
from claimaudit.names import ConfigurationError, Faults, require_known
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.planning import validation
from claimaudit.report.about import About, Options, ReportJob, source_of_folder
from claimaudit.stages import STAGES, Plan, Stage, command
from claimaudit.verdicts import FALLS, UNDECIDED
from claimaudit.words import verdicts as words
from claimaudit.words.findings import DISPUTED

HOLDS, FAILS, MISTAKE = 0, 1, 2
"""Exit statuses: all claims hold or are undecided; some claim does not hold; the input has a mistake."""

Said = tuple[int, str]  # the exit status of a command, and what is printed

JUDGED = "judged"  # the name of the paper that `judge` makes of a few files


def init(options: Namespace) -> Said:
    """Write a small paper, with comments, into a new folder; one with files or no id is a ConfigurationError."""
    folder = Folder.of(Path.cwd(), _path(options.folder)).path
    if folder.is_dir() and any(folder.iterdir()):
        raise ConfigurationError(f"{options.folder} has files already; name a new folder")
    with resources.as_file(resources.files("claimaudit") / "template") as template:
        shutil.copytree(template, folder, copy_function=shutil.copyfile, dirs_exist_ok=True)
    return HOLDS, f"{options.folder} is a paper's folder that runs: claimaudit run {options.folder}"


def check(options: Namespace) -> Said:
    """Check a folder, and with `run` what its commands write as well."""
    folder = folder_of(options.folder)
    paper = read(folder)
    unseen = [name for name, entry in paper.entry.experiments.items() if entry.command is not None]
    if unseen and not options.run:
        return HOLDS, (
            f"{options.folder}: no mistake found, but claims, exhibits and printed numbers were not compared with the "
            f"mechanisms, metrics, columns and values of {', '.join(unseen)}, which a command makes; --run runs it"
        )
    with tempfile.TemporaryDirectory() as out:
        read(folder, made(planned(paper, Path(out), Options())))
    return HOLDS, f"{options.folder}: no mistake found"


def run(options: Namespace) -> Said:
    """Audit the paper of a folder, and write all that there is to show below `out`.

    Raises ConfigurationError with one line for each mistake in the folder, ValueError if a command fails or results do
    not fit what is asked of them.
    """
    folder = folder_of(options.folder)
    plan = planned(read(folder), options.out, Options(options.seed, options.runs_factor))
    if files := made(plan):
        read(folder, files)
    for stage in STAGES:
        if stage is not command:
            execute(stage, plan)
    report = options.out / "report"
    where = f"Page: {report / folder.id}.html, certificate: {report / f'certificate_{folder.id}.pdf'}"
    status, text = _said(plan, folder.id)
    return status, f"{text}\n{where}"


def judge(options: Namespace) -> Said:
    """Judge a few claims, each ``of`` one CSV file by its name without the suffix: no figures, no page.

    What its columns are is said as in `claimaudit.experiments.given.Columns`; several are separated by commas. A
    ConfigurationError has one line for each mistake in a file.
    """
    for path in (options.claims, options.results, *options.published):
        if not path.is_file():
            raise ConfigurationError(f"there is no file {path}")
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / JUDGED
        (path / "published").mkdir(parents=True)
        own = {"claims.yaml": options.claims, options.results.name: options.results}
        own |= {f"published/{file.name}": file for file in options.published}
        for name, file in own.items():
            shutil.copy(file, path / name)
        content = _paper(options.results, dict(options.column), options.exact)
        (path / "paper.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
        try:
            plan = planned(read(Folder(path, JUDGED)), Path(place) / "out", Options())
            for stage in STAGES:
                if stage.name in ("given", "verdicts"):
                    execute(stage, plan)
            return _said(plan, options.claims.stem)
        except ConfigurationError as error:
            message = str(error)
            for name, file in own.items():  # in the user's names
                message = message.replace(f"{JUDGED}/{name}", str(file))
            raise ConfigurationError(message) from None


COMMANDS: Mapping[str, Callable[[Namespace], Said]] = {"init": init, "check": check, "run": run, "judge": judge}


def folder_of(name: str) -> Folder:
    """Return the folder at a path, under that name in messages.

    Raises ConfigurationError if there is no folder, it has no paper.yaml, or its name cannot be an id.
    """
    folder = Folder.of(Path.cwd(), _path(name))
    if not folder.path.is_dir():
        raise ConfigurationError(f"there is no folder {name}; claimaudit init {name} makes one")
    for needed in (folder.paper, folder.claims):
        if not needed.is_file():
            raise ConfigurationError(f"{name} has no {needed.name}; claimaudit init makes a folder that has one")
    return Folder(folder.path, os.path.normpath(name))


def _path(name: str) -> str:
    """Return a folder's name as a path, since a project's papers have names without one."""
    return name if os.sep in name else f"./{name}"


def read(folder: Folder, made: Mapping[str, Path] | None = None) -> Paper:
    """Read a paper and check its whole folder.

    `made` are the files that its commands have written, by experiment.

    Raises ConfigurationError with one line for each fault, with file and line.
    """
    found = Faults()
    paper, _ = validation.load(folder, (), found, made)
    found.raise_if_any()
    assert paper is not None
    return paper


def planned(paper: Paper, out: Path, options: Options) -> Plan:
    """Return the plan of one paper's audit, with its products below `out`."""
    run = f"claimaudit run {paper.folder.shown} --out {out}"
    about = About(
        title=f"Audit of {paper.entry.title}", software="claimaudit", judge_paper=run, judge_claim=run, workflow=False
    )
    report = ReportJob(about, numeric_versions(), source_of_folder(paper.folder.path), options)
    return Plan({paper.folder.id: paper}, report, out=os.fspath(out))


def made(plan: Plan) -> dict[str, Path]:
    """Run the commands of the paper, and return the files that they write, by experiment."""
    execute(command, plan)
    return {item[-1]: Path(*command.outputs(plan, item)) for item in command.items(plan)}


def execute(stage: Stage, plan: Plan) -> None:
    """Do all jobs of a stage."""
    for jobs in stage.jobs(plan):
        inputs = [Path(path) for files in next(iter(jobs.values())).reads.values() for path in files]
        outputs = [Path(path) for item in jobs for path in stage.outputs(plan, item)]
        stage.task(plan, jobs).run(inputs, outputs)


def _said(plan: Plan, name: str) -> Said:
    """Return the status of an audit, its score, and a line for each claim that does not hold or is undecided."""
    (paper,) = plan.papers
    found = verdicts.read(Path(*plan.verdicts(paper)))
    shown = [claim for claim in found.claims if claim.counted and claim.verdict in (*FALLS, UNDECIDED)]
    shown.sort(key=lambda claim: claim.verdict == UNDECIDED)
    lines = [
        f"  {words.VERDICTS[claim.verdict].symbol} {claim.id} ({claim.place}): {claim.verdict}"
        f"{f' ({DISPUTED})' if found.disputed(claim.id) else ''}: "
        f"{words.effect(claim) or words.reason(claim, found.names)}"
        + (f"; {words.why_open(claim)}" if claim.why else "")
        for claim in shown
    ]
    status = FAILS if any(claim.verdict in FALLS for claim in shown) else HOLDS
    return status, "\n".join([*scoreboard({name: found}), *lines])


def _paper(table: Path, columns: Mapping[str, str], exact: bool) -> dict[str, object]:
    named: dict[str, object] = {}
    for role, name in columns.items():
        require_known(role, Columns.model_fields, "role of a column")
        several = role == "settings" or (role in ("mean", "se") and "," in name)
        named[role] = name.split(",") if several else name
    if str(named.get("runs", "")).isdecimal():
        named["runs"] = json.loads(str(named["runs"]))
    experiment = {"source": table.name, "setting": {**named, "se": 0} if exact else named}
    return {"title": "Claims", "authors": "-", "venue": "-", "experiments": {table.stem: experiment}}

"""Audit a paper in one process: what a workflow does in jobs, without data sets, notebooks or metadata."""

from __future__ import annotations

import os
from pathlib import Path

from claimaudit.fingerprint import numeric_versions
from claimaudit.papers.folder import Folder
from claimaudit.papers.paper import Paper
from claimaudit.report.about import About, ReportJob, source_of_folder
from claimaudit.stages import COMMAND, STAGES, Options, Plan, Stage
from claimaudit.tool.folder import read
from claimaudit.verdicts import Verdicts
from claimaudit.verdicts import read as read_verdicts


def audit(folder: Folder, out: Path, options: Options) -> Verdicts:
    """Audit the paper of a folder, and write all that there is to show below `out`.

    Raises
    ------
    ConfigurationError
        The folder has a mistake; one line for each.
    ValueError
        A command fails, or results do not fit what is asked of them.
    """
    plan = planned(read(folder), out, options)
    if files := made(plan):
        read(folder, files)
    for stage in STAGES:
        if stage is not COMMAND:
            execute(stage, plan)
    (paper,) = plan.papers
    return read_verdicts(Path(*plan.verdicts(paper)))


def planned(paper: Paper, out: Path, options: Options) -> Plan:
    """Return the plan of one paper's audit, with its products below `out`."""
    run = f"claimaudit run {paper.folder.shown} --out {out}"
    about = About(
        title=f"Audit of {paper.entry.title}", software="claimaudit", judge_paper=run, judge_claim=run, workflow=False
    )
    report = ReportJob(
        about=about,
        seed=options.seed,
        family_level=options.family_level,
        runs_factor=options.runs_factor,
        versions=numeric_versions(),
        source=source_of_folder(paper.folder.path),
    )
    return Plan({paper.folder.id: paper}, options, report, out=os.fspath(out))


def execute(stage: Stage, plan: Plan) -> None:
    """Do all jobs of a stage."""
    for item in stage.items(plan):
        job = stage.job(plan, *item)
        inputs = [Path(path) for files in job.reads.values() for path in files]
        stage.task(plan, job, item).run(inputs, [Path(path) for path in stage.outputs(plan, item)])


def made(plan: Plan) -> dict[str, Path]:
    """Run the commands of the paper, and return the files that they write, by experiment."""
    execute(COMMAND, plan)
    return {item[-1]: Path(*COMMAND.outputs(plan, item)) for item in COMMAND.items(plan)}

"""The jobs of experiments: compute a result table, whole or in parts, or make one of results that are given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from claimaudit import results
from claimaudit.experiments.engine import Experiment, ExperimentJob, Part, join, run
from claimaudit.experiments.given import CommandJob, GivenJob, make, table_of
from claimaudit.experiments.runner import Runner
from claimaudit.fingerprint import numeric_versions
from claimaudit.storage import read_sealed, sealed
from claimaudit.task import plain

Contents = dict[str, bytes]


@dataclass(frozen=True)
class PartJob:
    """One of several shares of the points of an experiment, counted from 0."""

    job: ExperimentJob
    part: int
    parts: int


def compute(job: ExperimentJob, views: Sequence[Path]) -> Contents:
    """Compute an experiment, with the files of its views: the ``table`` and its ``record``."""
    experiment, standins = _with_views(job, views)
    return _recorded(job, join(experiment, [run(experiment)]), standins)


def compute_part(job: PartJob, views: Sequence[Path]) -> Contents:
    """Compute the ``rows`` of a share of an experiment; they keep all digits."""
    experiment, standins = _with_views(job.job, views)
    part = run(experiment, job.part, job.parts)
    content = {"rows": part.rows, "read": part.read, "standin": standins}
    as_read = json.loads(json.dumps(content, default=lambda number: number.item()))
    return {"rows": json.dumps(sealed(as_read)).encode()}


def join_parts(job: ExperimentJob, parts: Sequence[Path]) -> Contents:
    """Join all shares of an experiment: the ``table`` that an undivided run would give, and its ``record``."""
    contents = [read_sealed(path) for path in parts]
    standins = sorted({name for content in contents for name in content["standin"]})
    found = [Part(content["rows"], content["read"]) for content in contents]
    return _recorded(job, join(Experiment.load(job, {}), found), standins)


def convert(job: GivenJob, file: Sequence[Path]) -> Contents:
    """Make the ``table`` and the ``record`` of results that somebody gives or a command has written."""
    table, record = table_of(job, *file)
    return results.with_record(table, {**record, "versions": numeric_versions()})


def call(job: CommandJob, files: Sequence[Path]) -> Contents:
    """Run a command of a paper, which reads some `files` of its folder: the ``file`` that it writes."""
    return {"file": make(job.command, Path(job.directory))}


def _with_views(job: ExperimentJob, files: Sequence[Path]) -> tuple[Experiment, list[str]]:
    read = Runner.load(job.runner).backend.read
    views = {path.stem: read(path) for path in files if path.suffix == ".npy"}
    return Experiment.load(job, views), sorted(name for name, view in views.items() if view.standin)


def _recorded(job: ExperimentJob, table: pd.DataFrame, standins: list[str]) -> Contents:
    setting = dict(sorted(plain(job).items()))
    return results.with_record(table, {**setting, "versions": numeric_versions(), "standin": standins})

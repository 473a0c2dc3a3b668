"""Where results and data sets come from, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from claimaudit.words.numbers import listed, plural

Job = Mapping[str, Any]
"""The record of a result table, or the experiment as `claimaudit.papers.paper.Paper.job` has it, as plain data."""

STANDIN = "stand-in"


def origin(job: Job) -> str:
    """Say where the results of one experiment come from, as the start of a sentence."""
    match job.get("source"):
        case "given":
            exact = ", as exact numbers" if job["columns"].get("se") == 0 else ""
            return f"Given by {job['by'] or 'somebody who is not named'} in {job['origin']}{exact}, and not recomputed"
        case "command":
            whose = f" of {job['by']}" if job["by"] else ""
            return f"Made here by a command{whose}: {job['origin']}"
    return "Computed here"


def remark(job: Job) -> str:
    """Say in a few words whose results were not recomputed; empty if they were."""
    given = job.get("source") == "given"
    return f"numbers given by {job['by'] or 'somebody who is not named'}, not recomputed" if given else ""


def origins(jobs: Iterable[Job]) -> str:
    """Say how many of several result tables were computed here, made by a command and given, and by whom."""
    jobs = list(jobs)
    commands = [job for job in jobs if job.get("source") == "command"]
    given: dict[str, int] = {}
    for job in jobs:
        if job.get("source") == "given":
            given[job["by"]] = given.get(job["by"], 0) + 1
    computed = len(jobs) - len(commands) - sum(given.values())
    parts = {"computed here": computed, "made here by commands of the paper's folder": len(commands)}
    parts |= {f"given by {by or 'somebody who is not named'}, and not recomputed": n for by, n in given.items()}
    shown = {words: count for words, count in parts.items() if count}
    if len(shown) == 1:
        return f"All results were {next(iter(shown))}."
    return f"Of {plural(len(jobs), 'result table')}, {listed([f'{n} {words}' for words, n in shown.items()])}."


def state_of_data(kind: str, optional: bool, record: Mapping[str, Any] | None) -> tuple[str, bool]:
    """Return what a run has of a data set, and whether that is nothing.

    `record` says where its file came from, and is None if the run did not ask for one.
    """
    if kind == "counts":
        return "no records are needed: only printed counts are used", False
    if kind == "user_file":
        return "no data: only a user can supply it", True
    if record is None:
        return ("no data: optional, and not asked for", True) if optional else ("not read in this run", True)
    if record["status"] == STANDIN:
        return "no data: no source answered, and a stand-in took its place", True
    return f"{record['status']} file, from {record['source']}", False

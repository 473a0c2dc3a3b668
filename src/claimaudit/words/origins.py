"""Where our results and their data come from, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from claimaudit.results import TableRecord
from claimaudit.words.numbers import listed, plural

STANDIN = "stand-in"
"""The status of a data set that synthetic records replace."""


def origin(record: TableRecord) -> str:
    """Say where the results of one experiment come from, as the start of a sentence."""
    match record.source:
        case "given":
            exact = ", as exact numbers" if record.exact else ""
            return f"Given by {_giver(record)} in {record.origin}{exact}, and not recomputed"
        case "command":
            whose = f" of {record.by}" if record.by else ""
            return f"Made here by a command{whose}: {record.origin}"
    return "Computed here"


def _giver(record: TableRecord) -> str:
    return record.by or "somebody who is not named"


def remark(record: TableRecord) -> str:
    """Say in a few words whose results were not recomputed; empty if they were."""
    return f"numbers given by {_giver(record)}, not recomputed" if record.source == "given" else ""


def origins(records: Iterable[TableRecord]) -> str:
    """Say how many of several result tables were computed here, made by a command and given, and by whom."""
    said = {"": "computed here", "command": "made here by commands of the paper's folder"}
    counts = Counter(dict.fromkeys(said.values(), 0))
    counts.update(said.get(record.source) or f"given by {_giver(record)}, and not recomputed" for record in records)
    shown = {words: count for words, count in counts.items() if count}
    if len(shown) == 1:
        return f"All results were {next(iter(shown))}."
    return f"Of {plural(counts.total(), 'result table')}, {listed([f'{n} {words}' for words, n in shown.items()])}."


def state_of_data(kind: str, optional: bool, status: str, source: str) -> tuple[str, bool]:
    """Return what a run has of a data set, and whether that is nothing.

    `status` is that of its file, which came from `source`, and empty if the run did not ask for one.
    """
    if kind == "counts":
        return "no records are needed: only printed counts are used", False
    if kind == "user_file":
        return "no data: only a user can supply it", True
    if not status:
        return ("no data: optional, and left out of this run", True) if optional else ("not read in this run", True)
    if status == STANDIN:
        return "no data: no source answered, and a stand-in took its place", True
    return f"{status} file, from {source}", False

"""What a run has of a data set, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STANDIN = "stand-in"


def state(kind: str, optional: bool, record: Mapping[str, Any] | None) -> tuple[str, bool]:
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

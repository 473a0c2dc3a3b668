"""The verdicts on a paper, as they are written to JSON and read back: report/verdicts/ID.json."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from claimaudit.storage import read_sealed
from claimaudit.verdicts.evidence import Record
from claimaudit.verdicts.exhibits import Exhibit, GuideWord, Names, Pool
from claimaudit.verdicts.verdict import AS_RUN, Verdict

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True)
class Meeting(Record):
    """Two claims, each of which holds under some admissible reading, and never both under one setting.

    `readings` are the first ones under which each holds; on `axes` they exclude each other.
    """

    claims: tuple[str, str]
    readings: tuple[str, str]
    axes: tuple[str, ...]


@dataclass(frozen=True)
class Cause(Record):
    """An error that claims share."""

    states: str
    weight: Literal["headline", "result", "detail", "slip"] = "result"


@dataclass(frozen=True)
class Reply(Record):
    """What somebody answers to verdicts, which it does not change.

    The date is an ISO date, and `source` where it can be read. It is about some `claims`, by their ids, whose verdicts
    it may dispute, or else about the audit as a whole.
    """

    by: str
    date: str
    source: str
    says: str
    claims: tuple[str, ...] = ()
    disputes: bool = False


@dataclass(frozen=True)
class Verdicts(Record):
    """All that the audit says of one paper; ``claims`` are in the order of their file, as are ``replies``."""

    claims: tuple[Verdict, ...]
    exhibits: dict[str, Exhibit] = field(default_factory=dict)
    pools: tuple[Pool, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    asked: tuple[GuideWord, ...] = ()
    causes: dict[str, Cause] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    replies: tuple[Reply, ...] = ()

    def of(self, claim: str) -> Verdict:
        """Return the verdict on a claim."""
        return next(item for item in self.claims if item.id == claim)

    def replies_to(self, claim: str) -> tuple[Reply, ...]:
        """Return the replies on a claim."""
        return tuple(reply for reply in self.replies if claim in reply.claims)

    def disputed(self, claim: str) -> bool:
        """Return whether a reply disputes the verdict on a claim."""
        return any(reply.disputes for reply in self.replies_to(claim))


Kind = TypeVar("Kind")


def plain(content: Any) -> Any:  # noqa: ANN401
    """Convert to plain JSON types: nine significant digits (on which machines agree), None for non-finite numbers."""
    if content is None or isinstance(content, str | bool):
        return content
    if isinstance(content, float):  # the most frequent first
        return float(f"{content:.9g}") if math.isfinite(content) else None
    if dataclasses.is_dataclass(content):
        return {each.name: plain(getattr(content, each.name)) for each in dataclasses.fields(content)}
    if isinstance(content, Mapping):
        return {key: plain(entry) for key, entry in content.items()}
    if isinstance(content, list | tuple):
        return [plain(entry) for entry in content]
    return plain(content.item()) if isinstance(content, np.generic) else content


@cache
def adapter(kind: type[Kind]) -> TypeAdapter[Kind]:
    """Return what reads and describes one of the classes of this module."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def read(path: Path) -> Verdicts:
    """Read the verdicts on a paper, verified by the checksum in the file.

    Raises
    ------
    ValueError
        The file is damaged, or is none; the message says what to do, or names the first fault.
    """
    return adapter(Verdicts).validate_python(read_sealed(path))


def coherent(verdicts: Verdicts) -> Verdicts:
    """Return the verdicts of a paper if none is "as run" under a reading that an exhibit of the claim rejects.

    Raises
    ------
    ValueError
        If one is, or if the reading breaks a condition of the paper; the message names the first.
    """
    for verdict in verdicts.claims:
        if verdict.verdict != AS_RUN:
            continue
        exhibits = [verdicts.exhibits[name] for name in verdict.as_run.exhibits]
        own = [exhibit for exhibit in exhibits if exhibit.experiment == verdict.table]
        standing = {item.reading for exhibit in own for item in exhibit.readings if item.admissible}
        rejected = [reading for reading in verdict.as_run.readings if own and reading not in standing]
        if rejected or not verdict.as_run.readings:
            named = rejected[0] if rejected else "no reading"
            raise ValueError(f"verdict {verdict.id}: as run under {named}, which does not stand for its exhibits")
    return verdicts


def schema() -> dict[str, Any]:
    """Return the JSON schema of the verdicts on a paper."""
    return adapter(Verdicts).json_schema()

"""Replies to verdicts, papers/ID/replies.yaml: what authors answer, when and where. A reply changes no verdict."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, RootModel, model_validator

from claimaudit import configuration
from claimaudit.configuration import Entry, Text, refuse, unique
from claimaudit.names import nearest
from claimaudit.papers.claims import Slug
from claimaudit.verdicts import Reply

FILE = "replies.yaml"


class ReplyEntry(Entry):
    """One reply, to some claims or to the audit as a whole."""

    by: Annotated[Text, Field(description="who answers")]
    date: Annotated[date, Field(description="when, such as 2026-01-31")]
    source: Annotated[Text, Field(description="where it can be read: an address, or how it came")]
    says: Annotated[Text, Field(description="the answer, in their words")]
    claims: Annotated[
        tuple[Slug, ...], AfterValidator(unique), Field(description="the claims that it is about (default: the audit)")
    ] = ()
    disputes: Annotated[bool, Field(description="whether it disputes the verdicts on these claims")] = False

    @model_validator(mode="after")
    def _disputes_something(self) -> ReplyEntry:
        if self.disputes and not self.claims:
            raise ValueError("name the `claims` whose verdicts it disputes")
        return self


class RepliesFile(RootModel[tuple[ReplyEntry, ...]]):
    """A whole file; the report has the replies in the same order."""


def load(path: Path, claims: Collection[str]) -> tuple[Reply, ...]:
    """Read the replies on a paper; there are none without a file.

    Raises
    ------
    ConfigurationError
        One line for each fault, such as a claim that is none of `claims`, with file, line and key.
    """
    if not path.exists():
        return ()
    entries = configuration.load(path, RepliesFile).root
    unknown = (
        ((number, "claims", place), f"no claim {name!r}{nearest(name, claims)}")
        for number, entry in enumerate(entries)
        for place, name in enumerate(entry.claims)
        if name not in claims
    )
    refuse(path, unknown)
    return tuple(Reply(**{**dict(entry), "date": entry.date.isoformat()}) for entry in entries)

"""What a reader of a report may do next: the format of config/ways.yaml."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from claimaudit.configuration import Entry, Text


class Step(Entry):
    """What to do, and the command or the text of a file that does it."""

    says: Text
    command: Text


class Way(Entry):
    """One way on, with its first steps."""

    name: Text
    says: Annotated[Text, Field(description="what it is, in a sentence")]
    words: Annotated[str, Field(description="further words by which the search finds it")] = ""
    steps: tuple[Step, ...]
    pages: Annotated[tuple[Text, ...], Field(description="files beside the report that have it in full")]


class WaysFile(Entry):
    """config/ways.yaml: ways on from the report, shown on a page of their own."""

    install: Annotated[str, Field(description="commands before all others")] = ""
    ways: tuple[Way, ...] = ()

"""The format of config/glossary.yaml: mechanisms, measures and symbols that the papers of a project use."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, RootModel

from claimaudit.configuration import Entry, Text


class TermEntry(Entry):
    """One term, as a reader finds it on the pages."""

    term: Annotated[Text, Field(description="the word or abbreviation")]
    means: Annotated[Text, Field(description="what it is, in one or two sentences")]
    expands: Annotated[Text, Field(description="what an abbreviation stands for")] = ""
    formula: Annotated[Text, Field(description="one formula, as text")] = ""
    source: Annotated[Text, Field(description="where it is defined")] = ""
    also: Annotated[tuple[Text, ...], Field(description="other ways to write it")] = ()


class GlossaryFile(RootModel[tuple[TermEntry, ...]]):
    """config/glossary.yaml."""

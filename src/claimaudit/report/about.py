"""What a report is told beside the results: what it says of itself, its data sets, its words, and ways on from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field, RootModel

from claimaudit import __version__
from claimaudit.configuration import Entry, Text
from claimaudit.fingerprint import last_commit
from claimaudit.papers.jobs import Description
from claimaudit.report.sources import ReadView, ShownDataSet


@dataclass(frozen=True)
class About:
    """What is the same on all pages of a report, which is cited as `software`.

    `judge_paper` and `judge_claim` are commands that judge again; ``PAPER`` and ``CLAIM`` in them stand for ids.
    `method` says how results are computed, beyond what every audit does. A `workflow` also writes metadata, times and
    notebooks. `promises` is the id of the paper, if any, with what the publishers of the report promise; of its
    exhibits, `rates` say how often verdicts are wrong, and the table `costs` what a run takes.
    """

    title: str
    software: str
    judge_paper: str
    judge_claim: str
    method: str = ""
    workflow: bool = True
    promises: str = ""
    rates: tuple[str, ...] = ()
    costs: str = ""


@dataclass(frozen=True)
class Source:
    """What cites the code of a report.

    `commit` is empty without version control, `date` that of the commit or else of the release, and `changed` says
    whether files differ from the commit. `repository` is an address.
    """

    version: str
    licence: str
    authors: str
    date: str = ""
    repository: str = ""
    commit: str = ""
    changed: bool = False

    @property
    def commit_in_words(self) -> str:
        """The commit, and whether files differ from it."""
        return self.commit and self.commit + (" with local changes" if self.changed else "")


class Step(Entry):
    """What to do, and the command or the text of a file that does it."""

    says: Text
    command: Text


class Beside(Entry):
    """A page that a project adds to the report, by its address in it, its papers, and what it `asks`.

    The search finds it by further `words`, too.
    """

    address: str
    title: str
    papers: tuple[str, ...]
    asks: str = ""
    words: str = ""


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


class Term(Entry):
    """One word or abbreviation, as a reader finds it on the pages."""

    term: Annotated[Text, Field(description="the word or abbreviation")]
    means: Annotated[Text, Field(description="what it is, in one or two sentences")]
    expands: Annotated[Text, Field(description="what an abbreviation stands for")] = ""
    formula: Annotated[Text, Field(description="one formula, as text")] = ""
    source: Annotated[Text, Field(description="where it is defined")] = ""
    reference: Annotated[Text, Field(description="the source in full; once is enough for all terms that have it")] = ""
    also: Annotated[tuple[Text, ...], Field(description="other ways to write it")] = ()


class GlossaryFile(RootModel[tuple[Term, ...]]):
    """config/glossary.yaml: mechanisms, measures and symbols that the papers of a project use."""

    @property
    def references(self) -> dict[str, str]:
        """Sources in full, by their short form."""
        return {term.source: term.reference for term in self.root if term.reference}


class MethodFile(Entry):
    """templates/glossary.yaml: the words of the method, and what verdicts say of a claim."""

    words: tuple[Term, ...]
    verdicts: dict[str, Text]

    @property
    def terms(self) -> tuple[Term, ...]:
        """Both as words of the glossary."""
        found = (Term(term=name, means=f"Verdict: the claim {says}.") for name, says in self.verdicts.items())
        return (*self.words, *found)


@dataclass(frozen=True)
class Options:
    """What a user may set.

    `seed` is the root of all random streams, `runs_factor` the number of runs relative to a paper's, but for
    experiments that limit it, and `parts` the largest number of jobs that share the points of an experiment. The levels
    are the significance of a check, and of all checks of a paper together.
    """

    seed: int = 1
    runs_factor: float = 1.0
    parts: int = 1
    level: float = 0.001
    family_level: float = 0.01


@dataclass(frozen=True)
class ReportJob:
    """What a report is told beside the results, of its `papers` by their ids.

    `versions` names numeric libraries, `notebooks` are the papers that have one, `datasets` and `views` those of the
    project, and `beside` its own pages. `takes` says how long a ``figure`` and a ``table`` may take once their results
    exist.
    """

    about: About
    versions: str
    source: Source
    options: Options = Options()
    papers: dict[str, Description] = field(default_factory=dict)
    notebooks: tuple[str, ...] = ()
    datasets: dict[str, ShownDataSet] = field(default_factory=dict)
    views: dict[str, ReadView] = field(default_factory=dict)
    glossary: GlossaryFile = field(default_factory=lambda: GlossaryFile(()))
    ways: WaysFile = field(default_factory=WaysFile)
    beside: tuple[Beside, ...] = ()
    takes: dict[str, str] = field(default_factory=dict)


def source_of_project(root: Path) -> Source:
    """Return what cites the code in a directory, by its CITATION.cff and its last commit."""
    citation = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    said = Source(
        version=str(citation["version"]),
        licence=citation["license"],
        authors=citation["authors"][0]["name"],
        date=str(citation["date-released"]),
        repository=citation.get("repository-code", ""),
    )
    return replace(said, **last_commit(root, own=True))


def source_of_folder(folder: Path) -> Source:
    """Return what cites this package where it judges a folder, with the last commit of that folder."""
    return Source(__version__, "MIT", "The corrldp developers", **last_commit(folder))

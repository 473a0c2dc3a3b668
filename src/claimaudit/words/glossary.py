"""The glossary: the words of the method, and the format of those that the papers of a project add."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, RootModel

from claimaudit.configuration import Entry, Text
from claimaudit.words.names import RUN, STATED
from claimaudit.words.verdicts import VERDICTS


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


def _term(term: str, means: str, also: tuple[str, ...] = ()) -> Term:
    return Term(term=term, means=means, also=also)


METHOD = (
    _term(STATED, "What the check answers with the settings that the text states, and ours where it states none."),
    _term(
        RUN,
        "What the check answers with the settings that the printed numbers allow, whatever the text says.",
        also=("as it was run",),
    ),
    _term("by the paper's own numbers", "What the paper's printed numbers answer, whatever we compute."),
    _term("reading", "A value for every choice that the text leaves open.", also=("readings",)),
    _term("axis", "One choice that the text leaves open, with the values that we tried.", also=("axes",)),
    _term("strict reading", "The reading that takes the text as it stands: what is judged as stated."),
    _term(
        "may have been run",
        "Said of settings that the printed numbers do not reject, while no other ones are far likelier.",
    ),
    _term(
        "95 % interval",
        "Where 95 of 100 repetitions with as many runs as the paper's would lie, by our numbers.",
    ),
    _term(
        "p-value",
        "How likely a deviation as large would be by chance, if the settings were right; of several tests, a bound.",
    ),
    _term(
        "our question",
        "A check of ours that no sentence of the paper makes. It counts neither for nor against the authors.",
        also=("our questions", "our own question", "our own questions"),
    ),
    _term(
        "guide words",
        "Words such as “half” or “next on the grid” that say how a choice of a paper may be varied; all are tried.",
        also=("guide word", "HAZOP"),
    ),
    _term("possible slip", "A misprint, a rounding or a wrong reference. It is counted apart."),
    *(_term(badge.name, f"Verdict: the claim {badge.meaning}.") for badge in VERDICTS.values()),
)
"""In the order in which a reader meets them."""

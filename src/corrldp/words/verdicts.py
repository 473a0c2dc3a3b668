"""Verdicts and answers in words."""

from __future__ import annotations

from dataclasses import dataclass

from corrldp.audit.words import (
    ANSWERS,
    AS_RUN,
    CONTRADICTED,
    NO_DATA,
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    UNTESTED,
)
from corrldp.words.numbers import DASH


@dataclass(frozen=True)
class Verdict:
    """How a verdict or an answer is shown: its words, a name for style sheets and links, a symbol and its meaning."""

    name: str
    slug: str
    symbol: str
    meaning: str


# In the order of the scoreboard.
VERDICTS = {
    verdict.name: verdict
    for verdict in (
        Verdict(
            REPRODUCED, "reproduced", "✓", "holds as stated: under the strict reading, within the errors of both sides"
        ),
        Verdict(
            AS_RUN,
            "as-run",
            "⇄",
            "fails as stated, and holds under every reading that the printed numbers leave standing; all of them keep "
            "the conditions that the paper itself imposes",
        ),
        Verdict(
            NOT_REPRODUCED,
            "not-reproduced",
            "✗",
            "fails as stated and under every standing reading or, where nothing says what was run, under every "
            "admissible reading",
        ),
        Verdict(
            CONTRADICTED,
            "contradicted",
            "≠",
            "is refuted by the paper's own printed numbers, with their own noise, whatever we compute",
        ),
        Verdict(
            UNDECIDED,
            "undecided",
            "?",
            "was tested, but chance, a vague word, a character that may be misread or readings that disagree leave it "
            "open; the claim says which, and what would decide",
        ),
        Verdict(NO_DATA, "no-data", "○", "was not tested, because its data could not be obtained"),
    )
}

# What a check answers in one of the three columns.
ANSWERED = {
    answer.name: answer
    for answer in (
        Verdict(ANSWERS[True], "holds", "✓", "the check holds"),
        Verdict(ANSWERS[False], "fails", "✗", "the check fails"),
        Verdict(ANSWERS[None], "open", "?", "the check cannot tell, or the readings disagree"),
        Verdict(UNTESTED, "not-tested", DASH, "nothing to judge by"),
    )
}

COLUMNS = {
    "as_stated": ("as stated", "under the strict reading of the text"),
    "as_run": ("as run", "under the readings that the printed numbers leave standing"),
    "own_numbers": ("by the paper's own numbers", "by what the paper prints, whatever we compute"),
}
"""The columns in which every claim is judged, each with its heading and what it means."""


def truth(value: bool | None) -> str:
    """Return the outcome of a check in words; None means that it cannot tell."""
    return {True: "yes", False: "no", None: "cannot tell"}[value]

"""The card of a claim as text, for a terminal."""

from __future__ import annotations

import textwrap

from claimaudit.report.claims import describe
from claimaudit.verdicts import Verdicts
from claimaudit.words.findings import DISPUTED, reply_in_words

WIDTH = 110


def card(paper: str, verdicts: Verdicts, name: str) -> str:
    """Return what the page says of a claim: its sentence, verdict, three answers with their numbers, and replies."""
    claim = describe(paper, {"figures": ()}, verdicts.of(name), verdicts)
    record = claim.record
    mark = f"{claim.mark.symbol} {claim.mark.name}{f', {DISPUTED}' if claim.disputed else ''}"
    parts = {"Verdict": mark}
    for view in claim.views.values():
        found = f"{view.answer.symbol} {view.answer.name}{f': {view.effect}' if view.effect else ''}"
        parts[view.heading.capitalize()] = ". ".join([found, *view.remarks])
    more = {
        "Note": f"{record.note} {claim.thresholds}".strip(),
        "Reason": claim.reason,
        "Open": claim.open,
        "Cause": claim.cause,
        "Score": claim.uncounted and f"not counted: {claim.uncounted}",
        "Printed": claim.printed,
        "Comparisons": str(claim.total) if claim.total else "",
        "Reply": "; ".join(map(reply_in_words, claim.replies)),
    }
    parts |= {heading: text for heading, text in more.items() if text}
    lines = [f"{paper}/{name} ({record.place})", textwrap.fill(record.states, WIDTH)]
    return "\n".join([*lines, *(_entry(heading, text) for heading, text in parts.items())])


def _entry(heading: str, text: str) -> str:
    return textwrap.fill(text, WIDTH, initial_indent=f"  {heading}: ", subsequent_indent="    ")

"""What an audit ends with: a short text, and the exit status."""

from __future__ import annotations

from claimaudit.audit.summary import scoreboard
from claimaudit.verdicts import CONTRADICTED, NOT_REPRODUCED, UNDECIDED, Verdict, Verdicts
from claimaudit.words import verdicts as words
from claimaudit.words.replies import DISPUTED

FALLS = (NOT_REPRODUCED, CONTRADICTED)
"""Verdicts on a claim that does not hold."""

HOLDS, FAILS, MISTAKE = 0, 1, 2
"""Exit statuses: all claims hold or are undecided; some claim does not hold; the input has a mistake."""


def status(verdicts: Verdicts) -> int:
    """Return the exit status of an audit."""
    return FAILS if any(claim.counted and claim.verdict in FALLS for claim in verdicts.claims) else HOLDS


def text(paper: str, verdicts: Verdicts) -> str:
    """Return the score, and a line for each claim that does not hold or is undecided."""
    shown = [claim for claim in verdicts.claims if claim.counted and claim.verdict in (*FALLS, UNDECIDED)]
    shown.sort(key=lambda claim: claim.verdict == UNDECIDED)
    lines = [
        f"  {words.VERDICTS[claim.verdict].symbol} {claim.id} ({claim.place}): {_verdict(claim, verdicts)}: "
        f"{words.effect(claim) or words.reason(claim, verdicts.names)}"
        + (f"; {words.why_open(claim)}" if claim.why else "")
        for claim in shown
    ]
    return "\n".join([*scoreboard({paper: verdicts}), *lines])


def _verdict(claim: Verdict, verdicts: Verdicts) -> str:
    """Return a verdict, and whether a reply disputes it."""
    return f"{claim.verdict} ({DISPUTED})" if verdicts.disputed(claim.id) else claim.verdict

"""What a schema cannot see: whether a claim's expressions, intervals and thresholds make sense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corrldp.audit.checks import Check
from corrldp.audit.evidence import Claim
from corrldp.audit.thresholds import ENDS
from corrldp.configuration import Place
from corrldp.expressions import parse, require_condition

Fault = tuple[Place, str]


def meaningless(claim: Claim, check: Check) -> list[Fault]:
    """Return the faults of a claim that has the form of its kind of check, each with the field concerned."""
    found: list[Fault] = []
    for field in ("rows", "quantity", "against"):
        for place, expression in _texts(claim.get(field), (field,)):
            try:
                (require_condition if field == "rows" else parse)(expression)
            except ValueError as error:
                found.append((place, str(error)))
    return found or [*_reversed(claim), *check.faults(claim)]


def _texts(content: Any, place: Place) -> Iterator[tuple[Place, str]]:  # noqa: ANN401
    """Yield a text or, of an interval of thresholds, the texts among its ends."""
    if isinstance(content, str):
        yield place, content
    elif isinstance(content, dict):
        yield from (((*place, end), text) for end, text in content.items() if isinstance(text, str))


def _reversed(claim: Claim) -> Iterator[Fault]:
    """Yield the intervals of thresholds of which the strict end is easier to meet than the generous one."""
    printed, share = claim.get("printed", {}), claim.get("share")
    shares = share if isinstance(share, dict) else {}
    for place, ends, sign in (
        (("against",), claim.get("against"), 1 if claim.get("relation") in ("<", "<=") else -1),
        (("tolerance",), claim.get("tolerance"), 1),
        (("printed", "tolerance"), printed.get("tolerance"), 1),
        (("share", "at_least"), shares.get("at_least"), -1),
        (("share", "at_most"), shares.get("at_most"), 1),
    ):
        if not isinstance(ends, dict) or set(ends) != ENDS or any(isinstance(end, str) for end in ends.values()):
            continue
        if sign * (ends["generous"] - ends["strict"]) < 0:
            yield place, f"{ends} demands more at its generous end than at its strict end; exchange them"

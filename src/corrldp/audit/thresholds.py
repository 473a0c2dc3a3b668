"""Vague words: thresholds as intervals.

An interval goes from the value that a strict reader demands to the one that a generous reader grants.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from corrldp.audit.evidence import Claim, Evidence
from corrldp.audit.words import CHANCE, WORD

ENDS = {"strict", "generous"}


def at_end(claim: Claim, end: str) -> Claim:
    """Return a claim with each interval of thresholds replaced by its ``strict`` or ``generous`` end."""

    def chosen(content: Any) -> Any:  # noqa: ANN401
        if isinstance(content, Mapping):
            return content[end] if set(content) == ENDS else {name: chosen(part) for name, part in content.items()}
        return content

    return {name: chosen(content) for name, content in claim.items()}


def intervals(claim: Claim) -> list[tuple[Any, Any]]:
    """Return the intervals of thresholds of a claim, each from its strict to its generous end."""
    return list(_intervals(claim))


def _intervals(content: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
    if isinstance(content, Mapping):
        if set(content) == ENDS:
            yield content["strict"], content["generous"]
        else:
            for part in content.values():
                yield from _intervals(part)


def between(strict: Evidence, generous: Evidence) -> Evidence:
    """Combine what both ends of an interval say: it holds at the strict end, fails at the generous end, or neither."""
    if strict.holds:
        return strict
    if generous.holds is False:
        return generous
    return replace(strict, holds=None, why=WORD if _word_decides(strict, generous) else CHANCE)


def _word_decides(strict: Evidence, generous: Evidence) -> bool:
    """Return whether more runs would leave a claim between the ends: it fails at the strict one and holds at the other.

    The statistic of an inequality is negative where our worst estimate violates it. Only one that must hold everywhere
    (it has a p-value) is judged by its worst setting.
    """
    if "outcome" in strict.comparisons and strict.p_value is not None:
        return (strict.statistic or 0) < 0 < (generous.statistic or 0)
    return generous.holds is True

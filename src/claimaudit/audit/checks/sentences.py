"""How a kind of check reads its sentence: patterns, thresholds, and what may follow a comma."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

Fields = dict[str, Any]  # fields of a check by name, as plain data

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"  # regular expression of a plain number


@dataclass(frozen=True)
class Qualifier:
    """What may follow a comma and gives a field its value; it is a part of the field's annotation.

    Messages have the `example`; `pattern` is the regular expression of the whole of it, from whose groups `value` makes
    the value of the field.
    """

    example: str
    pattern: str
    value: Callable[..., Any] = str

    @classmethod
    def fixed(cls, words: str, value: object) -> Self:
        """Return words that stand for one value."""
        return cls(words, re.escape(words), lambda: value)


def matched(pattern: str, statement: str, **made: Callable[[str], Any]) -> Fields | None:
    """Return the groups of a whole statement, read by the functions of their names; None if it does not match."""
    if not (found := re.fullmatch(pattern, statement)):
        return None
    return {name: made.get(name, str)(part) for name, part in found.groupdict().items() if part is not None}


def cut(text: str, pattern: str, most: int = 0) -> list[str]:
    """Return the parts of a text between matches of a pattern outside brackets and quotes; `most` matches, unless 0."""
    parts: list[str] = []
    start, depth, quote, place = 0, 0, "", 0
    while place < len(text):
        sign = text[place]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "([":
            depth += 1
        elif sign in ")]":
            depth -= 1
        elif depth == 0 and (found := re.compile(pattern).match(text, place)) and (not most or len(parts) < most):
            parts.append(text[start:place])
            start = place = found.end()
            continue
        place += 1
    return [*parts, text[start:]]


def threshold(text: str) -> str | float | dict[str, str | float]:
    """Return a threshold, or both ends of ``A .. B``; anything else is a ValueError."""
    ends = [part.strip() for part in re.split(r"\s\.\.\s", f" {text} ")]
    if len(ends) > 2 or not all(ends):
        raise ValueError(f"cannot read the threshold {text.strip()!r}; write 0.05, or for a vague word 0.05 .. 0.25")
    first, *second = map(number, ends)
    return {"strict": first, "generous": second[0]} if second else first


def number(text: str) -> str | float:
    """Return a number as such, and any other expression as it is."""
    if not re.fullmatch(NUMBER, text):
        return text
    return int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)

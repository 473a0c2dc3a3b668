"""The language of ``check``: a comparison as a reader says it, parsed to the fields of its kind and written back.

A check is a statement and, after commas, what qualifies it::

    mse_corr_rr < mse_spl                              ordering: at every setting
    1 - mse_corr_rr / mse_spl > 0.7 .. 0.5, where epsilon == 0.1, in some settings
    mse_spl falls along epsilon, by d and rho          monotone (grows, falls)
    mse_spl is flat along d within 0.05 .. 0.25        flat
    correlation_data is "0.370", over 100 runs         value (also: is 0.8 within 0.03; is from 0.3 to 0.5)
    largest reduction is "80 %"                        value, over all settings (largest, smallest)
    mse is as printed in table4 within 0.005           cells
    simulation agrees with theory                      agreement

``A .. B`` is the interval of a vague word: a strict reader demands A, a generous one grants B. The last two qualifiers
may be ``for "nearly all"``, the vague word, and ``as reduction [%]``, what the left side is called and its unit.
docs/claims.md has the whole language. A check of printed numbers against each other is a condition on them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from claimaudit.names import nearest

Fields = dict[str, Any]
"""The fields of a kind of check, its ``kind``, and the ``word``, ``measure`` and ``unit`` that any may have."""

DIRECTIONS = {"grows": "increasing", "falls": "decreasing"}
BASES = {"simulated": "simulation", "in theory": "theory"}
ONE_GROUP = "in one group"
SHARES = {"in some settings": "some", "in no setting": "none"}
AGREEMENT = "simulation agrees with theory"

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
STATEMENTS = (
    "A < B",
    "A grows along COLUMN",
    "A falls along COLUMN",
    "A is flat along COLUMN within 0.1",
    'A is "0.50"',
    "A is 0.5 within 0.1",
    "A is from 0.3 to 0.5",
    "METRIC is as printed in FILE",
    AGREEMENT,
)
QUALIFIERS = (
    "where d == 2 and epsilon <= 1",
    *SHARES,
    "in at least 0.9 of the settings",
    "in at most 0.1 of the settings",
    "by COLUMN and COLUMN",
    ONE_GROUP,
    *BASES,
    "over 100 runs",
    "resolving 0.5",
    'for "close"',
    "as error [%]",
)
CALLED = re.compile(r",\s+as\s+([^\[\]]*?)\s*(?:\[([^\[\]]+)\])?\s*$")
PERCENT = "%"


def parse(text: str, printed: bool = False) -> Fields:
    """Return the fields of a check, with its ``kind``; one of `printed` numbers has a condition as its statement.

    Raises
    ------
    ValueError
        If the text is no check; the message has the part that cannot be read, and what is allowed.
    """
    called = CALLED.search(text)
    statement, *qualifiers = _split(text[: called.start()] if called else text)
    fields = {"kind": "contradiction", "relation": statement} if printed else _statement(statement)
    if called:
        unit = "percent" if called[2] == PERCENT else called[2]
        fields |= {name: part for name, part in (("measure", called[1]), ("unit", unit)) if part}
    for qualifier in qualifiers:
        found = _qualifier(qualifier)
        if twice := found.keys() & fields.keys():
            raise ValueError(f"{qualifier!r} says the {twice.pop()} twice; keep one")
        fields |= found
    return fields


def write(fields: Mapping[str, Any]) -> str:
    """Return the check that `parse` reads as these fields."""
    return ", ".join([_WRITERS[fields["kind"]](fields), *_written_qualifiers(fields)])


# Reading


def _split(text: str) -> list[str]:
    """Split at commas outside brackets and quotes."""
    return [part.strip() for part in _cut(text, ",")]


def _cut(text: str, pattern: str, most: int = 0) -> list[str]:
    """Split a text at matches outside brackets and quotes; at `most` so often, unless it is 0."""
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


def _statement(text: str) -> Fields:
    for pattern, read in _READERS:
        if found := re.fullmatch(pattern, text, flags=re.DOTALL):
            return read(*found.groups())
    left, *rest = _cut(text, "(?:<=|>=|<|>)", 1)
    if not rest or not left.strip() or not rest[0].strip():
        raise ValueError(f"cannot read {text!r}; a check is one of: {'; '.join(STATEMENTS)}")
    relation = text[len(left) : len(text) - len(rest[0])]
    return {"kind": "ordering", "quantity": left.strip(), "relation": relation, "against": _threshold(rest[0])}


def _trend(quantity: str, direction: str, along: str) -> Fields:
    return {"kind": "monotone", "quantity": quantity, "along": along, "direction": DIRECTIONS[direction]}


def _flat(quantity: str, along: str, tolerance: str | None) -> Fields:
    return {"kind": "flat", "quantity": quantity, "along": along, **_given("tolerance", tolerance)}


def _digits(extreme: str | None, quantity: str, digits: str) -> Fields:
    return _value(extreme, quantity, {"value": digits})


def _within(extreme: str | None, quantity: str, value: str, tolerance: str) -> Fields:
    return _value(extreme, quantity, {"value": number(value), "tolerance": _threshold(tolerance)})


def _between(extreme: str | None, quantity: str, low: str, high: str) -> Fields:
    return _value(extreme, quantity, {"interval": [number(low), number(high)]})


def _value(extreme: str | None, quantity: str, printed: Fields) -> Fields:
    return {"kind": "value", "quantity": quantity, "printed": printed, **({"extreme": extreme} if extreme else {})}


def _alone(_extreme: str | None, _quantity: str, value: str) -> Fields:
    raise ValueError(f'say how near: is {value} within 0.05; or, as printed with its digits, is "{value}"')


def _cells(metric: str, file: str | None, error: str | None) -> Fields:
    return {
        "kind": "cells",
        "metric": metric,
        **({"published": file} if file else {}),
        **({"reading_error": number(error)} if error else {}),
    }


EXTREME = r"(?:(largest|smallest)\s+)?"
_READERS: tuple[tuple[str, Callable[..., Fields]], ...] = (
    (re.escape(AGREEMENT).replace(r"\ ", r"\s+"), lambda: {"kind": "agreement"}),
    (rf"(\w+)\s+is\s+as\s+printed(?:\s+in\s+(\w+))?(?:\s+within\s+({NUMBER}))?", _cells),
    (r"(.+?)\s+(grows|falls)\s+along\s+(\w+)", _trend),
    (r"(.+?)\s+is\s+flat\s+along\s+(\w+)(?:\s+within\s+(.+))?", _flat),
    (rf'{EXTREME}(.+?)\s+is\s+"([^"]*)"', _digits),
    (rf"{EXTREME}(.+?)\s+is\s+from\s+({NUMBER})\s+to\s+({NUMBER})", _between),
    (rf"{EXTREME}(.+?)\s+is\s+({NUMBER})\s+within\s+(.+)", _within),
    (rf"{EXTREME}(.+?)\s+is\s+({NUMBER})", _alone),
)


def _qualifier(text: str) -> Fields:
    words = " ".join(text.split())
    if found := re.fullmatch(r"where (.+)", words):
        return {"where": found[1]}
    if found := re.fullmatch(r'for "(.+)"', words):
        return {"word": found[1]}
    if words in SHARES:
        return {"share": SHARES[words]}
    if words == ONE_GROUP:
        return {"by": []}
    if words in BASES:
        return {"basis": BASES[words]}
    if found := re.fullmatch(r"in at (least|most) (.+) of the settings", words):
        return {"share": {f"at_{found[1]}": _threshold(found[2])}}
    if found := re.fullmatch(r"by (\w+(?: and \w+)*)", words):
        return {"by": found[1].split(" and ")}
    if found := re.fullmatch(r"over (\d+) runs?", words):
        return {"runs": int(found[1])}
    if found := re.fullmatch(rf"resolving ({NUMBER})", words):
        return {"resolving": number(found[1])}
    raise ValueError(
        f"cannot read {text!r} after a comma{nearest(words, QUALIFIERS)}; there may be: {', '.join(QUALIFIERS)}"
    )


def _given(name: str, text: str | None) -> Fields:
    return {} if text is None else {name: _threshold(text)}


def _threshold(text: str) -> str | float | dict[str, str | float]:
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


# Writing


def _of_value(fields: Mapping[str, Any]) -> str:
    printed, extreme = fields["printed"], fields.get("extreme")
    start = f"{f'{extreme} ' if extreme else ''}{fields['quantity']} is"
    if "interval" in printed:
        return f"{start} from {printed['interval'][0]} to {printed['interval'][1]}"
    if "tolerance" in printed:
        return f"{start} {printed['value']} within {_of_threshold(printed['tolerance'])}"
    return f'{start} "{printed["value"]}"'


def _of_flat(fields: Mapping[str, Any]) -> str:
    within = f" within {_of_threshold(fields['tolerance'])}" if "tolerance" in fields else ""
    return f"{fields['quantity']} is flat along {fields['along']}{within}"


def _of_cells(fields: Mapping[str, Any]) -> str:
    file = f" in {fields['published']}" if "published" in fields else ""
    return f"{fields['metric']} is as printed{file}" + (
        f" within {fields['reading_error']}" if "reading_error" in fields else ""
    )


def _of_trend(fields: Mapping[str, Any]) -> str:
    verbs = {direction: verb for verb, direction in DIRECTIONS.items()}
    return f"{fields['quantity']} {verbs.get(fields['direction'], fields['direction'])} along {fields['along']}"


_WRITERS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "ordering": lambda fields: f"{fields['quantity']} {fields['relation']} {_of_threshold(fields['against'])}",
    "monotone": _of_trend,
    "flat": _of_flat,
    "value": _of_value,
    "cells": _of_cells,
    "agreement": lambda fields: AGREEMENT,
    "contradiction": lambda fields: str(fields["relation"]),
}


def _written_qualifiers(fields: Mapping[str, Any]) -> Iterator[str]:
    if fields.get("where"):
        yield f"where {fields['where']}"
    share = fields.get("share", "every")
    if isinstance(share, Mapping):
        ((name, threshold),) = share.items()
        yield f"in {name.replace('_', ' ')} {_of_threshold(threshold)} of the settings"
    elif share != "every":
        yield {word: words for words, word in SHARES.items()}[share]
    if "by" in fields:
        yield f"by {' and '.join(fields['by'])}" if fields["by"] else ONE_GROUP
    if fields.get("basis"):
        yield {basis: words for words, basis in BASES.items()}[fields["basis"]]
    if fields.get("runs"):
        yield f"over {fields['runs']} runs"
    if "resolving" in fields:
        yield f"resolving {fields['resolving']}"
    if fields.get("word"):
        yield f'for "{fields["word"]}"'
    if fields.get("measure") or fields.get("unit"):
        unit = PERCENT if fields.get("unit") == "percent" else fields.get("unit")
        yield " ".join(filter(None, ["as", fields.get("measure"), f"[{unit}]" if unit else ""]))


def _of_threshold(threshold: object) -> str:
    if isinstance(threshold, Mapping):
        return f"{threshold['strict']} .. {threshold['generous']}"
    return str(threshold)

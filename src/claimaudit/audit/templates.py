"""Templates in claims files: defaults, entries for several claims, numbers in sentences; see docs/claims.md."""

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from claimaudit.audit.arrays import variable
from claimaudit.audit.checks import parse
from claimaudit.configuration import Place
from claimaudit.digits import PATTERN, Printed
from claimaudit.names import known_names
from claimaudit.papers.claims import SENTENCES, ClaimEntry

Template = dict[str, Any]  # a claim, or several, as a file has it

Case = Mapping[str, Any]  # values by the names that braces have

FORMATS = {
    "percent": lambda value: f"{100 * _number(value):g} %",
    "percent.1": lambda value: f"{100 * _number(value):.1f} %",
    "lower": str.lower,
    "slug": lambda value: variable(value).replace("_", "-"),
    "variable": variable,
}
"""Formats allowed after the colon in ``{name:format}`` besides Python's own, such as ``,`` or ``.3f``."""


THRESHOLDS = ("against", "against.strict", "against.generous", "printed", "low", "high")
"""Parts of a check by which it is decided, and which a sentence may state."""


def _number(value: Any) -> Any:  # noqa: ANN401
    if not isinstance(value, str) or not re.fullmatch(PATTERN, value):
        return value
    number = Printed.read(value).value
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def fill(entries: list[Template], defaults: Template) -> list[Template]:
    """Fill in the defaults that the claims of a section or group lack; those of a group of claims take precedence.

    Raises ValueError if a default is no field, or no claim uses it because each sets it itself.
    """
    used: set[str] = set()

    def filled(entry: Template) -> Template:
        if "claims" in entry:
            inner = fill(entry["claims"], entry.get("defaults", {}))
            return {"for_each": entry["for_each"], "claims": [filled(claim) for claim in inner]}
        missing = {name: value for name, value in defaults.items() if name not in entry}
        used.update(missing)
        return {**entry, **missing}

    complete = [filled(entry) for entry in entries]
    for name in defaults:
        if name not in ClaimEntry.model_fields:
            raise ValueError(f"there is no field {name} for a default{known_names(name, ClaimEntry.model_fields)}")
        if name not in used:
            raise ValueError(f"no claim uses the default {name}: each sets it itself")
    return complete


def expand(
    entry: Template, place: Place, outer: Case | None = None, used: set[str] | None = None
) -> list[tuple[Place, Template]]:
    """Expand the entry at a place into claims, each after its own: one for each case of ``for_each``, or the entry.

    ``{name}`` in any field is replaced by the value of the case; in ``states`` and ``note`` it may also name a field of
    the claim, or a part of its check such as ``against``. An entry with ``claims`` repeats all of them for each case.
    `outer` is the case of the enclosing entry, and `used` the set of names used so far, which is updated. Unknown or
    unused names, and cases that differ in theirs, are a ValueError.
    """
    outer, used = outer or {}, set() if used is None else used
    if "for_each" not in entry:
        return [(place, _written(entry, outer, used))]
    cases = list(_cases(entry["for_each"]))
    odd = sorted({name for case in cases for name in set(case) ^ set(cases[0])})
    if odd:
        raise ValueError(f"for_each: {', '.join(odd)} is not in every case")
    template = {name: value for name, value in entry.items() if name != "for_each"}
    written = []
    for case in cases:
        if "claims" not in template:
            written.append((place, _written(template, {**outer, **case}, used)))
        for position, inner in enumerate(template.get("claims", [])):
            try:
                written += expand(inner, (*place, "claims", position), {**outer, **case}, used)
            except ValueError as error:
                raise ValueError(f"claim {inner.get('id', 'without an id')}: {error}") from error
    idle = [name for name in cases[0] if not any(_within(name, use) or _within(use, name) for use in used)]
    if idle:
        raise ValueError(f"for_each: no field has {{{idle[0]}}}; use it in a field or remove it")
    return written


def _within(name: str, other: str) -> bool:
    """Return whether a name equals another or is a part of it, as ``panel.letter`` is of ``panel``."""
    return name == other or name.startswith(f"{other}.")


def _cases(for_each: list[Case] | Case) -> Iterator[Case]:
    """Yield the values of each case by name; those inside a mapping have names such as ``panel.letter``."""
    if isinstance(for_each, list):
        combinations: Iterable[Case] = for_each
    else:
        combinations = (dict(zip(for_each, values, strict=True)) for values in product(*for_each.values()))
    return (dict(_flat(case)) for case in combinations)


def _flat(content: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        yield str(name), value
        inside = value if isinstance(value, Mapping) else dict(enumerate(value)) if isinstance(value, list) else {}
        yield from ((f"{name}.{key}", part) for key, part in _flat(inside))


def _written(claim: Template, case: Case, used: set[str]) -> Template:
    """Fill in one claim; its sentences may name its other fields, and parts of its check. What is null is left out.

    A threshold of the check that `states` names is ``claimed``.
    """
    others = {name: value for name, value in claim.items() if name not in SENTENCES}
    filled = _substituted(others, case, used) if case else others
    others = {name: value for name, value in filled.items() if value is not None}
    parts = dict(_flat(_parts(others)))
    names, quoted = {**dict(_flat(others)), **parts, **case}, {name: set[str]() for name in SENTENCES}
    said = {name: _substituted(claim[name], names, quoted[name]) for name in SENTENCES if name in claim}
    used.update(*quoted.values())
    found = {name: {**others, **said}.get(name) for name in claim}
    claimed = (parts.get(name) for name in THRESHOLDS if name in quoted["states"])
    found.setdefault("claimed", next((value for value in claimed if isinstance(value, int | float)), None))
    return {name: value for name, value in found.items() if value is not None}


def _parts(claim: Template) -> Template:
    """Return the parts of a claim's check by name, none if it cannot be read; `printed` is the number itself."""
    if not isinstance(claim.get("check"), str):
        return {}
    try:
        fields = parse(claim["check"], "printed" in claim)
    except ValueError:
        return {}
    printed = fields.pop("printed", {})
    low, high = printed.get("interval", (None, None))
    named = {"printed": printed.get("value"), "low": low, "high": high, "within": printed.get("tolerance")}
    return fields | {name: value for name, value in named.items() if value is not None}


def _substituted(content: Any, names: Case, used: set[str]) -> Any:  # noqa: ANN401
    """Replace ``{name}`` in all strings of a nested structure; a string that is only ``{name}`` becomes the value."""
    if isinstance(content, Mapping):
        return {key: _substituted(part, names, used) for key, part in content.items()}
    if isinstance(content, list):
        return [_substituted(part, names, used) for part in content]
    return _Formatter(names, used).write(content) if isinstance(content, str) else content


class _Formatter(string.Formatter):
    """Python's ``str.format`` over known names, with `FORMATS`; records the names used."""

    def __init__(self, names: Case, used: set[str]) -> None:
        self.names, self.used = names, used

    def write(self, text: str) -> Any:  # noqa: ANN401
        alone = re.fullmatch(r"\{([^{}:]+)\}", text)
        return self.get_field(alone[1], (), {})[0] if alone else self.vformat(text, (), {})

    def get_field(self, field_name: str, args: object, kwargs: object) -> tuple[Any, str]:
        if field_name not in self.names:
            raise ValueError(f"unknown name {{{field_name}}}{known_names(field_name, self.names)}")
        self.used.add(field_name)
        return self.names[field_name], field_name

    def format_field(self, value: object, format_spec: str) -> str:
        try:
            if format_spec in FORMATS:
                return FORMATS[format_spec](value)
            return format(_number(value) if format_spec else value, format_spec)
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(
                f"cannot format {value!r} as {format_spec!r}{known_names(format_spec, FORMATS)}"
            ) from error

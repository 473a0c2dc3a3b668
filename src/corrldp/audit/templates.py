"""Claims as a file writes them: sections with defaults, entries that stand for several claims, numbers in sentences.

docs/claims.md explains them to people who write claims.
"""

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from corrldp.audit.evidence import Claim
from corrldp.audit.kinds import CHECKS
from corrldp.audit.quantities import variable
from corrldp.configuration import known_names

FORMATS = {
    "percent": lambda value: f"{100 * value:g} %",
    "percent.1": lambda value: f"{100 * value:.1f} %",
    "lower": str.lower,
    "slug": lambda value: variable(value).replace("_", "-"),
    "variable": variable,
}
"""What may follow the colon in ``{name:format}`` besides Python's own formats, such as ``,`` or ``.3f``."""


def fill(entries: list[Claim], defaults: Claim, common: Iterable[str], kind: str | None = None) -> list[Claim]:
    """Give each claim of a section or group the defaults that it lacks and may have.

    Parameters
    ----------
    entries
        Claims as written; a group of claims may have defaults of its own, which come first.
    defaults
        Values of fields.
    common
        The fields that claims of every kind may have.
    kind
        The kind of a claim if neither it nor `defaults` says so.

    Raises
    ------
    ValueError
        If a default is used by no claim, because none may have it or each has its own.
    """
    kind = defaults.get("kind", kind)
    used: set[str] = set()

    def filled(entry: Claim) -> Claim:
        if "claims" in entry:
            inner = fill(entry["claims"], entry.get("defaults", {}), common, kind)
            return {"for_each": entry["for_each"], "claims": [filled(claim) for claim in inner]}
        check = CHECKS.get(str(entry.get("kind", kind)))
        allowed = {*common, *(check.fields if check else ())}
        missing = {name: value for name, value in defaults.items() if name in allowed and name not in entry}
        used.update(missing)
        return {**entry, **missing}

    complete = [filled(entry) for entry in entries]
    idle = next((name for name in defaults if name not in used), None)
    if idle is not None:
        fields = {*common, *(name for check in CHECKS.values() for name in check.fields)}
        why = (
            "each that may have it has its own"
            if idle in fields
            else f"there is no such field{known_names(idle, fields)}"
        )
        raise ValueError(f"no claim uses the default {idle}: {why}")
    return complete


def expand(entry: Claim, outer: Mapping[str, Any] | None = None, used: set[str] | None = None) -> list[Claim]:
    """Write out the claims for which an entry stands: one for each case of its ``for_each``, or itself.

    ``{name}`` in any field is the value of the case; in ``states`` and ``note`` it may also be a field of the claim.
    An entry with ``claims`` repeats all of them for each case.

    Parameters
    ----------
    entry
        The entry, with the defaults of its section.
    outer, used
        The case of the entry around this one, and the names that have been used, to which this adds.

    Raises
    ------
    ValueError
        If a name in braces is unknown, a name of ``for_each`` is not used, or the cases differ in their names.
    """
    outer, used = outer or {}, set() if used is None else used
    if "for_each" not in entry:
        return [_written(entry, outer, used)]
    cases = list(_cases(entry["for_each"]))
    odd = sorted({name for case in cases for name in set(case) ^ set(cases[0])})
    if odd:
        raise ValueError(f"for_each: {', '.join(odd)} is not in every case")
    template = {name: value for name, value in entry.items() if name != "for_each"}
    written = []
    for case in cases:
        if "claims" not in template:
            written.append(_written(template, {**outer, **case}, used))
        for inner in template.get("claims", []):
            try:
                written += expand(inner, {**outer, **case}, used)
            except ValueError as error:
                raise ValueError(f"claim {inner.get('id', 'without an id')}: {error}") from error
    idle = [name for name in cases[0] if not any(_within(name, use) or _within(use, name) for use in used)]
    if idle:
        raise ValueError(f"for_each: no field has {{{idle[0]}}}; write it where it belongs or leave it out")
    return written


def _within(name: str, other: str) -> bool:
    """Whether a name is another or a part of it, as ``panel.letter`` is of ``panel``."""
    return name == other or name.startswith(f"{other}.")


def _cases(for_each: list[Mapping[str, Any]] | Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Values of each case by name; those inside a mapping are named as in ``panel.letter``."""
    if isinstance(for_each, list):
        combinations: Iterable[Mapping[str, Any]] = for_each
    else:
        combinations = (dict(zip(for_each, values, strict=True)) for values in product(*for_each.values()))
    return (dict(_flat(case)) for case in combinations)


def _flat(content: Mapping[Any, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in content.items():
        yield str(name), value
        inside = value if isinstance(value, Mapping) else dict(enumerate(value)) if isinstance(value, list) else {}
        yield from ((f"{name}.{key}", part) for key, part in _flat(inside))


def _written(claim: Claim, case: Mapping[str, Any], used: set[str]) -> Claim:
    """Write out one claim; its sentences may name its other fields."""
    sentences = {name: claim[name] for name in ("states", "note") if name in claim}
    others = {name: value for name, value in claim.items() if name not in sentences}
    others = _substituted(others, case, used) if case else others
    names = {**dict(_flat(others)), **case}
    return {name: _substituted(claim[name], names, used) if name in sentences else others[name] for name in claim}


def _substituted(content: Any, names: Mapping[str, Any], used: set[str]) -> Any:  # noqa: ANN401
    """Replace ``{name}`` in all strings of a nested structure; a string that is nothing else becomes the value."""
    if isinstance(content, Mapping):
        return {key: _substituted(part, names, used) for key, part in content.items()}
    if isinstance(content, list):
        return [_substituted(part, names, used) for part in content]
    return _Formatter(names, used).write(content) if isinstance(content, str) else content


class _Formatter(string.Formatter):
    """Python's ``str.format`` over known names, with `FORMATS`; remembers which names it has used."""

    def __init__(self, names: Mapping[str, Any], used: set[str]) -> None:
        self.names, self.used = names, used

    def write(self, text: str) -> Any:  # noqa: ANN401
        alone = re.fullmatch(r"\{([^{}:]+)\}", text)
        return self.get_field(alone[1], (), {})[0] if alone else self.vformat(text, (), {})

    def get_field(self, field_name: str, args: object, kwargs: object) -> tuple[Any, str]:
        if field_name not in self.names:
            raise ValueError(f"unknown name {{{field_name}}}{known_names(field_name, self.names)}")
        self.used.add(field_name)
        return self.names[field_name], field_name

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401
        try:
            return FORMATS[format_spec](value) if format_spec in FORMATS else format(value, format_spec)
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(f"cannot write {value!r} as {format_spec!r}{known_names(format_spec, FORMATS)}") from error

"""Claims files: loading and validation."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from claimaudit.audit.checks.registry import CHECKS
from claimaudit.audit.claim import Claim
from claimaudit.audit.claims import grammar
from claimaudit.audit.claims.templates import Template, expand, fill
from claimaudit.configuration import Fault, Place, faults_in, keys_of, read, refuse
from claimaudit.expressions import parse
from claimaudit.names import known_names
from claimaudit.papers.claims import ClaimEntry, ClaimsFile
from claimaudit.verdicts import Cause

PLACE = "at"
"""Field that tells where a claim is in its file while templates are expanded."""

OTHER_DATA = "data"
"""Field of an alternative that is the same sentence on other data."""

OF_ANY = ("kind", "word", "measure", "unit")
"""What the check of any kind may state."""


@dataclass(frozen=True)
class Context:
    """What claims take from the paper: see `claimaudit.papers.paper.Paper.context`.

    Attributes ---------- subjects What claims may be of, by name; None if the paper could not be read, so that all
    names are taken for experiments. lacking Data that only a user can supply, by the text of a setting that needs it.
    """

    subjects: Mapping[str, Mapping[str, Any]] | None = None
    lacking: Mapping[str, str] = field(default_factory=dict)

    def subject(self, name: str) -> Mapping[str, Any]:
        """Return what a claim is of; if the paper could not be read, an experiment with printed numbers."""
        unknown = {"experiment": name, "figure": "", "exhibits": (), "published": name, "reading_error": 0.0}
        return (self.subjects or {}).get(name, unknown)


def load(path: Path, context: Context) -> list[Claim]:
    """Load a claims file, with defaults filled in and every claim validated together with its alternatives.

    Raises
    ------
    ConfigurationError
        If a claim is not well formed or two claims share an id; one line per fault, each with file, line and claim.
    """
    return [claim for _, claim in load_with_places(path, context)]


def load_with_places(path: Path, context: Context) -> list[tuple[Place, Claim]]:
    """Load a claims file as `load` does; each claim comes with the place of its entry in the file."""
    doubts = _content(path).get("misread", {})
    return [
        (place, replace(resolved(entry, context), doubt=doubts.get(entry["id"], "")))
        for place, entry in entries(path, context)
    ]


def entries(path: Path, context: Context) -> list[tuple[Place, Template]]:
    """Load a claims file as `load_with_places` does, with each claim as a complete entry of such a file."""
    content = _content(path)
    found: list[Fault] = []
    placed = [
        item
        for number, section in enumerate(content["sections"])
        for item in _of_section(number, section, context, found)
    ]
    places = {claim["id"]: place for place, claim in placed}
    ids = Counter(claim["id"] for _, claim in placed)
    for name, times in ids.items():
        if times > 1:
            found.append(((*places[name], "id"), f"claim {name}: the id is used {times} times; make it unique"))
    for place, claim in placed if not found else ():
        for key in ("refines", "follows"):
            other = claim.get(key)
            if other is not None and (other not in ids or other == claim["id"]):
                words = f"{key}: {other} is not another claim{known_names(other, ids)}"
                found.append(((*place, key), f"claim {claim['id']}: {words}"))
    found += [
        (("misread", name), f"misread: {name} is no claim{known_names(name, ids)}")
        for name in (content.get("misread", {}) if not found else ())
        if name not in ids
    ]
    found += _of_causes(placed, content.get("causes", {}), complete=not found)
    refuse(path, found, keyed=False)
    return placed


def _of_causes(placed: list[tuple[Place, Template]], known: Template, complete: bool) -> Iterator[Fault]:
    """Yield the causes that claims name and that are not there and, if all claims are known, those without a claim."""
    named = {claim["cause"]: (place, claim["id"]) for place, claim in placed if "cause" in claim}
    for cause, (place, name) in named.items():
        if cause not in known:
            words = f"claim {name}: cause: {cause} is not in `causes`{known_names(cause, known)}"
            yield (*place, "cause"), words
    for cause in known if complete and named.keys() <= known.keys() else ():
        if cause not in named:
            yield ("causes", cause), f"causes: no claim has the cause {cause}; remove it"


def load_causes(path: Path) -> dict[str, Cause]:
    """Load the causes of a claims file, by name; see `load` for errors."""
    causes = _content(path).get("causes", {})
    return {name: Cause(**{**cause, "states": cause["states"].strip()}) for name, cause in causes.items()}


def resolved(entry: Template, context: Context) -> Claim:
    """Return the claim that a valid entry describes, with its alternatives as complete claims."""
    (_, stated), *others = _variants(entry)
    alternatives = tuple((name, typed(_resolved(complete, context))) for name, complete in others)
    claim = typed(_resolved(stated, context))
    given = entry.get("alternatives", {}).items()
    other_data = tuple(name for name, other in given if isinstance(other, dict) and other.get(OTHER_DATA))
    return replace(claim, alternatives=alternatives, on_other_data=other_data)


def typed(content: Template) -> Claim:
    """Return the claim with these fields of `Claim` or its kind; ``alternatives`` are fields that change, by name."""
    stated = {name: value for name, value in content.items() if name != "alternatives"}
    others = ((name, {**stated, **other}) for name, other in content.get("alternatives", {}).items())
    alternatives = tuple((name, Claim.of(_given(other))) for name, other in others)
    return replace(Claim.of(stated), alternatives=alternatives)


def _given(content: Template) -> Template:
    return {name: value for name, value in content.items() if value is not None and name != OTHER_DATA}


def _resolved(entry: Template, context: Context) -> Template:
    """Return the fields of `Claim` that an entry without alternatives states, and that follow from the paper."""
    content = {name: value for name, value in entry.items() if name not in ("check", "of", "printed")}
    if entry.get("origin") == "cited":
        content |= {"origin": "paper", "cited": True}
    subjects = [context.subject(name) for name in _of(entry)]
    shown = next((each["figure"] for each in subjects if each["figure"]), "")
    content["figure"] = entry.get("figure", shown)
    checked = _check_of(entry, context)
    if context.subjects is not None:
        speaks = {name for each in subjects for name in each["exhibits"]} if "table" in checked else set()
        content["exhibits"] = [name for name in context.subjects if name in speaks]
    return content | checked | _lacking(checked, context)


def _of(entry: Template) -> list[str]:
    given = entry.get("of", [])
    return [given] if isinstance(given, str) else list(given)


def _check_of(entry: Template, context: Context) -> Template:
    """Return the fields of the kind of check.

    Raises
    ------
    ValueError
        If the check cannot be read, or is of no experiment.
    """
    fields = grammar.parse(entry["check"], "printed" in entry)
    kind = CHECKS[fields["kind"]]
    for name in fields:
        if name not in (*OF_ANY, *kind.fields):
            words = grammar.write({"kind": "agreement", name: fields[name]}).partition(", ")[2]
            raise ValueError(f"{words!r} says nothing here; it does not go with a check of this kind ({kind.name})")
    if "printed" in entry:
        return fields | {"printed": entry["printed"]}
    names = _of(entry)
    if not names:
        raise ValueError("no numbers to check: name an exhibit or an experiment in `of`, or give `printed` numbers")
    fields["table"] = context.subject(names[0])["experiment"]
    if fields["kind"] == "cells":
        printing = [each for each in map(context.subject, names) if each["published"]]
        if "published" not in fields and printing:
            fields["published"] = printing[0]["published"]
        same = [each["reading_error"] for each in printing if each["published"] == fields.get("published")]
        if "reading_error" not in fields and any(same):
            fields["reading_error"] = next(filter(None, same))
    return fields


def _lacking(fields: Template, context: Context) -> Template:
    """Return what only a user can supply, if the selected rows need it."""
    nodes = ast.walk(parse(fields["where"])) if fields.get("where") and context.lacking else ()
    texts = {
        part.value
        for node in nodes
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.In)
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
    }
    return next(({"lacking": data} for text, data in context.lacking.items() if text in texts), {})


def _variants(entry: Template) -> list[tuple[str, Template]]:
    """List an entry without its alternatives (named ``""``) and each alternative, as complete entries."""
    stated = {key: value for key, value in entry.items() if key != "alternatives"}
    others = entry.get("alternatives", {}).items()
    changed = ((name, {"check": other} if isinstance(other, str) else other) for name, other in others)
    return [("", stated), *((name, _given({**stated, **fields})) for name, fields in changed)]


def _content(path: Path) -> dict[str, Any]:
    """Read a file and check what can be checked before templates are expanded; without a file there are no claims."""
    if not path.exists():
        return {"sections": []}
    content = read(path)
    found = faults_in(content, ClaimsFile)
    refuse(path, [(place, _in_words(content, place) + words) for place, words in found], keyed=False)
    return content


def _in_words(content: object, place: Place) -> str:
    """Name an entry by its section, its claim and the keys in it."""
    parts: list[str] = []
    node: Any = content
    for key in place:
        known = isinstance(node, list) or (isinstance(node, dict) and key in node)
        node = node[key] if known else None
        title = node.get("title") if isinstance(node, dict) else None
        if title and not parts:
            parts.append(f"section {title!r}")
        elif isinstance(key, int):
            name = node.get("id") if isinstance(node, dict) else None
            parts.append(f"{'claim ' if len(parts) == 1 else ''}{name or f'number {key + 1}'}")
        elif key not in ("sections", "claims") or node is None:
            parts.append(key)
    return "".join(f"{part}: " for part in parts)


def _of_section(
    number: int, section: Template, context: Context, found: list[Fault]
) -> Iterator[tuple[Place, Template]]:
    """Yield the complete claims of a section with their places; add faults, and leave out claims that have any."""
    title, place = section["title"], ("sections", number, "claims")
    entries = _placed(section["claims"], place)
    try:
        entries = fill(entries, section.get("defaults", {}))
    except ValueError as error:
        found.append((("sections", number, "defaults"), f"section {title!r}: {error}"))
        return
    for position, entry in enumerate(entries):
        name = entry.get("id", f"number {position + 1} of section {title!r}")
        try:
            claims = expand(entry)
        except ValueError as error:
            words = f"{'group' if 'claims' in entry else 'claim'} {name}: {error}"
            found.append(((*place, position), words))
            continue
        for claim in claims:
            own = claim.pop(PLACE)
            wrong = [((*own, *key), f"claim {claim.get('id', name)}{words}") for key, words in _faults(claim, context)]
            found += wrong
            if not wrong:
                yield own, claim


def _placed(entries: list[Template], place: Place) -> list[Template]:
    """Let each claim, also of a group, carry its place in the file through templates."""
    return [
        {**entry, "claims": _placed(entry["claims"], (*place, position, "claims"))}
        if "claims" in entry
        else {**entry, PLACE: (*place, position)}
        for position, entry in enumerate(entries)
    ]


def _faults(claim: Template, context: Context) -> Iterator[Fault]:
    """Yield the faults of a complete claim or, if it has none, those of its alternatives."""
    own = list(_of_fields(claim, context))
    yield from ((place, f": {words}") for place, words in own)
    for name, complete in _variants(claim)[1:] if not own else ():
        for place, words in _of_fields(complete, context):
            yield ("alternatives", name, *place), f", alternative {name}: {words}"


def _of_fields(claim: Template, context: Context) -> Iterator[Fault]:
    """Yield the faults of a claim, each with the field concerned."""
    wrong = faults_in(claim, ClaimEntry)
    yield from ((place, f"{keys_of(place)}: {words}") for place, words in wrong)
    if wrong:
        return
    known = context.subjects
    for name in _of(claim):
        if known is not None and name not in known:
            yield ("of",), f"of: no exhibit or experiment {name!r}{known_names(name, known)}"
            return
    try:
        fields = _check_of(claim, context)
    except ValueError as error:
        yield ("check",), f"check: {error}"
        return
    entry = CHECKS[fields["kind"]].entry
    for place, words in faults_in({name: value for name, value in fields.items() if name not in OF_ANY}, entry):
        key = "printed" if "printed" in claim and place[0] == "printed" else "check"
        yield (key,), f"check: {keys_of(place)}: {words}" if key == "check" else f"{keys_of(place)}: {words}"

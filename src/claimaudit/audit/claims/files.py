"""Claims files: loading and validation."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimaudit.audit.checks.registry import CHECKS
from claimaudit.audit.claim import Claim
from claimaudit.audit.claims.templates import Template, expand, fill
from claimaudit.configuration import Fault, Place, faults_in, keys_of, read, refuse
from claimaudit.names import known_names
from claimaudit.papers.claims import COMMON, ClaimsFile
from claimaudit.verdicts import Cause

PLACE = "place"
"""Field that tells where a claim is in its file while templates are expanded."""


def load(path: Path) -> list[Claim]:
    """Load a claims file, with defaults filled in and every claim validated together with its alternatives.

    Raises
    ------
    ConfigurationError
        If a claim is not well formed or two claims share an id; one line per fault, each with file, line and claim.
    """
    return [claim for _, claim in load_with_places(path)]


def load_with_places(path: Path) -> list[tuple[Place, Claim]]:
    """Load a claims file as `load` does; each claim comes with the place of its entry in the file."""
    return [(place, typed(entry)) for place, entry in entries(path)]


def entries(path: Path) -> list[tuple[Place, Template]]:
    """Load a claims file as `load_with_places` does, with each claim as a complete entry of such a file."""
    content = _content(path)
    found: list[Fault] = []
    placed = [
        item for number, section in enumerate(content["sections"]) for item in _of_section(number, section, found)
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


def typed(content: Template) -> Claim:
    """Return the claim that valid content describes, with its alternatives as complete claims."""
    (_, stated), *others = _variants(content)
    return replace(
        Claim.of(stated),
        alternatives=tuple((name, Claim.of(complete)) for name, complete in others),
        on_other_data=tuple(other["name"] for other in content.get("alternatives", []) if other.get("data")),
    )


def _variants(content: Template) -> list[tuple[str, Template]]:
    """List an entry without its alternatives (named ``""``) and each alternative, as complete entries.

    An alternative of another kind of check does without the fields that this kind does not have.
    """
    stated = {key: value for key, value in content.items() if key != "alternatives"}
    return [("", stated), *((other["name"], _changed(stated, other)) for other in content.get("alternatives", []))]


def _changed(stated: Template, other: Template) -> Template:
    """Return an entry with the fields that an alternative changes."""
    kind = other.get("kind")
    dropped = {"name", "data"}
    if kind in CHECKS:
        dropped |= CHECKS[stated["kind"]].fields.keys() - CHECKS[kind].fields.keys() - other.keys()
    return {key: value for key, value in {**stated, **other}.items() if key not in dropped}


def _content(path: Path) -> dict[str, Any]:
    """Read a file and check what can be checked before templates are expanded."""
    content = read(path)
    found = faults_in(content, ClaimsFile)
    refuse(path, [(place, _in_words(content, place) + words) for place, words in found], keyed=False)
    return content


def _in_words(content: Any, place: Place) -> str:  # noqa: ANN401
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


def _of_section(number: int, section: Template, found: list[Fault]) -> Iterator[tuple[Place, Template]]:
    """Yield the complete claims of a section with their places; add faults, and leave out claims that have any."""
    title, place = section["title"], ("sections", number, "claims")
    entries = _placed(section["claims"], place)
    try:
        entries = fill(entries, section.get("defaults", {}), COMMON)
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
            wrong = [((*own, *key), f"claim {claim.get('id', name)}{words}") for key, words in _faults(claim)]
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


def _faults(claim: Template) -> Iterator[Fault]:
    """Yield the faults of a complete claim or, if it has none, those of its alternatives."""
    own = list(_of_fields(claim))
    yield from ((place, f": {words}") for place, words in own)
    names = Counter(name for name, _ in _variants(claim)[1:]) if not own else {}
    for name, times in names.items():
        if times > 1:
            yield ("alternatives",), f": alternatives: {times} have the name {name!r}; make it unique"
    for position, (name, complete) in enumerate(_variants(claim)[1:] if not own else ()):
        for place, words in _of_fields(complete):
            yield ("alternatives", position, *place), f", alternative {name}: {words}"


def _of_fields(claim: Template) -> Iterator[Fault]:
    """Yield the faults of a claim without its alternatives, each with the field concerned."""
    kind = claim.get("kind")
    if kind is None:
        yield ("kind",), "kind: the key is missing"
    elif not isinstance(kind, str) or kind not in CHECKS:
        yield ("kind",), f"kind: {kind!r} is not one of the kinds of check{known_names(kind, CHECKS)}"
    else:
        yield from ((place, f"{keys_of(place)}: {words}") for place, words in faults_in(claim, CHECKS[kind].entry))

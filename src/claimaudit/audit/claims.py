"""Claims: what a file states, read and validated as a whole."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from claimaudit import expressions
from claimaudit.audit import checks
from claimaudit.audit.checks.base import Check, Fields, OfRows
from claimaudit.audit.checks.fits import PublishedCells
from claimaudit.audit.templates import Template, expand, fill
from claimaudit.configuration import Fault, Place, faults, faults_in, keys_of, parse
from claimaudit.names import known_names, nearest, shown
from claimaudit.papers.claims import ClaimEntry, ClaimsFile, RepliesFile
from claimaudit.papers.jobs import Context
from claimaudit.verdicts import Cause, Reply, Stated
from claimaudit.yaml_files import load as load_file
from claimaudit.yaml_files import read, refuse


@dataclass(frozen=True, kw_only=True)
class Claim(Stated):
    """A claim, or one meaning of its sentence.

    `check` has what the sentence of the check says, and `exhibits` follow from the paper. `alternatives` are other
    meanings of the sentence, by name, as complete claims, and those in `on_other_data` the same meaning on other data,
    which the text does not exclude. The complete `entry` stands `at` a place of the file.
    """

    check: Check
    cited: bool = False
    exhibits: tuple[str, ...] = ()
    alternatives: tuple[tuple[str, Claim], ...] = ()
    on_other_data: tuple[str, ...] = ()
    at: Place = field(default=(), compare=False)
    entry: Template = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Claim:
        """Return the claim with the fields given, those of its check among them as plain data, and its ``kind``.

        A field of the check that its kind does not allow raises a pydantic.ValidationError.
        """
        own = {each.name: content[each.name] for each in fields(cls) if each.name in content}
        checked = {name: value for name, value in content.items() if name not in {*own, "kind"}}
        return cls(**own, check=parse(checked, checks.CHECKS[content["kind"]]))

    @property
    def table(self) -> str:
        """The experiment whose result table is the evidence; empty if printed numbers are."""
        return self.check.table if isinstance(self.check, OfRows) else ""

    @property
    def meanings(self) -> tuple[tuple[str, Claim], ...]:
        """The claim as stated (named ``""``) and its alternatives, each without alternatives of its own."""
        return (("", replace(self, alternatives=())), *self.alternatives)


def load(path: Path, context: Context) -> list[Claim]:
    """Load a claims file, with defaults filled in and every claim validated together with its alternatives.

    Raises ConfigurationError if a claim is not well formed or two claims share an id; one line per fault, each with
    file, line and claim.
    """
    content = _content(path)
    doubts, causes = content.get("misread", {}), content.get("causes", {})
    found: list[Fault] = []
    claims = [
        claim
        for number, section in enumerate(content["sections"])
        for claim in _of_section(number, section, context, found)
    ]
    known = {claim.id: claim for claim in claims}
    for name, times in Counter(claim.id for claim in claims).items():
        if times > 1:
            found.append(((*known[name].at, "id"), f"claim {name}: the id is used {times} times; make it unique"))
    whole = not found
    if whole:
        found += [fault for key in ("refines", "follows") for fault in _of_links(key, known)]
        found += (
            (("misread", name), f"misread: {name} is no claim{known_names(name, known)}")
            for name in doubts
            if name not in known
        )
    named = {claim.cause: claim for claim in claims if claim.cause}
    for cause, claim in named.items():
        if cause not in causes:
            words = f"claim {claim.id}: cause: {cause} is not in `causes`{known_names(cause, causes)}"
            found.append(((*claim.at, "cause"), words))
    if whole and named.keys() <= causes.keys():
        unused = [cause for cause in causes if cause not in named]
        found += ((("causes", cause), f"causes: no claim has the cause {cause}; remove it") for cause in unused)
    refuse(path, found, keyed=False)
    return [replace(claim, doubt=doubts.get(claim.id, "")) for claim in claims]


def _of_links(key: str, claims: Mapping[str, Claim]) -> Iterator[Fault]:
    """Yield the claims of which `key` names no other, or that it leads back to themselves: none of these counts."""
    above = {name: getattr(claim, key) for name, claim in claims.items()}
    for name, claim in claims.items():
        place, other = (*claim.at, key), above[name]
        if other and (other not in claims or other == name):
            words = f"{key}: {other} is not another claim{known_names(other, claims.keys() - {name})}"
            yield place, f"claim {name}: {words}"
            continue
        seen = [name]
        while other and other not in seen:
            seen.append(other)
            other = above.get(other, "")
        if other == name:
            yield place, f"claim {name}: {key}: {' -> '.join([*seen, other])} is a circle; remove one"


def load_causes(path: Path) -> dict[str, Cause]:
    """Load the causes of a claims file, by name; see `load` for errors."""
    causes = _content(path).get("causes", {})
    return {name: Cause(**{**cause, "states": cause["states"].strip()}) for name, cause in causes.items()}


def load_replies(path: Path, claims: Collection[str]) -> tuple[Reply, ...]:
    """Read the replies on a paper; there are none without a file.

    Raises ConfigurationError with one line for each fault, such as a claim that is none of `claims`, with file, line
    and key.
    """
    if not path.exists():
        return ()
    entries = load_file(path, RepliesFile).root
    unknown = (
        ((number, "claims", place), f"no claim {name!r}{nearest(name, claims)}")
        for number, entry in enumerate(entries)
        for place, name in enumerate(entry.claims)
        if name not in claims
    )
    refuse(path, unknown)
    return tuple(Reply(**{**dict(entry), "date": entry.date.isoformat()}) for entry in entries)


class ClaimError(ValueError):
    """An entry is no claim: its `faults`, each with the field concerned."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = list(faults)
        super().__init__("; ".join(words for _, words in self.faults))


def resolved(entry: Template, context: Context, at: Place = ()) -> Claim:
    """Return the claim that a complete entry describes, with its alternatives as complete claims.

    Raises ClaimError with the faults of the entry or, if it has none itself, those of its alternatives.
    """
    claim = _resolved(entry, context)
    alternatives, other_data, wrong = [], [], list[Fault]()
    for name, given in entry.get("alternatives", {}).items():
        changed = {"check": given} if isinstance(given, str) else dict(given)
        if changed.pop("data", False):
            other_data.append(name)
        changed = {**entry, "alternatives": None, **changed}
        try:
            complete = {key: value for key, value in changed.items() if value is not None}
            alternatives.append((name, _resolved(complete, context)))
        except ClaimError as error:
            wrong += ((("alternatives", name, *place), f"alternative {name}: {words}") for place, words in error.faults)
    if wrong:
        raise ClaimError(wrong)
    return replace(claim, alternatives=tuple(alternatives), on_other_data=tuple(other_data), at=at, entry=entry)


def _resolved(entry: Template, context: Context) -> Claim:
    if wrong := faults_in(entry, ClaimEntry):
        raise ClaimError((place, f"{keys_of(place)}: {words}") for place, words in wrong)
    known, names = context.subjects, entry.get("of", [])
    names = [names] if isinstance(names, str) else names
    if unknown := [name for name in names if known is not None and name not in known]:
        words = f"of: no exhibit or experiment {unknown[0]!r}{known_names(unknown[0], known or ())}"
        raise ClaimError([(("of",), words)])
    try:
        checked = _check_of(entry, names, context)
    except ValueError as error:
        raise ClaimError([(("check",), f"check: {error}")]) from error
    content = {name: value for name, value in entry.items() if name not in ("check", "of", "printed", "alternatives")}
    if entry.get("origin") == "cited":
        content |= {"origin": "paper", "cited": True}
    subjects = [context.subject(name) for name in names]
    shown = next((name for name, each in zip(names, subjects, strict=True) if each.title), "")
    content["figure"] = entry.get("figure", shown)
    if known is not None:
        speaks = {each.shows for each in subjects} if "table" in checked else set()
        content["exhibits"] = tuple(name for name in known if name in speaks)
    try:
        return replace(Claim.of(content | checked), lacking=_lacking(checked.get("where"), context))
    except ValidationError as error:
        wrong = faults(error, checks.CHECKS[checked["kind"]])
        keys = ["printed" if "printed" in entry and place[0] == "printed" else "check" for place, _ in wrong]
        raise ClaimError(
            ((key,), f"{'' if key == 'printed' else 'check: '}{keys_of(place)}: {words}")
            for key, (place, words) in zip(keys, wrong, strict=True)
        ) from error


def _check_of(entry: Template, names: Sequence[str], context: Context) -> Fields:
    """Return the fields of the check, with its ``kind``, as it says them and as they follow from what it is of.

    Raises ValueError if the check cannot be read, or is of no experiment.
    """
    fields = checks.parse(entry["check"], "printed" in entry)
    if "printed" in entry:
        return fields | {"printed": entry["printed"]}
    if not names:
        raise ValueError("no numbers to check: name an exhibit or an experiment in `of`, or give `printed` numbers")
    fields["table"] = context.subject(names[0]).experiment
    if issubclass(checks.CHECKS[fields["kind"]], PublishedCells):
        printing = [each for each in map(context.subject, names) if each.published]
        if "published" not in fields and printing:
            fields["published"] = printing[0].published[0]
        same = [each.reading_error for each in printing if each.published[0] == fields.get("published")]
        if "reading_error" not in fields and any(same):
            fields["reading_error"] = next(filter(None, same))
    return fields


def _lacking(where: str | None, context: Context) -> str:
    """Return what only a user can supply, if the selected rows need it; empty if they do not."""
    nodes = ast.walk(expressions.parse(where)) if where and context.lacking else ()
    texts = {
        part.value
        for node in nodes
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq | ast.In)
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
    }
    return next((data for text, data in context.lacking.items() if text in texts), "")


def _content(path: Path) -> dict[str, Any]:
    """Read a file and check what can be checked before templates are expanded; without a file there are no claims."""
    if not path.exists():
        return {"sections": []}
    content: dict[str, Any] = read(path)
    found = faults_in(content, ClaimsFile)
    refuse(path, [(at, _claim_of(at, content) + words) for at, words in found])
    return content


def _claim_of(place: Place, content: Any) -> str:  # noqa: ANN401
    """Return the claim to which a place of a file belongs, as the start of a message, if it has an id."""
    name = ""
    for key in place[:-1]:
        content = content[key]
        name = content["id"] if isinstance(content, dict) and "id" in content else name
    return name and f"claim {name}: "


def _of_section(number: int, section: Template, context: Context, found: list[Fault]) -> Iterator[Claim]:
    """Yield the claims of a section; add faults, leave out who has any."""
    title = section["title"]
    try:
        entries = fill(section["claims"], section.get("defaults", {}))
    except ValueError as error:
        found.append((("sections", number, "defaults"), f"section {shown(title)}: {error}"))
        return
    for position, entry in enumerate(entries):
        name = entry.get("id", f"number {position + 1} of section {shown(title)}")
        place = ("sections", number, "claims", position)
        try:
            claims = expand(entry, place)
        except ValueError as error:
            found.append((place, f"{'group' if 'claims' in entry else 'claim'} {name}: {error}"))
            continue
        for at, claim in claims:
            try:
                yield resolved(claim, context, at)
            except ClaimError as error:
                called = f"claim {claim.get('id', name)}"
                found += (
                    ((*at, *key), f"{called}{', ' if key[0] == 'alternatives' else ': '}{words}")
                    for key, words in error.faults
                )

"""Claims files: loading and validation."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import yaml

from corrldp import configuration
from corrldp.audit.evidence import Claim
from corrldp.audit.kinds import CHECKS
from corrldp.audit.templates import expand, fill
from corrldp.names import ConfigurationError, known_names
from corrldp.validation import Draft202012Validator, ValidationError


class ClaimError(ValueError):
    """A claim that cannot be checked as written; the message names its id."""


def load(path: Path) -> list[Claim]:
    """Load a claims file, with defaults filled in and every claim validated together with its alternatives.

    Raises
    ------
    ClaimError
        If a claim is not well formed or two claims share an id; one line per fault, each naming the file.
    """
    faults: list[str] = []
    content = _content(path)
    claims = [claim for section in content["sections"] for claim in _of_section(section, faults)]
    ids = Counter(claim["id"] for claim in claims)
    faults += [
        f"claim {name}: the id is used {times} times; make it unique" for name, times in ids.items() if times > 1
    ]
    for claim in claims:
        refined = claim.get("refines")
        if refined is not None and (refined not in ids or refined == claim["id"]):
            faults.append(f"claim {claim['id']}: refines: {refined} is not another claim{known_names(refined, ids)}")
    named = {claim["cause"]: claim["id"] for claim in claims if "cause" in claim}
    known = content.get("causes", {})
    faults += [
        f"claim {named[cause]}: cause: {cause} is not in `causes`{known_names(cause, known)}"
        for cause in named
        if cause not in known
    ]
    if not faults:
        faults += [f"causes: no claim has the cause {cause}; remove it" for cause in known if cause not in named]
    if faults:
        raise ClaimError("\n".join(f"{path.name}: {fault}" for fault in faults))
    return claims


def load_causes(path: Path) -> dict[str, Claim]:
    """Load the causes of a claims file, by name; see `load` for errors."""
    return _content(path).get("causes", {})


def variants(claim: Claim) -> list[tuple[str, Claim]]:
    """List the claim as stated (named ``""``) and each alternative, as complete claims.

    An alternative of another kind of check does without the claim's fields that this kind does not have.
    """
    stated = {key: entry for key, entry in claim.items() if key != "alternatives"}
    return [("", stated), *((other["name"], _changed(stated, other)) for other in claim.get("alternatives", []))]


def _changed(stated: Claim, other: dict[str, Any]) -> Claim:
    """Return a claim with the fields that an alternative changes."""
    kind = other.get("kind")
    dropped = {"name"}
    if kind in CHECKS:
        dropped |= CHECKS[stated["kind"]].fields.keys() - CHECKS[kind].fields.keys() - other.keys()
    return {key: entry for key, entry in {**stated, **other}.items() if key not in dropped}


@cache
def schema() -> dict[str, Any]:
    """Read the schema of a claims file; its ``$defs`` include that of a complete claim."""
    return yaml.safe_load((files("corrldp") / "schemas/claims.schema.yaml").read_text(encoding="utf-8"))


@cache
def _validator(kind: str) -> Draft202012Validator:
    """Return the validator of complete claims of one kind."""
    common, check = schema()["$defs"]["claim"], CHECKS[kind]
    complete = {
        **common,
        "required": [*common["required"], *check.required],
        "properties": {**common["properties"], **check.fields},
    }
    return Draft202012Validator({**complete, "$defs": schema()["$defs"]})


def _content(path: Path) -> dict[str, Any]:
    """Read a file and check what can be checked before templates are expanded."""
    try:
        content = configuration.read(path)
    except ConfigurationError as error:
        raise ClaimError(str(error)) from error
    if not isinstance(content, dict):
        raise ClaimError(f"{path.name}: a claims file is a mapping with the key `sections`")
    errors = Draft202012Validator(schema()).iter_errors(content)
    faults = [_place(content, error) + _message(error) for error in errors]
    if faults:
        raise ClaimError("\n".join(f"{path.name}: {fault}" for fault in faults))
    return content


def _place(content: dict[str, Any], error: ValidationError) -> str:
    """Name the section and the claim in which a file has a fault."""
    parts: list[str] = []
    node: Any = content
    for key in error.absolute_path:
        node = node[key]
        if isinstance(node, dict) and "title" in node:
            parts.append(f"section {node['title']!r}")
        elif isinstance(key, int) and len(parts) == 1:
            parts.append(
                f"claim {node.get('id', f'number {key + 1}') if isinstance(node, dict) else f'number {key + 1}'}"
            )
        elif isinstance(key, int):
            parts.append(f"number {key + 1}")
        elif key not in ("sections", "claims"):
            parts.append(key)
    return "".join(f"{part}: " for part in parts)


def _of_section(section: dict[str, Any], faults: list[str]) -> Iterator[Claim]:
    """Yield the complete claims of a section; skip those with faults and add the faults to `faults`."""
    title = section["title"]
    try:
        entries = fill(section["claims"], section.get("defaults", {}), schema()["$defs"]["claim"]["properties"])
    except ValueError as error:
        faults.append(f"section {title!r}: {error}")
        return
    for position, entry in enumerate(entries):
        name = entry.get("id", f"number {position + 1} of section {title!r}")
        try:
            claims = expand(entry)
        except ValueError as error:
            faults.append(f"{'group' if 'claims' in entry else 'claim'} {name}: {error}")
            continue
        for claim in claims:
            found = list(_faults(claim))
            faults += [f"claim {claim.get('id', name)}{fault}" for fault in found]
            if not found:
                yield claim


def _faults(claim: Claim) -> Iterator[str]:
    """Yield the faults of a complete claim or, if it has none, those of its alternatives."""
    own = [f": {message}" for message in _messages(claim)]
    yield from own
    if not own:
        for alternative, complete in variants(claim)[1:]:
            yield from (f", alternative {alternative}: {message}" for message in _messages(complete))


def _messages(claim: Claim) -> list[str]:
    """Return the schema's messages, each with the field concerned."""
    kind = claim.get("kind")
    if kind is None:
        return ["fields: 'kind' is a required property"]
    if not isinstance(kind, str) or kind not in CHECKS:
        return [f"kind: {kind!r} is not one of the kinds of check{known_names(kind, CHECKS)}"]
    errors = sorted(_validator(kind).iter_errors(claim), key=lambda error: error.json_path)
    return [f"{error.json_path[2:] or 'fields'}: {_message(error)}" for error in errors]


def _message(error: ValidationError) -> str:
    """Return the message of one fault, with the expected forms of the field or the nearest known name."""
    schema: Any = error.schema
    if error.validator == "anyOf" and error.context:
        branch = int(isinstance(error.instance, dict))
        return _message(next(part for part in error.context if part.schema_path[0] == branch))
    if error.validator == "oneOf":
        return f"{error.instance!r} is not {schema['description']}"
    if error.validator == "enum":
        return f"{error.instance!r} is not one of the allowed values{known_names(error.instance, schema['enum'])}"
    if error.validator == "additionalProperties" and schema["additionalProperties"] is False:
        known = schema["properties"]
        unknown = sorted(str(name) for name in cast(dict[str, Any], error.instance) if name not in known)
        return f"{', '.join(unknown)} is not a field{known_names(unknown[0], known)}"
    return error.message

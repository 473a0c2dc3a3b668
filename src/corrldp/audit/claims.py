"""Claims files: loading and validation."""

from collections import Counter
from pathlib import Path

import jsonschema
import yaml

SCHEMA = Path(__file__).resolve().parents[3] / "workflow" / "schemas" / "claims.schema.yaml"


class ClaimError(ValueError):
    """A claim that cannot be checked as it is written; the message names its id."""


def load(path: Path, schema_path: Path = SCHEMA) -> list[dict]:
    """Load a claims file, with its claims and each of their alternatives validated.

    Raises
    ------
    ClaimError
        If a claim does not fit the schema or two share an id; one line per fault.
    """
    schema = yaml.safe_load(schema_path.read_text(encoding="utf-8"))
    claims = yaml.safe_load(path.read_text(encoding="utf-8")) or []
    if not isinstance(claims, list):
        raise ClaimError(f"{path.name}: a claims file is a list of claims")
    validator = jsonschema.Draft202012Validator({**schema["$defs"]["claim"], "$defs": schema["$defs"]})
    faults = [fault for position, claim in enumerate(claims) for fault in _faults(validator, claim, position)]
    ids = Counter(claim["id"] for claim in claims if isinstance(claim, dict) and "id" in claim)
    faults += [
        f"claim {name}: the id is used {times} times; make it unique" for name, times in ids.items() if times > 1
    ]
    if faults:
        raise ClaimError("\n".join(f"{path.name}: {fault}" for fault in faults))
    return claims


def variants(claim: dict) -> list[tuple[str, dict]]:
    """List the claim as stated (named ``""``) and each alternative, as complete claims."""
    stated = {key: entry for key, entry in claim.items() if key != "alternatives"}
    alternatives = [
        (other["name"], {**stated, **{key: entry for key, entry in other.items() if key != "name"}})
        for other in claim.get("alternatives", [])
    ]
    return [("", stated), *alternatives]


def _faults(validator: jsonschema.Draft202012Validator, claim: object, position: int) -> list[str]:
    """Faults of one claim and its alternatives, each in a line."""
    name = claim.get("id", f"number {position + 1}") if isinstance(claim, dict) else f"number {position + 1}"
    own = [f"claim {name}: {message}" for message in _messages(validator, claim)]
    if own or "alternatives" not in claim:
        return own
    return [
        f"claim {name}, alternative {alternative}: {message}"
        for alternative, complete in variants(claim)[1:]
        for message in _messages(validator, complete)
    ]


def _messages(validator: jsonschema.Draft202012Validator, claim: object) -> list[str]:
    """Messages of the schema; fields left unevaluated by another fault are not worth a line."""
    errors = sorted(validator.iter_errors(claim), key=lambda error: error.json_path)
    causes = [error for error in errors if error.validator != "unevaluatedProperties"]
    return [f"{error.json_path[2:] or 'fields'}: {_message(error)}" for error in causes or errors]


def _message(error: jsonschema.ValidationError) -> str:
    """Message of one fault, with what the field should be where it has several forms."""
    if error.validator != "oneOf":
        return error.message
    return f"{error.instance!r} is not {error.schema['description']}"

"""Validation of verdicts: their schema, src/corrldp/schemas/verdicts.schema.yaml, and their coherence."""

from importlib.resources import files
from typing import Any

import yaml

from corrldp.audit.words import AS_RUN
from corrldp.validation import inlined, jsonschema


def validated(content: dict[str, Any]) -> dict[str, Any]:
    """Return verdicts if they match their schema.

    Raises
    ------
    ValueError
        If a record does not match; the message names the first.
    """
    schema = yaml.safe_load((files("corrldp") / "schemas/verdicts.schema.yaml").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(inlined(schema, schema["$defs"]))
    fault = next(validator.iter_errors(content), None)
    if fault is not None:
        place = [*fault.absolute_path]
        name = "file"
        if place[:1] == ["claims"] and len(place) > 1:
            name = content["claims"][place[1]].get("id", f"number {int(place[1]) + 1}")
        raise ValueError(f"verdict {name}: {fault.json_path}: {fault.message}")
    return content


def coherent(content: dict[str, Any]) -> dict[str, Any]:
    """Return the verdicts of a paper if none is "as run" under a reading that an exhibit of the claim rejects.

    Raises
    ------
    ValueError
        If one is, or if the reading breaks a condition of the paper; the message names the first.
    """
    for record in content["claims"]:
        if record["verdict"] != AS_RUN:
            continue
        exhibits = [content["exhibits"][name] for name in record["as_run"]["exhibits"]]
        own = [exhibit for exhibit in exhibits if exhibit["experiment"] == record["table"]]
        standing = {item["reading"] for exhibit in own for item in exhibit["readings"] if item["admissible"]}
        rejected = [reading for reading in record["as_run"]["readings"] if own and reading not in standing]
        if rejected or not record["as_run"]["readings"]:
            named = rejected[0] if rejected else "no reading"
            raise ValueError(f"verdict {record['id']}: as run under {named}, which does not stand for its exhibits")
    return content

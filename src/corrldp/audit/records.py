"""Validation of verdict records against src/corrldp/schemas/verdicts.schema.yaml."""

from importlib.resources import files
from typing import Any

import jsonschema
import yaml


def validated(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records if they match their schema.

    Raises
    ------
    ValueError
        If a record does not match; the message names the first.
    """
    schema = yaml.safe_load((files("corrldp") / "schemas/verdicts.schema.yaml").read_text(encoding="utf-8"))
    fault = next(jsonschema.Draft202012Validator(schema).iter_errors(records), None)
    if fault is not None:
        place = fault.absolute_path
        name = records[place[0]].get("id", f"number {place[0] + 1}") if place else "list"
        raise ValueError(f"verdict {name}: {fault.json_path}: {fault.message}")
    return records

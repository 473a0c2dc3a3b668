"""Verdict records as they are published: workflow/schemas/verdicts.schema.yaml."""

from pathlib import Path
from typing import Any

import jsonschema
import yaml

SCHEMA = Path(__file__).resolve().parents[3] / "workflow" / "schemas" / "verdicts.schema.yaml"


def validated(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the records back if they fit their schema.

    Raises
    ------
    ValueError
        If a record does not; the message names the first.
    """
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    fault = next(jsonschema.Draft202012Validator(schema).iter_errors(records), None)
    if fault is not None:
        place = fault.absolute_path
        name = records[place[0]].get("id", f"number {place[0] + 1}") if place else "list"
        raise ValueError(f"verdict {name}: {fault.json_path}: {fault.message}")
    return records

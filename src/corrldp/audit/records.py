"""Validation of verdicts against src/corrldp/schemas/verdicts.schema.yaml."""

from importlib.resources import files
from typing import Any

import jsonschema
import yaml


def validated(content: dict[str, Any]) -> dict[str, Any]:
    """Return verdicts if they match their schema.

    Raises
    ------
    ValueError
        If a record does not match; the message names the first.
    """
    schema = yaml.safe_load((files("corrldp") / "schemas/verdicts.schema.yaml").read_text(encoding="utf-8"))
    fault = next(jsonschema.Draft202012Validator(schema).iter_errors(content), None)
    if fault is not None:
        place = [*fault.absolute_path]
        name = "file"
        if place[:1] == ["claims"] and len(place) > 1:
            name = content["claims"][place[1]].get("id", f"number {int(place[1]) + 1}")
        raise ValueError(f"verdict {name}: {fault.json_path}: {fault.message}")
    return content

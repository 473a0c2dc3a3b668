"""Check content against JSON schemas: each fault is one line and names the key that causes it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from corrldp.configuration import Place
from corrldp.names import known_names, shown
from corrldp.validation import jsonschema


def _is_finite(checker: jsonschema.TypeChecker, instance: object) -> bool:
    if not jsonschema.Draft202012Validator.TYPE_CHECKER.is_type(instance, "number"):
        return False
    try:
        return math.isfinite(instance)  # type: ignore[arg-type]
    except OverflowError:  # an integer beyond the range of floats
        return False


Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("number", _is_finite),
)
"""Validator for which NaN and infinity are no numbers."""


@cache
def read(name: str) -> dict[str, Any]:
    """Read one of the package's schemas, such as ``claims``."""
    return yaml.safe_load((files("corrldp") / f"schemas/{name}.schema.yaml").read_text(encoding="utf-8"))


def faults(content: object, schema: Mapping[str, Any]) -> list[tuple[Place, str]]:
    """Return the place of each fault and what is wrong there."""
    errors = [inner for error in Validator(schema).iter_errors(content) for inner in _inside(error)]
    return [(tuple(error.absolute_path), _words(error)) for error in sorted(errors, key=_order)]


def _order(error: jsonschema.ValidationError) -> list[str]:
    return list(map(str, error.absolute_path))


def _inside(error: jsonschema.ValidationError) -> Iterator[jsonschema.ValidationError]:
    """Yield the faults of the alternative that a value seems to be meant as, or that it is none of them.

    That is the only alternative of its type or, of several, the only one that has all its keys.
    """
    if error.validator not in ("oneOf", "anyOf"):
        yield error
        return
    branches: dict[object, list[jsonschema.ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    kept = [found for found in branches.values() if not any(_of_another_type(inner, error) for inner in found)]
    if error.validator == "anyOf" and not kept:
        kept = list(branches.values())[:1]  # the usual one
    if len(kept) > 1:
        kept = [found for found in kept if not any(_of_another_form(inner, error) for inner in found)]
    if len(kept) == 1:
        for inner in kept[0]:
            yield from _inside(inner)
    else:
        yield error


def _of_another_type(inner: jsonschema.ValidationError, outer: jsonschema.ValidationError) -> bool:
    return inner.absolute_path == outer.absolute_path and inner.validator in ("type", "const", "enum")


def _of_another_form(inner: jsonschema.ValidationError, outer: jsonschema.ValidationError) -> bool:
    return inner.absolute_path == outer.absolute_path and inner.validator in ("additionalProperties", "required")


def _words(error: jsonschema.ValidationError) -> str:
    """Return what is wrong, with the expected forms of the value or the nearest known name."""
    schema: Any = error.schema
    match error.validator:
        case "oneOf" | "anyOf":
            return f"{shown(error.instance)} is not {schema.get('description', 'of an allowed form')}"
        case "enum":
            return (
                f"{shown(error.instance)} is not one of the allowed values{known_names(error.instance, schema['enum'])}"
            )
        case "additionalProperties" if schema["additionalProperties"] is False:
            known = schema["properties"]
            unknown = sorted(str(name) for name in error.instance if name not in known)  # type: ignore[union-attr]
            return f"{', '.join(unknown)} is not a field{known_names(unknown[0], known)}"
        case "type" if schema["type"] == "number" and isinstance(error.instance, float):
            return f"{error.instance} is not a finite number"
    return error.message.replace(repr(error.instance), shown(error.instance))

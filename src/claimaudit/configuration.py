"""What entries of configuration files may be, and what is wrong with plain data that should have such a form."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, TypeVar, get_args

from annotated_types import MinLen
from pydantic import BaseModel, ConfigDict, Discriminator, RootModel, StringConstraints, Tag, ValidationError

from claimaudit.names import known_names, shown

Place = tuple[str | int, ...]  # path to an entry: keys and list positions

Fault = tuple[Place, str]  # what is wrong in a file: the place and the words

Model = TypeVar("Model", bound=BaseModel)
Identifier = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$")]
Text = Annotated[str, MinLen(1)]
Value = bool | int | float | str


T = TypeVar("T")
One = TypeVar("One")
Other = TypeVar("Other")
VALUE, LIST, MAPPING = Tag("(value)"), Tag("(list)"), Tag("(mapping)")


def by_key(*keys: str) -> Discriminator:
    """Tell the branches of a union apart by the first of some keys that a mapping has; all else is a value."""

    def branch(content: object) -> str:
        given = content if isinstance(content, dict) else getattr(content, "__dict__", ())
        return next((f"({key})" for key in keys if key in given), VALUE.tag)

    return Discriminator(branch)


OneOrList = Annotated[
    Annotated[One, VALUE] | Annotated[Other, LIST],
    Discriminator(lambda content: LIST.tag if isinstance(content, list | tuple) else VALUE.tag),
]
OneOrMapping = Annotated[
    Annotated[One, VALUE] | Annotated[Other, MAPPING],
    Discriminator(lambda content: MAPPING.tag if isinstance(content, dict | BaseModel) else VALUE.tag),
]
"""Unions of two forms, so that faults are those of the form that is there."""


def unique(items: tuple[T, ...]) -> tuple[T, ...]:
    """Return the items of a list if none is there twice."""
    if twice := [item for position, item in enumerate(items) if item in items[:position]]:
        raise ValueError(f"{shown(twice[0])} is listed twice; keep one")
    return items


class Entry(BaseModel):
    """An entry of a configuration file: no unknown keys, no conversions, finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def keys_of(place: Place) -> str:
    """Format the path to an entry."""
    return ".".join(map(str, place))


def parse(content: object, model: type[Model]) -> Model:
    """Return plain data as a model, strictly: a number is not read from text, and lists become tuples.

    Content that has not the form of the model is a pydantic.ValidationError.
    """
    return model.model_validate_json(json.dumps(content, default=str))


def faults_in(content: object, model: type[BaseModel], context: object = None) -> list[Fault]:
    """Return what is wrong with plain data that should have the form of a model, and where."""
    try:
        model.model_validate_json(json.dumps(content, default=str), context=context)
    except ValidationError as error:
        return faults(error, model)
    return []


def leaves(content: object) -> Iterator[object]:
    """Yield everything in mappings and lists that is neither."""
    if isinstance(content, Mapping):
        for entry in content.values():
            yield from leaves(entry)
    elif isinstance(content, list | tuple):
        for entry in content:
            yield from leaves(entry)
    else:
        yield content


def faults(error: ValidationError, model: type[BaseModel]) -> list[Fault]:
    """Return the errors that a model found: the place of each and a one-line message."""
    found: dict[Place, str] = {}
    for fault in error.errors():
        place = tuple(step for step in fault["loc"] if not _is_branch(step))
        key, given = place[-1] if place else "", shown(fault["input"])
        match fault["type"]:
            case "too_short" if fault["ctx"]["actual_length"] < len(fault["input"]):  # items have faults of their own
                continue
            case "extra_forbidden":
                words = f"unknown key{known_names(key, _fields(model, fault['loc'][:-1]))}"
            case "missing":
                words = "the key is missing"
            case "literal_error" | "enum":
                known = [part.strip("'") for part in fault["ctx"]["expected"].replace(" or ", ", ").split(", ")]
                words = f"{given} is not one of the allowed values{known_names(fault['input'], known)}"
            case "value_error":
                words = str(fault["ctx"]["error"])
            case _:
                words = f"{given} {re.sub(r'^[A-Z][a-z]+ should', 'must', fault['msg'])}"
        found.setdefault(place, words)
    return [*found.items()]


def _is_branch(step: str | int) -> bool:
    """Whether a step of a location names a branch of a union (ours in parentheses) or a validator, not a key."""
    prefixes = ("(", "function-", "constrained-", "tuple[", "list[", "dict[")
    return isinstance(step, str) and (step in ("int", "float", "str", "bool", "[key]") or step.startswith(prefixes))


def _fields(model: type[BaseModel], location: Sequence[str | int]) -> list[str]:
    found = [*_models(model)]
    for step in location:
        if any(step == tag for _, tag in found):
            found = [(one, tag) for one, tag in found if tag == step]
        fields = [one.model_fields[str(step)] for one, _ in found if step in one.model_fields]
        inner = [pair for field in fields for pair in _models(field.annotation)]
        found = inner or found
    return [field.alias or name for name, field in found[0][0].model_fields.items()]


def _models(annotation: object, tag: str = "") -> Iterator[tuple[type[BaseModel], str]]:
    tag = next((str(one.tag) for one in getattr(annotation, "__metadata__", ()) if isinstance(one, Tag)), tag)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if issubclass(annotation, RootModel):
            yield from _models(annotation.model_fields["root"].annotation)
        else:
            yield annotation, tag
    for inner in get_args(annotation):
        yield from _models(inner, tag)

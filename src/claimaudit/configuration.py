"""Read YAML configuration files and report each error in one line that names the file, line and key."""

import json
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, get_args

import yaml
from annotated_types import MinLen
from pydantic import BaseModel, ConfigDict, Discriminator, RootModel, StringConstraints, Tag, ValidationError

from claimaudit.names import ConfigurationError, known_names, shown

Place = tuple[str | int, ...]  # path to an entry: keys and list positions

Fault = tuple[Place, str]  # what is wrong in a file: the place and the words

Model = TypeVar("Model", bound=BaseModel)
Identifier = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$")]
Text = Annotated[str, MinLen(1)]
Value = bool | int | float | str


MOST_LEVELS = 100
MOST_NODES = 10**6  # that a file may have, counted wherever an alias repeats them


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


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML loader of plain data: keys are unique text, dates are text, 1e-3 is a number, nothing contains itself."""

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.deep_construct = True  # so that a node that contains itself is an error

    def construct_document(self, node: yaml.Node) -> object:
        if _size(node, {}) > MOST_NODES:
            raise _fault(f"its anchors stand for more than {MOST_NODES} values; write fewer", node)
        return super().construct_document(node)

    def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
        if node.tag not in _PLAIN:
            raise _fault(f"{node.tag.replace('tag:yaml.org,2002:', '!!')} is not plain data; use text or numbers", node)
        return super().construct_object(node, deep)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                continue
            if key.tag != "tag:yaml.org,2002:str":
                raise _fault(f"the key {key.value if isinstance(key.value, str) else ''} is not text; quote it", key)
            if key.value in seen:
                raise _fault(f"the key {key.value} appears twice in one mapping; keep one", key)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


_PLAIN = {f"tag:yaml.org,2002:{kind}" for kind in ("map", "seq", "str", "int", "float", "bool", "null", "merge")}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9]+[eE][-+]?[0-9]+$"), list("-+0123456789")
)


def _size(node: yaml.Node, known: dict[yaml.Node, int]) -> int:
    """Return how many values a node stands for, those behind anchors included, wherever they are used."""
    if node not in known:
        known[node] = 1  # also where it contains itself, which is refused later
        inside = node.value if isinstance(node, yaml.CollectionNode) else []
        parts = (part for entry in inside for part in (entry if isinstance(entry, tuple) else (entry,)))
        known[node] += sum(_size(part, known) for part in parts)
    return known[node]


def _require_shallow(text: str) -> None:
    """Refuse a text that is nested so deeply that to compose it, which is recursive, ends the program."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_LEVELS:
            raise _fault(f"it is nested more than {MOST_LEVELS} levels deep; write fewer", event)


def _fault(words: str, place: yaml.Node | yaml.Event) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=words, problem_mark=place.start_mark)  # type: ignore[arg-type]


def read(path: Path) -> Any:  # noqa: ANN401
    """Read a YAML file.

    If it is not there or no YAML in UTF-8, a key appears twice in a mapping, or something is not plain data, it is a
    ConfigurationError.
    """
    try:
        text = path.read_text(encoding="utf-8")
        _require_shallow(text)
        return yaml.load(text, _Loader)
    except OSError as error:
        raise ConfigurationError(f"{path.name}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        before = error.object[: error.start].count(b"\n")
        raise ConfigurationError(f"{path.name}, line {before + 1}: is not UTF-8; save the file as UTF-8") from None
    except (ValueError, RecursionError) as error:  # a value that no number or text can be, or too many levels
        raise ConfigurationError(f"{path.name}: {str(error).splitlines()[0]}") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        words = getattr(error, "problem", "") or str(error).splitlines()[0]
        raise ConfigurationError(f"{path.name}{line}: {words}") from None


def line_of(path: Path, place: Place) -> int:
    """Return the line of an entry in a YAML file, or of its closest ancestor if the entry is missing."""
    node, line = _nodes(path.read_text(encoding="utf-8")), 1
    for step in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(step)), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = (node.value[step],) * 2
        else:
            found = None
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line


@lru_cache(maxsize=4)
def _nodes(text: str) -> yaml.Node | None:
    return yaml.compose(text, _Loader)


def refuse(path: Path, found: Iterable[Fault], keyed: bool = True) -> None:
    """Raise a ConfigurationError with a line for each fault of a file, if there is any.

    A line has the file, the line and the key; unless `keyed`, the words of a fault name its key themselves.
    """
    lines = (
        f"{path.name}, line {line_of(path, place)}: {f'{keys_of(place)}: ' if keyed and place else ''}{words}"
        for place, words in found
    )
    if words := "\n".join(dict.fromkeys(lines)):
        raise ConfigurationError(words)


def keys_of(place: Place) -> str:
    """Format the path to an entry."""
    return ".".join(map(str, place))


def load(path: Path, model: type[Model]) -> Model:
    """Read a YAML file as a model; a ConfigurationError has a line for each fault, with file, line and key."""
    content = read(path)
    try:
        return parse(content, model)
    except ValidationError as error:
        refuse(path, faults(error, model))
        raise


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

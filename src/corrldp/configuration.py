"""Read YAML configuration files and report each error in one line that names the file, line and key."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import yaml
from pydantic import BaseModel, ValidationError

from corrldp.names import ConfigurationError, nearest, shown

Place = tuple[str | int, ...]
"""Path to an entry: keys and list positions."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML loader of plain data: keys are unique text, dates are text, 1e-3 is a number, nothing contains itself."""

    yaml_implicit_resolvers: ClassVar = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self.deep_construct = True  # so that a node that contains itself is an error

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:  # noqa: ANN401
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


def _fault(words: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=words, problem_mark=node.start_mark)


def read(path: Path) -> Any:  # noqa: ANN401
    """Read a YAML file.

    Raises
    ------
    ConfigurationError
        The file is not there or is not YAML, a key appears twice in a mapping, or something is not plain data.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except OSError as error:
        raise ConfigurationError(f"{path.name}: cannot be read: {error.strerror}") from None
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


def located(path: Path, found: Iterable[tuple[Place, str]]) -> list[str]:
    """Format faults of a file, each with its line and its key."""
    lines = (
        f"{path.name}, line {line_of(path, place)}: {'.'.join(map(str, place)) + ': ' if place else ''}{words}"
        for place, words in found
    )
    return list(dict.fromkeys(lines))


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


def faults(error: ValidationError, model: type[BaseModel]) -> list[tuple[Place, str]]:
    """Format the errors that a model found: the place of each and a one-line message."""
    found = []
    for fault in error.errors():
        place = tuple(step for step in fault["loc"] if not _is_branch(step))
        key = place[-1] if place else ""
        match fault["type"]:
            case "extra_forbidden":
                known = _fields(model, place[:-1])
                words = f"unknown key; there are {', '.join(known)}{nearest(key, known)}"
            case "missing":
                words = "the key is missing"
            case "literal_error":
                known = [part.strip("'") for part in fault["ctx"]["expected"].replace(" or ", ", ").split(", ")]
                words = f"{shown(fault['input'])} is none of {', '.join(known)}{nearest(fault['input'], known)}"
            case "value_error":
                words = str(fault["ctx"]["error"])
            case _:
                words = f"{shown(fault['input'])}: {fault['msg'][0].lower()}{fault['msg'][1:]}"
        found.append((place, words))
    return list({place: (place, words) for place, words in reversed(found)}.values())[::-1]


def _is_branch(step: str | int) -> bool:
    """Whether a step of a pydantic location names a union branch or a validator rather than a key."""
    return isinstance(step, str) and (
        step in ("int", "float", "str", "bool") or step.startswith(("function-", "constrained-", "tuple[", "dict["))
    )


def _fields(model: type[BaseModel], place: Sequence[str | int]) -> list[str]:
    """Return the keys of the model nested at a place in `model`."""
    for step in place:
        field = model.model_fields.get(str(step))
        if field is None:
            continue
        inner = [one for one in _types(field.annotation) if isinstance(one, type) and issubclass(one, BaseModel)]
        if inner:
            model = inner[0]
    return list(model.model_fields)


def _types(annotation: Any) -> Iterable[Any]:  # noqa: ANN401
    yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _types(inner)

"""Read YAML configuration files and report each error in one line that names the file, line and key."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from corrldp.names import ConfigurationError, nearest

Place = tuple[str | int, ...]
"""Path to an entry: keys and list positions."""


class _Loader(yaml.CSafeLoader):
    """YAML loader in C that rejects repeated keys and accepts exponents without a decimal point."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key, _ in node.value:
            if key.tag == "tag:yaml.org,2002:merge":
                continue
            name = self.construct_object(key, deep=True)
            if name in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {name} appears twice in one mapping; keep one", problem_mark=key.start_mark
                )
            seen.add(name)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9]+[eE][-+]?[0-9]+$"), list("-+0123456789")
)


def read(path: Path) -> Any:  # noqa: ANN401
    """Read a YAML file.

    Raises
    ------
    ConfigurationError
        The file is not YAML, or a key appears twice in a mapping.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        words = getattr(error, "problem", "") or str(error).splitlines()[0]
        raise ConfigurationError(f"{path.name}{line}: {words}") from None


def line_of(path: Path, place: Place) -> int:
    """Return the line of an entry in a YAML file, or of its closest ancestor if the entry is missing."""
    node, line = yaml.compose(path.read_text(encoding="utf-8"), yaml.CSafeLoader), 1
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
                words = f"{fault['input']!r} is none of {', '.join(known)}{nearest(fault['input'], known)}"
            case "value_error":
                words = str(fault["ctx"]["error"])
            case _:
                words = f"{fault['input']!r}: {fault['msg'][0].lower()}{fault['msg'][1:]}"
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

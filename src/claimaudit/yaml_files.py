"""Read YAML configuration files and report each error in one line that names the file, line and key."""

import re
from collections.abc import Hashable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import yaml
from pydantic import ValidationError

from claimaudit.configuration import Fault, Model, Place, faults, keys_of, parse
from claimaudit.names import ConfigurationError

MOST_LEVELS = 100
MOST_NODES = 10**6  # that a file may have, counted wherever an alias repeats them


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


def load(path: Path, model: type[Model]) -> Model:
    """Read a YAML file as a model; a ConfigurationError has a line for each fault, with file, line and key."""
    content = read(path)
    try:
        return parse(content, model)
    except ValidationError as error:
        refuse(path, faults(error, model))
        raise

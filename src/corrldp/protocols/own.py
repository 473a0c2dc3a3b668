"""Protocols of one's own: classes in a file, in a module or behind an entry point."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from corrldp.project import project_file
from corrldp.protocols.names import parse

GROUP = "corrldp.protocols"
_NAMES: dict[object, str] = {}


def load(name: str) -> Callable[..., Any]:
    """Return a protocol's class from a file, a module or an entry point.

    Raises
    ------
    ValueError
        There is no such file, module, class or entry point.
    """
    parts = parse(name)
    place, attribute = parts.place, parts.attribute
    if parts.oracle is not None:
        raise ValueError(f"{name}: a class is named without an oracle here")
    if place is None:
        if parts.base not in offered():
            raise ValueError(f"no protocol {name!r}: no package here has an entry point of this name in {GROUP}")
        return offered()[parts.base].load()
    module = _from_file(project_file(place)) if place.endswith(".py") else _from_module(place)
    if not callable(getattr(module, attribute, None)):
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise ValueError(f"{place} has no class {attribute!r}; it has {', '.join(classes) or 'none'}")
    found = getattr(module, attribute)
    _NAMES[found] = name
    return found


def name_of_own(kind: type) -> str:
    """Return the name from which `load` made a class, else the one of its module."""
    return _NAMES.get(kind, f"{kind.__module__}:{kind.__qualname__}")


def label(name: str) -> str:
    """Return a protocol's name in results: that of its class if it is one's own."""
    return name.rpartition(":")[2]


def source_of(name: str) -> str | None:
    """Return the file or module that defines a protocol of one's own, or None if `name` does not name one."""
    try:
        parts = parse(name)
    except ValueError:
        return None
    if parts.place is None and parts.base in offered():
        return offered()[parts.base].module
    return parts.place


@cache
def offered() -> dict[str, EntryPoint]:
    """Return the entry points of all packages here, by name; cached, as it reads all metadata."""
    return {found.name: found for found in reversed(tuple(entry_points(group=GROUP)))}


def _from_module(name: str) -> Any:  # noqa: ANN401
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ValueError(f"no module {name!r}: {error}") from error


def _from_file(path: Path) -> Any:  # noqa: ANN401
    """Import a file; another content is another module, so that an edited file is never mistaken for the old one."""
    if not path.is_file():
        raise ValueError(f"no file {path}: name a protocol's file relative to {project_file('').resolve()}")
    content = path.read_bytes()
    name = f"corrldp_own_{path.stem}_{hashlib.sha256(content).hexdigest()[:16]}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None or spec.loader is None:
            raise ValueError(f"{path} is no Python file")
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look their module up
        try:
            exec(compile(content, path, "exec"), vars(module))
        except Exception as error:
            del sys.modules[name]
            raise ValueError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    return sys.modules[name]

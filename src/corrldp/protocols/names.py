"""Names of protocols, ``SPL``, ``RS+FD[OUE-z]`` or ``path/to/file.py:Class[OUE]``, and the user's own classes by name.

A name is ``NAME`` or ``NAME[ORACLE]``. NAME has no brackets, so that no reader takes it for another one; it is that of
a protocol of the package, of a class in a file or in a module, or of an entry point. Code of the user's own that fails
becomes an error of one line, and cannot end or hold up the program.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from corrldp.arrays import in_short

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

LONGEST = 600.0
"""Seconds that a piece of the user's own code may take, where the system has timers."""

GROUP = "corrldp.protocols"
_NAMES: dict[object, str] = {}
_FORM = re.compile(r"([^\[\]\n]+)(?:\[([^\[\]:\n]+)\])?")


@dataclass(frozen=True)
class Name:
    """A protocol's name in its parts: `base`, the name without an oracle, and the oracle in brackets."""

    base: str
    oracle: str | None = None

    @property
    def place(self) -> str | None:
        """The file or module that has the class, or None if the name is not that of a class."""
        place, _, attribute = self.base.rpartition(":")
        known = place.endswith(".py") or all(part.isidentifier() for part in place.split("."))
        return place if attribute.isidentifier() and known else None


def parse(name: object) -> Name:
    """Return the parts of a name, or raise ValueError; for the registry, documents, settings and rules."""
    found = _FORM.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise ValueError(f"no protocol {in_short(name)}: write NAME or NAME[ORACLE], or path/to/file.py:Class for NAME")
    return Name(found[1], found[2])


def load_class(name: str) -> Callable[..., Any]:
    """Return a protocol's class from a file, a module or an entry point; if there is none, a ValueError."""
    parts = parse(name)
    place, attribute = parts.place, label(parts.base)
    if parts.oracle is not None:
        raise ValueError(f"{name}: a class is named without an oracle here")
    if place is None:
        if parts.base not in offered():
            raise ValueError(f"no protocol {name!r}: no package here has an entry point of this name in {GROUP}")
        point = offered()[parts.base]
        return call_own(f"{name}, of {point.module}, cannot be imported", point.load)
    if place.endswith(".py"):
        module = _from_file(_project_file(place))
    else:
        module = call_own(f"no module {place!r}", lambda: importlib.import_module(place))
    if not callable(getattr(module, attribute, None)):
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise ValueError(f"{place} has no class {attribute!r}; it has {', '.join(classes) or 'none'}")
    found = getattr(module, attribute)
    _NAMES[found] = name
    return found


def name_of_class(kind: type) -> str:
    """Return the name from which `load_class` made a class, else the one of its module."""
    return _NAMES.get(kind, f"{kind.__module__}:{kind.__qualname__}")


def label(name: str) -> str:
    """Return a protocol's name in results: that of its class if it names one."""
    return name.rpartition(":")[2]


def check_labels(names: Iterable[str]) -> None:
    """Raise ValueError if results cannot tell two protocols apart."""
    called: dict[str, str] = {}
    for name in names:
        if (one := called.setdefault(label(name), name)) != name:
            raise ValueError(f"{one} and {name} are both called {label(name)}: rename a class, or drop one")


def source_of(name: str) -> str | None:
    """Return the file or module of the class that a name stands for, or None if it stands for none."""
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
    from importlib.metadata import entry_points  # here, since most programs never need it

    return {found.name: found for found in reversed(tuple(entry_points(group=GROUP)))}


def _from_file(path: Path) -> ModuleType:
    """Import a file; another content is another module, so that an edited file is never mistaken for the old one."""
    if not path.is_file():
        raise ValueError(f"no file {path}: name a protocol's file relative to {_project_file('').resolve()}")
    content = path.read_bytes()
    name = f"corrldp_own_{path.stem}_{hashlib.sha256(content).hexdigest()[:16]}"
    if name not in sys.modules:
        module = sys.modules[name] = ModuleType(name)  # dataclasses look their module up
        module.__file__ = str(path)
        try:
            call_own(f"{path} cannot be imported", lambda: exec(compile(content, path, "exec"), vars(module)))
        except ValueError:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _project_file(name: str) -> Path:
    """Return the path of a file named relative to the project or, outside of the workflow, to the working directory."""
    return Path(os.environ.get("CLAIMAUDIT_PROJECT", "")) / name


def call_own(what: str, function: Callable[[], T]) -> T:
    """Call a user's own code; raise a ValueError of one line, with `what`, if it fails, exits or does not end."""
    timed = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGALRM, _give_up) if timed else None
    try:
        if timed:
            signal.setitimer(signal.ITIMER_REAL, LONGEST)
        return function()
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
        raise ValueError(f"{what}: {reason}") from error
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _give_up(*_: object) -> NoReturn:
    raise TimeoutError(f"it did not end within {LONGEST:g} seconds")

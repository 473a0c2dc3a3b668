"""The names that configuration may use for kinds of experiment and kinds of figure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from corrldp import experiments
from corrldp import plots as figures
from corrldp.experiments.engine import Runner

PREFIX = f"{experiments.__name__}."


@cache
def runner(name: str) -> Runner:
    """Return a runner by its name."""
    return Runner.load(name)


@cache
def runners() -> tuple[str, ...]:
    """Return the names of all runners: the modules of corrldp.experiments with a `measure` and a `Setting`."""
    return tuple(sorted(name.removeprefix(PREFIX) for name in _modules(experiments, "def measure(cell: Cell)")))


@cache
def simulates(name: str) -> bool:
    """Return whether a runner reads the number of runs, in its `measure` or in a function that this names."""
    start = runner(name).measure
    pending, seen = [start], {start}
    while pending:
        function = pending.pop()
        if "cell.runs" in inspect.getsource(function):
            return True
        named = {found for found in _named(function) if found.__module__.startswith(PREFIX)}
        pending += named - seen
        seen |= named
    return False


def _named(function: Callable[..., object]) -> Iterator[FunctionType]:
    """Yield the functions that a function names, also as members of modules."""
    codes = [inspect.unwrap(function).__code__]
    names: dict[str, None] = {}
    for code in codes:  # grows
        codes += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        names |= dict.fromkeys(code.co_names)
    found = [inspect.unwrap(function).__globals__.get(name) for name in names]
    modules = [item for item in found if isinstance(item, ModuleType) and item.__name__.startswith(PREFIX)]
    members = [getattr(module, name, None) for module in modules for name in names]
    for item in (*found, *members):
        if callable(item) and isinstance(inspect.unwrap(item), FunctionType):
            yield inspect.unwrap(item)


@cache
def plots() -> tuple[str, ...]:
    """Return the names of all kinds of figure: the modules of corrldp.plots that are commands."""
    return tuple(sorted(name.rpartition(".")[2] for name in _modules(figures, 'if __name__ == "__main__"')))


def _modules(package: ModuleType, line: str) -> Iterator[str]:
    """Yield the modules of a package in which a line starts with a text; nothing is imported."""
    (root,) = map(Path, package.__path__)
    for path in root.rglob("*.py"):
        if f"\n{line}" in path.read_text(encoding="utf-8"):
            yield ".".join([package.__name__, *path.relative_to(root).with_suffix("").parts])

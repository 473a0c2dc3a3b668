"""The names that configuration may use for kinds of experiment and kinds of figure."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import corrldp.experiments
import corrldp.plots
from corrldp.experiments.engine import Runner


@cache
def runner(name: str) -> Runner:
    """Return a runner by its name."""
    return Runner.load(name)


@cache
def runners() -> tuple[str, ...]:
    """Return the names of all runners: the modules of corrldp.experiments with a `measure` and a `Setting`."""
    prefix = f"{corrldp.experiments.__name__}."
    return tuple(sorted(name.removeprefix(prefix) for name in _modules(corrldp.experiments, "def measure(cell: Cell)")))


@cache
def plots() -> tuple[str, ...]:
    """Return the names of all kinds of figure: the modules of corrldp.plots that are commands."""
    return tuple(sorted(name.rpartition(".")[2] for name in _modules(corrldp.plots, 'if __name__ == "__main__"')))


def _modules(package: ModuleType, line: str) -> Iterator[str]:
    """Yield the modules of a package in which a line starts with a text; only packages are imported."""
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        path = Path(found.module_finder.path, f"{found.name.rpartition('.')[2]}.py")  # type: ignore[union-attr]
        if path.is_file() and f"\n{line}" in path.read_text(encoding="utf-8"):
            yield found.name

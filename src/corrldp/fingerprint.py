"""Content fingerprints of the code that a command runs.

Snakemake does not track imported modules: after an edit to a mechanism it would keep the old results. Each rule
therefore has as a parameter the fingerprint of the module it runs and of all modules of this package that the module
imports, directly or indirectly.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

PACKAGE = "corrldp"
SOURCE = Path(__file__).resolve().parent.parent


def local_modules(entry: str) -> tuple[str, ...]:
    """Return the sorted names of the package's modules that running `entry` imports, itself included.

    The imports are read from the syntax tree, so nothing is executed and imports inside functions count too.

    Raises
    ------
    ValueError
        If `entry` is not a module of the package.
    """
    pending = [entry, f"{entry}.__main__"]
    pending = [module for module in pending if _path(module).is_file()]
    if not pending:
        raise ValueError(f"no module {entry!r} under {PACKAGE}; name a module such as '{PACKAGE}.audit'")
    found: set[str] = set()
    while pending:
        module = pending.pop()
        if module not in found:
            found.add(module)
            pending.extend(_imports(module))
    return tuple(sorted(found))


@cache
def fingerprint(entry: str, *data_files: Path) -> str:
    """Return 16 hexadecimal digits that change when code (not comments or docstrings) behind `entry` does.

    `data_files` are further files that the code reads from the package, such as templates.
    """
    digest = hashlib.sha256()
    for module in local_modules(entry):
        digest.update(f"{module}\n{_canonical_source(module)}\n".encode())
    for path in data_files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def numeric_versions() -> str:
    """Return the versions of the libraries that affect the digits of a result, as one string."""
    return " ".join(f"{name}={version(name)}" for name in ("numpy", "pandas", "scipy"))


def _path(module: str) -> Path:
    """Return the file of a module of this package; the file is missing if there is no such module."""
    base = SOURCE.joinpath(*module.split("."))
    package = base / "__init__.py"
    return package if package.is_file() else base.with_suffix(".py")


def _canonical_source(module: str) -> str:
    """Return a module's source without comments and docstrings, the same on every Python version."""
    return _parse(module)[0]


def _imports(module: str) -> tuple[str, ...]:
    """Return the modules of the package that one module imports directly, with their parent packages."""
    return _parse(module)[1]


@cache
def _parse(module: str) -> tuple[str, tuple[str, ...]]:
    """Return the canonical source of a module and the modules of the package that it imports."""
    tree = ast.parse(_path(module).read_text(encoding="utf-8"))
    found = set(_parents(module))
    for node in [tree, *_statements(tree)]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update(_imported(module, node))
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree), tuple(sorted(found))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements within a statement, but not the many more expressions, where no import can be."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, block, ()):
            yield inner
            yield from _statements(inner)


def _imported(module: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield the modules of the package that a statement of a module imports, with their parent packages."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        base = _absolute(module, node)
        names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
    for name in names:
        if name.split(".")[0] == PACKAGE and _path(name).is_file():
            yield from (name, *_parents(name))


def _parents(module: str) -> list[str]:
    """Return the packages above a module; importing it runs their `__init__`."""
    parts = module.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts))]


def _absolute(module: str, node: ast.ImportFrom) -> str:
    """Return the absolute name of the module that a `from ... import` statement reads."""
    package = module if _path(module).name == "__init__.py" else module.rpartition(".")[0]
    above = package.split(".")
    anchor = above[: len(above) - node.level + 1] if node.level else []
    return ".".join([*anchor, node.module] if node.module else anchor)

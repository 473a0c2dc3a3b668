"""Content fingerprints of the code that a command runs.

Snakemake does not track imported modules: after an edit to a mechanism it would keep the old results. Each rule
therefore has as a parameter the fingerprint of the module it runs and of all modules of this package that the module
imports, directly or indirectly. A module may be a file or belong to another package, as protocols of the user's own do;
then modules of that package count, too.
"""

from __future__ import annotations

import ast
import hashlib
import platform
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from corrldp.project import project_file

PACKAGE = "corrldp"
LIBRARIES = {
    name: {"sklearn": "scikit-learn"}.get(name, name)
    for name in (
        *("numpy", "pandas", "scipy", "sklearn", "numexpr", "matplotlib", "seaborn"),
        *("jinja2", "itables", "pypdf", "reportlab", "tabulate"),
    )
}
"""Libraries that determine the bytes of an output, by the names under which they are imported."""
SOURCE = Path(__file__).resolve().parent.parent


def local_modules(entry: str) -> tuple[str, ...]:
    """Return the sorted names of the modules that running `entry` imports, itself included: of this and of its package.

    The imports are read from the syntax tree, so nothing is executed and imports inside functions count too.

    Raises
    ------
    ValueError
        If `entry` is neither a module nor a file.
    """
    pending = [entry] if entry.endswith(".py") else [entry, f"{entry}.__main__"]
    pending = [module for module in pending if _path(module).is_file()]
    if not pending:
        raise ValueError(f"no module {entry!r}; name one such as '{PACKAGE}.audit', or a file relative to the project")
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

    The versions of `LIBRARIES` that it imports count, too. `data_files` are further files that the code reads from the
    package, such as templates.
    """
    digest = hashlib.sha256(" ".join(f"{name}={version(name)}" for name in libraries(entry)).encode())
    for module in local_modules(entry):
        digest.update(f"{module}\n{_canonical_source(module)}\n".encode())
    for path in data_files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def libraries(entry: str) -> list[str]:
    """Return the distributions among `LIBRARIES` that the modules behind `entry` import."""
    found = {name for module in local_modules(entry) for name in _parse(module)[2]}
    return sorted(LIBRARIES[name] for name in found & LIBRARIES.keys())


@cache
def numeric_versions() -> str:
    """Return the versions of the libraries that affect the digits of a result, as one string."""
    return " ".join(f"{name}={version(name)}" for name in ("numpy", "pandas", "scikit-learn", "scipy"))


@cache
def arithmetic() -> str:
    """Name what determines the last bits of results besides versions: instruction sets of numpy, and BLAS kernels."""
    built = import_module("numpy._core._multiarray_umath")  # numpy.show_runtime reads the same
    threadpool_info = import_module("threadpoolctl").threadpool_info
    used = [name for name in built.__cpu_dispatch__ if built.__cpu_features__[name]]
    kernels = {info.get("architecture", "") for info in threadpool_info() if info["user_api"] == "blas"}
    return "-".join([platform.machine(), *used, *sorted(kernels - {""})])


def _path(module: str) -> Path:
    """Return the file of a module; the file is missing if there is no such module."""
    if module.endswith(".py"):
        return project_file(module)
    base = _root(module).joinpath(*module.split("."))
    package = base / "__init__.py"
    return package if package.is_file() else base.with_suffix(".py")


def _root(module: str) -> Path:
    """Return the directory of a module's package, without importing it."""
    name = module.partition(".")[0]
    found = None if name == PACKAGE else find_spec(name)
    if found is None or found.origin is None:
        return SOURCE
    return Path(found.origin).parents[1 if found.submodule_search_locations else 0]


def _canonical_source(module: str) -> str:
    """Return a module's source without comments and docstrings, the same on every Python version."""
    return _parse(module)[0]


def _imports(module: str) -> tuple[str, ...]:
    """Return the modules of the package that one module imports directly, with their parent packages."""
    return _parse(module)[1]


@cache
def _parse(module: str) -> tuple[str, tuple[str, ...], frozenset[str]]:
    """Return the canonical source of a module, the modules of the package and the other packages that it imports."""
    tree = ast.parse(_path(module).read_text(encoding="utf-8"))
    found, others = set(_parents(module)), set[str]()
    for node in [tree, *_statements(tree)]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update(_imported(module, node))
            others.update(name.split(".")[0] for name in _named(module, node))
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree), tuple(sorted(found)), frozenset(others)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements within a statement, but not the many more expressions, where no import can be."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, block, ()):
            yield inner
            yield from _statements(inner)


def _named(module: str, node: ast.Import | ast.ImportFrom) -> list[str]:
    """Return the absolute names in an import statement of a module."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = _absolute(module, node)
    return [base, *(f"{base}.{alias.name}" for alias in node.names)]


def _imported(module: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Yield the modules that a statement of a module imports from this or its own package, with their parents."""
    for name in _named(module, node):
        if name.split(".")[0] in (PACKAGE, module.split(".")[0]) and _path(name).is_file():
            yield from (name, *_parents(name))


def _parents(module: str) -> list[str]:
    """Return the packages above a module; importing it runs their `__init__`."""
    parts = [module] if module.endswith(".py") else module.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts))]


def _absolute(module: str, node: ast.ImportFrom) -> str:
    """Return the absolute name of the module that a `from ... import` statement reads."""
    package = module if _path(module).name == "__init__.py" else module.rpartition(".")[0]
    above = package.split(".")
    anchor = above[: len(above) - node.level + 1] if node.level else []
    return ".".join([*anchor, node.module] if node.module else anchor)

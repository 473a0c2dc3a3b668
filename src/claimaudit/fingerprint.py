"""Content fingerprints of the code that a command runs.

Snakemake does not track imported modules: after an edit to a mechanism it would keep the old results. Each rule
therefore has as a parameter the fingerprint of the module it runs and of all modules beside this package that it
imports, directly or indirectly. Runners of a paper, and code of a user's own, lie elsewhere. Then all that they import
counts: the code of modules that nobody installed, and the versions of installed libraries.
"""

import ast
import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions, version
from pathlib import Path
from typing import Any

from claimaudit.storage import sha256

OTHER_NAMES = {"sklearn": "scikit-learn", "yaml": "PyYAML"}
"""Distributions of another name than their package, which are not searched for among all."""
LIBRARIES = {
    name: OTHER_NAMES.get(name, name)
    for name in (
        *("numpy", "pandas", "scipy", "sklearn", "matplotlib", "seaborn"),
        *("jinja2", "itables", "tabulate", "typst"),
    )
}
"""Libraries that determine the bytes of an output, by the names under which they are imported."""
INSTALLED = {"site-packages", "dist-packages"}
SOURCE = Path(__file__).resolve().parent.parent
PROJECT_VARIABLE = "CLAIMAUDIT_PROJECT"
"""Environment variable with the directory to which the names of files are relative."""


def local_modules(entry: str) -> tuple[str, ...]:
    """Return the sorted names of the modules, beside this package and a user's own, that running `entry` imports.

    `entry` is among them; one that is neither a module nor a file is a ValueError. The imports are read from the syntax
    tree, so nothing is executed and imports inside functions count too. A module imported by a name in a text is not
    seen; the linter refuses such imports, except of names that users give.
    """
    pending = [entry] if entry.endswith(".py") else [entry, f"{entry}.__main__"]
    pending = [module for module in pending if _path(module)]
    if not pending:
        raise ValueError(f"no module {entry!r}; name one such as 'claimaudit.audit', or a file relative to the project")
    found: set[str] = set()
    while pending:
        module = pending.pop()
        if module not in found:
            found.add(module)
            pending.extend(_imports(module)[0])
    return tuple(sorted(found))


@cache
def fingerprint(entry: str, *data_files: Path) -> str:
    """Return 16 hexadecimal digits that change when code (not comments or docstrings) behind `entry` does.

    The versions of `libraries` that it imports count, too. `data_files` are further files that the code reads from the
    package, such as templates.
    """
    digest = hashlib.sha256(" ".join(f"{name}={_version(name)}" for name in libraries(entry)).encode())
    for module in local_modules(entry):
        digest.update(f"{module} {_source(module).digest}\n".encode())
    for path in data_files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def libraries(entry: str) -> list[str]:
    """Return the distributions that the modules behind `entry` import: those in `LIBRARIES`, or any in own code."""
    modules = local_modules(entry)
    known = {LIBRARIES[name] for module in modules for name in _imports(module)[1] & LIBRARIES.keys()}
    others = {name for module in modules if not _is_ours(_top(module)) for name in _imports(module)[1]}
    followed = {*map(_top, modules)}
    others = {name for name in others - {*LIBRARIES, *sys.stdlib_module_names} - followed if not _is_ours(name)}
    return sorted(known.union(*map(_distributions, others)))


@cache
def _distributions(name: str) -> tuple[str, ...]:
    """Return the distributions that have a package: the one of its name, or else all that a slow search finds."""
    with suppress(PackageNotFoundError):
        found = distribution(OTHER_NAMES.get(name, name))
        if f"\n{name}/" in f"\n{found.read_text('RECORD')}":
            return (found.name,)
    return tuple(_packages().get(name, ()))


_packages = cache(packages_distributions)
_version = cache(version)


@cache
def numeric_versions() -> str:
    """Return the versions of the installed libraries that affect the digits of a result, as one string."""
    found = []
    for name in ("numpy", "pandas", "scikit-learn", "scipy"):
        with suppress(PackageNotFoundError):
            found.append(f"{name}={version(name)}")
    return " ".join(found)


@cache
def arithmetic() -> str:
    """Name what determines the last bits of results besides versions: instruction sets of numpy, and BLAS kernels."""
    from numpy._core import _multiarray_umath as built  # type: ignore[attr-defined]  # numpy.show_runtime reads the same
    from threadpoolctl import threadpool_info

    used = [name for name in built.__cpu_dispatch__ if built.__cpu_features__[name]]
    kernels = {info.get("architecture", "") for info in threadpool_info() if info["user_api"] == "blas"}
    return "-".join([platform.machine(), *used, *sorted(kernels - {""})])


def last_commit(place: Path, own: bool = False) -> dict[str, Any]:
    """Return the last commit that changed a directory, its date, and whether files in it differ from it.

    If the repository must be the directory's `own`, it is not one around it.
    """
    ceiling = {"GIT_CEILING_DIRECTORIES": str(place.resolve().parent)} if own else {}
    git, variables = ["git", "-C", str(place)], {**os.environ, **ceiling}
    try:
        log = subprocess.run(
            [*git, "log", "-1", "--format=%h %cs", "--", "."], capture_output=True, text=True, check=True, env=variables
        )
        compared = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "."], check=False, env=variables)
        commit, date = log.stdout.split()
    except (OSError, ValueError, subprocess.CalledProcessError):
        return {}
    return {"commit": commit, "date": date, "changed": compared.returncode != 0}


looked_for: set[str] = set()
"""Modules beside this package that decide on fingerprints of this process: by where they are, or by their code."""


def whereabouts(modules: Collection[str]) -> dict[str, list[str]]:
    """Return the directories in which each module, or its package, lies, and the SHA-256 of its code as it was read."""
    return {
        name: [*(map(str, _roots(_top(name))) if not name.endswith(".py") else ()), _content(name)]
        for name in sorted(modules)
    }


def _content(module: str) -> str:
    path = _path(module)
    return _read.get(module) or (sha256(path) if path else "")


@cache
def _path(module: str) -> Path | None:
    if module.endswith(".py") or not _is_ours(_top(module)):
        looked_for.add(module)
    if module.endswith(".py"):
        return path if (path := _project() / module).is_file() else None
    roots = (SOURCE,) if _is_ours(_top(module)) else _roots(_top(module))
    places = (root.joinpath(*module.split(".")) for root in roots)
    files = (file for base in places for file in (base / "__init__.py", base.with_suffix(".py")))
    return next(filter(Path.is_file, files), None)


def _project() -> Path:
    return Path(os.environ.get(PROJECT_VARIABLE, ""))


@cache
def _is_ours(name: str) -> bool:
    return (SOURCE / name / "__init__.py").is_file()


@cache
def _homes(package: str) -> dict[str, str]:
    """Return the modules of the names that a package imports when they are used: its literal ``HOMES``."""
    for node in ast.parse((SOURCE / package / "__init__.py").read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign([ast.Name("HOMES")], value):
                return {name: f"{package}.{home}" for name, home in ast.literal_eval(value).items()}
    return {}


@cache
def _roots(name: str) -> tuple[Path, ...]:
    """Return the directories in which a package or module lies, without importing it; a namespace may have several.

    Jobs find modules in their working directory as well, where the process that plans them may not look.
    """
    looked_for.add(name)
    found = PathFinder.find_spec(name, [str(Path.cwd()), str(_project()), *sys.path])
    if found is None:
        return (SOURCE,)
    if found.submodule_search_locations:
        return tuple(Path(place).parent for place in found.submodule_search_locations)
    return (Path(found.origin or "").parent,)


def _top(module: str) -> str:
    return module.partition(".")[0]


Import = tuple[int | None, str, tuple[str, ...]]
"""The level of a relative import (None for ``import a, b``), the module, and the names."""


@dataclass(frozen=True)
class SourceFile:
    """What counts of a file: its imports, and the digest of its other code, the same on every Python version.

    Comments and docstrings do not count.
    """

    digest: str
    imports: list[Import]


_read: dict[str, str] = {}  # the SHA-256 of each module that was read


@cache
def _source(module: str) -> SourceFile:
    path = _path(module)
    assert path is not None, module  # only modules that exist are followed
    content = path.read_bytes()
    _read[module] = hashlib.sha256(content).hexdigest()
    tree = ast.parse(content.decode())
    imports: list[Import] = []
    for node in [tree, *_statements(tree)]:
        if isinstance(node, ast.Import):
            imports += [(None, alias.name, (alias.asname or "",)) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imports.append((node.level, node.module or "", tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return SourceFile(hashlib.sha256(ast.unparse(tree).encode()).hexdigest(), imports)


@cache
def _imports(module: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the modules that one imports directly and that are followed, with their parents, and all packages."""
    named = [name for one in _source(module).imports for name in _named(module, *one)]
    followed = [name for name in named if _followed(module, _top(name)) and _path(name)]
    found = dict.fromkeys([*_parents(module), *followed, *(above for name in followed for above in _parents(name))])
    return tuple(sorted(found)), frozenset(map(_top, named))


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements within a statement, but not the many more expressions, where no import can be."""
    for block in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, block, ()):
            yield inner
            yield from _statements(inner)


def _named(module: str, level: int | None, base: str, names: tuple[str, ...]) -> list[str]:
    if level is None:
        return [base, *(_homes(_top(base)).values() if _is_ours(_top(base)) and names == ("",) else ())]
    base = _absolute(module, level, base)
    homes = _homes(base) if "." not in base and _is_ours(base) else {}
    public = [home for name, home in homes.items() if name in names or "*" in names]
    return [base, *(f"{base}.{name}" for name in names), *public]


def _followed(module: str, name: str) -> bool:
    """Return whether the code of a package counts where a module imports it; our packages import no own code."""
    if _is_ours(name) or name == _top(module):
        return True
    if _is_ours(_top(module)) or name in sys.stdlib_module_names:
        return False
    return all(INSTALLED.isdisjoint(root.parts) for root in _roots(name))


def _parents(module: str) -> list[str]:
    """Return the packages above a module that have an `__init__`, which importing it runs."""
    parts = [module] if module.endswith(".py") else module.split(".")
    above = [".".join(parts[:depth]) for depth in range(1, len(parts))]
    return [name for name in above if _path(name)]


def _absolute(module: str, level: int, base: str) -> str:
    path = _path(module)
    package = module if path and path.name == "__init__.py" else module.rpartition(".")[0]
    above = package.split(".")
    anchor = above[: len(above) - level + 1] if level else []
    return ".".join([*anchor, base] if base else anchor)

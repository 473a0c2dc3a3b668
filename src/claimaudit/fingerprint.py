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
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any

LIBRARIES = {
    **{name: name for name in ("numpy", "pandas", "scipy", "matplotlib", "seaborn")},
    **{name: name for name in ("jinja2", "itables", "tabulate", "typst")},
    "sklearn": "scikit-learn",
}
"""Libraries that determine the bytes of an output: their distributions by the names under which they are imported."""
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
            pending.extend(_imports(module))
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
    imported = {module: {*map(_top, _source(module).imports)} for module in modules}
    known = {LIBRARIES[name] for names in imported.values() for name in names & LIBRARIES.keys()}
    others = {name for module, names in imported.items() if not _is_ours(_top(module)) for name in names}
    others -= {*LIBRARIES, *sys.stdlib_module_names, *map(_top, modules)}
    return sorted(known.union(*(_packages().get(name, ()) for name in others if not _is_ours(name))))


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


def whereabouts(modules: Collection[str]) -> dict[str, str]:
    """Return where each module lies, and the SHA-256 of its code as it was read."""
    return {name: f"{_path(name)} {hashlib.sha256(_content(name)).hexdigest()}" for name in sorted(modules)}


@cache
def _content(module: str) -> bytes:
    path = _path(module)
    return path.read_bytes() if path else b""


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
    """Return the modules of the names that one of our packages imports when they are used: its literal ``HOMES``."""
    for node in ast.parse(_content(package)).body if _is_ours(package) else ():
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


@dataclass(frozen=True)
class SourceFile:
    """What counts of a file: all names that it imports, and the digest of its code, the same on every Python version.

    Comments and docstrings do not count.
    """

    digest: str
    imports: list[str]


@cache
def _source(module: str) -> SourceFile:
    path, tree, imports = _path(module), ast.parse(_content(module)), list[str]()
    package = module if path and path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [alias.name for alias in node.names]
            used = {_top(alias.name) for alias in node.names if alias.asname is None}
            imports += [home for name in used for home in _homes(name).values()]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            names = [alias.name for alias in node.names]
            imports += [base, *(f"{base}.{name}" for name in names)]
            imports += [home for name, home in _homes(base).items() if name in names or "*" in names]
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return SourceFile(hashlib.sha256(ast.unparse(tree).encode()).hexdigest(), imports)


@cache
def _imports(module: str) -> list[str]:
    """Return the modules that one imports directly and that are followed, with their parents."""
    followed = [name for name in _source(module).imports if _followed(module, _top(name)) and _path(name)]
    return sorted({*_parents(module), *followed, *(above for name in followed for above in _parents(name))})


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

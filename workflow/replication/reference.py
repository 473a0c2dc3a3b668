"""The reference, generated from the code: ``PYTHONPATH=workflow python -m replication.reference``.

It prints docs/reference.md, which lists every name that configuration may use; ``--stub`` prints the types of the
public names of `corrldp`, src/corrldp/__init__.pyi.
"""

import argparse
import importlib
import inspect
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from tabulate import tabulate

import corrldp
from claimaudit.experiments.axes import Axis
from claimaudit.experiments.runner import Runner, runners
from claimaudit.expressions import FUNCTIONS
from claimaudit.papers.folder import HOME, SHARED, Folder
from claimaudit.styles import PLOTS, FigureStyle, TableStyle


@cache
def all_runners() -> dict[str, Runner]:
    """Return the runners of the package, and those of the papers in this project, by the names that files use."""
    modules = {"corrldp.runners.protocols": "corrldp.runners.protocols"}
    for file in sorted(Path(HOME).glob("*/runners/[a-z]*.py")):
        home = file.parents[1]
        named = Folder(home.resolve(), str(home)).runner(f"runners/{file.name}:all")
        modules[str(file)] = named.removesuffix(":all")
    return {
        f"{name}:{function}": runner
        for name, module in modules.items()
        for function, runner in runners(importlib.import_module(module)).items()
    }


def document() -> str:
    """Return the reference as Markdown."""
    parts = ["# Reference", "Generated from the code by `make reference`; a test keeps it current.", "## Runners"]
    parts += ["Those of a paper, `papers/ID/runners/FILE.py:FUNCTION`, are `runners/FILE.py:FUNCTION` in its own file."]
    parts += [f"Those that papers share are `../{SHARED}/runners/FILE.py:FUNCTION`."]
    for name, kind in all_runners().items():
        parts += [*_runner(name, kind)]
    parts += ["## Expressions", "Checks of claims, exhibits and styles (`where`) may use"]
    parts += [_table([(f"`{name}`", words) for name, words in FUNCTIONS.items()], ("function", "value"))]
    parts += ["besides names, numbers, text in quotes, `+ - * / **`, comparisons, `and or not`, and `in` with a list."]
    parts += ["## Figures", "Kinds of `plot`: " + ", ".join(f"`{name}`" for name in PLOTS) + "."]
    for title, style in (("Style of a figure", FigureStyle), ("Style of a table", TableStyle)):
        names = ", ".join(f"`{name}`" for name in style.model_fields)
        parts += [f"### {title}", f"{names}. See `{style.__module__}`."]
    return "\n\n".join(parts) + "\n"


def stub() -> str:
    """Return the types of the public names of `corrldp`, which are imported when they are first used."""
    homes = {**dict.fromkeys(corrldp.MODULES, "corrldp"), **{k: f"corrldp.{v}" for k, v in corrldp.HOMES.items()}}
    imports = [f"from {home} import {name} as {name}" for name, home in homes.items()]
    others = ("", "__version__: str", "HOMES: dict[str, str]", "MODULES: tuple[str, ...]", "")
    return "\n".join([*sorted(imports), *others])


def _runner(name: str, kind: Runner) -> Iterator[str]:
    yield f"### `{name}`"
    yield (inspect.getdoc(kind.measure) or "").replace("Yield ", "", 1)
    yield " ".join((inspect.getdoc(kind.setting) or "").split())
    schema = kind.setting.model_json_schema()
    rows = [
        (f"`{key}`", "required" if key in schema.get("required", ()) else "", _type(entry, schema.get("$defs", {})))
        for key, entry in schema["properties"].items()
    ]
    yield _table(rows, ("setting", "", "value"))
    if kind.axes:
        yield _table([_axis(axis) for axis in kind.axes.values()], ("axis", "values", "unless listed"))


def _axis(axis: Axis) -> tuple[str, str, str]:
    values = [
        f"`{str(value).lower() if isinstance(value, bool) else value}` ({axis.words[value]})" for value in axis.words
    ]
    return f"`{axis.name}`", "; ".join(values + ([str(axis.number)] if axis.number else [])), f"`{axis.default}`"


def _type(entry: dict[str, Any], definitions: dict[str, Any]) -> str:
    if "$ref" in entry:
        return _type(definitions[entry["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in entry:
        options = dict.fromkeys(_type(one, definitions) for one in entry["anyOf"])
        return " or ".join(option for option in options if option != "whole number" or "number" not in options)
    if "enum" in entry or "const" in entry:
        return " or ".join(f"`{value}`" for value in entry.get("enum", [entry.get("const")]))
    bounds = [
        f"{sign} {entry[key]:g}"
        for key, sign in (("minimum", ">="), ("exclusiveMinimum", ">"), ("maximum", "<="), ("exclusiveMaximum", "<"))
        if key in entry
    ]
    match entry.get("type"):
        case "array" if "prefixItems" in entry:
            return f"list ({', '.join(_type(one, definitions) for one in entry['prefixItems'])})"
        case "array":
            return f"list of {_type(entry.get('items', {}), definitions)}"
        case "object" if "additionalProperties" in entry and isinstance(entry["additionalProperties"], dict):
            return f"mapping to {_type(entry['additionalProperties'], definitions)}"
        case "object" if "properties" in entry:
            inner = (f"`{key}`: {_type(one, definitions)}" for key, one in entry["properties"].items())
            return f"mapping ({'; '.join(inner)})"
        case kind:
            word = {"integer": "whole number", "string": "text", "boolean": "true or false"}.get(str(kind), str(kind))
            unit = f"({entry['description']})" if "description" in entry else ""
            return " ".join(filter(None, [word if word != "None" else "anything", " and ".join(bounds), unit]))


def _table(rows: Sequence[tuple[str, ...]], headers: tuple[str, ...]) -> str:
    return tabulate([[cell.replace("|", "\\|") for cell in row] for row in rows], headers, tablefmt="pipe")


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m replication.reference", description=__doc__)
    parser.add_argument("--stub", action="store_true", help="the types of the public names of corrldp")
    sys.stdout.write(stub() if parser.parse_args(arguments).stub else document())


if __name__ == "__main__":
    main()

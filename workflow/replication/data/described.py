"""The registry of data sets as a report states it: what a reader needs to know of each, and to supply it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimaudit.report.sources import DataSet, View

SEPARATORS = {",": "a comma", ", ": "a comma and a blank", ";": "a semicolon", " ": "a blank"}
STATED = (
    "title",
    "kind",
    "licence",
    "citation",
    "doi",
    "homepage",
    "file",
    "bytes",
    "rows",
    "sha256",
)
"""What is passed on as it is."""

FILE = (
    "If no address answers, put {0}, or {0}.gz, into a directory, name that under mirrors in config/config.yaml, and "
    "run again."
)
NOTHING = "Nothing: no records are read."
"""What a user can do."""


def datasets(registry: Mapping[str, Any]) -> dict[str, DataSet]:
    """Return what a report says of each data set, by name."""
    return {name: _data_set(name, entry) for name, entry in registry["datasets"].items()}


def _data_set(name: str, entry: Mapping[str, Any]) -> DataSet:
    found = {key: entry[key] for key in STATED if entry.get(key) is not None}
    match entry["kind"]:
        case "counts":
            more = {"rows": entry["n"], "ones": entry["n1"], "derivation": entry["derivation"], "supply": NOTHING}
        case "user_file":
            more = {"supply": entry["supply"]}
        case _:
            ask = f"List {name} under optional_data in config/config.yaml. " if entry.get("optional") else ""
            more = {"layout": _layout(entry), "supply": f"{ask}{FILE.format(entry['file'])}"}
            more |= {"addresses": tuple(source["url"] for source in entry["sources"]), "optional": "optional" in entry}
    more |= {key: entry[key] for key in ("transformation", "unavailable") if key in entry}
    return DataSet(name=name, **found, **more)


def _layout(entry: Mapping[str, Any]) -> str:
    """Return how the file is written."""
    columns = sum(len(group.get("names", [0])) for group in entry["columns"])
    lines = entry["format"].get("preamble", ())
    first = "names of columns first" if "{columns}" in lines else f"lines before the records: {len(lines)}"
    separator = SEPARATORS[entry["format"]["separator"]]
    return f"a record a line, {columns} {'column' if columns == 1 else f'columns separated by {separator}'}, {first}"


def views(registry: Mapping[str, Any]) -> dict[str, View]:
    """Return what a report says of each view, by name."""
    return {name: _view(view, registry["datasets"]) for name, view in registry["views"].items()}


def _view(view: Mapping[str, Any], known: Mapping[str, Any]) -> View:
    first = known[view["datasets"][0]]
    columns = sum(len(group.get("names", [0])) for group in first["columns"] if group["kind"] != "identifier")
    return View(
        title=view["title"],
        why=view["why"],
        datasets=tuple(view["datasets"]),
        n=view.get("rows") or sum(known[name]["rows"] for name in view["datasets"]),
        d=columns if view["attributes"] == "all" else len(view["attributes"]),
        without=tuple(view.get("drop", ())),
    )

"""Check the registry of data sets, config/datasets.yaml, when the workflow is planned; jobs get checked entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from corrldp import configuration, schema
from corrldp.configuration import Fault, refuse
from corrldp.data.align import RawRecords, align
from corrldp.data.registry import Dataset
from corrldp.data.standin import standin_bytes
from corrldp.names import known_names


def load_registry(path: Path) -> dict[str, Any]:
    """Read the registry and check it against its schema and for consistency.

    Raises
    ------
    ConfigurationError
        One line for each fault, with file, line and key.
    """
    registry: dict[str, Any] = configuration.read(path)
    refuse(path, schema.faults(registry, schema.read("datasets")) or faults(registry))
    return registry


def faults(registry: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what a schema cannot see: order, column names, what stand-ins and alignment reject, references of views."""
    for part in ("datasets", "views"):
        names = list(registry[part])
        if names != sorted(names):
            first = next(a for a, b in zip(names, sorted(names), strict=True) if a != b)
            yield (part, first), f"{part} must be sorted by name: move {first!r}"
    datasets = {
        name: Dataset.from_entry(name, entry) for name, entry in registry["datasets"].items() if entry["kind"] == "file"
    }
    for name, dataset in datasets.items():
        yield from ((("datasets", name, *place), words) for place, words in _of_data_set(dataset))
    for name, entry in registry["datasets"].items():
        if entry["kind"] == "counts" and entry["n1"] > entry["n"]:
            yield ("datasets", name, "n1"), f"{entry['n1']} is more than n, {entry['n']}"
    for view, recipe in registry["views"].items():
        yield from ((("views", view, *place), words) for place, words in _of_view(view, recipe, datasets))


def _of_data_set(dataset: Dataset) -> Iterator[Fault]:
    name, times = Counter(column.name for column in dataset.columns).most_common(1)[0]
    if times > 1:
        yield ("columns",), f"data set {dataset.name!r} has {times} columns named {name!r}; rename them"
    for column in dataset.columns:
        (low, high), typical = column.bounds, column.typical or (0, 0)
        if low > high or (column.typical and not low <= typical[0] <= typical[1] <= high):
            yield ("columns",), f"column {column.name!r}: range and typical must increase, typical within the range"
        if unknown := sorted(set(column.absent) - set(column.values)):
            yield ("columns",), f"column {column.name!r}: absent: {unknown[0]} is none of its values"
        elif column.values and len(column.absent) == len(column.values):
            yield ("columns",), f"column {column.name!r}: absent: it names all values; leave some"
    try:
        standin_bytes(replace(dataset, rows=1))
    except (ValueError, KeyError, IndexError, AttributeError) as error:
        yield ("columns",), f"no stand-in can be made: {type(error).__name__} {error}; correct the format or a template"


def _of_view(name: str, recipe: Mapping[str, Any], datasets: Mapping[str, Dataset]) -> Iterator[Fault]:
    for position, read in enumerate(recipe["datasets"]):
        if read not in datasets:
            words = f"view {name!r} reads {read!r}; it must be a data set of kind file{known_names(read, datasets)}"
            yield ("datasets", position), words
            return
    used = [datasets[read] for read in recipe["datasets"]]
    tables = [
        RawRecords(dataset, pd.DataFrame({column.name: pd.Series(dtype=str) for column in dataset.columns}))
        for dataset in used
    ]
    try:
        align(tables, recipe)  # without records, to check the recipe alone
    except ValueError as error:
        yield ("attributes",), str(error)
    if recipe.get("rows", 0) > sum(dataset.rows for dataset in used):
        yield ("rows",), f"{recipe['rows']} is more than the records of its data sets"

"""Check the registry of data sets, config/datasets.yaml, when the workflow is planned; jobs get checked entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from corrldp import configuration
from corrldp.data.registry import Dataset, RegistryError
from corrldp.validation import validate


def load_registry(path: Path) -> dict[str, Any]:
    """Read the registry and validate it against the package's JSON schema and for consistency.

    Raises
    ------
    ConfigurationError
        If the file is not YAML or repeats a key.
    jsonschema.ValidationError
        If the file does not follow the schema.
    RegistryError
        If names are unsorted or repeated, or a view names an unknown data set or column.
    """
    registry: dict[str, Any] = configuration.read(path)
    schema = files("corrldp").joinpath("schemas/datasets.schema.yaml").read_text(encoding="utf-8")
    validate(registry, yaml.safe_load(schema))
    check_registry(registry)
    return registry


def check_registry(registry: Mapping[str, Any]) -> None:
    """Check what a JSON schema cannot: order, unique column names, and the references of views.

    Raises
    ------
    RegistryError
        The one-line message names the entry and the fix.
    """
    for part in ("datasets", "views"):
        names = list(registry[part])
        if names != sorted(names):
            first = next(a for a, b in zip(names, sorted(names), strict=True) if a != b)
            raise RegistryError(f"{part} must be sorted by name: move {first!r}")
    datasets = {
        name: Dataset.from_entry(name, entry) for name, entry in registry["datasets"].items() if entry["kind"] == "file"
    }
    for dataset in datasets.values():
        name, times = Counter(column.name for column in dataset.columns).most_common(1)[0]
        if times > 1:
            raise RegistryError(f"data set {dataset.name!r} has {times} columns named {name!r}; rename them")
    for view, recipe in registry["views"].items():
        for name in recipe["datasets"]:
            if name not in datasets:
                raise RegistryError(f"view {view!r} reads {name!r}; it must be a data set of kind file")

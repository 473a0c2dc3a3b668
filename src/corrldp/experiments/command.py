"""The command line that every experiment shares, and what it hands to the experiment's `run`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from corrldp import results
from corrldp.fingerprint import numeric_versions
from corrldp.randomness import generator


@dataclass(frozen=True)
class View:
    """An aligned data view: integer `codes` of shape (n, d) and the description of its `domain`."""

    codes: np.ndarray
    domain: dict[str, Any]

    @property
    def standin(self) -> bool:
        """Whether the records are made up because the real data could not be obtained."""
        return self.domain["standin"]

    @property
    def names(self) -> list[str]:
        """Names of the attributes, d of them."""
        return [attribute["name"] for attribute in self.domain["attributes"]]

    @property
    def values(self) -> list[list[str]]:
        """Values of each attribute, in the order of their codes."""
        return [attribute["values"] for attribute in self.domain["attributes"]]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Domain sizes (d,)."""
        return tuple(map(len, self.values))


@dataclass(frozen=True)
class Experiment:
    """Everything that shapes one result table; `setting` and `readings` as in config/papers/ID.yaml."""

    paper: str
    experiment: str
    seed: int
    runs: int
    setting: dict[str, Any]
    readings: dict[str, Any]
    views: dict[str, View]
    combinations: Sequence[dict[str, Any]] = ()

    def rng(self, **key: object) -> np.random.Generator:
        """Return the generator of one setting, independent of which other settings are run."""
        return generator(self.seed, self.paper, self.experiment, key)

    @property
    def strict(self) -> dict[str, Any]:
        """The strict value of every axis."""
        return {axis: choice["strict"] for axis, choice in self.readings.items()}

    def all_readings(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the label and the value of every axis: the strict reading, one axis at a time, the combinations."""
        strict = self.strict
        varied = [{**strict, axis: other} for axis, choice in self.readings.items() for other in choice["others"]]
        combined = [{**strict, **axes} for axes in self.combinations]
        return [(results.reading_label(axes, strict), axes) for axes in (strict, *varied, *combined)]


def main(run: Callable[[Experiment], pd.DataFrame]) -> None:
    """Run an experiment from the command line: one JSON setting and aligned views in, table and record out."""
    parser = argparse.ArgumentParser(description=run.__doc__)
    parser.add_argument("setting", type=json.loads, help="the experiment as one JSON string")
    parser.add_argument("table", type=Path, help="result table to write (CSV)")
    parser.add_argument("record", type=Path, help="record of the table to write (JSON)")
    parser.add_argument("views", type=Path, nargs="*", help="CODES.npy DOMAIN.json of each view")
    arguments = parser.parse_args()
    views = dict(_read_view(codes) for codes in arguments.views if codes.suffix == ".npy")
    experiment = Experiment(**arguments.setting, views=views)
    record = {
        **{key: value for key, value in arguments.setting.items() if key not in ("readings", "combinations")},
        "readings": [label for label, _ in experiment.all_readings()],
        "versions": numeric_versions(),
        "standin": sorted(name for name, view in views.items() if view.standin),
    }
    try:
        table = run(experiment)
    except ValueError as error:
        sys.exit(f"{experiment.paper}, experiment {experiment.experiment}: {error}")
    results.write(table, arguments.table, arguments.record, record)


def _read_view(codes: Path) -> tuple[str, View]:
    domain = json.loads(codes.with_suffix(".json").read_text(encoding="utf-8"))
    return codes.stem, View(np.load(codes), domain)

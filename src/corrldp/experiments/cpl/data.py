"""The data sets of the CPL paper's experiments, as tables of every ordered pair of attributes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from corrldp.experiments.command import Experiment, View
from corrldp.experiments.corr_rr.real_data import encode
from corrldp.leakage.tables import Tables, contingency_tables
from corrldp.protocols.castell.tables import tabulate


@dataclass(frozen=True)
class Data:
    """Records `codes` (n, d) of one data set, with the names and the domain sizes of its attributes."""

    name: str
    codes: np.ndarray
    attributes: list[str]
    sizes: list[int]
    standin: bool

    @cached_property
    def tables(self) -> Tables:
        """Counts (m, t) of every ordered pair of attributes, see `contingency_tables`."""
        return contingency_tables(self.codes, self.sizes)

    def place(self, attribute: str) -> int:
        """Return the column of an attribute."""
        return self.attributes.index(attribute)

    def table(self, about: str, by: str) -> np.ndarray:
        """Return the counts (m, t) of the attacked attribute `about` and the released attribute `by`."""
        return self.tables[self.place(about), self.place(by)]

    def joint(self, about: str, released: list[str]) -> np.ndarray:
        """Return the counts (m, t1, t2, ...) of the attacked attribute and several released ones."""
        columns = [self.place(name) for name in (about, *released)]
        return tabulate(self.codes[:, columns], tuple(self.sizes[column] for column in columns))


def datasets(experiment: Experiment, axes: dict[str, Any]) -> Iterator[Data]:
    """Yield the data sets of one reading; of a reading other than the strict one, only those that it changes.

    `views` maps data sets to views, `binned` a value of the axis `binning` to views of other bins. `attributes` maps
    data sets to the attributes that take part (default: all), `without` a value of the axis `domain` to those that
    do not.
    """
    setting, strict = experiment.setting, experiment.strict
    names = setting["views"]
    if axes.get("binning") != strict.get("binning"):
        names = setting["binned"][axes["binning"]]
    left_out = {}
    if axes.get("domain") != strict.get("domain"):
        left_out = setting["without"][axes["domain"]]
        names = {dataset: view for dataset, view in names.items() if dataset in left_out}
    for dataset, name in names.items():
        kept = setting.get("attributes", {}).get(dataset)
        yield _data(dataset, experiment.views[name], axes.get("encoding", "recipe"), kept, left_out.get(dataset, []))


def _data(dataset: str, view: View, encoding: str, kept: list[str] | None, left_out: list[str]) -> Data:
    chosen = [view.names.index(name) for name in kept or view.names if name not in left_out]
    return Data(
        dataset,
        encode(view, encoding)[:, chosen],
        [view.names[column] for column in chosen],
        [view.sizes[column] for column in chosen],
        view.standin,
    )

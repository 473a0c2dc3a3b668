"""The data sets of the CPL paper's experiments, and their tables of every ordered pair of attributes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from corrldp.data.table import Table
from corrldp.experiments.engine import Cell
from corrldp.experiments.setting import BaseSetting, Epsilon, Point, Swept, ViewName
from corrldp.leakage.tables import Integers, Tables, contingency_tables
from corrldp.names import require_known


class DataSets(BaseSetting):
    """Views by data set.

    `binned` replaces views under a value of the axis `binning`; `attributes` are those that take part (default: all),
    `without` those that do not under a value of the axis `domain`.
    """

    views: dict[str, ViewName]
    binned: dict[Literal["quartiles", "width"], dict[str, ViewName]] = Field(default={})
    attributes: dict[str, tuple[str, ...]] = Field(default={})
    without: dict[Literal["without_country"], dict[str, tuple[str, ...]]] = Field(default={})

    @model_validator(mode="after")
    def _data_sets_are_known(self) -> Self:
        for dataset in chain(self.attributes, *self.binned.values(), *self.without.values()):
            require_known(dataset, self.views, "data set")
        return self

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set with everything that is swept."""
        for dataset in self.views:
            for point in super().points(choices):
                yield {"dataset": dataset, **point}


class Budgets(DataSets):
    """Data sets and budgets."""

    epsilon: Swept[Epsilon]


def view_of(cell: Cell, dataset: str) -> Table:
    """Return the records of a data set under a reading; axes that do not affect it are not read."""
    setting = cell.setting
    require_known(dataset, setting.views, "data set")
    name, left_out = setting.views[dataset], ()
    if any(dataset in views for views in setting.binned.values()):
        name = setting.binned.get(cell["binning"], {}).get(dataset, name)
    if any(dataset in attributes for attributes in setting.without.values()):
        left_out = setting.without.get(cell["domain"], {}).get(dataset, ())
    view = cell.views[name]
    kept = tuple(name for name in setting.attributes.get(dataset, view.names) if name not in left_out)
    return (view if kept == view.names else view.subset(kept)).encode(cell["encoding"])


def pair_tables(cell: Cell, dataset: str) -> Tables:
    """Return the counts (m, t) of every ordered pair of attributes, see `contingency_tables`."""
    view = view_of(cell, dataset)
    return contingency_tables(view.codes, view.sizes)


def joint_table(cell: Cell, dataset: str, *attributes: str) -> Integers:
    """Return the counts (k_1, ..., k_w) of some attributes."""
    return view_of(cell, dataset).counts(attributes)

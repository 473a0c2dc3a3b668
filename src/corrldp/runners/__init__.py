"""What runners of experiments on local differential privacy are made of: their decorator, the types of their fields.

Kinds of experiment that papers share are in the modules here; those of one paper are in ``papers/ID/runners``.
"""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Le
from pydantic import BeforeValidator, Field, WithJsonSchema

from claimaudit.experiments.runner import Backend, BaseSetting, Point, ViewName
from claimaudit.experiments.runner import runner as _runner
from claimaudit.storage import read_sealed, verify
from corrldp.arrays import plain
from corrldp.data.table import Table
from corrldp.mechanisms.validation import LARGEST_FLOAT, MOST_VALUES
from corrldp.protocols.documents import MOST_ATTRIBUTES
from corrldp.protocols.documents import MOST_USERS as MOST
from corrldp.protocols.names import source_of
from corrldp.randomness import generator

CONVENTIONS = Path(__file__).with_name("conventions.yaml")
"""How figures and pages show the mechanisms and metrics of local differential privacy."""


def read_table(codes: Path) -> Table:
    """Read the codes (n, d) of an aligned table (.npy), verified by the checksum in its description beside it (.json).

    Codes other than those that were stored are a ValueError.
    """
    domain = read_sealed(codes.with_suffix(".json"))
    verify(codes, domain["sha256"])
    names, values = zip(*((entry["name"], tuple(entry["values"])) for entry in domain["attributes"]), strict=True)
    by_column = np.load(codes).astype(np.int64, order="F")  # most that is done with codes is done with columns
    return Table(by_column, names, values, domain["standin"])


runner = partial(
    _runner, backend=Backend(read_table, generator, source_of, CONVENTIONS, ("epsilon", "budget"), ("d", "k", "w"))
)
"""Declare a runner, see `claimaudit.experiments.runner.Runner`; views are each a `corrldp.data.table.Table`."""


class OnViews(BaseSetting):
    """Views by data set; each is a point with everything that is swept."""

    views: dict[str, ViewName]

    def outer(self) -> Iterable[Point]:
        return [{"dataset": dataset} for dataset in self.views]


Epsilon = Annotated[
    int | float,
    Gt(0),
    Le(LARGEST_FLOAT),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "description": "nats"}),
    BeforeValidator(plain),
]
"""A privacy budget in nats."""

Probability = Annotated[
    int | float, Ge(0), Le(1), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}), BeforeValidator(plain)
]
Users = Annotated[int, Ge(1), Le(MOST), Field(description="users"), BeforeValidator(plain)]
Count = Annotated[int, Ge(0), Le(MOST), BeforeValidator(plain)]
Attributes = Annotated[int, Ge(1), Le(MOST_ATTRIBUTES), Field(description="attributes"), BeforeValidator(plain)]
DomainSize = Annotated[int, Ge(2), Le(MOST_VALUES), Field(description="values of a domain"), BeforeValidator(plain)]

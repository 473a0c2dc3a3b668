"""Types of the fields in settings of experiments on local differential privacy."""

from __future__ import annotations

import sys
from typing import Annotated

from annotated_types import Ge, Gt, Le
from pydantic import BeforeValidator, Field, WithJsonSchema

from corrldp.arrays import plain
from corrldp.mechanisms.validation import MOST_VALUES
from corrldp.protocols.documents import MOST_ATTRIBUTES
from corrldp.protocols.documents import MOST_USERS as MOST


def _finite(value: object) -> object:
    number = plain(value)
    if isinstance(number, int) and number > sys.float_info.max:
        raise ValueError("a budget must be finite")
    return number


Epsilon = Annotated[
    int | float,
    Gt(0),
    WithJsonSchema({"type": "number", "exclusiveMinimum": 0, "description": "nats"}),
    BeforeValidator(_finite),
]
"""A privacy budget in nats."""

Probability = Annotated[
    int | float, Ge(0), Le(1), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1}), BeforeValidator(plain)
]
Users = Annotated[int, Ge(1), Le(MOST), Field(description="users"), BeforeValidator(plain)]
Count = Annotated[int, Ge(0), Le(MOST), BeforeValidator(plain)]
Attributes = Annotated[int, Ge(1), Le(MOST_ATTRIBUTES), Field(description="attributes"), BeforeValidator(plain)]
DomainSize = Annotated[int, Ge(2), Le(MOST_VALUES), Field(description="values of a domain"), BeforeValidator(plain)]

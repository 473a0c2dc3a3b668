"""Types of the fields in settings of experiments on local differential privacy."""

from __future__ import annotations

import sys
from typing import Annotated

from annotated_types import Ge, Gt, Le
from pydantic import BeforeValidator, Field, WithJsonSchema

from corrldp.arrays import plain


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
Users = Annotated[int, Ge(1), Field(description="users"), BeforeValidator(plain)]
Count = Annotated[int, Ge(0), BeforeValidator(plain)]
Attributes = Annotated[int, Ge(1), Field(description="attributes"), BeforeValidator(plain)]
DomainSize = Annotated[int, Ge(2), Field(description="values of a domain"), BeforeValidator(plain)]

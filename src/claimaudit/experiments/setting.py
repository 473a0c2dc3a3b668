"""Settings: what a paper fixes in an experiment, as typed fields that its runner declares."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from annotated_types import MinLen
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo

from claimaudit.configuration import leaves, unique
from claimaudit.names import nearest

Point = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Sweep:
    """Marks a field whose values are taken one by one; the field is a column of the result table."""


Swept = Annotated[tuple[T, ...], MinLen(1), AfterValidator(unique), Sweep()]
"""Different values of a setting that an experiment sweeps."""


class _View(str):
    """A string that `BaseSetting.view_names` recognises."""

    __slots__ = ()


def _known_view(name: str, info: ValidationInfo) -> str:
    known = (info.context or {}).get("views")
    if known is not None and name not in known:
        raise ValueError(f"{name!r} is no view{nearest(name, known)}")
    return _View(name)


ViewName = Annotated[str, AfterValidator(_known_view), Field(description="a view")]
"""Name of a view: a table of data that a project has prepared."""


class BaseSetting(BaseModel):
    """Base of all settings. Unknown keys and values of the wrong type are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield the points of the experiment: the product of the swept fields, the last one fastest.

        Fields without a value are left to axes of the same name. `choices` are those of one reading, for runners
        whose points depend on it.
        """
        names = self.swept()
        for values in itertools.product(*(getattr(self, name) for name in names)):
            yield dict(zip(names, values, strict=True))

    def view_names(self) -> list[str]:
        """Names of all views that the experiment reads, without repeats."""
        return list(dict.fromkeys(leaf for leaf in leaves(self.model_dump()) if isinstance(leaf, _View)))

    def swept(self) -> list[str]:
        """Names of the swept fields that have values."""
        return [
            name
            for name, field in type(self).model_fields.items()
            if any(isinstance(mark, Sweep) for mark in field.metadata) and getattr(self, name)
        ]

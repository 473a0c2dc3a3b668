"""What a paper's file, config/papers/ID.yaml, may say."""

from __future__ import annotations

from typing import Annotated, Any

from annotated_types import Ge, Gt, MinLen
from pydantic import BaseModel, ConfigDict, StringConstraints

Identifier = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$")]
Text = Annotated[str, MinLen(1)]
Value = bool | int | float | str


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class AxisEntry(_Entry):
    """What the text says of an open choice (`strict`), the other readings by name, and why there are any."""

    strict: Value
    others: Annotated[dict[Identifier, Value], MinLen(1)]
    why: Text


class ReadingEntry(_Entry):
    """A reading that leaves the strict one in several axes; `words` replace those of its values."""

    values: Annotated[dict[str, Value], MinLen(2)]
    words: Text | None = None


class ExperimentEntry(_Entry):
    """One experiment: its runner and setting, the axes that it varies one at a time, and further readings.

    `runs` are the paper's, `runs_factor` bounds the configured factor, the strict reading has `strict_factor` times as
    many; `parts` is the number of jobs that share the points.
    """

    runner: str
    setting: dict[str, Any] = {}
    axes: tuple[str | dict[str, tuple[str, ...]], ...] = ()
    readings: tuple[str, ...] = ()
    runs: Annotated[int, Ge(1)] | None = None
    runs_factor: Annotated[int | float, Gt(0)] | None = None
    strict_factor: Annotated[int, Ge(1)] = 1
    parts: Annotated[int, Ge(1)] = 1


class TableEntry(_Entry):
    """A table: the experiment whose results it shows, and how; `published` names a file of config/published/ID."""

    experiment: str
    title: Text
    caption: Text
    style: dict[str, Any]
    published: str | None = None


class FigureEntry(TableEntry):
    """A figure; `plot` is a module of corrldp.plots."""

    plot: str


class PaperEntry(_Entry):
    """A whole file."""

    id: Identifier
    title: Text
    authors: Text
    venue: Text
    year: int | None = None
    doi: Text | None = None
    axes: dict[str, AxisEntry] = {}
    readings: dict[Identifier, ReadingEntry] = {}
    experiments: dict[Identifier, ExperimentEntry]
    figures: dict[Identifier, FigureEntry]
    tables: dict[Identifier, TableEntry]

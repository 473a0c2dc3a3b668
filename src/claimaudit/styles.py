"""What to draw: the `style` of a figure or table in the file of a paper, and the rows of a result table it shows."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Any, Literal, NamedTuple, Self, get_args

import pandas as pd
from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from claimaudit import expressions
from claimaudit.configuration import Entry, Text, Value
from claimaudit.expressions import require_condition
from claimaudit.names import known_names
from claimaudit.results import STRICT

Plot = Literal["bars", "cloud", "curves", "diagram", "heatmap", "points", "scatter"]
"""Kinds of figure; `claimaudit.plots.draw` has what draws each."""

PLOTS: tuple[str, ...] = get_args(Plot)

LINES: dict[Plot, str] = {
    "bars": "whose values appear side by side",
    "cloud": "whose values differ in colour",
    "heatmap": "down its vertical axis",
    "scatter": "that distinguishes the points of a mechanism",
}
"""Kinds of figure that need `lines`, and what they use it for."""

LETTERS = {"epsilon": "ε", "rho": "ρ"}  # noqa: RUF001 (Greek)
GREEK = re.compile(rf"\b({'|'.join(LETTERS)})\b")


class SettingError(ValueError):
    """The configuration of a figure or table asks for something that its result table cannot provide."""


class Look(NamedTuple):
    """Colour and marker of one mechanism."""

    color: str
    marker: str


def _listed(value: object) -> object:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _condition(text: str) -> str:
    require_condition(text)
    return text


OneOrMore = Annotated[tuple[Text, ...], BeforeValidator(_listed)]
Values = Annotated[tuple[Value, ...], BeforeValidator(_listed)]
Heights = Annotated[tuple[float, ...], BeforeValidator(_listed)]
Condition = Annotated[Text, AfterValidator(_condition)]


class _Shown(Entry):
    """What styles of figures and tables have in common.

    `where` is a condition on columns that selects rows. `show` maps a column to those of its values that are shown, in
    order (one value is accepted); columns without an entry show all: numbers ascending, and names in the order of the
    table, or first of the printed numbers. `reading` shows the strict one. `labels` maps a column or metric to its
    text, with the unit, and a value in the table (`quick`) to the one shown for it (`Quicksort`).
    """

    where: Condition | None = None
    show: dict[Text, Values] = Field(default={})
    labels: dict[Text, str] = Field(default={})

    @property
    def reading(self) -> tuple[str, ...]:
        return tuple(map(str, self.show.get("reading", (STRICT,))))


class Box(Entry):
    """A box of a diagram, or a note at a point of a scatter; `to` has the texts of its arrows to other boxes."""

    at: tuple[float, float]
    text: Text
    to: dict[str, str] = Field(default={})


class FigureStyle(_Shown):
    """The part of a result table that a figure shows, and its appearance.

    Of several readings the first is drawn in full, the others as thin lines unless a mechanism's numbers hardly differ.

    `plot` is what draws it, `x` the column, or another metric, along the horizontal axis, and `y` the metrics to draw
    (one string is accepted); several need panels or lines by `metric`.

    `panels` are `{"column": C, "row": R}`: columns whose values span the grid of panels; either may be omitted. Without
    `row`, panels wrap. `metric` and `reading` are allowed. Each panel has its value as its title, numbers as `n = 10`;
    with both, columns have theirs above them and rows at their right. `labels` may have a `panel`: a format string over
    the setting columns and `metric` that is the title, such as `"{n:,} users"`, and of three panels of a grid of four
    the only one, in one row; `"{metric}"` stands for the label of the vertical axis.

    `lines` is a column that distinguishes several lines of one mechanism; it sets dashes and shades, and for the only
    mechanism of a figure colours and markers. `metric` is allowed, and all that points can have. `scale` maps `x`, `y`
    or a metric to `linear` (default), `log` or `symlog`. `share_y` says whether the panels of a row, or all that wrap,
    share one vertical scale; `all`: those of all rows. Ratios beside the numbers share one in any case.

    `ratio_to` is the mechanism by whose numbers those of the others are divided, in each setting; it is a line at 1. A
    mapping gives each mechanism its own. As the `row` of panels, it puts the ratios below the numbers themselves.
    `reference` maps what thin grey lines are, such as `blind choice`, to their heights (one number is accepted), and
    may name that at 1. `boxes` is the content of a diagram, see `claimaudit.plots.scatter`, or notes in a scatter.
    """

    plot: Plot = "curves"
    x: Text
    y: OneOrMore
    panels: dict[Literal["row", "column"], Text] = Field(default={})
    lines: Text | None = None
    scale: dict[Text, Literal["linear", "log", "symlog"]] = Field(default={})
    share_y: Literal[True, False, "all"] = False
    ratio_to: str | dict[str, str] | None = None
    reference: dict[Text, Heights] = Field(default={})
    boxes: dict[str, Box] = Field(default={})

    @model_validator(mode="after")
    def _fits_together(self) -> "FigureStyle":
        if len(self.y) > 1 and "metric" not in (*self.panels.values(), self.lines):
            raise SettingError(
                f"y has several metrics {list(self.y)}: let lines, panels row or panels column be 'metric'"
            )
        if self.lines and len(self.reading) > 1 and not (self.panel_per_reading or self.plot == "scatter"):
            raise SettingError("lines and several readings both need the line style: let panels column be 'reading'")
        for name in self.scale:
            if name not in (known := ["x", "y", *self.y]):
                raise SettingError(f"scale: no axis or metric {name!r}{known_names(name, known)}")
        for name, box in self.boxes.items():
            for end in box.to:
                if end not in self.boxes:
                    raise SettingError(f"boxes: {name} has an arrow to {end!r}{known_names(end, list(self.boxes))}")
        if self.plot in LINES and not self.lines:
            raise SettingError(f"plot {self.plot!r} needs 'lines', the column {LINES[self.plot]}")
        if self.plot == "points" and (self.lines not in (None, "metric") or self.scale_of("x") != "linear"):
            raise SettingError("points have neither lines but 'metric' nor a scale of x: remove them or use 'curves'")
        if self.plot == "diagram" and not self.boxes:
            raise SettingError("a diagram needs 'boxes'")
        hidden = [base for base in self.bases if self.mechanisms and base not in self.mechanisms]
        if hidden:
            raise SettingError(f"ratio_to: {hidden[0]!r} must be among the mechanisms of show, {list(self.mechanisms)}")
        return self

    @property
    def mechanisms(self) -> tuple[str, ...]:
        return tuple(map(str, self.show.get("mechanism", ())))

    @property
    def panel_per_reading(self) -> bool:
        """Whether each reading has its own panels and is thus drawn in full."""
        return "reading" in self.panels.values()

    @property
    def columns(self) -> list[str]:
        named = [self.x, *self.panels.values(), self.lines, *self.show]
        return list(dict.fromkeys(name for name in named if name and name != "ratio_to"))

    @property
    def bases(self) -> list[str]:
        named = [self.ratio_to] if isinstance(self.ratio_to, str) else (self.ratio_to or {}).values()
        return list(dict.fromkeys(named))

    @property
    def beside_ratios(self) -> bool:
        """Whether the numbers themselves stand beside ratios."""
        return "ratio_to" in self.panels.values()

    def without_ratios(self) -> Self:
        """Return the style with the numbers themselves in place of ratios."""
        panels = {side: name for side, name in self.panels.items() if name != "ratio_to"}
        return self.model_copy(update={"ratio_to": None, "panels": panels})

    def base_of(self, mechanism: str) -> str | None:
        """Return the mechanism by whose numbers those of another are divided."""
        return self.ratio_to.get(mechanism) if isinstance(self.ratio_to, Mapping) else self.ratio_to

    def scale_of(self, name: str) -> str:
        """Return the scale of `x` or of a metric."""
        return self.scale.get(name) or (self.scale.get("y", "linear") if name in self.y else "linear")

    def label(self, name: str) -> str:
        """Return the text for a column or metric."""
        return self.labels.get(name, symbols(name))

    def text(self, value: str | float) -> str:
        """Return the text shown for a value of a column: its label, or a number in plain notation."""
        if isinstance(value, str):
            return symbols(self.labels.get(value, value))
        return f"{value:,}" if float(value).is_integer() and abs(value) >= 1000 else f"{value:g}"


class Conventions(Entry):
    """What a field agrees on, as a file beside its runners says.

    Of metrics in which `less_is_better` a mechanism should have little. `looks` are colours (see
    `claimaudit.plots.style.PALETTE`) and markers of mechanisms, the same in every figure.
    """

    less_is_better: tuple[Text, ...] = ()
    looks: dict[Text, Look] = Field(default={})


class Style(FigureStyle):
    """A figure's style with what is known of its paper and of its mechanisms.

    `prints` is a condition on columns that selects what the paper's own figure has: a panel without any such row is
    marked as ours. Mechanisms that have no `looks` get spare ones; of metrics in `less_is_better`, lower is better.
    """

    prints: str | None = None
    looks: dict[str, Look] = Field(default={})
    less_is_better: tuple[str, ...] = ()


class TableStyle(_Shown):
    """The part of a result table that a table shows, and its format.

    `index` are the columns that name a row (one string is accepted here and below). The values of `columns`, such as
    `mechanism`, span the table's columns; if empty, the table stays long. `values` are the columns with the numbers;
    the headings of pivoted columns name them only if there are several. A table with printed numbers always shows
    expectations, and averages over a setting of which `mean` is a printed value. `formats` maps a full heading, a part
    of a heading, a value of the index or the name of the values to a format specification (`".3g"`).
    """

    index: OneOrMore
    columns: OneOrMore = ()
    values: OneOrMore = ("mean",)
    formats: dict[Text, str] = Field(default={})


@dataclass(frozen=True)
class FigureJob:
    """A figure to draw."""

    paper: str
    figure: str
    title: str
    message: str | None
    style: Style


@dataclass(frozen=True)
class DifferenceJob:
    """An exhibit whose printed numbers are to be drawn against ours."""

    paper: str
    exhibit: str
    title: str
    source: str
    labels: dict[str, str]
    looks: dict[str, Look]


def symbols(text: str) -> str:
    """Return a text with Greek letters in place of their names."""
    return GREEK.sub(lambda match: LETTERS[match[0]], text)


def select(table: pd.DataFrame, where: str | None, keep: Mapping[str, Iterable[Any]]) -> pd.DataFrame:
    """Return the rows of a table that satisfy a query and have one of the values to keep in each column.

    If the table lacks a column or value, or nothing is selected, it is a SettingError.
    """
    for column, wanted in keep.items():
        require(wanted, table[column].unique(), f"{column} not in the result table")
        table = table[table[column].isin(list(wanted))]
    try:
        table = expressions.select(table, where)
    except ValueError as error:
        raise SettingError(f"where {where!r}: {error}; available columns: {', '.join(table.columns)}") from error
    if table.empty:
        raise SettingError(f"nothing to show: where {where!r} with {dict(keep)} selects no row")
    return table.reset_index(drop=True)


def require(wanted: Iterable[Any], available: Iterable[Any], message: str) -> None:
    """Raise SettingError that names the first wanted value not available."""
    available = list(available)
    for value in wanted:
        if value not in available:
            raise SettingError(f"{message}: {value!r}; available: {', '.join(map(str, available))}")


def require_unique(table: pd.DataFrame, keys: list[str], remedy: str) -> None:
    """Raise SettingError if rows share all keys, that is, if a column that the style ignores varies."""
    clash = table[table.duplicated(keys, keep=False)]
    if clash.empty:
        return
    first = clash[(clash[keys] == clash[keys].iloc[0]).all(axis=1)]
    settings = list(first.columns[: first.columns.get_loc("mechanism")])
    varying = [column for column in settings if column not in keys and first[column].nunique() > 1]
    place = ", ".join(f"{key}={first[key].iloc[0]}" for key in keys)
    raise SettingError(f"{len(first)} rows for {place}; {varying or 'no setting column'} varies: {remedy}")


def cell_keys(table: pd.DataFrame, columns: list[str]) -> list[tuple[Any, ...]]:
    """Return rows as tuples, with numbers rounded to 12 digits so that 0.1 + 0.2 matches 0.3."""
    texts = [[f"{v:.12g}" if isinstance(v, Real) else v for v in table[c]] for c in columns]
    return list(zip(*texts, strict=True))

"""The `style` of a figure or a table in the configuration of a paper."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

from claimaudit.names import known_names
from claimaudit.results import STRICT

Plot = Literal["bars", "cloud", "curves", "diagram", "heatmap", "points", "scatter"]
"""Kinds of figure, each a module of claimaudit.plots."""

PLOTS: tuple[str, ...] = get_args(Plot)

SCALES = ("linear", "log", "symlog")
LETTERS = {"epsilon": "ε", "rho": "ρ"}  # noqa: RUF001 (Greek)
GREEK = re.compile(rf"\b({'|'.join(LETTERS)})\b")


class SettingError(ValueError):
    """The configuration of a figure or table asks for something that its result table cannot provide."""


@dataclass(frozen=True)
class Style:
    """The part of a result table that a figure shows, and its appearance.

    Attributes
    ----------
    x : str
        Column, or another metric, along the horizontal axis.
    y : tuple of str
        Metrics to draw (one string is accepted). Several metrics need panels or lines by `metric`.
    panels : mapping
        `{"column": C, "row": R}`: columns whose values span the grid of panels; either may be omitted. Without `row`,
        panels wrap. `metric` and `reading` are allowed.
    lines : str, optional
        Column that distinguishes several lines of one mechanism; it sets dashes and shades, and for the only mechanism
        of a figure colours and markers. `metric` is allowed.
    xscale, yscale : str or, for y, mapping of metric to str
        `linear` (default), `log` or `symlog`.
    labels : mapping
        Maps a column or metric to its text, with the unit, and a value in the table (`kosarak`) to the one shown for it
        (`Kosarak`).
    panel_titles : str, optional
        Format string over the setting columns and `metric`, such as `"{n:,} users"`; `"{metric}"` stands for the label
        of the vertical axis. By default the values of row and column, numbers as `n = 10`.
    mechanisms : tuple of str
        Mechanisms to draw, in this order; if empty, all in the table.
    reading : tuple of str
        Readings to draw (one string is accepted). The first is drawn in full, the others as thin lines, unless a
        mechanism's numbers hardly differ.
    where : str, optional
        condition on columns that selects rows.
    order : mapping
        Maps a column to the order of its values; by default numbers ascend and names keep the table's order.
    share_y : bool or "all"
        Whether the panels of a row, or all that wrap, share one vertical scale; `all`: those of all rows.
    ratio_to : str or mapping, optional
        Mechanism by whose numbers those of the others are divided, in each setting; it is a line at 1. A mapping gives
        each mechanism its own.
    prints : str, optional
        condition on columns that selects what the paper's own figure has: a panel without any such row is marked as
        ours. `claimaudit.papers.paper.Paper.style` takes it from the exhibit.
    points : tuple of str
        Columns that distinguish the points of a cloud; see `claimaudit.plots.cloud`.
    boxes, arrows : mapping, sequence
        Content of a diagram, see `claimaudit.plots.diagram`; boxes are also notes in a scatter.
    """

    x: str
    y: tuple[str, ...]
    panels: Mapping[str, str] = field(default_factory=dict)
    lines: str | None = None
    xscale: str = "linear"
    yscale: str | Mapping[str, str] = "linear"
    labels: Mapping[str, str] = field(default_factory=dict)
    panel_titles: str | None = None
    mechanisms: tuple[str, ...] = ()
    reading: tuple[str, ...] = (STRICT,)
    where: str | None = None
    order: Mapping[str, list[Any]] = field(default_factory=dict)
    share_y: bool | Literal["all"] = False
    ratio_to: str | Mapping[str, str] | None = None
    prints: str | None = None
    points: tuple[str, ...] = ()
    boxes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    arrows: Sequence[Mapping[str, str]] = ()

    def __post_init__(self) -> None:
        for name in ("y", "mechanisms", "reading", "points"):
            object.__setattr__(self, name, as_tuple(getattr(self, name)))
        if self.share_y not in (True, False, "all"):
            raise SettingError(f"share_y is {self.share_y!r}; it must be true, false or all")
        if unknown := set(self.panels) - {"row", "column"}:
            raise SettingError(f"panels: unknown key {sorted(unknown)[0]!r}; use 'row' and 'column'")
        if len(self.y) > 1 and "metric" not in (*self.panels.values(), self.lines):
            raise SettingError(
                f"y has several metrics {list(self.y)}: let lines, panels row or panels column be 'metric'"
            )
        if self.lines and len(self.reading) > 1 and not self.panel_per_reading:
            raise SettingError("lines and several readings both need the line style: let panels column be 'reading'")
        for scale in {self.xscale, *map(self.scale_of, self.y)} - set(SCALES):
            raise SettingError(f"scale {scale!r} is not one of {', '.join(SCALES)}")

    @classmethod
    def from_dict(cls, style: Mapping[str, Any]) -> "Style":
        """Build from configuration; an unknown key is an error."""
        return cls(**_known(style, cls, ("x", "y")))

    @property
    def panel_per_reading(self) -> bool:
        """Whether each reading has its own panels and is thus drawn in full."""
        return "reading" in self.panels.values()

    @property
    def columns(self) -> list[str]:
        """Columns of the result table that the style names, without duplicates."""
        named = [self.x, *self.panels.values(), self.lines, *self.order, *self.points]
        return list(dict.fromkeys(name for name in named if name))

    @property
    def bases(self) -> list[str]:
        """Mechanisms by whose numbers others are divided."""
        named = [self.ratio_to] if isinstance(self.ratio_to, str) else (self.ratio_to or {}).values()
        return list(dict.fromkeys(named))

    def base_of(self, mechanism: str) -> str | None:
        """Return the mechanism by whose numbers those of another are divided."""
        return self.ratio_to.get(mechanism) if isinstance(self.ratio_to, Mapping) else self.ratio_to

    def scale_of(self, metric: str) -> str:
        """Return the vertical scale of a metric."""
        return self.yscale if isinstance(self.yscale, str) else self.yscale.get(metric, "linear")

    def label(self, name: str) -> str:
        """Return the text for a column or metric."""
        return self.labels.get(name, symbols(name))

    def text(self, value: str | float) -> str:
        """Return the text shown for a value of a column: its label, or a number in plain notation."""
        if isinstance(value, str):
            return symbols(self.labels.get(value, value))
        return f"{value:,}" if float(value).is_integer() and abs(value) >= 1000 else f"{value:g}"


@dataclass(frozen=True)
class TableStyle:
    """The part of a result table that a table shows, and its format.

    Attributes
    ----------
    index : tuple of str
        Columns that name a row (one string is accepted here and below).
    columns : tuple of str
        Columns whose values span the table's columns, such as `mechanism`; if empty, the table stays long.
    values : tuple of str
        Columns with the numbers; the headings of pivoted columns name them only if there are several. A table with
        printed numbers always shows expectations, and averages over a setting of which `mean` is a printed value.
    where : str, optional
        condition on columns that selects rows.
    reading : tuple of str
        Readings to show.
    order : mapping
        Maps a column to its first values, in order. Other values follow as the printed numbers, then the result table,
        first name them.
    formats : mapping
        Format specification (`".3g"`) by full heading, by part of a heading, by a value of the index, or by name of the
        values.
    labels : mapping
        Maps a heading or value of the table to the text shown in Markdown.
    """

    index: tuple[str, ...]
    values: tuple[str, ...] = ("mean",)
    columns: tuple[str, ...] = ()
    where: str | None = None
    reading: tuple[str, ...] = (STRICT,)
    order: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("index", "values", "columns", "reading"):
            object.__setattr__(self, name, as_tuple(getattr(self, name)))

    @classmethod
    def from_dict(cls, style: Mapping[str, Any]) -> "TableStyle":
        """Build from configuration; an unknown key is an error."""
        return cls(**_known(style, cls, ("index",)))


def _known(style: Mapping[str, Any], kind: type, needed: Sequence[str]) -> Mapping[str, Any]:
    """Return a style after checking its keys."""
    known = [entry.name for entry in fields(kind)]
    for name in style:
        if name not in known:
            raise SettingError(f"style: unknown key {name!r}{known_names(name, known)}")
    for name in needed:
        if name not in style:
            raise SettingError(f"style: key {name!r} is missing")
    return style


def symbols(text: str) -> str:
    """Return a text with Greek letters in place of their names."""
    return GREEK.sub(lambda match: LETTERS[match[0]], text)


def as_tuple(value: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Return a single string as a tuple of one."""
    return (value,) if isinstance(value, str) else tuple(value)

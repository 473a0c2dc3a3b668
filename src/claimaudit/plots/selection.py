"""Select from a result table exactly the numbers that a figure shows."""

import string
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.styles import SettingError, Style, cell_keys, require, require_unique, select

INVISIBLE = 0.03  # relative difference that a figure cannot show


def ordered(table: pd.DataFrame, column: str, style: Style) -> list[Any]:
    """Return the values of a column in the order in which the figure shows them."""
    values = table[column].unique().tolist()
    if column == "metric":
        return [metric for metric in style.y if metric in values]
    if style.show.get(column):
        return [value for value in style.show[column] if value in values]
    return sorted(values) if pd.api.types.is_numeric_dtype(table[column]) else values


def mechanisms(numbers: pd.DataFrame, style: Style) -> list[str]:
    """Return the mechanisms of a figure in order, without those that only others are in ratio to."""
    hidden = [] if style.beside_ratios else style.bases
    return [name for name in style.mechanisms or numbers["mechanism"].unique() if name not in hidden]


def drawn_numbers(table: pd.DataFrame, style: Style, published: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return the rows that the figure shows, with a first column `panel` (a, b, ...) and a column `published`.

    `published` is in long format: setting columns, `mechanism`, `metric`, `value`. The columns of the result `table`
    follow `panel`, with `published` after `theory`; rows are sorted by panel.
    """
    if style.x in table["metric"].unique():
        table = _as_column(table, style.x)
    require(style.columns, table.columns, "unknown column in the style")
    shown = {name: values for name, values in style.show.items() if values}
    keep = {"metric": style.y, "reading": style.reading} | shown
    drawn = style.reading if style.panel_per_reading else style.reading[:1]
    rows = with_published(select(table, style.where, keep), drawn, published)
    rows = rows.assign(ratio_to="") if style.bases else rows
    axes = [style.panels[axis] for axis in ("row", "column") if axis in style.panels]
    rows.insert(0, "panel", _panels(rows, axes, style))
    keys = [*dict.fromkeys(["metric", "mechanism", "reading", *axes, *distinguishing(rows, style)])]
    require_unique(rows, keys, "name it in panels or lines, or fix it with where")
    rows = rows.sort_values("panel", kind="stable", ignore_index=True)
    if style.bases:
        ratios = _ratios(rows, style, keys)
        rows = pd.concat([rows, ratios], ignore_index=True) if style.beside_ratios else ratios
        rows = rows.assign(panel=_panels(rows, axes, style))
    if style.panel_per_reading:
        rows = rows if style.plot == "heatmap" else _without_equal_panels(rows, style)
        return rows.assign(panel=_panels(rows, axes, style))
    return _without_repeats(rows, style.reading[0], keys)


def distinguishing(rows: pd.DataFrame, style: Style) -> list[str]:
    """Return the columns that tell apart the numbers of a mechanism in a panel; in a cloud, all settings do."""
    settings = rows.columns[1 : rows.columns.get_loc("reading")] if style.plot == "cloud" else ()
    return [*filter(None, [style.lines]), *map(str, settings), style.x]


def of_the_paper(numbers: pd.DataFrame, style: Style) -> pd.DataFrame:
    """Return those of the numbers drawn that the paper's own figure has; all if none is known not to be."""
    if style.beside_ratios:
        numbers = numbers[numbers["ratio_to"] == ""]
    return numbers.query(style.prints) if style.prints else numbers


def sharing(panel: pd.DataFrame, style: Style, numbers: pd.DataFrame) -> pd.DataFrame:
    """Return those of all numbers that a panel shares its vertical axis with, as the style says."""
    row, metric = style.panels.get("row"), panel["metric"].iloc[0]
    alike = numbers if style.share_y == "all" or row is None else numbers[numbers[row] == panel[row].iloc[0]]
    shared = style.share_y or (style.beside_ratios and panel["ratio_to"].iloc[0])
    return alike[alike["metric"] == metric] if shared else panel


def _ratios(rows: pd.DataFrame, style: Style, keys: list[str]) -> pd.DataFrame:
    """Divide the numbers of each mechanism by those of its base in the same setting, and leave the bases out.

    The divisor of own numbers is the closed form, or else the mean, whose error adds to that of the ratio; a printed
    number is divided by a printed one.
    """
    drawn = rows["mechanism"].unique()
    if unknown := [base for base in style.bases if base not in drawn]:
        raise SettingError(f"ratio_to: no mechanism {unknown[0]!r} is drawn; there are {', '.join(drawn)}")
    of_bases = rows.set_index(keys)
    others = rows[~rows["mechanism"].isin(style.bases)].reset_index(drop=True)
    bases = others["mechanism"].map(style.base_of)
    if alone := [*others["mechanism"][bases.isna()]]:
        raise SettingError(f"ratio_to: {alone[0]!r} has no mechanism to compare it with")
    place = pd.MultiIndex.from_frame(others.assign(mechanism=bases)[keys])
    exact = of_bases["theory"].notna()
    own = of_bases["theory"].where(exact, of_bases["mean"]).reindex(place).to_numpy()
    error = of_bases["se"].mask(exact, 0.0).reindex(place).to_numpy()
    printed = of_bases["published"].reindex(place).to_numpy()
    parts = {name: others[name] / own for name in ("mean", "theory")}
    parts["se"] = np.hypot(others["se"], parts["mean"] * error) / own
    return others.assign(**parts, published=others["published"] / printed, ratio_to=bases)


def _without_repeats(rows: pd.DataFrame, first: str, keys: list[str]) -> pd.DataFrame:
    """Leave out a reading of a mechanism that moves no number visibly: the first reading would hide it."""
    keys = [key for key in keys if key != "reading"]
    drawn = rows["theory"].fillna(rows["mean"])
    main = rows["reading"] == first
    reference = pd.Series(drawn[main].to_numpy(), index=pd.MultiIndex.from_frame(rows.loc[main, keys]))
    nearby = (drawn / reference.reindex(pd.MultiIndex.from_frame(rows[keys])).to_numpy() - 1).abs() <= INVISIBLE
    apart = [rows[name] for name in ("mechanism", "reading", "ratio_to") if name in rows]
    repeats = nearby.groupby(apart).transform("all")
    return rows[main | ~repeats].reset_index(drop=True)


def _without_equal_panels(rows: pd.DataFrame, style: Style) -> pd.DataFrame:
    """Leave out a panel of another reading whose numbers are exactly those of the first reading."""
    keys = [name for name in style.panels.values() if name != "reading"]
    parts = rows.groupby("panel", sort=False)[[*keys, "mean", "theory", "runs"]]
    contents = pd.Series({panel: part.to_csv(index=False) for panel, part in parts})
    return rows[~rows["panel"].map(contents.duplicated())].reset_index(drop=True)


def _as_column(table: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Turn a metric into a first column beside the other metrics of the same setting.

    A metric of only one mechanism, such as a property of the data, appears beside those of every mechanism.
    """
    keys = list(table.columns[: table.columns.get_loc("metric")])
    chosen = table["metric"] == metric
    if table.loc[chosen, "mechanism"].nunique() == 1:
        keys.remove("mechanism")
    column = table.loc[chosen, [*keys, "mean"]].rename(columns={"mean": metric})
    merged = table[~chosen].merge(column, on=keys)
    return merged[[metric, *table.columns]]


def _panels(rows: pd.DataFrame, axes: list[str], style: Style) -> pd.Series:
    if not axes:
        return pd.Series("a", index=rows.index)
    ranks = [rows[axis].map({v: i for i, v in enumerate(ordered(rows, axis, style))}) for axis in axes]
    number = rows.groupby(ranks).ngroup()
    if number.max() >= len(string.ascii_lowercase):
        raise SettingError(f"{number.max() + 1} panels exceed the letters of the alphabet; select with where")
    return number.map(dict(enumerate(string.ascii_lowercase)))


def with_published(rows: pd.DataFrame, readings: Sequence[str], published: pd.DataFrame | None) -> pd.DataFrame:
    """Add the column `published`, filled only in rows of the given readings for which a value is printed."""
    rows = rows.copy()
    rows.insert(list(rows.columns).index("theory") + 1, "published", float("nan"))
    if published is None:
        return rows
    printed = published[published["metric"].isin(rows["metric"]) & published["mechanism"].isin(rows["mechanism"])]
    settings = rows.columns[: rows.columns.get_loc("reading")]
    keys = [*(column for column in settings if column in printed), "mechanism", "metric"]
    if twice := int(printed.duplicated(keys).sum()):
        raise SettingError(f"published: the result table's columns {keys} do not distinguish {twice} values")
    values = dict(zip(cell_keys(printed, keys), printed["value"], strict=True))
    main = rows["reading"].isin(readings)
    found = cell_keys(rows[main], keys)
    rows.loc[main, "published"] = [values.get(key, float("nan")) for key in found]
    if missing := len(values.keys() - set(found)):
        print(f"{missing} of {len(values)} published numbers lie outside the settings shown", file=sys.stderr)
    return rows

"""A table of a paper: rows of a result table, pivoted, as CSV (raw numbers) and Markdown (formatted)."""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from corrldp import results
from corrldp.plots.selection import require, require_unique, select, with_published
from corrldp.plots.setting import SettingError, as_tuple

MISSING = "–"  # noqa: RUF001 (a dash, as tables print it)


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
        Columns with the numbers, which may include `published`. The headings of pivoted columns name them only if there
        are several.
    where : str, optional
        condition on columns that selects rows.
    reading : tuple of str
        Readings to show.
    formats : mapping
        Format specification (`".3g"`) by full heading, by part of a heading, or by name of the values.
    rename : mapping
        Maps a heading or value of the table to the text shown in Markdown.
    """

    index: tuple[str, ...]
    values: tuple[str, ...] = ("mean",)
    columns: tuple[str, ...] = ()
    where: str | None = None
    reading: tuple[str, ...] = (results.STRICT,)
    formats: Mapping[str, str] = field(default_factory=dict)
    rename: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("index", "values", "columns", "reading"):
            object.__setattr__(self, name, as_tuple(getattr(self, name)))

    @classmethod
    def from_dict(cls, style: Mapping[str, Any]) -> "TableStyle":
        """Build from configuration; an unknown key is an error."""
        known = [entry.name for entry in fields(cls)]
        require(style, known, "style: unknown key")
        if "index" not in style:
            raise SettingError("style: key 'index' is missing")
        return cls(**style)


def pivot(table: pd.DataFrame, style: TableStyle, published: pd.DataFrame | None = None) -> pd.DataFrame:
    """Select and pivot; rows and columns keep the order in which the result table first names them.

    The heading of a pivoted column consists of the values of `style.columns`, joined by spaces, then the name of its
    values if there are several (`RR`, or `RR mean` and `RR se`). If any row rests on stand-in data, a last column
    `standin` marks those that do.

    Raises
    ------
    SettingError
        If a column is unknown, nothing is selected, or several rows compete for one cell.
    """
    index, columns, values = list(style.index), list(style.columns), list(style.values)
    rows = with_published(select(table, style.where, {"reading": style.reading}), style.reading[0], published)
    require([*index, *columns, *values], rows.columns, "unknown column in the style")
    require_unique(rows, [*index, *columns], "name it in index or columns, or fix it with where")
    if columns:
        cells = rows.pivot(index=index, columns=columns, values=values)
        heads = [(value, *head) for head in rows[columns].drop_duplicates().to_numpy() for value in values]
        cells = cells[heads].set_axis([_head(head, style) for head in heads], axis="columns")
        body = rows[index].drop_duplicates().merge(cells.reset_index(), on=index)
    else:
        body = rows[[*index, *values]]
    if rows["standin"].any():
        body = body.merge(rows.groupby(index, as_index=False)["standin"].any(), on=index)
    return body


def _head(head: tuple[Any, ...], style: TableStyle) -> str:
    value, *parts = map(str, head)
    return " ".join([*parts, value] if len(style.values) > 1 else parts)


def markdown(body: pd.DataFrame, title: str, style: TableStyle) -> str:
    """Format a table under its title; numbers are right-aligned."""
    texts = {}
    for head, column in body.items():
        spec = _format_of(str(head), style)
        texts[_renamed(str(head), style)] = [_text(value, spec, style) for value in column]
    alignment = ["left" if pd.api.types.is_string_dtype(body[head]) else "right" for head in body]
    table = pd.DataFrame(texts).to_markdown(index=False, disable_numparse=True, colalign=alignment)
    return f"**{title}**\n\n{table}\n"


def _format_of(head: str, style: TableStyle) -> str | None:
    """Return the format of a column: by its heading, by a part of it, or by the name of its values."""
    names = [head, *head.split(" ")]
    if head not in style.index and len(style.values) == 1:
        names += style.values
    return next((style.formats[name] for name in names if name in style.formats), None)


def _renamed(head: str, style: TableStyle) -> str:
    return style.rename.get(head) or " ".join(style.rename.get(part, part) for part in head.split(" "))


def _text(value: Any, spec: str | None, style: TableStyle) -> str:  # noqa: ANN401 (any cell)
    """Return a cell as text; without a format, whole numbers get separators and others four significant digits."""
    if pd.isna(value):
        return MISSING
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, str):
        return style.rename.get(value, value).replace("|", "\\|")
    if spec is None:
        spec = ",.0f" if float(value).is_integer() else ".4g"
    try:
        return format(value, spec)
    except ValueError as error:
        raise SettingError(f"format {spec!r} for {value}: {error}") from error


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: `SETTING_JSON RESULT.csv [PUBLISHED.csv] OUT.csv OUT.md`; render both outputs before writing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("setting", type=json.loads, help='JSON: {"paper", "table", "title", "style"}')
    parser.add_argument("result", type=Path, help="result table (CSV), its record beside it")
    parser.add_argument("published", type=Path, nargs="?", help="published numbers (CSV), optional")
    parser.add_argument("csv", type=Path, help="output CSV")
    parser.add_argument("markdown", type=Path, help="output Markdown")
    arguments = parser.parse_args(argv)
    setting = arguments.setting
    try:
        style = TableStyle.from_dict(setting["style"])
        published = results.read_numbers(arguments.published) if arguments.published else None
        body = pivot(results.read(arguments.result), style, published)
        text = markdown(body, setting["title"], style)
    except ValueError as error:
        parser.exit(1, f"{setting['paper']} {setting['table']}: {error}\n")
    results.write_bytes(arguments.csv, body.to_csv(index=False, lineterminator="\n").encode())
    results.write_bytes(arguments.markdown, text.encode())


if __name__ == "__main__":
    main()

"""Common parts of all figures: the grid of panels, the legend, the files and the command line."""

import argparse
import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.style
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from corrldp import results
from corrldp.plots import layers, legend
from corrldp.plots.selection import drawn_numbers, ordered
from corrldp.plots.setting import SettingError, Style
from corrldp.plots.style import COLUMN_WIDTH, FULL_WIDTH, NEUTRAL, RC

PANEL_HEIGHTS = {1: 2.2, 2: 2.1, 3: 1.75}  # inches, by number of panel columns
FEW_PLACES = 6  # up to this many values close together become the ticks of their axis
DPI = 220  # resolution of the PNG
METADATA = {
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}

DrawPanel = Callable[[Axes, pd.DataFrame, Style], None]


def build(numbers: pd.DataFrame, style: Style, draw_panel: DrawPanel, keys: Sequence[Artist]) -> Figure:
    """Draw the numbers of `drawn_numbers`: one call of `draw_panel` per panel, and one legend below them all.

    Parameters
    ----------
    numbers : DataFrame
        Exactly the numbers to draw.
    style : Style
        The figure's style.
    draw_panel : callable
        Draws the numbers of one panel on its axes.
    keys : sequence of Artist
        Labelled legend keys.
    """
    columns = _axis_values(numbers, style, "column")
    rows = _axis_values(numbers, style, "row")
    width = COLUMN_WIDTH if len(columns) == 1 else FULL_WIDTH
    height = PANEL_HEIGHTS.get(len(columns), 1.6) * len(rows) + 0.5
    layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.04, wspace=0.02, hspace=0.03)
    figure = Figure(figsize=(width, height), dpi=DPI, layout=layout)
    grid = figure.subplots(
        len(rows), len(columns), sharex="col", sharey="row" if style.share_y else False, squeeze=False
    )
    for j, column in enumerate(columns):
        of_column = _where(numbers, style.panels.get("column"), column)
        panels = {i: _where(of_column, style.panels.get("row"), row) for i, row in enumerate(rows)}
        lowest = max(i for i, panel in panels.items() if len(panel))
        for i, panel in panels.items():
            axes = grid[i, j]
            if panel.empty:
                axes.set_axis_off()
                continue
            _frame(axes, panel, style, titled=grid.size > 1)
            if i == lowest:
                axes.set_xlabel(style.label(style.x))
                axes.tick_params(axis="x", labelbottom=True)
            if j == 0 or style.panels.get("column") == "metric":
                axes.set_ylabel(style.label("metric" if style.lines == "metric" else panel["metric"].iloc[0]))
            draw_panel(axes, panel, style)
            if panel["standin"].any():
                watermark(axes)
    legend.place(figure, keys)
    return figure


def _axis_values(numbers: pd.DataFrame, style: Style, axis: str) -> list[Any]:
    return ordered(numbers, style.panels[axis], style) if axis in style.panels else [None]


def _where(numbers: pd.DataFrame, column: str | None, value: Any) -> pd.DataFrame:  # noqa: ANN401 (any cell)
    return numbers if column is None else numbers[numbers[column] == value]


def _frame(axes: Axes, panel: pd.DataFrame, style: Style, *, titled: bool) -> None:
    """Set the vertical scale and the title of one panel."""
    heights = pd.concat([panel["mean"], panel["theory"], panel["published"]]).dropna()
    set_scale(axes, "y", style.scale_of(panel["metric"].iloc[0]), heights)
    if titled:
        axes.set_title(f"({panel['panel'].iloc[0]}) {panel_title(panel, style)}".rstrip(), pad=4)


def panel_title(panel: pd.DataFrame, style: Style) -> str:
    """Return the title of one panel, without its letter."""
    first = panel.iloc[0]
    if style.panel_titles is None:
        names = [name for name in style.panels.values() if name != "metric"]
        return ", ".join(f"{style.label(name)} = {style.text(first[name])}" for name in names)
    values = {
        str(name): style.rename.get(value, value) if isinstance(value, str) else value for name, value in first.items()
    }
    values["metric"] = style.label(first["metric"])
    try:
        return style.panel_titles.format(**values)
    except KeyError as error:
        columns = ", ".join(panel.columns)
        raise SettingError(f"panel_titles: unknown column {error}; available: {columns}") from error
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise SettingError(f"panel_titles {style.panel_titles!r}: {error}") from error


def set_scale(axes: Axes, axis: str, scale: str, values: pd.Series) -> None:
    """Set a scale; warn about values that a logarithmic one cannot show."""
    set_axis = axes.set_xscale if axis == "x" else axes.set_yscale
    if scale == "symlog":
        positive = values.abs()[values != 0]
        set_axis("symlog", linthresh=positive.min() if len(positive) else 1)
        return
    set_axis(scale)
    places = sorted(values.unique())
    if axis == "x" and len(places) <= FEW_PLACES and _are_ticks(places, scale):
        axes.set_xticks(places, [f"{place:g}" for place in places])
        axes.set_xticks([], minor=True)
    if scale == "log" and (values <= 0).any():
        count = int((values <= 0).sum())
        print(f"{count} values <= 0 are not visible on the logarithmic {axis} axis; use symlog", file=sys.stderr)


def _are_ticks(places: list[float], scale: str) -> bool:
    """Return whether an axis reads better with ticks at its values: small counts, or powers close together."""
    if scale == "log":
        return places[-1] < 100 * places[0]
    return all(float(place).is_integer() for place in places) and places[-1] - places[0] <= 2 * FEW_PLACES


def watermark(axes: Axes) -> None:
    """Mark a panel whose numbers rest on stand-in data."""
    axes.text(
        0.5,
        0.5,
        "STAND-IN DATA",
        transform=axes.transAxes,
        ha="center",
        va="center",
        rotation=25,
        fontsize=15,
        fontweight="bold",
        color=NEUTRAL,
        alpha=0.35,
        zorder=10,
        gid="stand-in",
    )


def render(figure: Figure, salt: str, title: str) -> dict[str, bytes]:
    """Render as PDF, SVG and PNG; the same numbers always yield the same bytes."""
    contents = {}
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # one layout for all formats
        for suffix, metadata in METADATA.items():
            buffer = io.BytesIO()
            layers.show_values(figure, shown=suffix == "svg")
            figure.savefig(buffer, format=suffix, dpi=DPI, metadata={**metadata, "Title": title})
            contents[suffix] = buffer.getvalue()
    return contents


def run(draw: Callable[[pd.DataFrame, Style], Figure], description: str, argv: Sequence[str] | None) -> None:
    """Command line of a kind of figure; render all outputs before writing any.

    `SETTING_JSON RESULT.csv [PUBLISHED.csv] OUT.pdf OUT.svg OUT.png OUT.csv`
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("setting", type=json.loads, help='JSON: {"paper", "figure", "title", "style"}')
    parser.add_argument("table", type=Path, help="result table (CSV), its record beside it")
    parser.add_argument("published", type=Path, nargs="?", help="published numbers (CSV), optional")
    for suffix in (*METADATA, "csv"):
        parser.add_argument(suffix, type=Path, help=f"output {suffix.upper()}")
    arguments = parser.parse_args(argv)
    setting = arguments.setting
    try:
        style = Style.from_dict(setting["style"])
        published = results.read_numbers(arguments.published) if arguments.published else None
        numbers = drawn_numbers(results.read(arguments.table), style, published)
        with matplotlib.style.context(["default", RC]):
            figure = draw(numbers, style)
            contents = render(figure, f"{setting['paper']}/{setting['figure']}", setting["title"])
    except ValueError as error:
        parser.exit(1, f"{setting['paper']} {setting['figure']}: {error}\n")
    contents["csv"] = numbers.to_csv(index=False, lineterminator="\n").encode()
    for suffix, content in contents.items():
        results.write_bytes(getattr(arguments, suffix), content)

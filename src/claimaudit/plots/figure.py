"""Common parts of all figures: the grid of panels, the legend and the files."""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import matplotlib
import matplotlib.style
import numpy as np
import pandas as pd
import typst
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from matplotlib.ticker import NullLocator
from matplotlib.transforms import Bbox

from claimaudit.plots import layers, legend, ticks
from claimaudit.plots.selection import of_the_paper, ordered, sharing
from claimaudit.plots.style import BLACK, NEUTRAL, SMALL, WIDTH, wrapped
from claimaudit.styles import SettingError, Style, symbols

MOST_COLUMNS = 2  # panels side by side, unless the style spans a grid,
ROW = 3  # or there are so many
PANEL_HEIGHTS = {1: 1.9, 2: 1.4}  # inches, by number of panel columns
LOW_PANEL, MANY = 1.2, 3  # inches: height of a panel beside two or more others, or in a column of so many
LETTERS = {1: 62, 2: 28, 3: 17}  # longest line of a panel's title and label, by number of panel columns
PADDING: dict[str, Any] = {"w_pad": 0.05, "h_pad": 0.03, "wspace": 0.02, "hspace": 0.02}
REFERENCE: dict[str, Any] = {"color": NEUTRAL, "linewidth": 0.8, "linestyle": "solid"}
Y_LETTERS = 20  # longest line of a vertical label, or more if panels are high
PER_INCH, BESIDE = 13, 1.03  # letters of a text along a panel, and place of one at its right, in widths of the panel
RATIOS = 1.3  # height of a row of ratios, relative to that of their numbers
ONE_ROW = 0.65  # inches more for a single row of panels, which has labels and ticks
X_LABEL, GAP = 0.16, 0.04  # inches: height of the label that panels share, and between it and the legend
DPI = 300  # resolution of the PNG
PLACES = 10  # decimal places of a position in shares of the figure
FOOT = 68  # letters in a line below the figure
MESSAGE, SUBTITLE = 51, 64  # letters in a line above the figure
HEAD: dict[str, Any] = {"fontsize": 8, "fontweight": "bold", "color": BLACK}
SMALL_HEAD: dict[str, Any] = {"fontsize": SMALL, "color": NEUTRAL}
LEADING = 1.32  # height of a line above the figure, in sizes of its font
LINE = 0.125  # inches: height of a line below the figure
INDEXED = re.compile(r"\b([A-Za-zρ])([_^])(\w+)")  # noqa: RUF001 (Greek)
PAGE = """
#set document(title: sys.inputs.title, date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image("figure.svg")
"""

DrawPanel = Callable[[Axes, pd.DataFrame, Style], None]


def build(
    numbers: pd.DataFrame,
    style: Style,
    draw_panel: DrawPanel,
    keys: Sequence[legend.Key],
    evidence: Sequence[legend.Key] = (),
    *,
    panel_height: float | None = None,
    heading: str = "",
) -> Figure:
    """Draw the numbers of `drawn_numbers`: one call of `draw_panel` per panel, and one legend below them all.

    The legend has, below the `heading`, `keys` of what is compared and of the `evidence` shown of each. `panel_height`
    is in inches per row of panels, with titles and labels; by default it follows from the number of columns.
    """
    panels = _places(numbers, style)
    rows, columns = (1 + max(place) for place in zip(*panels, strict=True))
    usual = PANEL_HEIGHTS.get(columns, LOW_PANEL) if rows < MANY else LOW_PANEL
    height = (panel_height or usual) * rows + (ONE_ROW if rows == 1 < columns else 0)
    letters, along = LETTERS.get(columns, LETTERS[3]), int(PER_INCH * height / rows)
    figure = Figure(figsize=(WIDTH, height), dpi=DPI)
    FigureCanvasAgg(figure)  # measures texts; without it, matplotlib makes one for each text
    across: Literal["row", "all"] = "row" if "row" in style.panels and style.share_y != "all" else "all"
    crossed = len(style.panels) > 1 and rows > 1  # columns have their titles above them, and rows at their right
    apart = style.scale_of("x") != "log" if rows > 1 else style.plot == "bars"
    shared = columns == 1 or len({frozenset(panel[style.x]) for panel in panels.values()}) == 1 or not apart
    higher = {i: RATIOS if _shows_ratios(panel) else 1 for (i, _), panel in panels.items()}
    grid = figure.subplots(
        rows,
        columns,
        sharex=shared,
        sharey=across if style.share_y else False,
        squeeze=False,
        height_ratios=[higher[i] for i in range(rows)],
    )
    alike: dict[object, list[Axes]] = {}
    labels: dict[Axes, str] = {}
    references: dict[str, legend.Key] = {}
    rival = f"as {style.text(style.bases[0])}" if len(style.bases) == 1 else "equal"
    rival += " (↓ better)" if {*style.y} <= {*style.less_is_better} else ""
    equal = {} if (1.0,) in style.reference.values() else {rival: (1.0,)}
    for (i, j), axes in np.ndenumerate(grid):
        if (i, j) not in panels:
            axes.set_axis_off()
            continue
        panel = panels[i, j]
        alike.setdefault((panel["metric"].iloc[0], _shows_ratios(panel)), []).append(axes)
        values = sharing(panel, style, numbers)[["mean", "theory", "published"]].to_numpy().ravel()
        ticks.set_scale(axes, "y", style.scale_of(panel["metric"].iloc[0]), pd.Series(values))
        if len(panels) > 1:
            _title(axes, panel, style, headed=not crossed or (i - 1, j) not in panels, letters=letters)
        axes.tick_params(labelbottom=not shared or (i + 1, j) not in panels)
        beside = style.beside_ratios and _shows_ratios(panel)
        if beside and not style.share_y:
            axes.sharey(grid[i, 0])
        axes.tick_params(labelleft=not (style.share_y or beside) or (i, j - 1) not in panels)
        if j == 0:
            labels[axes] = _vertical_label(panel, style)
        for text, heights in (style.reference | (equal if _shows_ratios(panel) else {})).items():
            references[text] = legend.key(text, **REFERENCE)
            for at in heights:
                axes.axhline(at, zorder=1.9, **REFERENCE)
        draw_panel(axes, panel, style)
        if crossed and (i, j + 1) not in panels:
            value = wrapped(_value(panel, "row", style), along)
            axes.text(BESIDE, 0.5, value, transform=axes.transAxes, rotation=270, va="center")
        if panel["standin"].any():
            watermark(axes)
    for group in alike.values():
        ticks.label(group)
    _label_axes(figure, scaled(style.label(style.x), style.scale_of("x")), labels, max(Y_LETTERS, along))
    legend.place(figure, keys, [*evidence, *references.values()], heading)
    reserve(figure, height, legend.arrange(figure, 0))
    return figure


def _vertical_label(panel: pd.DataFrame, style: Style) -> str:
    """Return the text of a panel's vertical axis, empty if its title says what it shows."""
    if style.labels.get("panel") == "{metric}":
        return ""
    if style.plot == "heatmap":
        return style.label(str(style.lines))
    label = style.label("metric" if "metric" in (style.lines, *style.labels) else panel["metric"].iloc[0])
    divisors = " or ".join(f"{style.text(base)}'s" for base in style.bases)
    if _shows_ratios(panel):
        return style.labels.get("ratio_to", f"{label} / {divisors}")
    return scaled(label, style.scale_of(panel["metric"].iloc[0]))


def scaled(label: str, scale: str) -> str:
    """Return the text of an axis, which says what its ticks do not."""
    return f"{label} (linear near 0, then logarithmic)" if scale == "symlog" else label


def _shows_ratios(panel: pd.DataFrame) -> bool:
    return "ratio_to" in panel and bool(panel["ratio_to"].iloc[0])


def _label_axes(figure: Figure, across: str, up: Mapping[Axes, str], letters: int) -> None:
    """Label the horizontal axes of all panels once, and the vertical ones by row unless all have one label."""
    figure.supxlabel(across)
    if len(up) > 1 and len({*up.values()}) == 1:
        figure.supylabel(*{*up.values()})
        return
    for axes, label in up.items():
        axes.set_ylabel(wrapped(label, letters))


def _places(numbers: pd.DataFrame, style: Style) -> dict[tuple[int, int], pd.DataFrame]:
    """Return the numbers of each panel by its row and column in the figure; panels without rows of their own wrap."""
    order = {side: ordered(numbers, name, style) for side, name in style.panels.items()}
    side_by_side = ROW if len(order.get("column", ())) == ROW else MOST_COLUMNS
    panels = {}
    for _, panel in numbers.groupby("panel"):
        at = {side: values.index(panel[style.panels[side]].iloc[0]) for side, values in order.items()}
        i, j = at.get("row", 0), at.get("column", 0)
        panels[(i, j) if "row" in at else divmod(j, side_by_side)] = panel
    if "panel" in style.labels and len(panels) == ROW and [*map(len, order.values())] == [2, 2]:
        return {(0, j): panel for j, panel in enumerate(panels.values())}
    return panels


def _title(axes: Axes, panel: pd.DataFrame, style: Style, *, headed: bool, letters: int) -> None:
    """Set the letter of one panel and its title, if headed, in lines of at most so many letters."""
    ours = "" if len(of_the_paper(panel, style)) else "[ours]"
    parts = (f"({panel['panel'].iloc[0]})", panel_title(panel, style) if headed else "", ours)
    axes.set_title(wrapped(" ".join(filter(None, parts)), letters), pad=3)


def reserve(figure: Figure, panels: float, below: float, above: float = 0) -> None:
    """Make a figure as high as its panels and what is below and above them, in inches."""
    height = panels + below + above
    figure.set_size_inches(WIDTH, height)
    figure.supxlabel(figure.get_supxlabel(), y=(below + GAP) / height, va="bottom")
    if label := figure.get_supylabel():
        figure.supylabel(label, y=(below + panels / 2) / height)
    place = (0, (below + X_LABEL) / height, 1, (panels - X_LABEL) / height)
    figure.set_layout_engine(ConstrainedLayoutEngine(**PADDING, rect=place))


def panel_title(panel: pd.DataFrame, style: Style) -> str:
    """Return the title of one panel, without its letter; in a grid, that of its column."""
    first = panel.iloc[0]
    title = style.labels.get("panel")
    if title is None:
        return _value(panel, "column" if "column" in style.panels else "row", style)
    values = {str(name): style.text(value) if isinstance(value, str) else value for name, value in first.items()}
    values["metric"] = style.label(first["metric"])
    try:
        return title.format(**values)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise SettingError(f"labels.panel {title!r}: {error}; available: {', '.join(panel.columns)}") from error


def _value(panel: pd.DataFrame, side: Literal["row", "column"], style: Style) -> str:
    """Return the value that a row or column of panels shows, empty if the vertical axis says what it is."""
    name = style.panels.get(side, "metric")
    value = panel[name].iloc[0]
    text = style.text(value)
    if name in ("metric", "ratio_to"):
        return ""
    return text if isinstance(value, str) else f"{symbols(name)} = {text}"


def require_one_mechanism(numbers: pd.DataFrame) -> None:
    """Raise a SettingError if the numbers are of several mechanisms, which a kind of figure cannot tell apart."""
    if numbers["mechanism"].nunique() > 1:
        names = ", ".join(numbers["mechanism"].unique())
        raise SettingError(f"such a figure shows one mechanism, not {names}; select with show")


def watermark(axes: Axes) -> None:
    """Mark a panel whose numbers rest on stand-in data, across its width and below all that is written in it."""
    axes.text(
        0.5,
        0.5,
        "STAND-IN DATA",
        transform=axes.transAxes,
        ha="center",
        va="center",
        rotation=25,
        fontsize=min(11, ticks.room(axes) / 11),
        fontweight="bold",
        color=NEUTRAL,
        alpha=0.3,
        zorder=1.5,
        gid="stand-in",
    )


def name(figure: Figure, title: str, source: str, message: str | None = None) -> None:
    """Write a figure's message above it, its title below the message, and its source at the foot."""
    heads = [(message, MESSAGE, HEAD), (title, SUBTITLE, SMALL_HEAD)] if message else [(title, MESSAGE, HEAD)]
    figure.set_label(heads[0][0])
    texts = [(wrapped(text, letters), look) for text, letters, look in heads]
    foot = wrapped(source, FOOT)
    panels = figure.get_figheight() - legend.arrange(figure, 0)
    below = legend.arrange(figure, 0.05 + LINE * (1 + foot.count("\n")))
    above = 0.04 + sum(_height(text, look) for text, look in texts)
    reserve(figure, panels, below, above)
    for written in _texts(figure):
        written.set_text(_typeset(written.get_text()))
    top = panels + below + above - 0.03
    for text, look in texts:
        place: dict[str, Any] = {"transform": figure.dpi_scale_trans, "va": "top", "linespacing": 1.3}
        figure.text(0.03, top, _typeset(text), **place, **look)
        top -= _height(text, look)
    look = {"fontsize": SMALL, "color": NEUTRAL, "va": "bottom", "linespacing": 1.25}
    figure.text(0.03, 0.03, _typeset(foot), transform=figure.dpi_scale_trans, gid=layers.FOOT, **look)


def _texts(figure: Figure) -> Iterator[Text]:
    """Yield the texts of a figure but those of ticks, which are numbers or names of values."""
    yield from figure.texts
    for axes in figure.axes:
        yield from (axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts)
    for one in figure.legends:
        yield from (one.get_title(), *one.get_texts())


def _height(text: str, look: dict[str, Any]) -> float:
    return float(look["fontsize"] * LEADING / 72 * (1 + text.count("\n")))


def _typeset(text: str) -> str:
    """Return a text with its indices and powers, as in p_y and e^ε, as mathematics."""
    return INDEXED.sub(r"$\1\2{\\mathrm{\3}}$", text)


def render(figure: Figure, salt: str, title: str, numbers: pd.DataFrame) -> dict[str, bytes]:
    """Render as SVG, thence PDF and PNG, with the drawn numbers as CSV and a JSON record; always the same bytes."""
    lay_out(figure)
    drawing = layers.describe(figure)
    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None, "Title": title})
    contents = {"csv": numbers.to_csv(index=False, lineterminator="\n").encode(), "svg": buffer.getvalue()}
    files = {"main.typ": PAGE.encode(), "figure.svg": contents["svg"]}
    facts: dict[str, Any] = {"font_paths": fonts(), "sys_inputs": {"title": title}, "ppi": DPI}
    for suffix in ("pdf", "png"):
        contents[suffix] = typst.compile(files, format=suffix, **facts)
    return {**contents, "json": layers.record(drawing, contents)}


@cache
def fonts() -> typst.Fonts:
    """Return the fonts that Typst has and matplotlib's, which have the symbols of all verdicts."""
    return typst.Fonts(include_system_fonts=False, font_paths=[f"{matplotlib.get_data_path()}/fonts/ttf"])


def lay_out(figure: Figure) -> None:
    """Lay a figure out, once for all formats; a second time changes nothing."""
    engine = figure.get_layout_engine()
    minor = {axis: axis.get_minor_locator() for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)}
    for axis in minor:
        axis.set_minor_locator(NullLocator())  # minor ticks take no room, but most of the time
    if engine is not None and figure.axes:
        engine.execute(figure)
    figure.set_layout_engine("none")
    for axis, locator in minor.items():
        axis.set_minor_locator(locator)
    for axes in figure.axes:  # the last digits of the solution depend on the order in a set
        axes.set_position(Bbox(axes.get_position().get_points().round(PLACES)))

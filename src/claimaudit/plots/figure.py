"""Common parts of all figures: the grid of panels, the legend and the files."""

import io
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import matplotlib
import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import FigureCanvasBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.scale import SymmetricalLogTransform
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator
from matplotlib.transforms import Bbox

from claimaudit.plots import layers, legend, ticks
from claimaudit.plots.selection import of_the_paper, ordered
from claimaudit.plots.style import BLACK, NEUTRAL, WIDTH
from claimaudit.plots.wrap import wrapped
from claimaudit.styles import SettingError, Style, symbols

MOST_COLUMNS = 2  # panels side by side, unless the style spans a grid
PANEL_HEIGHTS = {1: 1.9, 2: 1.4, 3: 1.3}  # inches, by number of panel columns
LOW_PANEL = 1.15  # inches: height of a panel beside three or more others
LETTERS = {1: 64, 2: 28, 3: 17}  # longest line of a panel's title and label, by number of panel columns
PADDING: dict[str, Any] = {"w_pad": 0.03, "h_pad": 0.03, "wspace": 0.02, "hspace": 0.02}
Y_LETTERS = 20  # longest line of a vertical label
ONE_ROW = 0.3  # inches more for a single row of panels, all of which have labels and ticks
FEW_PLACES = 6  # up to this many values become the ticks of their axis,
APART = 0.12  # if the shares of the axis between them are at least this
X_TICKS, Y_TICKS = 8, 5  # at most, on a logarithmic axis
DPI = 300  # resolution of the PNG
PLACES = 10  # decimal places of a position in shares of the figure
FORMATS: dict[str, tuple[type[FigureCanvasBase], dict[str, None]]] = {
    "pdf": (FigureCanvasPdf, {"CreationDate": None, "Creator": None, "Producer": None}),
    "svg": (FigureCanvasSVG, {"Date": None, "Creator": None}),
    "png": (FigureCanvasAgg, {"Software": None}),
}

DrawPanel = Callable[[Axes, pd.DataFrame, Style], None]


def build(
    numbers: pd.DataFrame,
    style: Style,
    draw_panel: DrawPanel,
    keys: Sequence[Artist],
    evidence: Sequence[Artist] = (),
    *,
    panel_height: float | None = None,
    heading: str = "",
) -> Figure:
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
        Labelled legend keys of what is compared.
    evidence : sequence of Artist
        Labelled legend keys of what is shown of each: readings, theory, published values, errors.
    panel_height : float, optional
        Inches per row of panels, with its titles and labels; by default it follows from the number of columns.
    heading : str, optional
        What stands above the legend keys.
    """
    panels = _places(numbers, style)
    rows, columns = (1 + max(place) for place in zip(*panels, strict=True))
    height = (panel_height or PANEL_HEIGHTS.get(columns, LOW_PANEL)) * rows + (ONE_ROW if rows == 1 < columns else 0)
    letters = LETTERS.get(columns, LETTERS[3])
    figure = Figure(figsize=(WIDTH, height), dpi=DPI)
    across: Literal["row", "all"] = "row" if "row" in style.panels and style.share_y != "all" else "all"
    shared = columns == 1 or _same_values(panels.values(), style.x)
    grid = figure.subplots(rows, columns, sharex=shared, sharey=across if style.share_y else False, squeeze=False)
    for (i, j), axes in np.ndenumerate(grid):
        if (i, j) not in panels:
            axes.set_axis_off()
            continue
        panel = panels[i, j]
        _frame(axes, panel, style, titled=len(panels) > 1, letters=letters)
        if any((i, other) in panels and (i + 1, other) not in panels for other in range(columns)):
            axes.set_xlabel(wrapped(style.label(style.x), letters))
            axes.tick_params(axis="x", labelbottom=True)
        if j == 0 and style.labels.get("panel") != "{metric}":
            label = style.label("metric" if style.lines == "metric" else panel["metric"].iloc[0])
            if style.bases:
                label = f"{label} / " + " or ".join(f"{style.text(base)}'s" for base in style.bases)
            axes.set_ylabel(wrapped(label, Y_LETTERS))
        if style.bases:
            axes.axhline(1, color=BLACK, linewidth=0.8, zorder=1.9)
        draw_panel(axes, panel, style)
        if panel["standin"].any():
            watermark(axes)
    for axes in figure.axes:
        _label_ticks(axes)
    free = grid[-1, -1] if (rows - 1, columns - 1) not in panels else None
    legend.place(figure, keys, evidence, free, heading)
    reserve(figure, height, legend.arrange(figure, 0))
    return figure


def _places(numbers: pd.DataFrame, style: Style) -> dict[tuple[int, int], pd.DataFrame]:
    """Return the numbers of each panel by its row and column in the figure; panels without rows of their own wrap."""
    columns = _axis_values(numbers, style, "column")
    rows = _axis_values(numbers, style, "row")
    panels = {}
    for j, column in enumerate(columns):
        of_column = _where(numbers, style.panels.get("column"), column)
        for i, row in enumerate(rows):
            panel = _where(of_column, style.panels.get("row"), row)
            if len(panel):
                panels[(i, j) if "row" in style.panels else divmod(j, MOST_COLUMNS)] = panel
    return panels


def _axis_values(numbers: pd.DataFrame, style: Style, axis: str) -> list[Any]:
    return ordered(numbers, style.panels[axis], style) if axis in style.panels else [None]


def _where(numbers: pd.DataFrame, column: str | None, value: object) -> pd.DataFrame:
    return numbers if column is None else numbers[numbers[column] == value]


def _same_values(panels: Iterable[pd.DataFrame], column: str) -> bool:
    """Return whether all panels have the same values in a column, and can thus share its axis."""
    return len({frozenset(panel[column]) for panel in panels}) == 1


def _frame(axes: Axes, panel: pd.DataFrame, style: Style, *, titled: bool, letters: int) -> None:
    """Set the vertical scale of one panel and its title, in lines of at most so many letters."""
    heights = pd.concat([panel["mean"], panel["theory"], panel["published"]]).dropna()
    set_scale(axes, "y", style.scale_of(panel["metric"].iloc[0]), heights)
    if titled:
        ours = "" if len(of_the_paper(panel, style)) else " [ours]"
        title = f"({panel['panel'].iloc[0]}) {panel_title(panel, style)}".rstrip() + ours
        parts = title if len(title) <= letters else title.replace(", ", ",\n")
        axes.set_title(wrapped(parts, letters), pad=3)


def _label_ticks(axes: Axes) -> None:
    """Choose and label the ticks of both axes, unless they are set."""
    for axis, most, width in ((axes.xaxis, X_TICKS, _room(axes)), (axes.yaxis, Y_TICKS, math.inf)):
        if isinstance(axis.get_major_locator(), FixedLocator):
            continue
        if axis.get_scale() != "linear":
            transform, least = axis.get_transform(), None
            if isinstance(transform, SymmetricalLogTransform):
                least = float(transform.linthresh)
                low, start, high = transform.transform(np.array([*axis.get_view_interval(), least]))[[0, 2, 1]]
                width *= (high - start) / (high - low)
            ticks.label_powers(axis, most, least, width)
        elif axis is axes.xaxis:
            ticks.label_evenly(axis, width)
        else:
            axis.set_major_locator(MaxNLocator(Y_TICKS, steps=ticks.EVEN))
            axis.set_major_formatter(FuncFormatter(lambda place, _: ticks.number(round(place, PLACES))))


def _room(axes: Axes) -> float:
    """Return the width of a panel in points, about, before the layout."""
    return float(72 * axes.bbox.width / DPI)


def reserve(figure: Figure, panels: float, below: float, above: float = 0) -> None:
    """Make a figure as high as its panels and what is below and above them, in inches."""
    height = panels + below + above
    figure.set_size_inches(WIDTH, height)
    place = (0, below / height, 1, panels / height)
    figure.set_layout_engine(ConstrainedLayoutEngine(**PADDING, rect=place))


def panel_title(panel: pd.DataFrame, style: Style) -> str:
    """Return the title of one panel, without its letter."""
    first = panel.iloc[0]
    title = style.labels.get("panel")
    if title is None:
        names = [style.panels[side] for side in ("row", "column") if style.panels.get(side, "metric") != "metric"]
        texts = ((name, first[name], style.text(first[name])) for name in names)
        return ", ".join(text if isinstance(value, str) else f"{symbols(name)} = {text}" for name, value, text in texts)
    values = {str(name): style.text(value) if isinstance(value, str) else value for name, value in first.items()}
    values["metric"] = style.label(first["metric"])
    try:
        return title.format(**values)
    except KeyError as error:
        columns = ", ".join(panel.columns)
        raise SettingError(f"labels.panel: unknown column {error}; available: {columns}") from error
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise SettingError(f"labels.panel {title!r}: {error}") from error


def set_scale(axes: Axes, axis: str, scale: str, values: pd.Series) -> None:
    """Set the scale of an axis for its finite values; warn about values that a logarithmic scale cannot show."""
    values = values[np.isfinite(values)]
    set_axis = axes.set_xscale if axis == "x" else axes.set_yscale
    if scale == "symlog":
        positive = values.abs()[values != 0]
        set_axis("symlog", linthresh=positive.min() if len(positive) else 1)
        return
    set_axis(scale)
    places = sorted(values.unique())
    if scale == "log" and places and 0 < places[-1] - places[0] < 1e-9 * places[0]:
        ends = [places[0] / 2, 2 * places[0]]  # matplotlib widens limits only if they are equal
        axes.update_datalim(list(zip(ends, ends, strict=True)), updatex=axis == "x", updatey=axis == "y")
    texts = [ticks.number(place) for place in places]
    if axis == "x" and _are_ticks(places, scale) and ticks.fit(texts, _room(axes)):
        axes.set_xticks(places, texts)
        axes.set_xticks([], minor=True)
    if scale == "log" and (values <= 0).any():
        count = int((values <= 0).sum())
        print(f"{count} values <= 0 are not visible on the logarithmic {axis} axis; use symlog", file=sys.stderr)


def _are_ticks(places: list[float], scale: str) -> bool:
    """Return whether an axis reads better with ticks at its values: few numbers far apart on its scale."""
    if not 0 < len(places) <= FEW_PLACES or (scale == "log" and places[0] <= 0):
        return False
    shown = np.log(places) if scale == "log" else np.array(places, dtype=float)
    return bool(np.diff(shown).min(initial=np.inf) >= APART * (shown[-1] - shown[0]))


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
        fontsize=11,
        fontweight="bold",
        color=NEUTRAL,
        alpha=0.35,
        zorder=10,
        gid="stand-in",
    )


def render(figure: Figure, salt: str, title: str, numbers: pd.DataFrame) -> dict[str, bytes]:
    """Render as PDF, SVG and PNG, with the numbers drawn as CSV and a record of the drawing as JSON.

    The same numbers always yield the same bytes. Each canvas draws the figure once; `savefig` would draw it twice, to
    find a layout that is already there.
    """
    lay_out(figure)
    drawing = layers.describe(figure)
    contents = {"csv": numbers.to_csv(index=False, lineterminator="\n").encode()}
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        for suffix, (canvas, metadata) in FORMATS.items():
            buffer = io.BytesIO()
            figure.set_dpi(DPI)  # which the canvas of a PDF changes
            getattr(canvas(figure), f"print_{suffix}")(buffer, metadata={**metadata, "Title": title})
            contents[suffix] = buffer.getvalue()
    return {**contents, "json": layers.record(drawing, contents)}


def lay_out(figure: Figure) -> None:
    """Lay a figure out, once for all formats; a second time changes nothing."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)
    figure.set_layout_engine("none")
    for axes in figure.axes:  # the last digits of the solution depend on the order in a set
        axes.set_position(Bbox(axes.get_position().get_points().round(PLACES)))

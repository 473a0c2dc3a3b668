"""Heatmaps: one metric over two columns, such as the correlations of every two attributes.

`x` is the column along the horizontal axis and `lines` the one down the vertical axis; both are numbers, or both are
names from one list, whose order is that of `lines`. All panels share one scale of colours, symmetric around 0: blue
above, red below. Where there are few cells, each one's number stands in it.
"""

from collections.abc import Sequence

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from corrldp.plots import figure, layers
from corrldp.plots.selection import ordered
from corrldp.plots.setting import SettingError, Style

COLOURS = "RdBu"
FEW_CELLS = 10  # rows up to which the numbers are legible in a panel
SMALL = 0.3  # largest number up to which two decimals are written
FEWER_CELLS = 7  # rows up to which they are larger
DARK = 0.6  # share of the scale from which a white number is easier to read


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Figure of the numbers that `drawn_numbers` selected."""
    if style.lines is None:
        raise SettingError("a heatmap needs 'lines', the column down its vertical axis")
    off_diagonal = numbers[numbers[style.x] != numbers[style.lines]]
    shown = numbers if off_diagonal.empty else off_diagonal
    bound = float(shown["mean"].abs().max())
    scale = ScalarMappable(Normalize(-bound, bound), matplotlib.colormaps[COLOURS])

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        names = [] if pd.api.types.is_numeric_dtype(panel[style.lines]) else ordered(panel, style.lines, style)
        if names:
            panel = panel.assign(**{axis: panel[axis].map(names.index) for axis in (style.x, style.lines)})
        cells = panel.pivot(index=style.lines, columns=style.x, values="mean")
        first, last = cells.columns[0], cells.columns[-1]
        top, bottom = cells.index[0], cells.index[-1]
        axes.grid(visible=False)
        axes.imshow(
            cells.to_numpy(),
            cmap=scale.cmap,
            norm=scale.norm,
            extent=(first - 0.5, last + 0.5, bottom + 0.5, top - 0.5),
            aspect="equal",
            interpolation="nearest",
        )
        layers.mark_values(axes, panel[style.x], panel[style.lines])
        axes.set_ylabel(style.label(style.lines))
        step = 1 if len(cells) <= FEW_CELLS else 3
        axes.set_xticks(cells.columns[::step])
        axes.set_yticks(cells.index[::step])
        if names:
            texts = [style.text(name) for name in names]
            axes.set_xticks(range(len(names)), texts, rotation=45, ha="right", rotation_mode="anchor")
            axes.set_yticks(range(len(names)), texts)
        if len(cells) <= FEW_CELLS:
            _write_numbers(axes, cells, bound, digits=2 if names or bound <= SMALL else 1)

    drawn = figure.build(numbers, style, draw_panel, [])
    drawn.colorbar(scale, ax=drawn.axes, orientation="horizontal", shrink=0.5, aspect=40, label=style.label(style.y[0]))
    return drawn


def _write_numbers(axes: Axes, cells: pd.DataFrame, bound: float, digits: int) -> None:
    size = 4.5 if len(cells) > FEWER_CELLS else 5.5
    for row, values in cells.iterrows():
        for column, value in values.dropna().items():
            color = "white" if abs(value) > DARK * bound else "black"
            rounded = round(value, digits) + 0.0  # no minus sign before a zero
            text = f"{rounded:.{digits}f}".removeprefix("0").replace("-0.", "−.")  # noqa: RUF001 (minus sign)
            axes.text(column, row, text, ha="center", va="center", fontsize=size, color=color)


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: see `corrldp.plots.figure.run`."""
    figure.run(draw, __doc__, argv)


if __name__ == "__main__":
    main()

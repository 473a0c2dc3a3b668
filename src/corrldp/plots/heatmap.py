"""Heatmaps: one metric over two columns, such as the correlations of every two attributes.

`x` is the column along the horizontal axis and `lines` the one down the vertical axis. Both are numbers, or both are
names from one list, in the order of `lines`. All panels share one colour scale, set by the numbers off the diagonal:
white to blue from 0 up or, if some are negative, symmetric around 0 with blue above and red below. If there are few
cells, each shows its number.
"""

from collections.abc import Sequence

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from corrldp.plots import figure, layers
from corrldp.plots.selection import ordered
from corrldp.plots.setting import SettingError, Style

FEW_CELLS = 10  # up to this many rows the numbers are legible in a panel
FEWER_CELLS = 7  # up to this many rows they are larger
DARK = 0.6  # share of the scale above which a white number is easier to read
SMALL = 0.3  # numbers up to this get two decimals


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the numbers that `drawn_numbers` selected."""
    lines = style.lines
    if lines is None:
        raise SettingError("a heatmap needs 'lines', the column down its vertical axis")
    off_diagonal = numbers[numbers[style.x] != numbers[lines]]
    shown = (numbers if off_diagonal.empty else off_diagonal)["mean"]
    high = float(shown.abs().max())
    low, colours = (-high, "RdBu") if (shown < 0).any() else (0.0, "Blues")

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        named = not pd.api.types.is_numeric_dtype(panel[lines])
        down = ordered(panel, lines, style)
        across = down if named else ordered(panel, style.x, style)
        cells = panel.pivot(index=lines, columns=style.x, values="mean").reindex(index=down, columns=across)
        few, digits = len(cells) <= FEW_CELLS, 2 if named or high <= SMALL else 1
        sns.heatmap(
            cells.rename_axis(index=style.label(lines), columns=axes.get_xlabel()).rename(
                index=style.text, columns=style.text
            ),
            ax=axes,
            vmin=low,
            vmax=high,
            cmap=colours,
            cbar=False,
            square=True,
            annot=cells.map(_written, digits=digits) if few else None,
            fmt="",
            annot_kws={"fontsize": 5.5 if len(cells) <= FEWER_CELLS else 4.5},
            xticklabels=1 if few else 3,
            yticklabels=1 if few else 3,
        )
        for text, value in zip(axes.texts, cells.stack().dropna(), strict=few):
            text.set_color("white" if abs(value) > DARK * high else "black")
        axes.tick_params(length=0, rotation=0)
        if named:
            axes.set_xticklabels(axes.get_xticklabels(), rotation=45, ha="right", rotation_mode="anchor")
        axes.grid(visible=False)
        layers.mark_values(axes, panel[style.x].map(across.index) + 0.5, panel[lines].map(down.index) + 0.5)

    drawn = figure.build(numbers, style, draw_panel, [])
    scale = ScalarMappable(Normalize(low, high), colours)
    beyond = "max" if numbers["mean"].max() > high else "neither"
    label = style.label(style.y[0])
    drawn.colorbar(scale, ax=drawn.axes, orientation="horizontal", shrink=0.5, aspect=40, label=label, extend=beyond)
    return drawn


def _written(value: float, digits: int) -> str:
    """Format a number without the zero before the decimal point."""
    rounded = round(value, digits) + 0.0  # no minus sign before a zero
    return f"{rounded:.{digits}f}".removeprefix("0").replace("-0.", "−.")  # noqa: RUF001 (minus sign)


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: see `corrldp.plots.figure.run`."""
    figure.run(draw, __doc__, argv)


if __name__ == "__main__":
    main()

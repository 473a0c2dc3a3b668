"""Diagrams: boxes joined by arrows, with measured numbers in their texts.

`boxes` maps a name to `{at: [x, y], text: ...}`, `arrows` lists `{from: name, to: name, text: ...}`; x runs from 0 at
the left to 1 at the right, y from 0 at the bottom to 1 at the top. `{SPL:.2g}` in a text is that mechanism's number;
if `y` has several metrics, `{SPL[mse]:.2g}` is the number for one of them. Texts use the names from `labels`, since a
name in braces cannot contain a dot.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from claimaudit.plots import figure
from claimaudit.plots.style import BLUE, SMALL, WIDTH
from claimaudit.styles import SettingError, Style

Values = Mapping[str, float] | Mapping[str, Mapping[str, float]]
HEIGHT = 2.9  # inches
BOX: dict[str, Any] = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": BLUE, "linewidth": 1.0}
TEXT: dict[str, Any] = {"fontsize": 6.2, "ha": "center", "va": "center", "linespacing": 1.35}


def draw(numbers: pd.DataFrame, style: Style) -> Figure:
    """Draw the boxes and arrows of the style, with the numbers that `drawn_numbers` selected in their texts."""
    if not style.boxes:
        raise SettingError("a diagram needs 'boxes'")
    values = values_of(numbers, style)
    drawn = Figure(figsize=(WIDTH, HEIGHT), dpi=figure.DPI, layout="constrained")
    axes = drawn.subplots()
    axes.set_axis_off()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    boxes = {name: draw_box(axes, box, values) for name, box in style.boxes.items()}
    for arrow in style.arrows:
        draw_arrow(axes, boxes, arrow, values)
    if numbers["standin"].any():
        figure.watermark(axes)
    return drawn


def values_of(numbers: pd.DataFrame, style: Style) -> Values:
    """Return the number of each mechanism by displayed name; with several metrics, a mapping of metric to number."""
    if numbers.duplicated(["mechanism", "metric"]).any():
        raise SettingError("a diagram shows one number per mechanism: select it with 'where', 'mechanisms' and 'y'")
    named = numbers.assign(mechanism=numbers["mechanism"].map(style.text))
    if len(style.y) == 1:
        return dict(zip(named["mechanism"], named["mean"], strict=True))
    groups = named.groupby("mechanism")
    return {str(name): dict(zip(rows["metric"], rows["mean"], strict=True)) for name, rows in groups}


def draw_box(axes: Axes, box: Mapping[str, Any], values: Values) -> Annotation:
    """Draw a text in a frame centred on its position."""
    return axes.annotate(fill(box["text"], values), box["at"], bbox=BOX, zorder=3, **TEXT)


def draw_arrow(axes: Axes, boxes: Mapping[str, Annotation], arrow: Mapping[str, str], values: Values) -> None:
    """Draw an arrow from the frame of one box to that of another, with its text beside the middle."""
    for side in ("from", "to"):
        if arrow[side] not in boxes:
            raise SettingError(f"arrow {side} {arrow[side]!r}: no such box; there are {', '.join(boxes)}")
    start, end = boxes[arrow["from"]], boxes[arrow["to"]]
    ends = {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch(), "shrinkA": 2, "shrinkB": 2}
    axes.annotate("", end.xy, start.xy, arrowprops={"arrowstyle": "-|>", "color": "black", "linewidth": 0.9, **ends})
    (x0, y0), (x1, y1) = start.xy, end.xy
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    note = {"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"}
    axes.annotate(fill(arrow.get("text", ""), values), middle, bbox=note, **{**TEXT, "fontsize": SMALL})


def fill(text: str, values: Values) -> str:
    """Return the text with the numbers of the mechanisms that it names."""
    try:
        return text.format(**values)
    except KeyError as error:
        raise SettingError(f"text {text!r}: no number of {error}; there are {', '.join(values)}") from error
    except (AttributeError, IndexError, TypeError) as error:
        remedy = "write {NAME} where 'y' is one metric and {NAME[METRIC]} where it has several"
        raise SettingError(f"text {text!r}: {error}; {remedy}") from error


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: see `claimaudit.plots.figure.run`."""
    figure.run(draw, __doc__, argv)


if __name__ == "__main__":
    main()

"""The texts above and below a figure, in lines of even length."""

import re
from collections.abc import Iterator
from typing import Any

from matplotlib.figure import Figure
from matplotlib.text import Text

from claimaudit.plots import layers, legend
from claimaudit.plots.figure import reserve
from claimaudit.plots.style import BLACK, NEUTRAL, SMALL
from claimaudit.plots.wrap import wrapped

FOOT = 76  # letters in a line below the figure
MESSAGE, SUBTITLE = 51, 68  # letters in a line above the figure
HEAD: dict[str, Any] = {"fontsize": 7.5, "fontweight": "bold", "color": BLACK}
SMALL_HEAD: dict[str, Any] = {"fontsize": 6.2, "color": NEUTRAL}
LEADING = 1.32  # height of a line above the figure, in sizes of its font
LINE = 0.1  # inches: height of a line below the figure
INDEXED = re.compile(r"\b([A-Za-zρ])([_^])(\w+)")  # noqa: RUF001 (Greek)


def name(figure: Figure, title: str, source: str, message: str | None = None) -> None:
    """Write a figure's message above it, its title below the message, and its source at the foot."""
    heads = [(message, MESSAGE, HEAD), (title, SUBTITLE, SMALL_HEAD)] if message else [(title, MESSAGE, HEAD)]
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
        place: dict[str, Any] = {"transform": figure.dpi_scale_trans, "va": "top", "linespacing": 1.15}
        figure.text(0.03, top, _typeset(text), **place, **look)
        top -= _height(text, look)
    look = {"fontsize": SMALL, "color": NEUTRAL, "va": "bottom", "linespacing": 1.1}
    figure.text(0.03, 0.03, foot, transform=figure.dpi_scale_trans, gid=layers.FOOT, **look)


def _texts(figure: Figure) -> Iterator[Text]:
    """Yield the texts of a figure but those of ticks, which are numbers or names of values."""
    for axes in figure.axes:
        yield from (axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts)
    for one in (*figure.legends, *(axes.get_legend() for axes in figure.axes)):
        if one is not None:
            yield from (one.get_title(), *one.get_texts())


def _height(text: str, look: dict[str, Any]) -> float:
    """Return the height in inches of a text above a figure."""
    return float(look["fontsize"] * LEADING / 72 * (1 + text.count("\n")))


def _typeset(text: str) -> str:
    """Return a text with its indices and powers, as in p_y and e^ε, as mathematics."""
    return INDEXED.sub(r"$\1\2{\\mathrm{\3}}$", text)

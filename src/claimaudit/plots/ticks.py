"""Ticks of narrow panels, and numbers in plain text: exponents set as mathematics would be too small to read."""

import math
import sys
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.scale import SymmetricalLogTransform
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter

from claimaudit.words.numbers import MINUS, SUPERSCRIPTS

LETTER, GAP = 3.7, 5  # points: mean width of a letter of a tick label, and space between labels
EVEN = (1, 2, 2.5, 5, 10)
EVEN_STEPS = EVEN[:-1]  # between linear ticks, times a power of ten
STEPS = ((1,), (1, 3), (1, 2, 5), (1, 2, 3, 5, 7))  # finer and finer multiples of powers of ten
FEW_PLACES = 6  # up to this many values become the ticks of their axis,
APART = 0.12  # if the shares of the axis between them are at least this
X_TICKS, Y_TICKS = 8, 5  # at most, on a logarithmic axis
PLACES = 10  # decimal places of a tick, more than are shown
PLAIN = (1e-4, 1e5)  # numbers within need no power of ten


def number(value: float) -> str:
    """Return a number as text: `0.02`, `20,000`, `2·10⁻⁵`."""
    if value == 0 or PLAIN[0] <= abs(value) < PLAIN[1]:
        return (f"{value:,.6g}" if abs(value) >= 1000 else f"{value:g}").replace("-", MINUS)
    return _with_power(value)


def _with_power(value: float) -> str:
    digits, exponent = f"{value:.2e}".split("e")
    power = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    factor = digits.rstrip("0").rstrip(".").replace("-", MINUS)
    return power if factor == "1" else f"{factor}·{power}"


def texts(places: Sequence[float], others: Sequence[float] = ()) -> list[str]:
    """Return the ticks of a logarithmic axis: if one, or one of others, needs a power of ten, all but 0, 1, 10 do."""
    if all(place == 0 or PLAIN[0] < abs(place) < PLAIN[1] for place in (*places, *others)):
        return [number(place) for place in places]
    return [number(place) if place in (0, 1, 10) else _with_power(place) for place in places]


def powers(low: float, high: float, most: int) -> list[float]:
    """Return at most `most` ticks of a logarithmic axis from `low` to `high`, the finest that are round."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    within = [
        [step * 10.0**power for power in exponents for step in steps if low <= step * 10.0**power <= high]
        for steps in STEPS
    ]
    fitting = [places for places in within if len(places) <= most]
    if not fitting:
        return within[0][:: math.ceil(len(within[0]) / most)]
    if len(fitting[-1]) > 1:
        return fitting[-1]
    return [place for place in MaxNLocator(most).tick_values(low, high) if low <= place <= high]


def label_powers(axis: Axis, most: int, least: float | None = None, width: float = math.inf) -> None:
    """Set plain ticks on a logarithmic axis, or on one that is linear around zero and logarithmic from `least` on.

    There are at most `most`, and their labels do not touch if the logarithmic part has a width in points.
    """
    low, high = sorted(axis.get_view_interval())
    low = least or low
    for count in range(most, 1, -1):
        places = powers(low, high, count)
        steps = np.diff(np.log(places)) / math.log(high / low)
        if fit(texts(places)[1:], width * len(steps) * steps.min(initial=1)):
            break
    axis.set_ticks([0.0, *places] if least else places)
    axis.set_ticklabels(texts(axis.get_majorticklocs().tolist()))
    axis.set_minor_formatter(NullFormatter())


def fit(texts: Sequence[str], width: float) -> bool:
    """Return whether labels stand side by side in a width in points."""
    return len(texts) * (LETTER * max(map(len, texts), default=0) + GAP) <= width


def evenly(low: float, high: float, width: float) -> list[float]:
    """Return the closest round ticks of a linear axis from `low` to `high` whose labels fit in a width in points."""
    first = math.floor(math.log10((high - low) / 100))
    for step in (step * 10.0**power for power in range(first, first + 4) for step in EVEN_STEPS):
        places = [step * i for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
        if fit([number(place) for place in places], width):
            break
    return places


def label_evenly(axis: Axis, width: float) -> None:
    """Set plain ticks on a linear axis of some width in points."""
    low, high = sorted(axis.get_view_interval())
    places = evenly(low, high, width)
    axis.set_ticks(places, [number(place) for place in places])


def label(panels: Sequence[Axes]) -> None:
    """Choose and label the ticks of panels of one quantity, unless they are set; their vertical axes have one style."""
    for axes in panels:
        _label(axes)
    vertical = [axes.yaxis for axes in panels if axes.get_yscale() != "linear"]
    every = [place for axis in vertical for place in axis.get_majorticklocs()]
    for axis in vertical:
        axis.set_ticklabels(texts(axis.get_majorticklocs().tolist(), every))


def _label(axes: Axes) -> None:
    for axis, most, width in ((axes.xaxis, X_TICKS, room(axes)), (axes.yaxis, Y_TICKS, math.inf)):
        if isinstance(axis.get_major_locator(), FixedLocator):
            continue
        if axis.get_scale() != "linear":
            transform, least = axis.get_transform(), None
            if isinstance(transform, SymmetricalLogTransform):
                least = float(transform.linthresh)
                low, start, high = transform.transform(np.array([*axis.get_view_interval(), least]))[[0, 2, 1]]
                width *= (high - start) / (high - low)
            label_powers(axis, most, least, width)
        elif axis is axes.xaxis:
            label_evenly(axis, width)
        else:
            axis.set_major_locator(MaxNLocator(Y_TICKS, steps=EVEN))
            axis.set_major_formatter(FuncFormatter(lambda place, _: number(round(place, PLACES))))


def room(axes: Axes) -> float:
    """Return the width of a panel in points, about, before the layout."""
    return float(72 * axes.bbox.width / axes.figure.dpi)


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
    if axis == "x" and _are_ticks(places, scale):
        for some in (places, places[::2]):
            names = texts(some) if scale == "log" else [number(place) for place in some]
            if fit(names, room(axes)):
                axes.set_xticks(some, names)
                axes.set_xticks([], minor=True)
                break
    if scale == "log" and (values <= 0).any():
        count = int((values <= 0).sum())
        print(f"{count} values <= 0 are not visible on the logarithmic {axis} axis; use symlog", file=sys.stderr)


def _are_ticks(places: list[float], scale: str) -> bool:
    """Return whether an axis reads better with ticks at its values: few numbers far apart on its scale."""
    if not 0 < len(places) <= FEW_PLACES or (scale == "log" and places[0] <= 0):
        return False
    shown = np.log(places) if scale == "log" else np.array(places, dtype=float)
    return bool(np.diff(shown).min(initial=np.inf) >= APART * (shown[-1] - shown[0]))

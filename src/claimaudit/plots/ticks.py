"""Ticks of narrow panels, and numbers in plain text: exponents set as mathematics would be too small to read."""

import math
import sys
from bisect import bisect
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.scale import SymmetricalLogTransform
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter

from claimaudit.words.numbers import MINUS, SUPERSCRIPTS

LETTER, GAP = 4.1, 4  # points: mean width of a letter of a tick label, and space between labels
EVEN = (1, 2, 2.5, 5, 10)  # between linear ticks, times a power of ten
# Multiples of powers of ten, from the finest, and the ratios of the ends of an axis up to which each is not too fine.
STEPS = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
SPANS = (4, 8, 60, 400)
SHORT = ((1, 2, 3, 5, 7), *STEPS[2:])  # short beside a power of ten
FEW_PLACES = 6  # up to this many values become the ticks of their axis,
APART = 0.12  # if the shares of the axis between them are at least this
X_TICKS, Y_TICKS = 11, 6  # at most
NARROW, FEW = 72, 3  # points: in a panel narrower than that, a vertical axis of its own has at most so many
PLACES = 10  # decimal places of a tick, more than are shown
PLAIN = (1e-4, 1e5)  # numbers within need no power of ten
CROWDED = 1e3  # ratio of the ends of a logarithmic axis from which on it has no minor ticks
FEWEST = 3  # round multiples of powers of ten on a logarithmic axis shorter than a decade; else its ticks are even


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


def texts(places: Sequence[float], *, exponents: bool = False) -> list[str]:
    """Return ticks of a logarithmic axis: if one needs a power of ten, or if asked, all but 0, 1 and 10 have one."""
    exponents = exponents or any(place and not PLAIN[0] < abs(place) < PLAIN[1] for place in places)
    return [_with_power(place) if exponents and place not in (0, 1, 10) else number(place) for place in places]


def even_texts(places: Sequence[float]) -> list[str]:
    """Return plain numbers, all but 0 with the same number of decimal places; with powers of ten if some need one."""
    sizes = [abs(place) for place in places if place]
    if sizes and not PLAIN[0] <= max(sizes) < PLAIN[1]:
        return texts(places)
    digits = max((len(f"{place:.{PLACES}f}".rstrip("0").partition(".")[2]) for place in places), default=0)
    return [f"{place:,.{digits}f}".replace("-", MINUS) if place else "0" for place in places]


def powers(low: float, high: float, most: int, steps: Sequence[Sequence[float]] = STEPS) -> list[float]:
    """Return at most `most` ticks of a logarithmic axis from `low` to `high`, the finest that are round."""
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    within = [
        [step * 10.0**power for power in exponents for step in multiples if low <= step * 10.0**power <= high]
        for multiples in steps
    ]
    fitting = [places for places in within if len(places) <= most]
    if not fitting:
        return within[-1][:: math.ceil(len(within[-1]) / most)]
    return fitting[0] if len(fitting[0]) >= FEWEST or high > 10 * low else evenly(low, high, most)


def needs_powers(low: float, high: float) -> bool:
    """Return whether numbers from `low` to `high` on a logarithmic axis need powers of ten."""
    return low <= PLAIN[0] or high >= PLAIN[1]


def label_powers(axis: Axis, most: int, width: float = math.inf, *, exponents: bool = False) -> None:
    """Set ticks on an axis that is logarithmic, perhaps but for a linear part around zero.

    There are at most `most`, and their labels do not touch on an axis of a width in points. If numbers need powers of
    ten, or are too long without, or others of the same quantity need them (`exponents`), labels have them, and ticks
    are powers if those are enough.
    """
    bottom, high = sorted(axis.get_view_interval())
    low, transform = bottom, axis.get_transform()
    if isinstance(transform, SymmetricalLogTransform):
        first, last, start = transform.transform(np.array([bottom, high, transform.linthresh]))
        low, width = float(transform.linthresh), width * (last - start) / (last - first)
    decades = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    plain = texts([10.0**power for power in decades])[1:]
    long = len(plain) > 1 and not fit(plain, width * len(plain) / math.log10(high / low))
    exponents = (exponents and len(decades) > 2) or long or needs_powers(low, high)
    steps = (STEPS[-1:] if len(decades) > 2 else SHORT) if exponents else STEPS
    for count in range(most, 1, -1):
        places = powers(low, high, count, steps)
        shares = np.diff(np.log(places)) / math.log(high / low)
        if fit(texts(places, exponents=exponents)[1:], width * len(shares) * shares.min(initial=1)):
            break
    if axis.get_scale() == "symlog":
        places = [*(-place for place in reversed(places) if -place >= bottom), 0.0, *places]
    axis.set_ticks(places, texts(places, exponents=exponents))
    axis.set_minor_formatter(NullFormatter())
    if high >= CROWDED * low:
        axis.set_minor_locator(FixedLocator([10.0**power for power in decades]))


def fit(texts: Sequence[str], width: float) -> bool:
    """Return whether labels stand side by side in a width in points."""
    return len(texts) * (LETTER * max(map(len, texts), default=0) + GAP) <= width


def evenly(low: float, high: float, most: int, width: float = math.inf) -> list[float]:
    """Return round ticks of a linear axis from `low` to `high`, so few that their labels fit in a width in points."""
    for count in range(most, 0, -1):
        ticks = np.asarray(MaxNLocator(count, steps=EVEN).tick_values(low, high)).round(PLACES).tolist()
        places = [place for place in ticks if low <= place <= high]
        if fit(even_texts(places), width):
            break
    return places


def label(panels: Sequence[Axes]) -> None:
    """Choose and label the ticks of panels of one quantity, unless they are set; their vertical axes have one style."""
    exponents = any(needs_powers(*axes.get_ylim()) for axes in panels if axes.get_yscale() == "log")
    for axes in panels:
        up = FEW if room(axes) < NARROW and len(axes.get_shared_y_axes().get_siblings(axes)) == 1 else Y_TICKS
        for axis, most, width in ((axes.xaxis, X_TICKS, room(axes)), (axes.yaxis, up, math.inf)):
            if isinstance(axis.get_major_locator(), FixedLocator):
                continue
            if axis.get_scale() == "linear":
                low, high = sorted(axis.get_view_interval())
                places = evenly(low, high, most, width)
                axis.set_ticks(places, even_texts(places))
            else:
                label_powers(axis, most, width, exponents=exponents and axis is axes.yaxis)


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
    if scale == "log" and places and places[0] > 0 and (axis == "y" or len(places) == 1):
        ends = _ends(places[0], places[-1])
        axes.update_datalim(list(zip(ends, ends, strict=True)), updatex=axis == "x", updatey=axis == "y")
    if axis == "x" and _are_ticks(places, scale):
        for some in (places, [*places[:-2:2], places[-1]]):
            names = even_texts(some) if scale == "linear" else texts(some) if some[0] < 1 else [*map(number, some)]
            if fit(names[1:], room(axes)):  # the first and the last reach beyond the axis
                named = dict(zip(some, names, strict=True))
                axes.set_xticks(places, [named.get(place, "") for place in places])
                axes.set_xticks([], minor=True)
                break
    if scale == "log" and (count := int((values <= 0).sum())):
        print(f"{count} values <= 0 are not visible on the logarithmic {axis} axis; use symlog", file=sys.stderr)


def _ends(low: float, high: float) -> list[float]:
    """Return ends of a logarithmic axis: `low` and `high`, or the next tick in about such steps if it is nearer."""
    if high - low < 1e-9 * low:
        return [low / 2, 2 * low]  # matplotlib widens limits only if they are equal
    step = -1 if needs_powers(low, high) and high > SPANS[-2] * low else bisect(SPANS, high / low)
    near = [
        min(powers(end / 4, 4 * end, 99, [STEPS[step]]), key=lambda tick: abs(math.log(tick / end)))
        for end in (low, high)
    ]
    return [min(low, near[0]), max(high, near[1])]


def _are_ticks(places: list[float], scale: str) -> bool:
    """Return whether an axis reads better with ticks at its values: few numbers far apart on its scale."""
    if not 0 < len(places) <= FEW_PLACES or (scale == "log" and places[0] <= 0):
        return False
    shown = np.log(places) if scale == "log" else np.array(places, dtype=float)
    return bool(np.diff(shown).min(initial=np.inf) >= APART * (shown[-1] - shown[0]))

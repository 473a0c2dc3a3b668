"""Ticks of narrow panels, and numbers in plain text: exponents set as mathematics would be too small to read."""

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axis import Axis
from matplotlib.ticker import MaxNLocator, NullFormatter

from claimaudit.words.numbers import MINUS, SUPERSCRIPTS

LETTER, GAP = 3.7, 5  # points: mean width of a letter of a tick label, and space between labels
EVEN = (1, 2, 2.5, 5, 10)
EVEN_STEPS = EVEN[:-1]  # between linear ticks, times a power of ten
STEPS = ((1,), (1, 3), (1, 2, 5), (1, 2, 3, 5, 7))  # finer and finer multiples of powers of ten
PLAIN = (1e-4, 1e5)  # numbers within need no power of ten


def number(value: float) -> str:
    """Return a number as text: `0.02`, `20,000`, `2·10⁻⁵`."""
    if value == 0 or PLAIN[0] <= abs(value) < PLAIN[1]:
        return (f"{value:,.6g}" if abs(value) >= 1000 else f"{value:g}").replace("-", MINUS)
    digits, exponent = f"{value:.2e}".split("e")
    power = "10" + str(int(exponent)).translate(SUPERSCRIPTS)
    factor = digits.rstrip("0").rstrip(".").replace("-", MINUS)
    return power if factor == "1" else f"{factor}·{power}"


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
        if fit([number(place) for place in places[1:]], width * len(steps) * steps.min(initial=1)):
            break
    axis.set_ticks([0.0, *places] if least else places)
    axis.set_ticklabels([number(place) for place in axis.get_majorticklocs()])
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

"""One look for all figures: a mechanism has the same colour and marker in every paper."""

import hashlib
import re
import textwrap
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from matplotlib.colors import to_hex, to_rgb

from claimaudit.styles import Look


class Pattern(NamedTuple):
    """Appearance of one line: colour, marker, dash pattern, width and size of its markers in points."""

    color: str
    marker: str
    dash: Any = "solid"
    width: float = 1.1
    size: float = 2.8


# seaborn's palette "colorblind" without its two palest colours (pink, yellow), its brown, which looks like orange in a
# thin line (in its place wine, of Tol's palette), and its grey, which is reserved for keys of no mechanism. Copied
# because importing seaborn would double the time of a small figure.
PALETTE = {
    "blue": "#0173b2",
    "vermilion": "#d55e00",
    "green": "#029e73",
    "purple": "#cc78bc",
    "orange": "#de8f05",
    "sky": "#56b4e9",
    "wine": "#882255",
    "black": "#222222",
}
"""Colours by the names that looks may have."""
BLUE, BLACK = PALETTE["blue"], PALETTE["black"]
NEUTRAL = "#6e6e6e"

COLORS = tuple(PALETTE.values())
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p", "<", ">", "h", "*", "d", "H", "8")

# The lines of one mechanism alone, dark to light; none is the colour of a mechanism.
SHADES = ("#1b0c41", "#5c126e", "#a52c60", "#dd513a", "#e8801f", "#b08a00")

# Dash patterns in points (on, off), the same for lines of every width.
DASHES = ("solid", (0, (4.5, 1.6)), (0, (1.2, 1.4)), (0, (5, 1.4, 1.2, 1.4)), (0, (8, 2)), (0, (3, 1, 1, 1, 1, 1)))
# Points, in the order of drawing, so that coinciding lines all show.
WIDTHS = (1.6, 1.2, 1.0, 0.8, 0.7, 0.7)
SIZES = (3.6, 3.1, 2.7, 2.4)
READING_DASHES = ((0, (2.4, 1.2)), (0, (1, 1)), (0, (4, 1.2, 1, 1.2)), (0, (6, 1.5)), (0, (4, 1, 1, 1, 1, 1)))
READING_MARKERS = ("x", "+", "1", "2", "_")

WIDTH = 3.5  # inches: one column of a page, and what a telephone shows without scrolling
SMALL = 7  # points: the smallest text

STUCK = "\N{NO-BREAK SPACE}"
STICKY = re.compile(r"(?<==) | (?=[=\d])|(?<=\d) (?=of \d)")

TICK = {"major.pad": 2, "major.size": 2.5, "major.width": 0.6, "minor.size": 1.5, "minor.width": 0.4}
RC: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.labelpad": 2,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": SMALL,
    "axes.titley": 1.0,  # nothing is above a panel: to look for it measures all ticks again
    "figure.labelsize": SMALL,
    "font.family": "DejaVu Sans",
    "font.size": SMALL,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.5,
    "legend.frameon": False,
    "lines.scale_dashes": False,
    "mathtext.fontset": "dejavusans",
    "svg.fonttype": "none",
    **{f"{axis}tick.{name}": value for axis in "xy" for name, value in TICK.items()},
}


def looks(mechanisms: Iterable[str], known: Mapping[str, Look]) -> dict[str, Look]:
    """Return the look of each mechanism of one figure, all different.

    A mechanism that is not `known` gets a spare look chosen by a digest of its name, and hence the same one in every
    figure. If another such mechanism of the same figure already has that look, it gets the next spare one.
    """
    names = list(dict.fromkeys(mechanisms))
    taken = [Look(PALETTE.get(look.color, look.color), look.marker) for look in known.values()]
    chosen = {name: look for name, look in zip(known, taken, strict=True) if name in names}
    spare = [look for look in (Look(c, m) for m in MARKERS for c in COLORS) if look not in taken]
    for name in sorted(set(names) - set(chosen)):
        position = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
        while (look := spare[position % len(spare)]) in chosen.values():
            position += 1
        chosen[name] = look
    return {name: chosen[name] for name in names}


def lighter(color: str, share: float) -> str:
    """Return a colour with a share of white mixed in."""
    red, green, blue = (channel + share * (1 - channel) for channel in to_rgb(color))
    return to_hex((red, green, blue))


def wrapped(text: str, letters: int) -> str:
    """Return a text in as few lines of at most so many letters as hold it, none much shorter than the others.

    Lines that the text has stay lines. A number stays with the word before it, as in "Algorithm 1", "n = 200" and
    "3 of 4", and a word with a hyphen, such as the name of a mechanism, stays whole.
    """
    return "\n".join(_even(STICKY.sub(STUCK, line), letters) for line in text.splitlines()).replace(STUCK, " ")


def _even(text: str, letters: int) -> str:
    count = len(_filled(text, letters))
    if count < 2:
        return text
    fewest = max(*map(len, text.split(" ")), len(text) // count)
    widths = (width for width in range(fewest, letters) if len(_filled(text, width)) == count)
    return "\n".join(_filled(text, next(widths, letters)))


def _filled(text: str, letters: int) -> list[str]:
    return textwrap.wrap(text, letters, break_on_hyphens=False)

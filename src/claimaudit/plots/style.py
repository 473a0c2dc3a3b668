"""One look for all figures: a mechanism has the same colour and marker in every paper."""

import hashlib
from collections.abc import Iterable
from typing import Any, NamedTuple

from matplotlib.colors import to_hex, to_rgb


class Look(NamedTuple):
    """Colour and marker of one mechanism."""

    color: str
    marker: str


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
BLUE, ORANGE, GREEN, VERMILION, PURPLE, WINE, SKY = (
    "#0173b2",
    "#de8f05",
    "#029e73",
    "#d55e00",
    "#cc78bc",
    "#882255",
    "#56b4e9",
)
BLACK = "#222222"
NEUTRAL = "#6e6e6e"

COLORS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, WINE, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p", "<", ">", "h", "*", "d", "H", "8")

# Mechanisms in the same figure of a paper differ in both colour and marker.
LOOKS = {
    "RR": Look(BLUE, "o"),
    "JRR": Look(VERMILION, "s"),
    "GRR": Look(GREEN, "^"),
    "k-JRR": Look(ORANGE, "D"),
    "SUE": Look(WINE, "v"),
    "OUE": Look(SKY, "P"),
    "JRR-SUE": Look(BLACK, "p"),
    "JRR-OUE": Look(PURPLE, "X"),
    "OLH": Look(BLACK, "<"),
    "JRR-OLH": Look(WINE, ">"),
    "BLH": Look(WINE, "h"),
    "SS": Look(ORANGE, "v"),
    "SPL": Look(BLUE, "s"),
    "SMP": Look(BLACK, "v"),
    "optimal JRR": Look(BLACK, "d"),
    "SPL[OUE]": Look(SKY, "8"),
    "SPL[adaptive]": Look(BLUE, "p"),
    "SMP[OUE]": Look(WINE, "d"),
    "SMP[adaptive]": Look(BLACK, "h"),
    "RS+FD": Look(GREEN, "D"),
    "RS+FD[OUE-z]": Look(ORANGE, "H"),
    "RS+FD[OUE-r]": Look(PURPLE, "d"),
    "RS+FD[adaptive]": Look(GREEN, "o"),
    "RS+RFD": Look(PURPLE, "^"),
    "Corr-RR": Look(VERMILION, "o"),
    "Corr-RR copying": Look(SKY, "s"),
    "Corr-RR oracle": Look(ORANGE, "X"),
    "Corr-RR true marginals": Look(SKY, "^"),
    "Corr-RR joint": Look(BLACK, "^"),
    "Corr-RR iterative": Look(GREEN, "P"),
    "Corr-RR two pivots": Look(PURPLE, "h"),
    "Corr-RR aligned": Look(VERMILION, "p"),
    "Corr-RR grouped": Look(ORANGE, "<"),
    "Cond-RR": Look(SKY, "X"),
    "RS+FD amplified": Look(ORANGE, "P"),
    "RS+RFD amplified": Look(SKY, "p"),
    "Uniform": Look(WINE, "*"),
    "CPL": Look(VERMILION, "D"),
    "SPL-ANL": Look(BLUE, "^"),
    "ITS": Look(PURPLE, "v"),
    "CBP": Look(ORANGE, "o"),
    "RAPPOR": Look(VERMILION, "h"),
    "EXP": Look(PURPLE, "s"),
    "SHE": Look(BLUE, "X"),
    "Algorithm 2": Look(BLACK, "*"),
    "GRF 0.2": Look(GREEN, "s"),
    "GRF 0.4": Look(WINE, "D"),
    "GRR-ANL": Look(VERMILION, "P"),
    "EXP-ANL": Look(SKY, "*"),
    "calibrated": Look(VERMILION, "v"),
    "calibrated on LFW": Look(PURPLE, "o"),
    "Algorithm 3 as printed": Look(PURPLE, "*"),
    "RR-Ind-Joint": Look(VERMILION, "^"),
    "RR-Independent": Look(GREEN, "v"),
    "RR-Joint": Look(BLACK, "s"),
    "RR-Clusters": Look(WINE, "o"),
    "hybrid": Look(PURPLE, "P"),
    "truncated": Look(ORANGE, "*"),
    "projected": Look(SKY, "h"),
    "EM": Look(PURPLE, "p"),
    "LoPub-EM": Look(BLACK, "D"),
    "naive": Look(BLUE, "v"),
    "reduced": Look(GREEN, "p"),
    "castell": Look(VERMILION, "X"),
    "LoPub": Look(BLUE, "D"),
}
_KNOWN = frozenset(LOOKS.values())
_SPARE = tuple(look for look in (Look(c, m) for m in MARKERS for c in COLORS) if look not in _KNOWN)

# The lines of one mechanism alone, dark to light; none is the colour of a mechanism.
SHADES = ("#1b0c41", "#5c126e", "#a52c60", "#dd513a", "#e8801f", "#b08a00")

# Dash patterns in points (on, off), the same for lines of every width.
DASHES = (
    "solid",
    (0, (4.5, 1.6)),
    (0, (1.2, 1.4)),
    (0, (5, 1.4, 1.2, 1.4)),
    (0, (8, 2)),
    (0, (3, 1, 1, 1, 1, 1)),
)
# Points, in the order of drawing, so that coinciding lines all show.
WIDTHS = (1.6, 1.2, 1.0, 0.8, 0.7, 0.7)
SIZES = (3.6, 3.1, 2.7, 2.4)
READING_DASHES = ((0, (2.4, 1.2)), (0, (1, 1)), (0, (4, 1.2, 1, 1.2)), (0, (6, 1.5)), (0, (4, 1, 1, 1, 1, 1)))
READING_MARKERS = ("x", "+", "1", "2", "_")

WIDTH = 3.3  # inches: one column of a page, and what a telephone shows without scrolling
SMALL = 6  # points: the smallest text

RC: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": "#444444",
    "axes.formatter.limits": (-4, 5),
    "axes.grid": True,
    "axes.labelpad": 2,
    "axes.labelsize": 6.5,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 6.5,
    "font.family": "DejaVu Sans",
    "font.size": 6.5,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.5,
    "legend.fontsize": 6.2,
    "legend.frameon": False,
    "legend.title_fontsize": 6.2,
    "lines.scale_dashes": False,
    "mathtext.fontset": "dejavusans",
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "xtick.labelsize": SMALL,
    "xtick.major.pad": 2,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "xtick.minor.size": 1.5,
    "xtick.minor.width": 0.4,
    "ytick.labelsize": SMALL,
    "ytick.major.pad": 2,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
    "ytick.minor.size": 1.5,
    "ytick.minor.width": 0.4,
}


def looks(mechanisms: Iterable[str]) -> dict[str, Look]:
    """Return the look of each mechanism of one figure, all different.

    A mechanism missing from `LOOKS` gets a spare look chosen by a digest of its name, and hence the same one in every
    figure. If another such mechanism of the same figure already has that look, it gets the next spare one.
    """
    names = list(dict.fromkeys(mechanisms))
    chosen = {name: LOOKS[name] for name in names if name in LOOKS}
    for name in sorted(set(names) - set(chosen)):
        position = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
        while (look := _SPARE[position % len(_SPARE)]) in chosen.values():
            position += 1
        chosen[name] = look
    return {name: chosen[name] for name in names}


def lighter(color: str, share: float) -> str:
    """Return a colour with a share of white mixed in."""
    red, green, blue = (channel + share * (1 - channel) for channel in to_rgb(color))
    return to_hex((red, green, blue))

"""Printed numbers against ours, one figure for each exhibit that has some, all in one style.

A mark for each printed number, from the top by mechanism in the order of printing: printed over ours with its 95 %
interval, or printed minus ours where some number is not positive. At the left, our numbers are as stated; at the right,
as run. A mark in full colour does not fit, a pale one does.
"""

import itertools
import string
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from claimaudit.plots import figure, layers, legend, ticks
from claimaudit.plots.style import BLACK, NEUTRAL, RC, WIDTH, lighter, looks, wrapped
from claimaudit.results import PLACED, PREDICTED, STRICT, read_numbers, verified
from claimaudit.storage import remembered
from claimaudit.styles import DifferenceJob
from claimaudit.verdicts import Exhibit, read
from claimaudit.words.names import RUN, STATED, heading
from claimaudit.words.runs import called, fitting

PALE = 0.55  # share of white in the colour of a number that fits
ROW, MARK = 0.14, 0.02  # inches of height for each mechanism, and for each of its numbers
LOW, HIGH = 0.2, 1.7  # inches: heights of a panel,
TITLE, TICKS = 0.15, 0.17  # of each line above it, and of ticks below it
MARGIN = 0.06  # share of the width left empty at each end so that no mark lies on the edge
WIDEST = 30  # the most by which an interval multiplies or divides its ratio
EQUAL = {"ratio": 1.0, "difference": 0.0}
LABELS = {"ratio": "printed / ours", "difference": "printed − ours"}  # noqa: RUF001 (minus sign)


def differences(name: str, predictions: pd.DataFrame, known: Exhibit | None) -> pd.DataFrame:
    """Compare the printed numbers of an exhibit with their predictions, see docs/predictions.md.

    There is a row for each printed number and each of the two settings, the stated one first: the settings,
    ``reading``, ``mechanism``, ``metric``, ``published``, ``ours``, and ``mean``: printed over ours or, if some number
    is not positive, printed minus ours, which ``unit`` says. ``low`` and ``high`` are the ends of its 95 % interval,
    and ``fits`` says whether that of ours has the printed number. No rows if ours rest on stand-in data.
    """
    rows = predictions[(predictions["exhibit"] == name) & predictions["printed"].notna()]
    run = known.readings[0].reading if known and known.readings else STRICT
    rows = rows[rows["reading"].isin([STRICT, run])]
    rows = rows.sort_values("reading", key=lambda names: names != STRICT, kind="stable", ignore_index=True)
    settings = [str(one) for one in rows if one not in (*PLACED, *PREDICTED) and rows[one].notna().any()]
    printed, ours, low, high = (rows[one] for one in ("printed", "value", "low", "high"))
    ratio = bool((printed > 0).all() and (ours > 0).all())
    return rows[["reading", *settings, "mechanism", "metric"]].assign(
        published=printed,
        ours=ours,
        unit="ratio" if ratio else "difference",
        mean=printed / ours if ratio else printed - ours,
        low=printed / high if ratio else printed - high,
        high=(printed / low).where(low > 0, np.inf) if ratio else printed - low,
        runs=rows["their_runs"],
        theory=np.nan,
        fits=printed.between(low, high),
        standin=False,
    )


def difference_files(job: DifferenceJob, predictions: Sequence[Path], verdicts: Sequence[Path]) -> dict[str, bytes]:
    """Draw how an exhibit's printed numbers differ from ours; return the contents of files by their suffixes."""
    (predicted,), (audited,) = predictions, verdicts
    known = _verdicts(audited).exhibits.get(job.exhibit)
    run = called(known) if known and known.readings else RUN
    return draw_files(job, differences(job.exhibit, _predictions(predicted), known), run)


# Figures of a paper are drawn in one process.
_verdicts = remembered(read)
_predictions = remembered(lambda path: read_numbers(verified(path)))


def draw_files(job: DifferenceJob, cells: pd.DataFrame, run: str = RUN) -> dict[str, bytes]:
    """Draw the cells of `differences` with their record; those not as stated are called `run`."""
    numbers = cells.assign(panel=_panels(cells))[["panel", *cells]]
    parts = numbers["fits"].groupby(numbers["reading"] == STRICT)
    found = [fitting(part.sum(), len(part), STATED if stated else run) for stated, part in reversed([*parts])]
    message = "; ".join(found) or "No printed number can be compared, for want of the data"
    with matplotlib.style.context(["default", RC]):
        drawn = draw(numbers, job, run) if found else Figure((WIDTH, 0), layout="constrained")
        place = f"{job.paper}/differences/{job.exhibit}"
        figure.name(drawn, job.title, f"Recomputed, figures/{place}.csv. Paper: {job.source}.", message)
        return figure.render(drawn, place, job.title, numbers)


def draw(numbers: pd.DataFrame, job: DifferenceJob, run: str = RUN) -> Figure:
    """Draw numbers with columns `panel` and those of `differences`."""
    unit = numbers["unit"].iloc[0]
    metrics, readings = ([*map(str, numbers[name].unique())] for name in ("metric", "reading"))
    parts = dict(iter(numbers.groupby(["metric", "reading"], sort=False)))
    needed = {metric: max(_height(rows) for (name, _), rows in parts.items() if name == metric) for metric in metrics}
    heights = [np.clip(height, LOW, HIGH) for height in needed.values()]
    letters = figure.LETTERS[len(readings)]
    titles = {place: wrapped(_title(rows, numbers, job, run), letters) for place, rows in parts.items()}
    lines = len(metrics) * max(len(title.splitlines()) for title in titles.values())
    ticks_of = {"ratio": 1, "difference": len(metrics)}[unit]  # rows with ticks: differences have units of their own
    height = sum(heights) + TITLE * lines + TICKS * ticks_of + figure.X_LABEL
    drawn = Figure(figsize=(WIDTH, height), dpi=figure.DPI)
    FigureCanvasAgg(drawn)
    shared: dict[str, Any] = {"sharex": "all" if unit == "ratio" else "row", "height_ratios": heights}
    grid = drawn.subplots(len(metrics), len(readings), squeeze=False, **shared)
    for (i, j), axes in np.ndenumerate(grid):
        panel = parts.get((metrics[i], readings[j]))
        if panel is None:
            axes.set_axis_off()
            continue
        axes.set_title(titles[metrics[i], readings[j]], pad=3)
        axes.set_xscale("log" if unit == "ratio" else "linear")
        _draw_panel(axes, panel, job, unit)
        axes.tick_params(axis="y", length=0, labelleft=not j)
    drawn.supxlabel(LABELS[unit])
    ticks.label(drawn.axes)
    keys: list[Artist] = [legend.key("95 % interval", "solid", linewidth=0.8)]
    for fits in sorted({*numbers["fits"]}, reverse=True):
        color = lighter(NEUTRAL, PALE) if fits else NEUTRAL
        keys.insert(0, legend.key("fits" if fits else "does not fit", marker="o", markersize=3.6, color=color))
    legend.place(drawn, keys)
    figure.reserve(drawn, drawn.get_figheight(), legend.arrange(drawn, 0))
    return drawn


def _panels(cells: pd.DataFrame) -> list[str]:
    """Return the letter of each number's panel; panels are counted along the rows of the figure."""
    panels = itertools.product(cells["metric"].unique(), cells["reading"].unique())
    letters = dict(zip(panels, string.ascii_lowercase, strict=False))
    return [letters[panel] for panel in zip(cells["metric"], cells["reading"], strict=True)]


def _title(panel: pd.DataFrame, numbers: pd.DataFrame, job: DifferenceJob, run: str) -> str:
    """Return the title of one of the panels of some numbers; an only panel has no letter."""
    letter, metric, reading = panel[["panel", "metric", "reading"]].iloc[0]
    several = numbers["metric"].nunique() > 1
    title = f"{heading(metric, job.labels)}, " * several + (STATED if reading == STRICT else run)
    return f"({letter}) {title}" if numbers["panel"].nunique() > 1 else title


def _height(rows: pd.DataFrame) -> float:
    return ROW * rows["mechanism"].nunique() + MARK * len(rows)


def _draw_panel(axes: Axes, panel: pd.DataFrame, job: DifferenceJob, unit: str) -> None:
    """Draw a panel from the top, each mechanism on a stripe as high as its numbers need."""
    axes.axvline(EQUAL[unit], color=BLACK, linewidth=0.8, zorder=1.9)
    axes.grid(visible=False, axis="y")
    look_of = looks(panel["mechanism"].unique(), job.looks)
    places, centres, end = pd.Series(0.0, panel.index), [], 0.0
    for mechanism, rows in panel.groupby("mechanism", sort=False):
        start, end = end, end + _height(rows)
        places[rows.index] = np.linspace(start, end, len(rows) + 2)[1:-1]
        centres.append((start + end) / 2)
        axes.axhline(end, color="#e6e6e6", linewidth=0.5, zorder=0)
        color = look_of[str(mechanism)].color
        for fits, part in rows.groupby("fits"):
            axes.errorbar(
                part["mean"],
                places[part.index],
                xerr=_interval(part, unit),
                color=lighter(color, PALE) if fits else color,
                marker="o",
                linestyle="none",
                markersize=3.2,
                markeredgewidth=0,
                elinewidth=0.7,
                zorder=2.5 if fits else 3,
            )
    layers.mark_values(axes, panel["mean"], places)
    axes.margins(x=MARGIN)
    axes.set_ylim(end, 0)
    axes.set_yticks(centres, [job.labels.get(one, one) for one in map(str, look_of)])


def _interval(rows: pd.DataFrame, unit: str) -> np.ndarray:
    mean, low, high = rows["mean"], rows["low"], rows["high"]
    if unit == "ratio":
        low, high = low.clip(lower=mean / WIDEST), high.clip(upper=mean * WIDEST)
    return np.array([mean - low, high - mean])

"""Printed numbers against ours, one figure for each exhibit that has some, all in one style.

A mark for each printed number, by mechanism in the order of printing: printed over ours with its 95 % interval, or
printed minus ours where some number is not positive. Above, our numbers are as stated; below, as run. A mark in full
colour does not fit, a pale one does.
"""

import string

import matplotlib.style
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from claimaudit.papers.jobs import DifferenceJob
from claimaudit.plots import figure, layers, legend, points
from claimaudit.plots.style import BLACK, NEUTRAL, RC, WIDTH, lighter, looks
from claimaudit.results import STRICT
from claimaudit.styles import Style
from claimaudit.words.names import RUN, STATED, heading

PALE = 0.4  # opacity of a number that fits
SPREAD = 0.8  # share of a category's width over which its numbers spread
WIDEST = 30  # the most by which an interval multiplies or divides its ratio
EQUAL = {"ratio": 1.0, "difference": 0.0}
LABELS = {"ratio": "printed / ours", "difference": "printed − ours"}  # noqa: RUF001 (minus sign)


def draw_files(job: DifferenceJob, cells: pd.DataFrame) -> dict[str, bytes]:
    """Draw the cells of `claimaudit.audit.differences` and render them with their record beside them."""
    panels = cells.groupby(["reading", "metric"], sort=False).ngroup()
    numbers = cells.assign(panel=[string.ascii_lowercase[panel] for panel in panels])
    numbers = numbers[["panel", *cells]]
    parts = numbers["fits"].groupby(numbers["reading"] == STRICT)
    found = [f"{part.sum()} of {len(part)} {STATED if stated else RUN}" for stated, part in reversed([*parts])]
    message = f"Printed numbers that fit ours: {', '.join(found) or 'none, for want of the data'}"
    with matplotlib.style.context(["default", RC]):
        drawn = draw(numbers, job) if found else Figure((WIDTH, 0), layout="constrained")
        place = f"{job.paper}/differences/{job.exhibit}"
        figure.name(drawn, job.title, f"Source: {job.source} and own run, figures/{place}.csv", message)
        return figure.render(drawn, place, job.title, numbers)


def draw(numbers: pd.DataFrame, job: DifferenceJob) -> Figure:
    """Draw numbers with columns `panel` and those of `claimaudit.audit.differences.differences`."""
    unit = numbers["unit"].iloc[0]
    several = numbers["metric"].nunique() > 1
    style = Style(
        x="mechanism",
        y=tuple(numbers["metric"].unique()),
        panels={"row": "reading", "column": "metric"},
        lines="metric",
        scale={"y": "log" if unit == "ratio" else "linear"},
        show={"reading": tuple(numbers["reading"].unique())},
        share_y="all",
        labels=job.labels
        | {"panel": "{metric}, {reading}" if several else "{reading}", "metric": LABELS[unit], "mechanism": ""}
        | {name: heading(name, job.labels) for name in numbers["metric"]}
        | dict.fromkeys(numbers["reading"], RUN)
        | {STRICT: STATED},
        looks=job.looks,
    )
    categories = list(numbers["mechanism"].unique())
    look_of = looks(numbers["mechanism"].unique(), job.looks)

    def draw_panel(axes: Axes, panel: pd.DataFrame, style: Style) -> None:
        axes.axhline(EQUAL[unit], color=BLACK, linewidth=0.8, zorder=1.9)
        places = pd.Series(0.0, panel.index)
        for category, rows in panel.groupby("mechanism", sort=False):
            places[rows.index] = categories.index(category) + SPREAD * (
                np.arange(1, len(rows) + 1) / (len(rows) + 1) - 0.5
            )
        for (mechanism, fits), rows in panel.groupby(["mechanism", "fits"], sort=False):
            look = look_of[str(mechanism)]
            axes.errorbar(
                places[rows.index],
                rows["mean"],
                yerr=_interval(rows, unit),
                color=look.color,
                marker=look.marker,
                alpha=PALE if fits else 1,
                linestyle="none",
                markersize=3,
                markeredgewidth=0,
                elinewidth=0.7,
                zorder=2.5 if fits else 3,
            )
        layers.mark_values(axes, places, panel["mean"])
        axes.set_xlim(-0.5, len(categories) - 0.5)
        points.label_categories(axes, [job.labels.get(one, one) for one in map(str, categories)])

    keys = [
        legend.key("does not fit", marker="o", markersize=3.6),
        legend.key("fits", marker="o", markersize=3.6, color=lighter(NEUTRAL, 1 - PALE)),
        legend.key("95 % interval", marker="|", markersize=7, markeredgewidth=0.8),
    ]
    return figure.build(numbers, style, draw_panel, keys)


def _interval(rows: pd.DataFrame, unit: str) -> np.ndarray:
    mean, low, high = rows["mean"], rows["low"], rows["high"]
    if unit == "ratio":
        low, high = low.clip(lower=mean / WIDEST), high.clip(upper=mean * WIDEST)
    return np.array([mean - low, high - mean])

"""Draw a figure of any kind."""

from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib.style
import pandas as pd
from matplotlib.figure import Figure

from claimaudit import results
from claimaudit.plots import apart, curves, heatmap, legend, points, scatter
from claimaudit.plots.figure import name, render
from claimaudit.plots.message import fill
from claimaudit.plots.selection import drawn_numbers, of_the_paper
from claimaudit.plots.style import RC
from claimaudit.published import read_published
from claimaudit.storage import remembered
from claimaudit.styles import FigureJob, Plot, Style
from claimaudit.words.origins import remark

read_table = remembered(results.read)  # figures of a result are drawn in one process

KINDS: dict[Plot, Callable[[pd.DataFrame, Style], Figure]] = {
    "bars": points.draw_bars,
    "cloud": scatter.draw_cloud,
    "curves": curves.draw,
    "diagram": scatter.draw_diagram,
    "heatmap": heatmap.draw,
    "points": points.draw,
    "scatter": scatter.draw,
}
"""What draws each kind of figure from its numbers."""


def draw_files(job: FigureJob, table: Sequence[Path], published: Sequence[Path] = ()) -> dict[str, bytes]:
    """Draw a figure from a result table, with its record beside it, and the file of its printed numbers, if any.

    Returned are the contents of files by their suffixes.

    Raises ValueError if the style does not fit the table.
    """
    style = job.style
    (result,) = table
    rows = read_table(result)
    numbers = drawn_numbers(rows, style, next(map(read_published, published), None))
    with matplotlib.style.context(["default", RC]):
        figure = KINDS[style.plot](numbers, style)
        title, message = job.title, job.message
        if numbers["standin"].any():  # of which nothing follows
            title, message = f"Stand-in data, made up: {title}", None
        if message:  # it is of the numbers themselves: ratios share the error of their divisor
            plain = style.without_ratios()
            message = fill(message, drawn_numbers(rows, plain) if style.bases else numbers, plain)
        name(figure, title, _source(job, message or "", numbers, result), message)
        return render(figure, f"{job.paper}/{job.figure}", job.title, numbers)


def _source(job: FigureJob, message: str, numbers: pd.DataFrame, result: Path) -> str:
    """Return where the numbers of a figure come from, so that a copy can be traced, and what is drawn of them."""
    whose = remark(results.TableRecord.of(results.read_record(result))) or "recomputed"
    said = legend.evidence(numbers, job.style) if job.style.plot in ("curves", "points") else []
    if of_the_paper(numbers, job.style)["panel"].nunique() < numbers["panel"].nunique():
        said.append("ours: not in the paper")
    if "clearly" in message:
        said.append(f"clearly: over {results.CLEAR} s.e.")
    together = apart.said(numbers, job.style) if job.style.plot == "curves" else ""
    parts = [f"{whose}, figures/{job.paper}/{job.figure}.csv", "; ".join(said), together]
    return " ".join(f"{part[0].upper()}{part[1:].removesuffix('.')}." for part in parts if part)

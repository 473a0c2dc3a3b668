"""Draw a figure of any kind.

Command line::

    python -m claimaudit.plots.draw SETTING RESULT.csv [PUBLISHED.csv] OUT.pdf OUT.svg OUT.png OUT.csv OUT.json

SETTING is one JSON string with ``paper``, ``figure``, ``plot``, ``title``, ``message``, ``source`` and ``style``.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.style
import pandas as pd
from matplotlib.figure import Figure

from claimaudit import results
from claimaudit.plots import bars, cloud, curves, diagram, heatmap, points, scatter
from claimaudit.plots.figure import FORMATS, render
from claimaudit.plots.heads import name
from claimaudit.plots.message import fill
from claimaudit.plots.selection import drawn_numbers
from claimaudit.plots.style import RC
from claimaudit.published import read_published
from claimaudit.styles import Plot, Style
from claimaudit.words.origins import remark

KINDS: dict[Plot, Callable[[pd.DataFrame, Style], Figure]] = {
    "bars": bars.draw,
    "cloud": cloud.draw,
    "curves": curves.draw,
    "diagram": diagram.draw,
    "heatmap": heatmap.draw,
    "points": points.draw,
    "scatter": scatter.draw,
}
"""What draws each kind of figure from its numbers."""


def draw_files(setting: Mapping[str, Any], table: Path, published: Path | None) -> dict[str, bytes]:
    """Draw a figure from a result table, with its record beside it, and the file of its printed numbers, if any.

    `setting` has ``paper``, ``figure``, ``plot``, ``title`` and ``style``, and may have ``message`` and ``source``.
    Returned are the contents of files by their suffixes.

    Raises
    ------
    ValueError
        The style does not fit the table.
    """
    style = Style.from_dict(setting["style"])
    numbers = drawn_numbers(results.read(table), style, read_published(published) if published else None)
    with matplotlib.style.context(["default", RC]):
        figure = KINDS[setting["plot"]](numbers, style)
        title, message = setting["title"], setting.get("message")
        if numbers["standin"].any():  # of which nothing follows
            title, message = f"Stand-in data, made up: {title}", None
        message = message and fill(message, numbers, style)
        name(figure, title, _source(setting, numbers, results.read_record(table)), message)
        return render(figure, f"{setting['paper']}/{setting['figure']}", setting["title"], numbers)


def _source(setting: Mapping[str, Any], numbers: pd.DataFrame, record: Mapping[str, Any]) -> str:
    """Return where the numbers of a figure come from, so that a copy can be traced."""
    printed = "; hollow: printed in the paper" if numbers["published"].notna().any() else ""
    file = f"figures/{setting['paper']}/{setting['figure']}.csv"
    paper = setting.get("source", setting["paper"])
    whose = remark(record)
    return f"Source: {f'{paper}, {whose}' if whose else f'own run of {paper}'}, {file}{printed}"


def main(argv: Sequence[str] | None = None) -> None:
    """Draw all files of a figure before writing any."""
    parser = argparse.ArgumentParser(description="Draw a figure.")
    parser.add_argument("setting", type=json.loads, help="the figure as one JSON string")
    parser.add_argument("table", type=Path, help="result table (CSV), its record beside it")
    parser.add_argument("published", type=Path, nargs="?", help="published numbers (CSV), optional")
    for suffix in (*FORMATS, "csv", "json"):
        parser.add_argument(suffix, type=Path, help=f"output {suffix.upper()}")
    arguments = parser.parse_args(argv)
    setting = arguments.setting
    try:
        contents = draw_files(setting, arguments.table, arguments.published)
    except ValueError as error:
        parser.exit(1, f"{setting['paper']} {setting['figure']}: {error}\n")
    for suffix, content in contents.items():
        results.write_bytes(getattr(arguments, suffix), content)


if __name__ == "__main__":
    main()

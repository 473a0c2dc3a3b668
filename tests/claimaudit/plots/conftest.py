"""A small result table and published numbers in the format that plots read."""

from itertools import product

import pandas as pd
import pytest
from written import LOOKS, write_table

from claimaudit.plots.draw import draw_files
from claimaudit.styles import FigureJob, Style


@pytest.fixture
def table():
    """Two n, two fractions, three epsilons, two mechanisms; `mse_counts` has a theory, `are` has none."""
    columns = ["n", "ones_fraction", "epsilon", "reading", "mechanism", "metric", "mean", "theory"]
    rows = []
    for n, fraction, epsilon in product((1000, 200), (0.1, 0.5), (0.1, 1.0, 0.30000000000000004)):
        for mechanism, factor in (("RR", 3.0), ("JRR", 1.0)):
            mse, are = factor * n / epsilon**2 / (1 + fraction), (1 + 2 * fraction) * factor / epsilon / n
            setting = (n, fraction, epsilon, "strict", mechanism)
            rows += [(*setting, "mse_counts", mse, 1.02 * mse), (*setting, "are", are, float("nan"))]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(se=table["mean"] / 20, runs=100, standin=False)[
        [*columns[:-1], "se", "runs", "theory", "standin"]
    ]


@pytest.fixture
def published():
    """Values printed for n = 1000, fraction 0.1, at two epsilons in the table and at one that is not."""
    values = ((0.1, "RR", 2.5e5), (0.3, "RR", 2.9e4), (0.1, "JRR", 9e4), (7.0, "JRR", 1.0))
    printed = pd.DataFrame(values, columns=["epsilon", "mechanism", "value"])
    return printed.assign(n=1000, ones_fraction=0.1, metric="mse_counts", runs=1000)


@pytest.fixture
def style():
    return {
        "x": "epsilon",
        "y": ["mse_counts", "are"],
        "panels": {"column": "n", "row": "metric"},
        "lines": "ones_fraction",
        "scale": {"x": "log", "y": "log"},
        "labels": {"panel": "n = {n:,}", "epsilon": "privacy budget ε", "mse_counts": "MSE (counts²)"},
        "looks": LOOKS,
    }


@pytest.fixture
def draw(tmp_path, table, published, style):
    """Function (with printed numbers or not, message, result table, changes of the style) -> contents by suffix."""

    def make(printed=True, message=None, table=table, **changes):
        result = write_table(table, tmp_path / "fig.csv", paper="jrr")
        published.to_csv(tmp_path / "published.csv", index=False)
        shown = Style.model_validate({**style, **changes}, strict=False)
        job = FigureJob("jrr", "fig", "A figure", message, shown)
        return draw_files(job, [result], [tmp_path / "published.csv"] if printed else [])

    return make

import json

import numpy as np
import pandas as pd
import pytest
from drawing import figure_of

from claimaudit.plots import figure, scatter
from claimaudit.report.markup import inline_svg
from claimaudit.styles import SettingError

pytestmark = pytest.mark.thorough

STYLE = {"plot": "cloud", "x": "nmi", "y": "cpl", "show": {"mechanism": ["GRR"]}, "lines": "dataset"}


def pairs(counts):
    """Return a result table with `counts` ordered pairs per data set; both directions share an NMI, a data property."""
    rng = np.random.default_rng(5)
    places = [(name, f"a{i // 2}", f"b{i // 2}") for name, count in counts.items() for i in range(count)]
    about = [names[1 + i % 2] for i, names in enumerate(places)]
    by = [names[2 - i % 2] for i, names in enumerate(places)]
    base = pd.DataFrame({"dataset": [names[0] for names in places], "about": about, "by": by, "reading": "strict"})
    nmi = np.repeat(rng.random(len(places) // 2) ** 4, 2)  # most are close to zero, as in real data
    grr, exponential = (rng.random(len(places)) * np.sqrt(nmi) for _ in range(2))
    measures = (("GRR", "cpl", grr), ("EXP", "cpl", exponential), ("data", "nmi", nmi))
    tables = [base.assign(mechanism=name, metric=metric, mean=values) for name, metric, values in measures]
    return pd.concat(tables, ignore_index=True).assign(se=0.0, runs=0, theory=np.nan, standin=False)


TABLE = pairs({"CVD": 4, "CelebA": 8})


def drawn(table, **changes):
    drawing, numbers = figure_of(scatter.draw_cloud, table, STYLE, **changes)
    return numbers, drawing


def groups(drawing):
    return [line for line in drawing.axes[0].lines if len(line.get_xdata())]


def test_every_pair_is_a_point_at_its_dependence_and_its_leakage():
    """The two directions of a pair share an NMI, so that only who is attacked distinguishes them."""
    _, drawing = drawn(TABLE)
    found = np.concatenate([line.get_xydata() for line in groups(drawing)])
    wide = TABLE.pivot_table(index=["dataset", "about", "by"], columns=["mechanism", "metric"], values="mean")
    wanted = wide[[("data", "nmi"), ("GRR", "cpl")]].to_numpy()
    assert len(wanted) == 12
    assert [len(line.get_xdata()) for line in groups(drawing)] == [8, 4]  # the smallest lies on top
    crowd = groups(drawn(pairs({"CVD": 4, "CelebA": scatter.MANY}))[1])
    assert [line.get_alpha() for line in (*groups(drawing), *crowd)] == [None, None, *[scatter.OPACITY] * 2]
    assert sorted(map(tuple, found)) == sorted(map(tuple, wanted))


def test_a_bar_spans_the_measures_of_the_points_with_the_same_x():
    whole = TABLE.query("dataset == 'CVD' and metric == 'cpl' and mechanism == 'GRR'").assign(epsilon=[1.0, 1, 2, 2])
    halves = pd.concat([whole, whole.assign(metric="half", mean=whole["mean"] / 2)])
    columns = ["epsilon", *whole.columns.drop("epsilon")]
    _, drawing = drawn(halves[columns], x="epsilon", y=["cpl", "half"], lines="metric")
    bars = [sorted(map(tuple, line.get_xydata())) for line in groups(drawing) if line.get_linestyle() == "-"]
    assert bars == [sorted((x, y) for y in same["mean"]) for x, same in halves.groupby("epsilon")]


@pytest.mark.parametrize("gap", [np.nan, np.inf])
@pytest.mark.parametrize("count", [1, 4, 12])
def test_a_pair_without_a_dependence_has_no_place(gap, count):
    """That of a constant attribute is undefined; even if all are, the figure is drawn."""
    undefined = TABLE.index[TABLE["metric"] == "nmi"][:count]
    numbers, drawing = drawn(TABLE.assign(mean=TABLE["mean"].where(~TABLE.index.isin(undefined), gap)))
    files = figure.render(drawing, "paper/figure", "Title", numbers)
    found = [row for row, _, _ in json.loads(files["json"])["values"]]
    assert sorted(found) == list(numbers.index[np.isfinite(numbers["nmi"])])
    assert len(found) == 12 - count


def test_thousands_of_points_make_a_small_file_that_still_tells_each_value():
    numbers, drawing = drawn(pairs({"CelebA": 1560, "Adult": 182, "CVD": 132}))
    files = figure.render(drawing, "paper/figure", "Title", numbers)
    assert len(files["svg"]) < 300_000
    inline = inline_svg(files["svg"].decode(), "svg-x", "Title")
    assert len(inline) < 150_000
    assert "data:image/png" in inline
    values = json.loads(files["json"])["values"]
    assert sorted(row for row, _, _ in values) == list(numbers.index)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"show": {"mechanism": ["GRR", "EXP"]}}, "one mechanism"),
        ({"lines": "about", "where": None}, "at most 8"),
    ],
)
def test_a_cloud_that_cannot_be_drawn_says_why(changes, message):
    with pytest.raises(SettingError, match=message):
        drawn(pairs({"CVD": 4, "CelebA": 18}), **changes)

import numpy as np
import pandas as pd
import pytest
from drawing import exact, figure_of

from claimaudit.plots import points
from claimaudit.plots.style import COLORS
from claimaudit.styles import SettingError

STYLE = {"plot": "bars", "x": "value", "y": "frequency", "lines": "attribute", "panels": {"column": "dataset"}}
SHARES = {("coin", "X1"): [0.4, 0.6], ("coin", "X2"): [0.9, 0.1], ("die", "X1"): [0.5, 0.3, 0.2]}


@pytest.fixture
def table():
    rows = [(*of, value, share) for of, shares in SHARES.items() for value, share in enumerate(shares, start=1)]
    columns = ["dataset", "attribute", "value", "mean"]
    return exact(rows, columns, mechanism="data", metric="frequency", standin=False)


def bars(table, **changes):
    return figure_of(points.draw_bars, table, STYLE, **changes)[0]


def test_bars_have_their_heights_and_places(table):
    coin, die = bars(table).axes
    first, second = coin.containers
    assert [bar.get_height() for bar in first] == SHARES["coin", "X1"]
    assert [bar.get_height() for bar in second] == SHARES["coin", "X2"]
    centres = [bar.get_x() + bar.get_width() / 2 for bar in [*first, *second]]
    np.testing.assert_allclose(centres, [-0.2, 0.8, 0.2, 1.2])
    assert [label.get_text() for label in coin.get_xticklabels()] == ["1", "2"]
    assert [label.get_text() for label in die.get_xticklabels()] == ["1", "2", "3"]
    assert coin.get_ylim()[0] == 0
    colours = [container[0].get_facecolor() for container in (*coin.containers, *die.containers)]
    assert colours[0] == colours[2] != colours[1]  # those of an attribute, in all panels


def test_what_bars_cannot_show_is_an_error(table):
    two = [table.assign(mechanism=name) for name in ("GRR", "OUE")]
    with pytest.raises(SettingError, match="one mechanism, not GRR, OUE"):
        bars(pd.concat(two))
    many = pd.concat([table.assign(attribute=f"Y{i}") for i in range(len(COLORS) + 1)])
    with pytest.raises(SettingError, match="distinguished"):
        bars(many.drop_duplicates(["dataset", "attribute", "value"]))

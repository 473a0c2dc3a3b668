import numpy as np
import pandas as pd
import pytest

from claimaudit.plots import points
from claimaudit.plots.selection import drawn_numbers
from claimaudit.plots.style import COLORS
from claimaudit.styles import SettingError, Style

STYLE = {"x": "value", "y": "frequency", "lines": "attribute", "panels": {"column": "dataset"}}
SHARES = {("coin", "X1"): [0.4, 0.6], ("coin", "X2"): [0.9, 0.1], ("die", "X1"): [0.5, 0.3, 0.2]}


@pytest.fixture
def table():
    return pd.DataFrame(
        {
            "dataset": dataset,
            "attribute": attribute,
            "value": value,
            "reading": "strict",
            "mechanism": "data",
            "metric": "frequency",
            "mean": share,
            "se": 0.0,
            "runs": 0,
            "theory": np.nan,
            "standin": False,
        }
        for (dataset, attribute), shares in SHARES.items()
        for value, share in enumerate(shares, start=1)
    )


def figure_of(table, **changes):
    style = Style.model_validate({**STYLE, **changes}, strict=False)
    return points.draw_bars(drawn_numbers(table, style), style)


def test_bars_have_their_heights_and_places(table):
    coin, die = figure_of(table).axes
    first, second = coin.containers
    assert [bar.get_height() for bar in first] == SHARES["coin", "X1"]
    assert [bar.get_height() for bar in second] == SHARES["coin", "X2"]
    centres = [bar.get_x() + bar.get_width() / 2 for bar in [*first, *second]]
    np.testing.assert_allclose(centres, [-0.2, 0.8, 0.2, 1.2])
    assert [label.get_text() for label in coin.get_xticklabels()] == ["1", "2"]
    assert [label.get_text() for label in die.get_xticklabels()] == ["1", "2", "3"]
    assert coin.get_ylim()[0] == 0


def test_an_attribute_keeps_its_colour_in_all_panels(table):
    coin, die = figure_of(table).axes
    colours = [container[0].get_facecolor() for container in (*coin.containers, *die.containers)]
    assert colours[0] == colours[2] != colours[1]


def test_what_bars_cannot_show_is_an_error(table):
    with pytest.raises(SettingError, match="'lines'"):
        figure_of(table[(table["dataset"] == "coin") & (table["attribute"] == "X1")], lines=None)
    many = pd.concat([table.assign(attribute=f"Y{i}") for i in range(len(COLORS) + 1)])
    with pytest.raises(SettingError, match="distinguished"):
        figure_of(many.drop_duplicates(["dataset", "attribute", "value"]))

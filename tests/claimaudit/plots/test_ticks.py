import pandas as pd
import pytest
from matplotlib.figure import Figure

from claimaudit.plots import ticks
from claimaudit.words.numbers import MINUS


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2e-5, "2·10⁻⁵"),
        (1.25e5, "1.25·10⁵"),
        (-3e6, f"{MINUS}3·10⁶"),
    ],
)
def test_numbers_are_plain_text(value, text):
    assert ticks.number(value) == text


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (1e-3, 2, [1e-3, 1e-2, 0.1, 1]),
        (9e-3, 0.3, [0.01, 0.02, 0.05, 0.1, 0.2]),
        (1e-9, 10, [1e-9, 1e-6, 1e-3, 1]),
        (7000, 9500, [7000, 7500, 8000, 8500, 9000, 9500]),
    ],
)
def test_ticks_are_few_and_round(low, high, expected):
    assert ticks.powers(low, high, 5) == pytest.approx(expected)


def test_few_values_that_do_not_fit_leave_ticks_at_all_and_labels_at_some_and_both_ends():
    axes = Figure(figsize=(1, 1)).subplots()
    ticks.set_scale(axes, "x", "log", pd.Series([20, 200, 2000, 20_000, 200_000, 2_000_000]))
    assert [label.get_text() for label in axes.get_xticklabels()] == ["20", "", "2,000", "", "", "2·10⁶"]


def test_panels_of_one_quantity_have_ticks_of_one_style():
    panels = Figure(figsize=(2, 2)).subplots(1, 2)
    for axes, low in zip(panels, (1e-6, 0.01), strict=True):
        axes.set(yscale="log", ylim=(low, 1))
    ticks.label(panels)
    assert [label.get_text() for label in panels[1].get_yticklabels()] == ["10⁻²", "10⁻¹", "1"]
    assert len(panels[0].get_yticks()) == ticks.FEW  # as it is narrow


@pytest.mark.parametrize(
    ("scale", "limits", "width", "expected"),
    [
        ({"value": "symlog", "linthresh": 1}, (-0.5, 2e4), None, ["0", "1", "100", "10,000"]),
        ({"value": "symlog", "linthresh": 0.004}, (-0.4, 0.4), 100, ["−0.1", "−0.01", "0", "0.01", "0.1"]),  # noqa: RUF001
        ({"value": "log"}, (75, 30_000), 54, ["10²", "10³", "10⁴"]),
        ({"value": "log"}, (75, 30_000), 120, ["100", "1,000", "10,000"]),
    ],
)
def test_powers_leave_room_for_their_labels(scale, limits, width, expected):
    axes = Figure().subplots()
    axes.set_xscale(**scale)
    axes.set_xlim(limits)
    ticks.label_powers(axes.xaxis, 4, *filter(None, [width]))
    assert [label.get_text() for label in axes.get_xticklabels()] == expected


@pytest.mark.parametrize(
    ("low", "high", "width", "expected"),
    [(1.7, 8.3, 54, [2, 4, 6, 8]), (-5, 105, 70, [0, 50, 100]), (-0.05, 1.05, 150, [0, 0.2, 0.4, 0.6, 0.8, 1])],
)
def test_even_ticks_are_as_close_as_their_labels_fit(low, high, width, expected):
    assert ticks.evenly(low, high, 8, width) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scale", "limits", "expected"),
    [
        ("log", (9e-6, 6e-4), ["10⁻⁵", "2·10⁻⁵", "5·10⁻⁵", "10⁻⁴", "2·10⁻⁴", "5·10⁻⁴"]),
        ("log", (7e-4, 2.6e-3), ["0.0008", "0.001", "0.0012", "0.0015", "0.002", "0.0025"]),
        ("log", (0.45, 1.9), ["0.5", "0.6", "0.8", "1", "1.2", "1.5"]),
        ("log", (0.018, 0.3), ["0.02", "0.05", "0.1", "0.2"]),
        ("log", (3e-6, 0.02), ["10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"]),
        ("log", (0.5, 2e5), ["1", "10", "10²", "10³", "10⁴", "10⁵"]),
        ("linear", (0, 1.1), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ("linear", (0, 4.2e5), ["0", "10⁵", "2·10⁵", "3·10⁵", "4·10⁵"]),
    ],
)
def test_an_axis_has_one_notation(scale, limits, expected):
    axes = Figure().subplots()
    axes.set(yscale=scale, ylim=limits)
    ticks.label([axes])
    assert [label.get_text() for label in axes.get_yticklabels()] == expected


def test_a_logarithmic_axis_reaches_to_a_tick_that_is_nearer_than_the_last_within():
    axes = Figure().subplots()
    ticks.set_scale(axes, "y", "log", pd.Series([0.011, 3.9]))
    assert [axes.dataLim.y0, axes.dataLim.y1] == pytest.approx([0.01, 3.9])

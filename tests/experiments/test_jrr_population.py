import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from corrldp.experiments.jrr.axes import POPULATION
from corrldp.experiments.jrr.population import Setting

DEFAULTS = {name: axis.default for name, axis in POPULATION.items()}


def points(choices=None, **setting):
    made = Setting.model_validate(setting, strict=False)
    return list(made.points({**DEFAULTS, **(choices or {})}))


def only(points, *names):
    return [tuple(point[name] for name in names) for point in points]


def test_every_n_meets_every_fraction_and_epsilon():
    found = points(n=[10, 20], ones_fraction=[0.1, 1], epsilon=[0.5, 1])
    assert only(found, "n", "n1", "ones_fraction", "epsilon") == [
        (n, round(n * fraction), fraction, epsilon) for n in (10, 20) for fraction in (0.1, 1) for epsilon in (0.5, 1)
    ]
    assert {point["colluders"] for point in found} == {5}


def test_a_fraction_that_is_no_number_of_users_is_left_out():
    found = points(n=[20, 100, 1000], ones_fraction=[0.01, 0.29], epsilon=[1])
    assert only(found, "n", "n1") == [(100, 1), (100, 29), (1000, 10), (1000, 290)]


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_imbalance_is_the_distance_from_one_half(n, n1):
    (point,) = points(populations=[{"dataset": "x", "n": n, "n1": min(n, n1)}], epsilon=[1])
    assert point["imbalance"] == pytest.approx(2 * abs(point["n1"] / n - 0.5), abs=1e-12)


def test_given_populations_are_kept_as_they_are():
    populations = [{"dataset": "a", "n": 7, "n1": 3}, {"dataset": "b", "n": 8, "n1": 0}]
    found = points(populations=populations, epsilon=[1], colluders=[2])
    assert only(found, "dataset", "n", "n1", "colluders") == [("a", 7, 3, 2), ("b", 8, 0, 2)]


@pytest.mark.parametrize(("axis", "value"), [("n", 40), ("epsilon", 0.3), ("colluders", 1)])
def test_an_axis_decides_what_the_setting_leaves_open(axis, value):
    setting = {"n": [10, 20], "ones_fraction": [0.5], "epsilon": [0.5, 1], "colluders": [2, 3]}
    found = points({axis: value, "choice": "optimum"}, **{name: setting[name] for name in setting if name != axis})
    assert {point[axis] for point in found} == {value}
    assert len(found) == len(points(**setting)) / 2
    assert all(point["n1"] == point["n"] / 2 for point in found)


def test_an_axis_decides_nothing_that_the_setting_does():
    setting = {"n": [10], "ones_fraction": [0.5], "epsilon": [0.5], "colluders": [2]}
    assert points({"n": 40, "epsilon": 0.3, "colluders": 1}, **setting) == points(**setting)


def test_colluders_as_a_fraction_of_the_other_users():
    found = points(n=[1001], ones_fraction=[0], epsilon=[1], colluders_fraction=[0, 0.0001, 0.001, 0.9, 1])
    assert only(found, "colluders") == [(0,), (0,), (1,), (900,), (1000,)]
    assert only(found, "colluders_fraction") == [(0,), (0.0001,), (0.001,), (0.9,), (1,)]


def test_at_most_all_others_collude():
    found = points(n=[4, 20], ones_fraction=[0.5], epsilon=[1], colluders=[5])
    assert only(found, "n", "colluders") == [(4, 3), (20, 5)]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"epsilon": [1]}, "state who takes part once: by populations, or by ones_fraction and n"),
        ({"populations": [{"n": 2, "n1": 1}], "ones_fraction": [1]}, "takes part once"),
        ({"populations": [{"n": 2, "n1": 1}], "n": [10]}, "takes part once"),
        ({"ones_fraction": [1], "colluders": [1], "colluders_fraction": [1]}, "both colluders and colluders_fraction"),
        ({"populations": [{"n": 2, "n1": 3}]}, r"n1=3 must lie in 0\.\.n=2"),
    ],
)
def test_settings_that_contradict_themselves(setting, words):
    with pytest.raises(ValidationError, match=words):
        points(**setting)

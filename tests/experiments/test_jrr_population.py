import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrldp.experiments.jrr.population import DEFAULT_COLLUDERS, settings


def only(points, *names):
    return [tuple(point[name] for name in names) for point in points]


def test_every_n_meets_every_fraction_and_epsilon():
    points = settings({"n": [10, 20], "ones_fraction": [0.1, 1], "epsilon": [0.5, 1]}, {})
    assert only(points, "n", "n1", "ones_fraction", "epsilon") == [
        (n, round(n * fraction), fraction, epsilon) for n in (10, 20) for fraction in (0.1, 1) for epsilon in (0.5, 1)
    ]
    assert {point["colluders"] for point in points} == {DEFAULT_COLLUDERS}


def test_a_fraction_that_is_no_number_of_users_is_left_out():
    points = settings({"n": [20, 100, 1000], "ones_fraction": [0.01, 0.29], "epsilon": [1]}, {})
    assert only(points, "n", "n1") == [(100, 1), (100, 29), (1000, 10), (1000, 290)]


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_imbalance_is_the_distance_from_one_half(n, n1):
    (point,) = settings({"populations": [{"dataset": "x", "n": n, "n1": min(n, n1)}], "epsilon": [1]}, {})
    assert point["imbalance"] == pytest.approx(2 * abs(point["n1"] / n - 0.5), abs=1e-12)


def test_given_populations_are_kept_as_they_are():
    populations = [{"dataset": "a", "n": 7, "n1": 3}, {"dataset": "b", "n": 8, "n1": 0}]
    points = settings({"populations": populations, "epsilon": [1], "colluders": [2]}, {})
    assert only(points, "dataset", "n", "n1", "colluders") == [("a", 7, 3, 2), ("b", 8, 0, 2)]


@pytest.mark.parametrize(("axis", "value"), [("n", 40), ("epsilon", 0.3), ("colluders", 1)])
def test_an_axis_overrides_the_setting_of_its_name(axis, value):
    setting = {"n": [10, 20], "ones_fraction": [0.5], "epsilon": [0.5, 1], "colluders": [2, 3]}
    points = settings(setting, {axis: value, "choice": "optimum"})
    assert {point[axis] for point in points} == {value}
    assert len(points) == len(settings(setting, {})) / 2
    assert all(point["n1"] == point["n"] / 2 for point in points)


def test_colluders_as_a_fraction_of_the_other_users():
    setting = {"n": [1001], "ones_fraction": [0], "epsilon": [1], "colluders_fraction": [0, 0.0001, 0.001, 0.9, 1]}
    points = settings(setting, {})
    assert only(points, "colluders") == [(0,), (0,), (1,), (900,), (1000,)]
    assert only(points, "colluders_fraction") == [(0,), (0.0001,), (0.001,), (0.9,), (1,)]


def test_at_most_all_others_collude():
    points = settings({"n": [4, 20], "ones_fraction": [0.5], "epsilon": [1], "colluders": [5]}, {})
    assert only(points, "n", "colluders") == [(4, 3), (20, 5)]

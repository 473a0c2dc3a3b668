"""Who takes part in the JRR experiments, how (p, rho) is chosen, and the optimum of which Algorithm 1 is a search."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jrr.runners import axes, population
from jrr.runners.axes import POPULATION
from jrr.runners.population import PopulationSetting, choose, optimum, protocols, search
from listed_pairings import literal_algorithm1, populations
from pydantic import ValidationError

from corrldp.data.table import Table
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.privacy import algorithm1, claimed_epsilon, feasible_rho, rr_parameters

pytestmark = pytest.mark.thorough

DEFAULTS = {name: axis.default for name, axis in POPULATION.items()}


def points(choices=None, **setting):
    made = PopulationSetting.model_validate(setting, strict=False)
    return list(made.points({**DEFAULTS, **(choices or {})}))


def only(points, *names):
    return [tuple(point[name] for name in names) for point in points]


def test_every_n_meets_every_fraction_and_epsilon():
    found = points(n=[10, 20], ones_fraction=[0.1, 1], epsilon=[0.5, 1])
    assert only(found, "n", "n1", "ones_fraction", "epsilon") == [
        (n, round(n * fraction), fraction, epsilon) for n in (10, 20) for fraction in (0.1, 1) for epsilon in (0.5, 1)
    ]
    assert {point["colluders"] for point in found} == {5}


GIVEN = [{"dataset": "a", "n": 7, "n1": 3}, {"dataset": "b", "n": 8, "n1": 0}]


@pytest.mark.parametrize(
    ("setting", "names", "expected"),
    [
        # Left out where it is no number of users.
        ({"n": [20, 100, 1000], "ones_fraction": [0.01, 0.29]}, "n n1", [(100, 1), (100, 29), (1000, 10), (1000, 290)]),
        ({"populations": GIVEN, "colluders": [2]}, "dataset n n1 colluders", [("a", 7, 3, 2), ("b", 8, 0, 2)]),
        (
            {"n": [1001], "ones_fraction": [0], "colluders_fraction": [0, 0.0001, 0.001, 0.9, 1]},
            "colluders_fraction colluders",
            [(0, 0), (0.0001, 0), (0.001, 1), (0.9, 900), (1, 1000)],
        ),
        ({"n": [4, 20], "ones_fraction": [0.5], "colluders": [5]}, "n colluders", [(4, 3), (20, 5)]),
    ],
    ids=["fractions", "given populations", "fractions of colluders", "at most all others collude"],
)
def test_who_takes_part(setting, names, expected):
    assert only(points(epsilon=[1], **setting), *names.split()) == expected


@pytest.mark.parametrize(("axis", "value"), [("n", 40), ("epsilon", 0.3), ("colluders", 1)])
def test_an_axis_decides_what_the_setting_leaves_open_and_no_more(axis, value):
    setting = {"n": [10, 20], "ones_fraction": [0.5], "epsilon": [0.5, 1], "colluders": [2, 3]}
    assert points({axis: value}, **setting) == points(**setting)
    found = points({axis: value, "choice": "optimum"}, **{name: setting[name] for name in setting if name != axis})
    assert {point[axis] for point in found} == {value}
    assert len(found) == len(points(**setting)) / 2
    assert all(point["n1"] == point["n"] / 2 for point in found)


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


STRICT = {name: axis.default for name, axis in (axes.POPULATION | axes.PARAMETERS).items()} | {"n1": 1000}
RR_P = math.exp(0.1) / (1 + math.exp(0.1))


@pytest.mark.parametrize(("choice", "rho_step"), [("algorithm1", None), ("one_loop", 3)])
@given(half=st.integers(1, 50), share=st.floats(0, 1), epsilon=st.floats(0.001, 1), step=st.floats(0.005, 0.3))
@settings(max_examples=200)
def test_nothing_is_found_exactly_where_algorithm_1_returns_null(choice, rho_step, half, share, epsilon, step):
    """Without its inner loop it tries one rho for each p, as if the step of rho were 3."""
    n = 2 * half
    colluders = round(share * (n - 1))
    cell = {**STRICT, "n": n, "epsilon": epsilon, "colluders": colluders, "grid_step": step, "choice": choice}
    found, expected = choose(cell), literal_algorithm1(n, epsilon, colluders, step, rho_step or step)
    assert (found is None) == (expected is None)
    assert found is None or (found.p, found.rho) == pytest.approx(expected, abs=1e-9)


def test_the_strict_rule_is_algorithm_1_at_the_step_of_table_4():
    expected = algorithm1(10_000, 0.1, 5, 0.0001, 0.0001)
    assert choose(STRICT) == expected
    assert choose({**STRICT, "choice": "smallest_rho"}) == JointRandomizedResponse(RR_P, 1 - 1 / RR_P)
    assert choose({**STRICT, "choice": "optimum"}) == optimum(10_000, STRICT["n1"], 0.1, 5)
    assert choose({**STRICT, "grid_step": 0.0003}) == algorithm1(10_000, 0.1, 5, 0.0003, 0.0003) != expected
    assert choose({**STRICT, "rho_step": 10.0}) == algorithm1(10_000, 0.1, 5, 0.0001, 0.001) != expected


def test_a_vanishing_step_leaves_plain_rr():
    limit = choose({**STRICT, "grid_step": "limit"})
    assert (limit.p, limit.rho) == (pytest.approx(RR_P), 0)
    fine = [search(10_000, 0.1, 5, step) for step in (1e-6, 1e-7, 1e-8)]
    gaps = [abs(found.p - limit.p) + abs(found.rho) for found in fine]
    assert gaps == pytest.approx([gaps[0], gaps[0] / 10, gaps[0] / 100], rel=0.01)


def test_a_vanishing_step_without_colluders_leaves_the_smallest_rho():
    limit, fine = choose({**STRICT, "colluders": 0, "grid_step": "limit"}), search(10_000, 0.1, 0, 1e-9)
    assert (limit.p, limit.rho) == pytest.approx((RR_P, 1 - 1 / RR_P))
    assert (fine.p, fine.rho) == pytest.approx((limit.p, limit.rho), abs=1e-8)


def test_rr_and_jrr_are_built_from_the_parameters():
    found, chosen = dict(protocols(STRICT)), choose(STRICT)
    assert found["RR"] == JointRandomizedResponse(rr_parameters(0.1).p, 0)
    assert found["JRR"] == JointRandomizedResponse(chosen.p, chosen.rho)
    assert list(dict(protocols({**STRICT, "epsilon": 0.0001}))) == ["RR"]
    alike = dict(protocols({**STRICT, "baseline": "parameter"}))
    assert alike == {**found, "RR": JointRandomizedResponse(chosen.p, 0)}


@given(populations(), st.floats(1e-3, 6), st.floats(0, 1), st.integers(0, 10**6))
@settings(max_examples=60)
def test_no_feasible_point_beats_the_optimum(group, epsilon, share, seed):
    """Random feasible (p, rho), many of them near the boundary, and the least and the largest rho of each p."""
    n, colluders = group
    n1 = round(share * n)
    found = optimum(n, n1, epsilon, colluders)
    best = JointRandomizedResponse(found.p, found.rho).variance_of_counts(n1, n)
    assert claimed_epsilon(found, n, colluders) <= epsilon * (1 + 1e-9)
    rng, plain = np.random.default_rng(seed), rr_parameters(epsilon).p
    for u, v in rng.random((150, 2)):
        p = plain - u**3 * (plain - 0.5)
        if p <= 0.5:
            continue
        lowest, highest = feasible_rho(p, epsilon, n, colluders)
        for rho in (lowest, highest, lowest + v * (highest - lowest)):
            assert JointRandomizedResponse(p, rho).variance_of_counts(n1, n) >= best * (1 - 1e-9)


@given(st.sampled_from([1e-6, 1e-3, 1.0, 20.0, 30.0]), st.integers(2, 9), st.data())
def test_extreme_settings(epsilon, n, data):
    n1, colluders = data.draw(st.integers(0, n)), data.draw(st.integers(0, n - 1))
    found = optimum(n, n1, epsilon, colluders)
    best = JointRandomizedResponse(found.p, found.rho).variance_of_counts(n1, n)
    plain = rr_parameters(epsilon)
    assert best <= JointRandomizedResponse(plain.p, plain.rho).variance_of_counts(n1, n)
    if colluders == n - 1 and n % 2 == 0:
        assert found == plain


CODES = np.array([[1, 0], [0, 1], [1, 1], [1, 0]])
SETTING = {"counted": {"shop": "small_view"}, "printed": [{"dataset": "press", "n": 20, "n1": 5}]}


def test_counts(table):
    """The first column of the view is the binary value; the second one is not counted."""
    views = {"small_view": Table(CODES, ("recommended", "rated"), (("no", "yes"),) * 2, standin=True)}
    rows = table(population.datasets, SETTING, views=views)
    found = rows.pivot(index="dataset", columns="metric", values="mean").to_dict("index")
    assert found == {
        "shop": {"users": 4, "ones": 3, "ones_share": 0.75},
        "press": {"users": 20, "ones": 5, "ones_share": 0.25},
    }
    assert rows.groupby("dataset")["standin"].unique().map(list).to_dict() == {"shop": [True], "press": [False]}
    assert (rows["runs"] == 0).all()
    assert set(rows["mechanism"]) == {"data"}

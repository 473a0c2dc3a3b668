"""The copy probability p_y over the marginals, and the preprint's choice of it."""

import numpy as np
import pytest
from shared.runners import copying
from shared.runners.copying import law_of, lowest_error, pair_error, side_of
from shared.runners.second_phase import CopyingPair, theorem_4
from shared.runners.two_phases import RULES

from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.rules import theorem_5

pytestmark = pytest.mark.thorough

PETS = {"pivot": "f_s", "sides": True, "pivot_frequency": [0.2, 0.7], "steps": 20, "n2": 500, "epsilon": 1}
PREPRINT = {**PETS, "pivot": "f_k", "sides": False}


def by_reading(rows, pivot):
    return rows.pivot(index=[pivot, "f_j"], columns="py_rule", values="mean")


@pytest.fixture(scope="module")
def pets(table):
    return table(copying.grid, PETS, {"py_rule": ["body", "appendix", "exact"]})


def test_the_exact_rule_is_the_best_of_a_fine_grid(pets):
    grid, grr = np.linspace(0, 1, 401), GRR(1.0, 2)
    for (f_s, f_j), p_y in by_reading(pets, "f_s")["exact"].items():
        follower, pivot = np.array([1 - f_j, f_j]), np.array([1 - f_s, f_s])
        errors = [theorem_5(follower, pivot, candidate, 500, grr).mean() for candidate in grid]
        assert p_y == pytest.approx(grid[int(np.argmin(errors))], abs=2.5e-3)


def test_the_formula_of_the_preprints_appendix_is_exact_for_two_values(table):
    rows = table(copying.grid, PREPRINT, {"py_rule": ["preprint", "preprint_appendix", "exact"]})
    rules = by_reading(rows, "f_k")
    np.testing.assert_allclose(rules["preprint_appendix"], rules["exact"], atol=1e-9)
    assert (np.abs(rules["preprint"] - rules["exact"]) > 0.1).any()
    assert list(rows.columns[:3]) == ["f_k", "f_j", "reading"]


def test_the_exact_rule_of_the_preprint_is_the_best_of_a_fine_grid():
    rng, grr, grid = np.random.default_rng(3), GRR(1.0, 4), np.linspace(0, 1, 2001)
    for first in rng.dirichlet(np.ones(4), size=(20, 3)):
        copy = RULES["preprint_exact"](first, 500, grr)
        for j, k in ((0, 1), (0, 2), (1, 2)):
            errors = theorem_4(first[j], first[k], grid, 500, grr).mean(axis=-1)
            assert copy[j, k] == copy[k, j] == pytest.approx(grid[int(np.argmin(errors))], abs=5e-4)


def test_sides():
    for pivot, towards, away in ((0.2, (0.5, 0.9), (0.1,)), (0.7, (0.6, 0.7), (0.9,))):
        found = [side_of(pivot, follower) for follower in (*towards, *away)]
        assert [one["side"] for one in found] == ["toward_half"] * 2 + ["away"]
        assert [one["distance"] for one in found] == pytest.approx([abs(pivot - one) for one in (*towards, *away)])


def test_p_y_falls_with_the_distance_on_the_side_of_one_half(pets):
    exact = pets[(pets["py_rule"] == "exact") & (pets["side"] == "toward_half")].sort_values("distance")
    for _, rows in exact.groupby("f_s"):
        assert (np.diff(rows["mean"]) <= 1e-12).all()
        assert rows["mean"].iloc[-1] < rows["mean"].iloc[0]


SETTING = {"k": [2, 3], "epsilon": [1], "laws": ["uniform", "falling", "rising", "peaked"], "n2": 500}
SETTING["formula"] = ["preprint", "preprint_appendix"]


@pytest.mark.parametrize("p_y", [0.0, 0.4, 1.0])
def test_error_of_a_pair_is_the_enumerated_one(p_y):
    pair = CopyingPair("near", GRR(1.0, 3), p_y)
    enumerated = np.mean([pair.average_error(j) for j in range(2)])
    assert pair_error(pair.frequencies, p_y, pair.n2, pair.mechanism) == pytest.approx(enumerated, rel=1e-9)


@pytest.mark.parametrize(("first", "second"), [("uniform", "uniform"), ("falling", "peaked"), ("rising", "uniform")])
@pytest.mark.parametrize("k", [2, 5])
def test_lowest_error_is_that_of_a_fine_grid(k, first, second):
    f, grr = np.stack([law_of(first, k), law_of(second, k)]), GRR(1.0, k)
    grid = [pair_error(f, p_y, 500, grr) for p_y in np.linspace(0, 1, 1001)]
    assert lowest_error(f, 500, grr) == pytest.approx(min(grid), rel=1e-4)
    assert lowest_error(f, 500, grr) <= min(grid) * (1 + 1e-9)


@pytest.fixture(scope="module")
def rows(table):
    return table(copying.procedure, SETTING)


def test_the_procedure_is_right_for_equal_marginals_only(rows):
    errors = rows[rows["metric"] == "error"].pivot(
        index=["k", "formula", "first", "second", "equal_marginals"], columns="mechanism", values="mean"
    )
    ratio = (errors["chosen"] / errors["best"]).reset_index(name="ratio")
    assert (ratio["ratio"] > 1 - 1e-9).all()
    assert (ratio[ratio["equal_marginals"] == 1]["ratio"] < 1.001).all()
    assert (ratio[ratio["equal_marginals"] == 0]["ratio"] > 1.4).any()


def test_the_appendix_minimises_its_own_average(rows):
    found = rows[rows["metric"] == "stationary_point"]
    assert len(found) == 12 + 16
    np.testing.assert_allclose(found["mean"], found["theory"], rtol=1e-9)

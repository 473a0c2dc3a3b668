"""Lemmas of Section 4.4, Algorithm 1, and where JRR loses to RR."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jrr.runners import parameters
from jrr.runners.parameters import relative_increase, underperforming_range
from jrr.runners.population import choose
from picked import rows_of

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.privacy import claimed_epsilon, corner, rr_parameters

pytestmark = pytest.mark.thorough

SETTING = {
    "largest_n": 36,
    "rho": [-1, -0.5, 0, 1],
    "populations": [{"n": 100, "n1": 10}, {"n": 100, "n1": 50}, {"n": 100, "n1": 53}, {"n": 100, "n1": 56}],
    "p": [0.51, 0.6, 0.8, 0.99],
    "n": [10, 100],
}


@pytest.fixture(scope="module")
def found(table):
    return table(parameters.lemmas, SETTING)


def test_lemma_1_by_the_printed_range(found):
    rows = rows_of(found, lemma="lemma_1")
    distance = np.abs(rows["n1"] / rows["n"] - 0.5) - 0.5 / np.sqrt(rows["n"])
    side = np.where(np.abs(distance) < 1e-12, "boundary", np.where(distance < 0, "inside", "outside"))
    np.testing.assert_array_equal(rows["side"], side)
    np.testing.assert_array_equal(np.sign(rows["mean"]), np.select([side == "outside", side == "inside"], [1, -1], 0))
    assert set(rows.loc[rows["side"] == "boundary", "n"]) == {4, 16, 36}


@pytest.mark.parametrize(
    ("lemma", "expected"),
    [
        ("lemma_2", lambda rows: factor(rows["rho"], rows["n"], rows["n1"])),
        ("lemma_3", lambda rows: 0.25 * (1 / (2 * rows["p"] - 1) ** 2 - 1)),
        ("along_rho", lambda rows: eq_21(rows["p"], rows["rho"], rows["n"], rows["n1"])),
        # The rho that every p in the list admits: the smallest one at the largest p.
        ("along_p", lambda rows: eq_21(rows["p"], 1 - 1 / 0.99, rows["n"], rows["n1"])),
    ],
)
def test_values_are_the_formulas(found, lemma, expected):
    rows = rows_of(found, lemma=lemma)
    np.testing.assert_allclose(rows["mean"], expected(rows), rtol=1e-9)
    if lemma == "along_rho":
        sides = rows.groupby("n1")["side"].first().to_dict()
        assert sides == {10: "outside", 50: "inside", 53: "inside", 56: "outside"}


HEURISTIC_SETTING = {
    "n": [100, 10_000],
    "ones_fraction": [0.1, 0.5, 1],
    "epsilon": [0.0001, 0.1, 1],
    "colluders": [0, 5],
    "step": [0.001, 0.0001, 0.000001],
}
KEY = ["n", "n1", "epsilon", "colluders", "step"]


def factor(rho, n, n1):
    return n + rho * ((2 * n1 - n) ** 2 - n) / (n - 1)


def eq_21(p, rho, n, n1):
    """Exactly for fractions, too."""
    return p * (1 - p) / (2 * p - 1) ** 2 * factor(rho, n, n1)


def test_mean_squared_error_belongs_to_the_parameters(table):
    found = table(parameters.heuristic, HEURISTIC_SETTING)
    wide = found.pivot(index=KEY, columns=["mechanism", "metric"], values="mean").reset_index()
    assert len(wide) == 2 * 3 * 3 * 2 * 3
    for mechanism in ("RR", "JRR", "optimal JRR"):
        rows = wide[wide[mechanism, "p"].notna()]
        expected = eq_21(rows[mechanism, "p"], rows[mechanism, "rho"], rows["n"], rows["n1"])
        np.testing.assert_allclose(rows[mechanism, "mse_counts"], expected, rtol=1e-6, err_msg=mechanism)


def test_pairs_tried_are_those_of_the_printed_loops():
    n, epsilon, colluders, step = 100, 1, 5, 0.01
    count, p = 0, 1 / (1 + np.exp(-epsilon)) - step
    while p > 0.5:
        rho = 1 - 1 / p
        while rho <= 1:
            count += 1
            if claimed_epsilon(JointRandomizedResponse(p, rho), n, colluders) <= epsilon:
                found = parameters.search(n, epsilon, colluders, step)
                assert (found.p, found.rho) == pytest.approx((p, rho))
                assert parameters.pairs_tried(1 / (1 + np.exp(-epsilon)), found, step) == count
                return
            rho += step
        p -= step
    raise AssertionError("no pair is feasible")


READINGS = {
    "grid_step": [0.0001, 0.0005, 0.005],
    "choice": ["algorithm1", "smallest_rho"],
    "colluders": [2, 0, 1],
    "frequencies": ["real", "counts"],
}


def brute_force(p, rho, plain, n, resolution):
    """RI and length of the range around n/2 in which JRR is worse, on a grid of `resolution` points per user.

    Numbers within 1e-12 count as equal, as do those that differ by the rounding of p and rho alone.
    """
    p, rho, target = Fraction(p), Fraction(rho), eq_21(Fraction(plain), 0, n, 0)
    grid = [Fraction(i, resolution) for i in range(n * resolution + 1)]
    worse = [n1 for n1 in grid if eq_21(p, rho, n, n1) / target - 1 > Fraction(1, 10**12)]
    return float(eq_21(p, rho, n, Fraction(n, 2)) / target - 1), float(max(worse) - min(worse)) / n if worse else 0


def test_every_reading_against_all_frequencies(experiment, table):
    setting = {"n": [4, 16, 50], "epsilon": [0.02, 0.1, 1]}
    rows = table(parameters.worst_case, setting, READINGS).set_index(["reading", "n", "epsilon", "metric"])["mean"]
    axes_of = experiment(parameters.worst_case, setting, READINGS).readings
    assert set(rows.index.get_level_values("reading")) == set(axes_of)
    for (label, n, epsilon), found in rows.unstack("metric").iterrows():
        axes = axes_of[label]
        point = {"n": n, "n1": n // 2, "epsilon": epsilon, "colluders": min(axes["colluders"], n - 1)}
        chosen = choose({**axes, **point})
        resolution, slack = (1, 0) if axes["frequencies"] == "counts" else (20, 2 / 20 / n)
        increase, length = brute_force(chosen.p, chosen.rho, rr_parameters(epsilon).p, n, resolution)
        assert found["ri"] == pytest.approx(increase, rel=1e-9, abs=1e-12)
        assert found["r"] == pytest.approx(length, abs=slack + 2e-12)


@given(st.integers(1, 10**6), st.floats(1e-3, 5))
def test_closed_forms_at_the_smallest_rho(half, epsilon):
    """R = 1/sqrt n, and RI = -rho/(n - 1) with rho = -exp(-epsilon)."""
    n = 2 * half
    jrr, rr = (JointRandomizedResponse(c.p, c.rho) for c in (corner(10_000, epsilon, 0), rr_parameters(epsilon)))
    assert relative_increase(jrr, rr, n) == pytest.approx(np.exp(-epsilon) / (n - 1), rel=1e-6, abs=1e-13)
    assert underperforming_range(jrr, rr, n, "real") == pytest.approx(n**-0.5, rel=1e-4)


@pytest.mark.parametrize("frequencies", ["real", "counts"])
@pytest.mark.parametrize(
    ("ours", "p", "range_"),
    [((0.6, 0.0), 0.7, 1), ((0.7, 0.0), 0.7, 0), ((0.8, -0.1), 0.6, 0)],
    ids=["a smaller p loses everywhere", "equal", "a better one never loses"],
)
def test_underperforming_ranges(ours, p, range_, frequencies):
    ours, rr = JointRandomizedResponse(*ours), JointRandomizedResponse(p, 0.0)
    assert underperforming_range(ours, rr, 100, frequencies) == range_
    assert ours != rr or relative_increase(ours, rr, 100) == 0


def test_null_readings_have_no_rows(table):
    found = table(parameters.worst_case, {"n": [100], "epsilon": [0.0001]}, READINGS)
    assert set(found["reading"]) == {"choice=smallest_rho"}
    assert (found["runs"] == 0).all()


def test_the_corner_has_no_row_where_no_p_admits_the_smallest_rho(table):
    setting = {"n": [1000, 2000], "epsilon": [0.01]}
    rows, plain = (table(parameters.worst_case, setting, {"choice": ["corner"], "colluders": [m]}) for m in (5, 0))
    assert (set(rows["n"]), set(plain["n"])) == ({2000}, {1000, 2000})
    assert (plain["mean"] > 0).all()

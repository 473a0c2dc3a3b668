import math

import numpy as np
import pytest

from corrldp.experiments.jrr import parameters
from corrldp.results import axes_of

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


def of(found, lemma):
    return found[found["lemma"] == lemma]


def test_settings_tell_all_rows_apart(found):
    settings, _ = axes_of(found)
    assert not found.duplicated(settings).any()
    assert set(found["lemma"]) == {"lemma_1", "lemma_2", "lemma_3", "along_p", "along_rho", "appendix_h"}


def test_lemma_1_by_the_printed_range(found):
    rows = of(found, "lemma_1")
    assert len(rows) == sum(n + 1 for n in range(2, 37, 2))
    np.testing.assert_array_equal(rows["mean"], (2 * rows["n1"] - rows["n"]) ** 2 - rows["n"])
    distance = np.abs(rows["n1"] / rows["n"] - 0.5) - 0.5 / np.sqrt(rows["n"])
    side = np.where(np.abs(distance) < 1e-12, "boundary", np.where(distance < 0, "inside", "outside"))
    np.testing.assert_array_equal(rows["side"], side)
    assert set(rows.loc[rows["side"] == "boundary", "n"]) == {4, 16, 36}


def test_lemma_2_is_the_factor_of_the_variance(found):
    rows = of(found, "lemma_2")
    assert len(rows) == 4 * len(of(found, "lemma_1"))
    excess = (2 * rows["n1"] - rows["n"]) ** 2 - rows["n"]
    np.testing.assert_allclose(rows["mean"], rows["n"] + rows["rho"] * excess / (rows["n"] - 1))
    zero = rows[np.abs(rows["mean"]) < 1e-9]
    at_the_ends = (zero["rho"] == -1) & zero["n1"].isin([0]) | (zero["rho"] == -1) & (zero["n1"] == zero["n"])
    two_users = (zero["n"] == 2) & (zero["n1"] == 1) & (zero["rho"] == 1)
    assert (at_the_ends | two_users).all()
    assert (at_the_ends.sum(), two_users.sum()) == (2 * 18, 1)
    assert (rows["mean"] > -1e-9).all()


def test_lemma_3_values(found):
    rows = of(found, "lemma_3")
    np.testing.assert_allclose(rows["mean"], 0.25 * (1 / (2 * rows["p"] - 1) ** 2 - 1))
    assert np.isinf(rows["rho"]).sum() == 0


def test_objective_is_eq_21(found):
    rows = of(found, "along_rho")
    spread = rows["p"] * (1 - rows["p"]) / (2 * rows["p"] - 1) ** 2
    excess = (2 * rows["n1"] - rows["n"]) ** 2 - rows["n"]
    np.testing.assert_allclose(rows["mean"], spread * (rows["n"] + rows["rho"] * excess / (rows["n"] - 1)))
    assert rows.groupby(["n", "n1"])["side"].first().to_dict() == {
        (100, 10): "outside",
        (100, 50): "inside",
        (100, 53): "inside",
        (100, 56): "outside",
    }


def test_along_p_holds_rho_fixed(found):
    """The rho that every p in the list admits: the smallest one at the largest p."""
    rows = of(found, "along_p")
    rho = 1 - 1 / 0.99
    spread = rows["p"] * (1 - rows["p"]) / (2 * rows["p"] - 1) ** 2
    excess = (2 * rows["n1"] - rows["n"]) ** 2 - rows["n"]
    np.testing.assert_allclose(rows["mean"], spread * (rows["n"] + rho * excess / (rows["n"] - 1)), rtol=1e-9)


@pytest.mark.parametrize(("side", "sign"), [("outside", 1), ("inside", -1)])
def test_direction_along_rho(found, side, sign):
    rows = of(found, "along_rho")
    for _, group in rows[rows["side"] == side].groupby(["n", "n1", "p"]):
        assert len(group) == 9
        assert (sign * np.diff(group.sort_values("rho")["mean"]) > 0).all()


def test_appendix_h_is_eq_20(found):
    for _, row in of(found, "appendix_h").iterrows():
        n, m, p, rho = row["n"], row["colluders"], row["p"], row["rho"]
        q = 1 - p
        p_max, p_min = max((1 - rho) * p, p + rho * q), min((1 - rho) * q, q + rho * p)
        expected = math.log((m * p_max + (n - m - 1) * p) / (m * p_min + (n - m - 1) * q))
        assert row["mean"] == pytest.approx(expected, rel=1e-9)

import numpy as np
import pytest
from shared.runners import controls, errors
from shared.runners.controls import joint_law, records
from shared.runners.data import marginal_of, merged_correlations

PAIR = {"marginals": ["equal", "different"], "dependence": ["none", "strong"], "n": [20000], "k": [4], "epsilon": [0.5]}
SYN_A = {"dataset": ["syn_a"], "k": [4], "rho": [0.9]}


@pytest.mark.parametrize("marginals", ["equal", "different"])
@pytest.mark.parametrize("dependence", ["none", "strong", "full"])
@pytest.mark.parametrize("k", [2, 4, 7])
def test_joint_laws_have_the_stated_marginals(marginals, dependence, k):
    law, first = joint_law(marginals, dependence, k), np.array(marginal_of("pi", k))
    assert (law >= 0).all()
    np.testing.assert_allclose(law.sum(axis=1), first, atol=1e-12)
    np.testing.assert_allclose(law.sum(axis=0), first if marginals == "equal" else first[::-1], atol=1e-12)


def test_dependence_is_as_strong_as_the_marginals_allow():
    codes = np.arange(4)[None]
    for marginals, found in {"equal": (0, 1, 1), "different": (0, 0.8, -1)}.items():
        laws = [joint_law(marginals, dependence, 4) for dependence in ("none", "strong", "full")]
        correlations = [merged_correlations(law, codes, codes)[0, 0] for law in laws]
        assert correlations == pytest.approx(found, abs=1e-12)
        for law in laws:  # of as many records as there are
            first, second = records(law, 10_000).marginals()
            np.testing.assert_array_equal(first, [4000, 3000, 2000, 1000])
            np.testing.assert_array_equal(second, first if marginals == "equal" else first[::-1])


CONTROL = {**PAIR, "n": [10000], "epsilon": [2], "dependence": ["none", "full"], "mechanisms": ["SPL", "Corr-RR"]}


def test_spl_is_indifferent_and_corr_rr_follows_the_frequencies(table):
    """|z| < 4.5 in 4 rows: false alarms 3e-5."""
    rows = table(controls.two_attributes, CONTROL, {"py_rule": ["preprint"]}, runs=400)
    squared = rows[rows["metric"] == "mse"].set_index(["mechanism", "marginals", "dependence"])
    spl = squared.loc["SPL"]
    assert spl["theory"].to_numpy() == pytest.approx(spl["theory"].iloc[0], rel=1e-9)
    assert (np.abs(spl["mean"] - spl["theory"]) < 4.5 * spl["se"]).all()
    corr_rr = squared.loc["Corr-RR"]["mean"]
    assert corr_rr["different", "full"] > 10 * corr_rr["equal", "none"]
    fall = rows[rows["metric"] == "mse_fall"].set_index(["mechanism", "marginals"])["mean"]
    assert fall["Corr-RR", "equal"] == pytest.approx(1 - corr_rr["equal", "full"] / corr_rr["equal", "none"])
    assert len(fall) == 4  # of dependent attributes alone


def test_p_y_comes_closer_to_that_of_the_true_marginals_with_the_budget(table):
    setting = {**SYN_A, "n": [200000], "d": [2], "epsilon": [0.1, 8], "phase1_fraction": [0.1]}
    rows = table(errors.p_y, setting, {"py_rule": ["exact"]}, runs=40).pivot_table("mean", "epsilon", "metric")
    assert rows.loc[8, "p_y_error"] < 0.01 < rows.loc[0.1, "p_y_error"]
    assert 0 <= rows.loc[8, "p_y_cost"] < 0.01 < rows.loc[0.1, "p_y_cost"]
    copied = table(errors.p_y, setting, {"py_rule": ["always_copy"]}, runs=40).pivot_table("mean", "epsilon", "metric")
    assert (copied["p_y_error"] == 0).all()
    assert (copied["p_y_cost"] > 0).all()  # against the best p_y, not against what the same rule gives

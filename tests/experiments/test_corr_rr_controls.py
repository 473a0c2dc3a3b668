import numpy as np
import pytest
from corrldp.experiments.corr_rr.synthetic_data import marginal_of

from corrldp.experiments.corr_rr import budgets, controls, repaired, stability
from corrldp.experiments.corr_rr.controls import correlation, joint_law

PAIR = {"marginals": ["equal", "different"], "dependence": ["none", "strong"], "n": [20000], "k": [4], "epsilon": [0.5]}
SYN_A = {"dataset": ["syn_a"], "k": [4], "rho": [0.9]}


@pytest.mark.parametrize("marginals", ["equal", "different"])
@pytest.mark.parametrize("dependence", ["none", "strong"])
@pytest.mark.parametrize("k", [2, 4, 7])
def test_joint_laws_have_the_stated_marginals(marginals, dependence, k):
    law, first = joint_law(marginals, dependence, k), np.array(marginal_of("pi", k))
    assert (law >= 0).all()
    np.testing.assert_allclose(law.sum(axis=1), first, atol=1e-12)
    np.testing.assert_allclose(law.sum(axis=0), first if marginals == "equal" else first[::-1], atol=1e-12)


def test_dependence_is_as_strong_as_the_marginals_allow():
    assert correlation(joint_law("equal", "strong", 4)) == pytest.approx(1)
    assert correlation(joint_law("different", "strong", 4)) == pytest.approx(0.8)
    for marginals in ("equal", "different"):
        assert correlation(joint_law(marginals, "none", 4)) == pytest.approx(0, abs=1e-12)


def test_only_the_marginals_matter_to_corr_rr(table):
    """The exact error of estimates from marginal counts depends on the joint law by O(1/n) only."""
    rows = table(controls, {**PAIR, "mechanisms": ["Corr-RR oracle"]}, runs=400)
    errors = rows[rows["metric"] == "mse"].set_index(["marginals", "dependence"])
    for marginals in ("equal", "different"):
        none, strong = errors.loc[(marginals, "none")], errors.loc[(marginals, "strong")]
        assert abs(none["mean"] - strong["mean"]) < 4 * np.hypot(none["se"], strong["se"])
    assert errors.loc[("different", "strong"), "mean"] > 2 * errors.loc[("equal", "none"), "mean"]


def test_repair_lowers_the_error_of_raw_estimates(table):
    setting = {
        **SYN_A,
        "n": [2000],
        "d": [4],
        "epsilon": [0.1],
        "phase1_fraction": [0.1],
        "mechanisms": ["SPL", "Corr-RR"],
    }
    rows = table(repaired, {**setting, "postprocess": ["none", "clip_normalise"]}, runs=50)
    errors = rows.set_index(["mechanism", "postprocess"])["mean"].unstack()
    assert (errors["clip_normalise"] < errors["none"]).all()


def test_the_amplified_budget_protects_one_attribute_but_no_whole_record(table):
    setting = {"d": [3], "k": [2], "epsilon": [0.5], "p_y": [1], "largest_domain": 64, "amplify": [False, True]}
    rows = table(budgets, setting)
    exact = rows[rows["mechanism"] == "RS+FD"].set_index(["amplify", "level"])["mean"]
    amplified = np.log(3 * np.expm1(0.5) + 1)
    assert exact[True, "attribute"] == pytest.approx(0.5)
    assert exact[True, "record"] == pytest.approx(amplified)
    assert exact[False, "record"] == pytest.approx(0.5)
    assert exact[False, "attribute"] < 0.5


def test_p_y_comes_closer_to_that_of_the_true_marginals_with_the_budget(table):
    setting = {**SYN_A, "n": [200000], "d": [2], "epsilon": [0.1, 8], "phase1_fraction": [0.1]}
    rows = table(stability, setting, {"py_rule": ["exact"]}, runs=40).set_index("epsilon")
    assert rows.loc[8, "mean"] < 0.01 < rows.loc[0.1, "mean"]
    assert set(rows["metric"]) == {"p_y_error"}

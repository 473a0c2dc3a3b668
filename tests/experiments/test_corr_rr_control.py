import numpy as np
import pytest
from corrldp.experiments.corr_rr.control import records
from corrldp.experiments.corr_rr.correlation import correlations

from corrldp.experiments.corr_rr import control

SETTING = {
    "n": [10000],
    "k": [4],
    "epsilon": [2],
    "frequencies": ["equal", "different"],
    "dependence": ["none", "full"],
    "mechanisms": ["SPL", "Corr-RR"],
}
STRICT = {"py_rule": ["preprint"]}


@pytest.mark.parametrize("frequencies", ["equal", "different"])
def test_dependence_leaves_the_marginals_as_they_are(frequencies):
    none, full = (records(10000, 4, frequencies, dependence) for dependence in ("none", "full"))
    np.testing.assert_array_equal(none.marginals(), full.marginals())
    first, second = full.marginals()
    np.testing.assert_array_equal(first, [4000, 3000, 2000, 1000])
    np.testing.assert_array_equal(second, first if frequencies == "equal" else first[::-1])


def test_dependence_is_all_or_nothing():
    assert correlations(records(10000, 4, "equal", "none"))[0, 0, 1] == pytest.approx(0, abs=1e-9)
    assert correlations(records(10000, 4, "equal", "full"))[0, 0, 1] == pytest.approx(1)
    assert correlations(records(10000, 4, "different", "full"))[0, 0, 1] == pytest.approx(-1)


def test_spl_is_indifferent_and_corr_rr_follows_the_frequencies(table):
    rows = table(control, SETTING, STRICT, runs=400)
    errors = rows[rows["metric"] == "mse"].set_index(["mechanism", "frequencies", "dependence"])
    spl = errors.loc["SPL"]
    assert spl["theory"].to_numpy() == pytest.approx(spl["theory"].iloc[0], rel=1e-9)
    assert (np.abs(spl["mean"] - spl["theory"]) < 4.5 * spl["se"]).all()
    corr_rr = errors.loc["Corr-RR"]["mean"]
    assert corr_rr["different", "full"] > 10 * corr_rr["equal", "none"]


def test_the_copy_probability_does_not_see_the_dependence(table):
    rows = table(control, SETTING, {"py_rule": ["preprint", "exact"]})
    p_y = rows[rows["metric"] == "p_y"].set_index(["reading", "frequencies", "dependence"])["mean"].unstack()
    np.testing.assert_array_equal(p_y["none"], p_y["full"])
    assert p_y.loc[("strict", "equal"), "none"] == 1

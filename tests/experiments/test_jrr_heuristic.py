import numpy as np
import pytest

from corrldp.experiments.jrr import parameters
from corrldp.protocols.jrr.privacy import claimed_epsilon

SETTING = {
    "n": [100, 10_000],
    "ones_fraction": [0.1, 0.5, 1],
    "epsilon": [0.0001, 0.1, 1],
    "colluders": [0, 5],
    "step": [0.001, 0.0001, 0.000001],
}
KEY = ["n", "n1", "epsilon", "colluders", "step"]


@pytest.fixture(scope="module")
def wide(table):
    wide = table(parameters.heuristic, SETTING).pivot(index=KEY, columns=["mechanism", "metric"], values="mean")
    assert len(wide) == 2 * 3 * 3 * 2 * 3
    return wide.reset_index()


def eq_21(p, rho, n, n1):
    return p * (1 - p) / (2 * p - 1) ** 2 * (n + rho * ((2 * n1 - n) ** 2 - n) / (n - 1))


@pytest.mark.parametrize("mechanism", ["RR", "JRR", "optimal JRR"])
def test_mean_squared_error_belongs_to_the_parameters(wide, mechanism):
    rows = wide[wide[mechanism, "p"].notna()]
    expected = eq_21(rows[mechanism, "p"], rows[mechanism, "rho"], rows["n"], rows["n1"])
    np.testing.assert_allclose(rows[mechanism, "mse_counts"], expected, rtol=1e-6)


def test_rr_is_plain(wide):
    np.testing.assert_allclose(wide["RR", "p"], 1 / (1 + np.exp(-wide["epsilon"])))
    assert (wide["RR", "rho"] == 0).all()


def test_nothing_is_found_exactly_where_the_first_step_leaves_no_p(wide):
    null = 1 / (1 + np.exp(-wide["epsilon"])) - wide["step"] <= 0.5
    np.testing.assert_array_equal(wide["JRR", "found"], ~null)
    for metric in ("p", "rho", "mse_counts"):
        np.testing.assert_array_equal(wide["JRR", metric].isna(), null)
    assert null.sum() == 2 * 3 * 2 * 2


def test_room_for_a_correlation_at_the_p_of_rr(wide):
    """None as soon as anyone colludes; without colluders, the whole domain of rho."""
    np.testing.assert_allclose(wide.loc[wide["colluders"] > 0, ("RR", "smallest_rho")], 0, atol=1e-12)
    alone = wide[wide["colluders"] == 0]
    np.testing.assert_allclose(alone["RR", "smallest_rho"], 1 - 1 / alone["RR", "p"])


def test_the_optimum_is_at_least_as_good_as_both(wide):
    best = wide["optimal JRR", "mse_counts"] * (1 - 1e-12)
    assert (best <= wide["RR", "mse_counts"]).all()
    found = wide["JRR", "found"] == 1
    assert (best[found] <= wide.loc[found, ("JRR", "mse_counts")]).all()


def test_a_finer_grid_brings_jrr_closer_to_rr(wide):
    rows = wide[(wide["colluders"] == 5) & (wide["epsilon"] == 1) & (wide["n"] == 10_000) & (wide["n1"] == 1000)]
    by_step = rows.set_index("step")
    share = (by_step["JRR", "mse_counts"] / by_step["RR", "mse_counts"]).sort_index()
    assert share[0.000001] == pytest.approx(1, abs=0.01)
    assert (np.diff(share) < 0).all()


def test_pairs_tried_are_those_of_the_printed_loops():
    n, epsilon, colluders, step = 100, 1, 5, 0.01
    count, p = 0, 1 / (1 + np.exp(-epsilon)) - step
    while p > 0.5:
        rho = 1 - 1 / p
        while rho <= 1:
            count += 1
            if claimed_epsilon(p, rho, n, colluders) <= epsilon:
                found = parameters.search(n, epsilon, colluders, step)
                assert (found.p, found.rho) == pytest.approx((p, rho))
                assert parameters.pairs_tried(1 / (1 + np.exp(-epsilon)), found, step) == count
                return
            rho += step
        p -= step
    raise AssertionError("no pair is feasible")

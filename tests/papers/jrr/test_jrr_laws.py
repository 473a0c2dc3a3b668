"""Equations and proofs of the JRR paper."""

import numpy as np
import pytest
from jrr.runners import laws
from picked import number, rows_of

SHARED = {"p": [0.525, 0.75, 0.9], "rho_share": [0.3, 1], "n": [2, 4, 6], "k": [2, 3, 5]}
SETTINGS = {
    laws.equations: {**SHARED, "positive_rho": [0.4], "examples": [0.8, -0.1875]},
    laws.proofs: {**SHARED, "other_rho": [0, 0.4, 1]},
}
EXACT = {
    laws.equations: [
        *("theorem_1", "theorem_3", "theorem_5", "eq_17", "eq_45_max", "eq_45_min", "eq_83", "eq_84", "eq_27_total")
    ],
    laws.proofs: ["theorem_1", "theorem_3", "eq_12", "eq_62", "eq_65", "eq_80", "eq_86", "missing_peer", "mpc_pair"],
}
OTHERS = {
    laws.equations: {
        *("eq_82", "eq_79", "rho_is_correlation", "table_1"),
        *(f"example_{i}_{what}" for i in (1, 2) for what in ("variance", "covariance", "epsilon")),
    },
    laws.proofs: {"eq_81", "table_2_smallest", "mpc_tokens"},
}


@pytest.fixture(scope="module")
def tables(table):
    return {runner: table(runner, setting) for runner, setting in SETTINGS.items()}


@pytest.fixture(scope="module")
def found(tables):
    return tables[laws.equations]


@pytest.mark.parametrize("runner", SETTINGS, ids=lambda runner: runner.name)
def test_identities_are_all_accounted_for(tables, runner):
    assert set(tables[runner]["identity"]) == {*EXACT[runner], *OTHERS[runner]}
    assert (tables[runner]["runs"] == 0).all()
    for identity in EXACT[runner]:
        rows = rows_of(tables[runner], identity=identity)
        np.testing.assert_allclose(rows["mean"], rows["theory"], rtol=1e-9, atol=1e-12, err_msg=identity)


def test_both_lie_with_the_other_sign_than_eq_82_prints(found):
    rows = rows_of(found, identity="eq_82")
    excess = rows["mean"] - rows["theory"]
    np.testing.assert_allclose(excess, 2 * rows["rho"] * rows["p"] * (1 - rows["p"]), atol=1e-12)
    assert (excess < -1e-3).all()


def test_numerator_in_appendix_h_is_not_the_printed_one(found):
    rows = rows_of(found, identity="eq_79")
    p, rho = rows["p"], rows["rho"]
    np.testing.assert_allclose(rows["mean"], np.where(rho < 0, -rho * p, rho * (1 - p)), rtol=1e-9)
    np.testing.assert_allclose(rows["theory"], 2 * rho.abs() * p * (1 - p), rtol=1e-9)
    assert not np.isclose(rows["mean"], rows["theory"], rtol=0.01).any()


def test_rho_of_k_jrr_is_a_multiple_of_the_correlation(found):
    rows = rows_of(found, identity="rho_is_correlation")
    np.testing.assert_allclose(rows["mean"], rows["theory"] / (rows["k"] - 1), rtol=1e-9)
    assert set(rows["k"]) == {2, 3, 5}


def test_golden_numbers_of_the_examples_and_of_table_1(found):
    for example, variance, covariance, digits in ((1, 0.89, 0.0, 2), (2, 0.72, -0.03, 10)):
        at = f"example_{example}"
        assert number(found, identity=f"{at}_variance") == pytest.approx(variance, abs=0.005)
        assert number(found, identity=f"{at}_covariance") == pytest.approx(covariance, abs=0.5 * 10.0**-digits)
        assert number(found, identity=f"{at}_epsilon") == pytest.approx(np.log(4), abs=1e-10)
    rows = rows_of(found, identity="table_1").set_index("case")["mean"]
    assert rows.to_dict() == pytest.approx({"TT": 0.61, "TF": 0.19, "FT": 0.19, "FF": 0.01}, abs=1e-12)


def test_terms_of_eq_81_are_exchanged(tables):
    rows = rows_of(tables[laws.proofs], identity="eq_81")
    rows = rows.pivot(index=["p", "rho"], columns="case", values=["mean", "theory"])
    np.testing.assert_allclose(rows["mean", "R = +1"], rows["theory", "R = -1"])
    np.testing.assert_allclose(rows["mean", "R = -1"], rows["theory", "R = +1"], atol=1e-12)
    assert (rows["mean", "R = +1"] > rows["theory", "R = +1"]).all()


def test_table_2_has_no_negative_cell_from_the_smallest_rho_on(tables):
    rows = rows_of(tables[laws.proofs], identity="table_2_smallest").set_index("case")["mean"]
    assert rows["at"].to_numpy() == pytest.approx(0, abs=1e-12)
    assert (rows["below"] < -1e-6).all()
    assert (rows["above"] > 1e-6).all()


def test_tokens_after_shuffling_differ_by_position_and_not_by_original_id(tables):
    """Of the other n - 1 users, n/2 have an ID of the other parity."""
    rows = rows_of(tables[laws.proofs], identity="mpc_tokens").pivot(index="n", columns="case", values="mean")
    assert (rows["position"] == 1).all()
    sizes = rows.index.to_numpy()
    np.testing.assert_allclose(rows["original ID"], sizes / 2 / (sizes - 1))

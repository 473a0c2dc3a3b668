import numpy as np
import pytest

from corrldp.experiments.jrr import laws

SETTING = {"p": [0.525, 0.75, 0.9], "rho_share": [0.3, 1], "other_rho": [0, 0.4, 1], "n": [2, 4, 6], "k": [2, 3, 5]}
EXACT = ["theorem_1", "theorem_3", "eq_12", "eq_62", "eq_65", "eq_80", "eq_86", "missing_peer", "mpc_pair"]


@pytest.fixture(scope="module")
def found(table):
    return table(laws.proofs, SETTING)


def test_identities_are_all_accounted_for(found):
    assert set(found["identity"]) == {*EXACT, "eq_81", "table_2_smallest", "mpc_tokens"}
    assert (found["runs"] == 0).all()


@pytest.mark.parametrize("identity", EXACT)
def test_identities_that_hold(found, identity):
    rows = found[found["identity"] == identity]
    assert rows["theory"].notna().all()
    np.testing.assert_allclose(rows["mean"], rows["theory"], rtol=1e-9, atol=1e-12)


def test_terms_of_eq_81_are_exchanged(found):
    rows = found[found["identity"] == "eq_81"].pivot(index=["p", "rho"], columns="case", values=["mean", "theory"])
    np.testing.assert_allclose(rows["mean", "R = +1"], rows["theory", "R = -1"])
    np.testing.assert_allclose(rows["mean", "R = -1"], rows["theory", "R = +1"], atol=1e-12)
    assert (rows["mean", "R = +1"] > rows["theory", "R = +1"]).all()


def test_table_2_has_no_negative_cell_from_the_smallest_rho_on(found):
    rows = found[found["identity"] == "table_2_smallest"].set_index("case")["mean"]
    assert rows["at"].to_numpy() == pytest.approx(0, abs=1e-12)
    assert (rows["below"] < -1e-6).all()
    assert (rows["above"] > 1e-6).all()


def test_tokens_after_shuffling_differ_by_position_and_not_by_original_id(found):
    """Of the other n - 1 users, n/2 have an ID of the other parity."""
    rows = found[found["identity"] == "mpc_tokens"].pivot(index="n", columns="case", values="mean")
    assert (rows["position"] == 1).all()
    sizes = rows.index.to_numpy()
    np.testing.assert_allclose(rows["original ID"], sizes / 2 / (sizes - 1))

import numpy as np
import pytest
from picked import rows_of
from shared.runners import laws
from shared.runners.second_phase import CopyingPair, records_of

from corrldp.mechanisms.grr import GRR

SETTING = {
    "k": [2, 3, 5],
    "epsilon": [0.5, 2],
    "frequency": [0, 0.25, 1],
    "users": 8,
    "cases": ["equal", "opposite", "near"],
    "p_y": [0, 0.4, 1],
}

HOLD = {
    "pets": [
        *("grr_ratio", "grr_mean", "phase_1_mean", "copy_total", "theorem_5"),
        *("proposition_1_appendix", "procedure_appendix"),
    ],
    "preprint": ["grr_mean", "phase_1_mean"],
}

HOLD_FOR_TWO_VALUES = {
    "pets": ["complement"],
    "preprint": ["p_1_plus_q_1", "p_2_plus_q_2", "copy_total", "pi_total", "theorem_4", "proposition_1_appendix"],
}
OTHERS = {
    "pets": ["grr_variance", "theorem_5_fixed", "proposition_1_body", "procedure_body", "equal_frequencies"],
    "preprint": ["grr_variance_ratio", "proposition_1_body", "eq_4", "symmetry_point"],
}
BIASES = ["rs_fd_bias", "rs_fd_bias_grr_estimator", "phase_2_bias"]


@pytest.fixture(scope="module")
def tables(table):
    return {version: table(laws.formulas, {"version": version, **SETTING}) for version in HOLD}


@pytest.mark.parametrize("version", HOLD)
def test_formulas_that_hold_always_or_for_two_values_only(tables, version):
    known = {*HOLD[version], *HOLD_FOR_TWO_VALUES[version], *OTHERS[version], *BIASES}
    assert set(tables[version]["identity"]) == known
    assert (tables[version]["runs"] == 0).all()
    for identity in [*HOLD[version], *HOLD_FOR_TWO_VALUES[version]]:
        rows = rows_of(tables[version], identity=identity)
        assert set(rows["k"]) == {2, 3, 5}
        right = rows if identity in HOLD[version] else rows[rows["k"] == 2]
        np.testing.assert_allclose(right["mean"], right["theory"], rtol=1e-9, atol=1e-12, err_msg=identity)
        others = rows.drop(right.index)
        assert others.empty or (np.abs(others["mean"] - others["theory"]) > 1e-3).mean() > 0.6, identity


def test_the_complement_is_off_by_k_minus_2_times_q(tables):
    """The text prints p - Delta f for 1 - q - Delta f, and p = 1 - (k - 1) q."""
    rows = rows_of(tables["pets"], identity="complement")
    q = 1 / (np.exp(rows["epsilon"]) + rows["k"] - 1)
    np.testing.assert_allclose(rows["mean"] - rows["theory"], (rows["k"] - 2) * q, atol=1e-12)


def test_the_printed_variance_is_that_of_an_absent_value(tables):
    rows = rows_of(tables["pets"], identity="grr_variance")
    missing = rows["frequency"] * (rows["k"] - 2) / np.expm1(rows["epsilon"])
    np.testing.assert_allclose(rows["mean"] - rows["theory"], missing, rtol=1e-9, atol=1e-9)
    ratio = rows_of(tables["preprint"], identity="grr_variance_ratio")
    np.testing.assert_allclose(ratio["mean"].to_numpy(), (rows["mean"] / rows["theory"]).to_numpy())


def test_given_records_err_less_than_random_ones(tables):
    """Theorem 5 treats the users' records as random draws and so overstates the variance, never understates it."""
    rows = rows_of(tables["pets"], identity="theorem_5_fixed")
    excess = rows["theory"] - rows["mean"]
    assert excess.min() > -1e-12
    assert excess.max() > 1e-2


def test_with_equal_frequencies_every_p_y_has_the_same_error(tables):
    for (k, epsilon), rows in rows_of(tables["pets"], identity="equal_frequencies").groupby(["k", "epsilon"]):
        grr = GRR(epsilon, k)
        variance = (grr.q_support + grr.gap / k) * (1 - grr.q_support - grr.gap / k) / (k * k * grr.gap**2)
        np.testing.assert_allclose(rows["mean"], variance, rtol=1e-9)
        assert len(rows) > 2


def test_proposition_1_has_the_wrong_sign_in_the_body(tables):
    rows = rows_of(tables["pets"], identity="proposition_1_body")
    np.testing.assert_allclose(rows["theory"], -rows["mean"], rtol=1e-7)
    procedure = rows_of(tables["pets"], identity="procedure_body")
    assert set(procedure["theory"]) <= {0.0, 1.0}
    assert ((procedure["mean"] > 0) & (procedure["mean"] < 1)).any()


def test_symmetry_of_eq_4_needs_equal_marginals(tables):
    rows = rows_of(tables["preprint"], identity="eq_4")
    equal = rows["equal_marginals"] == 1
    np.testing.assert_allclose(rows["mean"][equal], rows["theory"][equal], rtol=1e-9)
    assert not np.allclose(rows["mean"][~equal], rows["theory"][~equal], rtol=1e-3)


def test_golden_facts_of_the_preprint(tables):
    """For k values p_y + (k - 1)(1 - p_y) copies: with k = 5 and p_y = 0.4 it is 2.8. At one half p_y is no matter."""
    rows = rows_of(tables["preprint"], identity="copy_total")
    assert rows.loc[(rows["k"] == 5) & (rows["p_y"] == 0.4), "mean"].unique() == pytest.approx([2.8])
    rows = rows_of(tables["preprint"], identity="symmetry_point")
    np.testing.assert_allclose(rows["mean"], 1, rtol=1e-12)
    assert set(rows["p_y"]) == {0, 0.25, 0.75, 1}


def test_biases(tables):
    for table in tables.values():
        assert rows_of(table, identity="rs_fd_bias")["mean"].abs().max() < 1e-12
        assert rows_of(table, identity="rs_fd_bias_grr_estimator")["mean"].abs().max() > 0.05
        phase_2 = rows_of(table, identity="phase_2_bias")
        copied = phase_2[(phase_2["p_y"] == 1) & (phase_2["equal_marginals"] == 1)]
        assert copied["mean"].abs().max() < 1e-12
        assert phase_2["mean"].abs().max() > 0.05


def test_reports_of_a_pair_by_hand():
    """A user with (0, 1), k = 2: attribute 1 is reported, or copies attribute 2's report with probability p_y."""
    grr, p_y = GRR(1.0, 2), 0.3
    pair = CopyingPair("uniform", grr, p_y)
    (user,) = np.flatnonzero((pair.records == [0, 1]).all(axis=1))
    p, q = grr.p_support, grr.q_support
    assert pair.reports[user, 0, 0] == pytest.approx((p + p_y * q + (1 - p_y) * p) / 2, rel=1e-12)
    assert pair.reports[user, 1, 1] == pytest.approx((p + p_y * q + (1 - p_y) * p) / 2, rel=1e-12)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_marginals_of_the_cases(k):
    falling = np.arange(k, 0, -1) / (k * (k + 1) / 2)
    for case, second in {"equal": falling, "opposite": falling[::-1]}.items():
        np.testing.assert_allclose(CopyingPair(case, GRR(1.0, k), 0.5).frequencies, [falling, second])
    assert (records_of("near", k)[:, 0] != records_of("near", k)[:, 1]).sum() == 1
    assert CopyingPair("near", GRR(1.0, k), 0.5).point(0)["equal_marginals"] == 0

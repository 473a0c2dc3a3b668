import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats.contingency import association

from corrldp.dependence import cramers_v, entropy, mutual_information, nmi, pcc
from corrldp.leakage.cpl import conditional

APPENDIX_K = np.array([[0.2, 0, 0, 0], [0, 0.2, 0, 0], [0.1, 0.15, 0.03, 0.02], [0.1, 0.15, 0.03, 0.02]])
normalisations = st.sampled_from(["min", "max", "mean", "geometric", "joint"])


def test_appendix_k():
    """The paper prints PCC 0.357 and NMI 0.164; only the joint entropy as divisor comes close, with 0.1649."""
    assert pcc(APPENDIX_K) == pytest.approx(0.357, abs=5e-4)
    assert nmi(APPENDIX_K, "joint") == pytest.approx(0.1649, abs=5e-5)
    assert nmi(APPENDIX_K, "max") == pytest.approx(0.2463, abs=5e-5)


@given(st.integers(0, 10**6))
def test_against_other_definitions(seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 50, size=(3, 4))
    pairs = np.repeat([(x, y) for x in range(3) for y in range(4)], table.ravel(), axis=0)
    assert pcc(table) == pytest.approx(np.corrcoef(pairs.T)[0, 1], abs=1e-12)
    assert cramers_v(table) == pytest.approx(association(table, method="cramer"), abs=1e-12)
    law = table / table.sum()
    independent = law.sum(axis=1, keepdims=True) * law.sum(axis=0)
    assert mutual_information(table) == pytest.approx((law * np.log(law / independent)).sum(), abs=1e-12)


@given(normalisations)
def test_nmi_from_none_to_full_dependence(normalisation):
    stack = np.stack([np.eye(3), np.ones((3, 3))])
    np.testing.assert_allclose(nmi(stack, normalisation), [1, 0], atol=1e-12)


def test_order_of_the_normalisations():
    table = np.array([[5, 1, 0, 0], [0, 3, 4, 9]])
    values = [nmi(table, name) for name in ("joint", "max", "mean", "geometric", "min")]
    assert np.all(np.diff(values) > 0)


def test_constant_attributes_have_no_dependence():
    assert np.isnan([nmi([[3, 5], [0, 0]], how) for how in ("min", "joint")]).all()
    assert entropy([0.5, 0.5]) == pytest.approx(np.log(2))
    with pytest.raises(ValueError, match="normalisation"):
        nmi(np.eye(2), "other")


@pytest.mark.parametrize("measure", [pcc, cramers_v, lambda table: nmi(table, "mean")])
@pytest.mark.parametrize("counts", [[0.1] * 10, [1, 1, 1, 1, 1, 1, 1], [3, 7, 23, 11, 5]])
def test_a_constant_attribute_has_no_dependence_whatever_the_rounding(measure, counts):
    """The shares of a constant attribute may miss 1 by a rounding error, and a variance 0."""
    for other in range(3):
        table = np.zeros((3, len(counts)))
        table[other] = counts
        assert np.isnan([measure(table), measure(table.T)]).all()


def test_cramers_v_over_the_domain():
    assert cramers_v(np.eye(3), "domain") == pytest.approx(1)
    assert cramers_v(np.outer([0.2, 0.8], [0.5, 0.3, 0.2]), "domain") == pytest.approx(0, abs=1e-9)
    assert cramers_v([[4, 0], [2, 4]], "domain") == pytest.approx(2 / 3)
    assert cramers_v([[1, 1], [0, 0]], "domain") == 0
    with pytest.raises(ValueError, match="two-way"):
        cramers_v([1, 2])
    with pytest.raises(ValueError, match="'all' must be one of occurring, domain"):
        cramers_v(np.eye(2), "all")


def test_a_value_that_does_not_occur_counts_in_the_domain_only():
    table = np.diag([3, 5, 0])
    assert cramers_v(table) == pytest.approx(1)
    assert cramers_v(table, "domain") == pytest.approx(np.sqrt(1 / 2))
    stack = np.stack([table, np.outer([1, 2, 3], [4, 0, 6])])
    for values in ("occurring", "domain"):
        assert cramers_v(stack, values).tolist() == [cramers_v(one, values) for one in stack]


@pytest.mark.parametrize("table", [[[1, -1], [2, 3]], [[0, 0], [0, 0]], [[np.nan, 1], [1, 1]], [[np.inf, 1], [1, 1]]])
def test_what_is_no_table_is_refused(table):
    for measure in (pcc, cramers_v, mutual_information):
        with pytest.raises(ValueError, match="not all 0"):
            measure(table)
    with pytest.raises(ValueError, match="positive sum"):
        conditional(table)

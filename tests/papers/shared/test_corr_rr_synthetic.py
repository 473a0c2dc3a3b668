import numpy as np
import pytest
from scipy.stats import chisquare
from shared.runners.synthetic import CopyModel, syn_a, syn_b
from support_laws import marginals_and_correlations

# Chi-square tests reject a correct program with probability 1e-4 in total (seeds are fixed).
FALSE_ALARM = 1e-4 / 14
STATED = (0.4, 0.3, 0.2, 0.1)
UNIFORM = (0.25,) * 4
READINGS = [(marginal, non_copy) for marginal in (STATED, UNIFORM) for non_copy in ("different", "any", "marginal")]


@pytest.mark.parametrize(("marginal", "non_copy"), READINGS)
def test_records_and_tables_follow_the_law(marginal, non_copy):
    model, rng = CopyModel(marginal, 0.3, ((0,), (0, 1)), non_copy), np.random.default_rng(1)
    law = model.law.ravel()
    assert law.sum() == pytest.approx(1)
    codes = np.ravel_multi_index(model.records(100_000, rng).T, model.sizes)
    assert chisquare(np.bincount(codes, minlength=64), 100_000 * law).pvalue > FALSE_ALARM
    rows, counts = model.table(100_000, 2, rng)
    assert (np.ravel_multi_index(rows.T, model.sizes) == np.arange(64)).all()
    assert chisquare(counts[1], 100_000 * law).pvalue > FALSE_ALARM


def test_the_law_written_out():
    different = CopyModel((0.6, 0.4, 0.0), 0.5, ((0,),), "different")
    np.testing.assert_allclose(different.law, [[0.3, 0.15, 0.15], [0.1, 0.2, 0.1], [0, 0, 0]])
    anything = CopyModel((0.6, 0.4), 0.5, ((0,),), "any")
    np.testing.assert_allclose(anything.law, [[0.45, 0.15], [0.1, 0.3]])
    independent = CopyModel((0.6, 0.4), 0.0, ((0,),), "marginal")
    np.testing.assert_allclose(independent.law, np.outer([0.6, 0.4], [0.6, 0.4]))


def test_golden_correlations_of_the_text():
    """Another value instead of a copy gives (4 rho - 1)/3 for uniform frequencies: negative at rho = 0.1."""
    for rho in (0.1, 0.5, 0.9):
        _, found = marginals_and_correlations(syn_a(3, rho, UNIFORM, "different").law)
        assert found[0, 1] == pytest.approx((4 * rho - 1) / 3)


def test_a_parent_per_user_is_a_mixture():
    mixed = syn_b(3, 0.4, STATED, "any", "user", np.random.default_rng())
    fixed = [CopyModel(STATED, 0.4, ((0,), (parent,)), "any").law for parent in (0, 1)]
    np.testing.assert_allclose(mixed.law, np.mean(fixed, axis=0))


def test_a_parent_per_attribute_is_drawn_uniformly():
    rng = np.random.default_rng(2)
    drawn = [syn_b(4, 0.5, STATED, "any", "attribute", rng).parents for _ in range(6000)]
    _, seen = np.unique(np.array(drawn)[:, :, 0], axis=0, return_counts=True)
    assert len(seen) == 6
    assert chisquare(seen).pvalue > FALSE_ALARM


def test_copies_keep_the_marginal_only_if_others_are_drawn_from_it():
    for marginal, non_copy in READINGS:
        frequencies, _ = marginals_and_correlations(syn_a(3, 0.2, marginal, non_copy).law)
        kept = np.allclose(frequencies, marginal)
        assert kept == (marginal == UNIFORM or non_copy == "marginal")


def test_many_attributes_have_records_but_no_table():
    model, rng = syn_a(10, 0.5, STATED, "any"), np.random.default_rng(3)
    assert model.records(50, rng).shape == (50, 10)
    with pytest.raises(ValueError, match="draw records instead"):
        model.table(50, 1, rng)

import numpy as np
import pytest
from scipy.stats import chisquare

from corrldp.data.synthetic import CopyModel, syn_a, syn_b

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
        kept = np.allclose(syn_a(3, 0.2, marginal, non_copy).frequencies(), marginal)
        assert kept == (marginal == UNIFORM or non_copy == "marginal")


def within_sampling_error(model, printed, n=20_000):
    """Whether six printed correlations are within 4.5 standard errors, and rounding, of the model's."""
    expected = model.correlations()[np.triu_indices(4, k=1)]
    return (np.abs(expected - printed) < 4.5 * (1 - expected**2) / np.sqrt(n) + 5e-4).all()


# Table 2 of the paper: pairs (1,2), (1,3), (1,4), (2,3), (2,4), (3,4).
TABLE_2_A = {
    0.1: [0.100, 0.094, 0.100, 0.007, 0.009, 0.007],
    0.5: [0.491, 0.495, 0.508, 0.231, 0.247, 0.251],
    0.9: [0.899, 0.900, 0.903, 0.808, 0.810, 0.811],
}
TABLE_2_B = {
    0.1: [0.100, 0.012, 0.011, 0.098, 0.006, 0.099],
    0.5: [0.491, 0.241, 0.128, 0.490, 0.243, 0.495],
    0.9: [0.899, 0.897, 0.812, 0.804, 0.730, 0.904],
}


@pytest.mark.parametrize(("marginal", "non_copy"), READINGS)
def test_table_2_rules_out_a_different_value(marginal, non_copy):
    """Its correlations fit only attributes that keep the marginal, contrary to the text."""
    fits = all(within_sampling_error(syn_a(4, rho, marginal, non_copy), row) for rho, row in TABLE_2_A.items())
    assert fits == (non_copy == "marginal" or (marginal == UNIFORM and non_copy == "any"))


@pytest.mark.parametrize(("rho", "parents"), [(0.1, (0, 1, 2)), (0.5, (0, 1, 2)), (0.9, (0, 0, 2))])
def test_table_2_shows_one_parent_per_attribute(rho, parents):
    fixed = CopyModel(STATED, rho, tuple((parent,) for parent in parents), "marginal")
    assert within_sampling_error(fixed, TABLE_2_B[rho])
    mixed = syn_b(4, rho, STATED, "marginal", "user", np.random.default_rng())
    assert not within_sampling_error(mixed, TABLE_2_B[rho])


def test_parameters_out_of_range():
    with pytest.raises(ValueError, match="sum to 1"):
        syn_a(2, 0.5, (0.5, 0.6), "any")
    with pytest.raises(ValueError, match=r"rho=1\.5"):
        syn_a(2, 1.5, STATED, "any")
    with pytest.raises(ValueError, match="non_copy='other'"):
        syn_a(2, 0.5, STATED, "other")
    with pytest.raises(ValueError, match="parent='both'"):
        syn_b(2, 0.5, STATED, "any", "both", np.random.default_rng())
    with pytest.raises(ValueError, match="attribute 1"):
        CopyModel(STATED, 0.5, ((1,),), "any")


def test_many_attributes_have_records_but_no_table():
    model, rng = syn_a(10, 0.5, STATED, "any"), np.random.default_rng(3)
    assert model.records(50, rng).shape == (50, 10)
    with pytest.raises(ValueError, match="draw records instead"):
        model.table(50, 1, rng)

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare, false_discovery_control, random_table

from corrldp.leakage.cpl import conditional, leakage_of_channel
from corrldp.leakage.empirical import (
    estimated_leakage,
    holm,
    p_values,
    sampled_tables,
    surrogate_tables,
)
from corrldp.mechanisms.grr import GRR

FALSE_ALARM = 1e-4  # per test, with a fixed seed
COUNTS = np.array([[30, 10, 5], [8, 20, 27]])


def perturbed_table(values, neighbours, size, mechanism, expansion, rng):
    """Perturb every user: table (size, t) of the attacked attribute and the reported value of its neighbour."""
    table = np.zeros((size, mechanism.k), dtype=np.int64)
    for _ in range(expansion):
        np.add.at(table, (values, mechanism.privatize(neighbours, rng)), 1)
    return table


@pytest.mark.parametrize(
    ("mechanism", "counts"),
    [
        (GRR(1.0, 2), [[2, 1], [0, 2]]),
        (GRR(1.0, 4), [[2, 1, 0, 0], [0, 1, 0, 1]]),
    ],
    ids=["few values", "several values"],
)
def test_count_level_has_the_law_of_perturbing_every_user(mechanism, counts):
    """Joint distribution of two cells of a small table, by chi-square against a large count-level sample."""
    rng, counts = np.random.default_rng(1), np.array(counts)
    attacked, neighbours = (np.repeat(axis.ravel(), counts.ravel()) for axis in np.indices(counts.shape))
    users = [perturbed_table(attacked, neighbours, 2, mechanism, 2, rng) for _ in range(5000)]
    sampled = sampled_tables(2 * counts, mechanism.channel(), 100_000, rng)
    cells = [np.bincount(tables[:, 0, 0] * 5 + tables[:, 1, 0], minlength=35) for tables in (np.array(users), sampled)]
    common = cells[1] > 100
    assert chi2_contingency([cell[common] for cell in cells]).pvalue > FALSE_ALARM


def test_a_channel_whose_wrong_values_differ_is_drawn_row_by_row():
    channel = np.array([[0.5, 0.3, 0.2], [0.1, 0.6, 0.3], [0.2, 0.2, 0.6]])
    tables = sampled_tables(1000 * COUNTS, channel, 200, np.random.default_rng(4))
    expected = 1000 * COUNTS @ channel
    np.testing.assert_allclose(tables.mean(axis=0), expected, atol=40)


def test_samples_keep_the_attacked_margin_and_the_stack():
    rng = np.random.default_rng(2)
    tables = sampled_tables(np.stack([50 * COUNTS, 100 * COUNTS]), GRR(1.0, 3).channel(), 4, rng)
    assert tables.shape == (4, 2, 2, 3)
    np.testing.assert_array_equal(tables[3, 1].sum(axis=-1), 100 * COUNTS.sum(axis=-1))


def test_the_estimate_converges_to_the_leakage_of_the_channel_from_above():
    """A maximum of noisy ratios has a positive bias, smaller with more repetitions."""
    rng, channel = np.random.default_rng(3), GRR(1.0, 3).channel()
    truth = leakage_of_channel(conditional(COUNTS), channel)
    estimates = [
        estimated_leakage(sampled_tables(expansion * COUNTS, channel, 2000, rng), "skip").mean()
        for expansion in (1, 10, 10_000)
    ]
    assert estimates[0] > estimates[1] > truth
    assert estimates[2] == pytest.approx(truth, abs=5e-3)


def test_empty_cells():
    table = np.array([[4, 0, 4], [2, 4, 2], [0, 0, 0]])
    assert estimated_leakage(table, "infinite") == np.inf
    assert estimated_leakage(table, "skip") == pytest.approx(np.log(2))
    assert estimated_leakage(table, "add_half") == pytest.approx(np.log(9))
    with pytest.raises(ValueError, match="zeros"):
        estimated_leakage(table, "other")


def test_surrogates_have_the_law_of_permutations():
    table = np.array([[2, 1, 1], [1, 0, 3]])
    drawn = surrogate_tables(table, 50_000, np.random.default_rng(4))
    assert (drawn.sum(axis=1) == [3, 1, 4]).all()
    assert (drawn.sum(axis=2) == 4).all()
    possible, seen = np.unique(drawn.reshape(-1, 6), axis=0, return_counts=True)
    law = random_table(table.sum(axis=1), table.sum(axis=0))
    expected = np.array([law.pmf(cells.reshape(2, 3)) for cells in possible])
    assert expected.sum() == pytest.approx(1)
    assert chisquare(seen, 50_000 * expected).pvalue > FALSE_ALARM


def test_surrogates_of_a_stack():
    stack = np.stack([COUNTS, COUNTS[::-1], 3 * COUNTS])
    drawn = surrogate_tables(stack, 5, np.random.default_rng(5))
    np.testing.assert_array_equal(drawn.sum(axis=-1), np.broadcast_to(stack.sum(axis=-1), (5, 3, 2)))
    np.testing.assert_array_equal(drawn.sum(axis=-2), np.broadcast_to(stack.sum(axis=-2), (5, 3, 3)))


def leakage_of_surrogates(table, surrogates, rng):
    return estimated_leakage(surrogate_tables(table, surrogates, rng), "skip")


def test_p_values_hold_their_level_without_dependence():
    """500 independent tables at level 5 %: 25 rejections expected; the bounds have a false-alarm rate below 1e-4."""
    table, rng = np.full((2, 2), 300), np.random.default_rng(6)
    p = p_values(leakage_of_surrogates(table, 500, rng), leakage_of_surrogates(table, 999, rng)[:, None])
    assert 8 <= (p <= 0.05).sum() <= 48


def test_p_value_of_dependence_is_the_least_possible():
    table, rng = np.array([[400, 200], [200, 400]]), np.random.default_rng(7)
    assert p_values(estimated_leakage(table, "skip"), leakage_of_surrogates(table, 999, rng)) == 1 / 1000


def test_corrections():
    """Holm, Scandinavian Journal of Statistics 1979: by hand. Benjamini-Hochberg comes from scipy."""
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.5]), [0.04, 0.09, 0.09, 0.5])
    assert (false_discovery_control([0.01, 0.04, 0.03, 0.5]) <= holm([0.01, 0.04, 0.03, 0.5])).all()

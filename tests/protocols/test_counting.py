import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, multivariate_hypergeom

from corrldp.protocols.counting import assign_attributes, draw_without_replacement

FALSE_ALARM = 1e-4 / 5  # per chi-square test; seeds are fixed


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9).filter(sum), st.floats(0, 1), st.integers(0, 2**32))
def test_a_draw_has_its_size_and_stays_within_the_classes(counts, fraction, seed):
    size = int(fraction * sum(counts))
    chosen = draw_without_replacement(np.array([counts] * 3), size, np.random.default_rng(seed))
    assert (chosen.sum(axis=1) == size).all()
    assert ((chosen >= 0) & (chosen <= counts)).all()


@pytest.mark.parametrize(("counts", "size"), [((3, 2), 2), ((2, 0, 3), 3), ((1, 2, 1, 2, 1), 4)])
def test_a_draw_is_multivariate_hypergeometric(counts, size):
    chosen = draw_without_replacement(np.tile(counts, (50_000, 1)), size, np.random.default_rng(1))
    outcomes, seen = np.unique(chosen, axis=0, return_counts=True)
    chances = multivariate_hypergeom.pmf(outcomes, counts, size)
    assert chances.sum() == pytest.approx(1)
    assert chisquare(seen, chances * 50_000).pvalue > FALSE_ALARM


def test_each_run_draws_from_its_own_classes():
    chosen = draw_without_replacement(np.array([[5, 0, 0], [0, 0, 5]]), 2, np.random.default_rng(2))
    assert chosen.tolist() == [[2, 0, 0], [0, 0, 2]]


@pytest.mark.parametrize(("total", "size"), [(5, 6), (5, -1), (10**9, 1)])
def test_impossible_draws(total, size):
    with pytest.raises(ValueError, match=f"size={size} of n={total}"):
        draw_without_replacement(np.array([[total, 0]]), size, np.random.default_rng())


def test_every_user_gets_one_attribute():
    assigned = assign_attributes(np.array([[30_000, 60_000]]), 3, np.random.default_rng(3))
    assert assigned.sum(axis=-1).tolist() == [[30_000, 60_000]]
    assert chisquare(assigned[0, 1]).pvalue > FALSE_ALARM

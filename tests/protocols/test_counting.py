import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, multivariate_hypergeom

from corrldp.protocols import records
from corrldp.protocols.records import RecordTable, draw_without_replacement

FALSE_ALARM = 1e-4 / 10  # per chi-square test; seeds are fixed


@pytest.fixture(params=[0, 1000], ids=["for_each_class", "for_each_user"])
def either_way(monkeypatch, request):
    """Draw for classes or for users, whichever is cheaper."""
    monkeypatch.setattr(records, "FEW_USERS", request.param)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9).filter(sum), st.floats(0, 1), st.integers(0, 2**32))
def test_a_draw_has_its_size_and_stays_within_the_classes(counts, fraction, seed):
    size = int(fraction * sum(counts))
    chosen = draw_without_replacement(np.array([counts] * 3), size, np.random.default_rng(seed))
    assert (chosen.sum(axis=1) == size).all()
    assert ((chosen >= 0) & (chosen <= counts)).all()


@pytest.mark.usefixtures("either_way")
@pytest.mark.parametrize(("counts", "size"), [((3, 2), 2), ((2, 0, 3), 3), ((1, 2, 1, 2, 1), 4)])
def test_a_draw_is_multivariate_hypergeometric(counts, size):
    chosen = draw_without_replacement(np.tile(counts, (20_000, 1)), size, np.random.default_rng(1))
    outcomes, seen = np.unique(chosen, axis=0, return_counts=True)
    chances = multivariate_hypergeom.pmf(outcomes, counts, size)
    assert chances.sum() == pytest.approx(1)
    assert chisquare(seen, chances * 20_000).pvalue > FALSE_ALARM


@pytest.mark.usefixtures("either_way")
def test_each_run_draws_from_its_own_classes():
    chosen = draw_without_replacement(np.array([[5, 0, 0], [0, 0, 5]]), 2, np.random.default_rng(2))
    assert chosen.tolist() == [[2, 0, 0], [0, 0, 2]]


@pytest.mark.parametrize(("total", "size"), [(5, 6), (5, -1), (10**9, 1)])
def test_impossible_draws(total, size):
    with pytest.raises(ValueError, match=f"size={size} of n={total}"):
        draw_without_replacement(np.array([[total, 0]]), size, np.random.default_rng())


@pytest.mark.usefixtures("either_way")
def test_who_draws_which_attribute_has_its_exact_joint_law():
    """Two users, (0, 1) and (1, 1): the 4 ways to draw yield 4 different tables, each with probability 1/4."""
    table = RecordTable(np.array([[1, 1], [0, 1]]), np.array([1, 1]), (2, 2))
    drawn = table.draw_one_attribute(4000, np.random.default_rng(5)).reshape(4000, 4)
    kinds, times = np.unique(drawn, axis=0, return_counts=True)
    assert kinds.tolist() == [[0, 0, 0, 2], [0, 1, 0, 1], [1, 0, 0, 1], [1, 1, 0, 0]]
    assert chisquare(times).pvalue > FALSE_ALARM

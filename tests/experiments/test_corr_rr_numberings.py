import itertools

import numpy as np
import pytest

from corrldp.data.table import Table
from corrldp.experiments.corr_rr import search
from corrldp.experiments.corr_rr.search import by_frequency, nearest_range, options


def test_the_rarest_values_share_the_last_number():
    column = np.repeat([0, 1, 2, 3], [1, 4, 2, 3])
    np.testing.assert_array_equal(by_frequency(column, 3), np.repeat([2, 0, 2, 1], [1, 4, 2, 3]))


def test_options_are_those_of_all_numberings():
    rng = np.random.default_rng(3)
    column, target = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    expected = {
        round(np.corrcoef(np.array(codes)[column], target)[0, 1], 9) for codes in itertools.permutations(range(3))
    }
    assert {round(found, 9) for found in options(column, target, 3)} == expected


def test_options_of_a_larger_domain_merge_its_values():
    column, target = np.array([0, 1, 2, 3, 0, 1, 2, 3]), np.array([0, 1, 1, 1, 0, 1, 0, 1])
    found = options(column, target, 2)
    kept = [np.corrcoef(column == value, target)[0, 1] for value in range(4)]
    assert sorted(found) == pytest.approx(sorted({*np.round(kept, 12), *np.round(np.negative(kept), 12)}))


def test_the_nearest_range_needs_two_attributes():
    one, other = np.array([-0.3, 0.3]), np.array([-0.2, 0.0, 0.2])
    assert nearest_range([one, other], -0.3, 0.2) == pytest.approx(0)
    assert nearest_range([one, other], -0.3, 0.3) == pytest.approx(0.1)
    assert nearest_range([one, other], -0.1, 0.1) == pytest.approx(0.2)


def test_experiment(table):
    rng = np.random.default_rng(4)
    codes = np.column_stack([rng.integers(0, 3, 300), rng.integers(0, 4, 300), rng.integers(0, 3, 300)])
    view = Table(codes, ("a", "b", "c"), tuple(tuple("xyzw"[:size]) for size in (3, 4, 3)), False)
    setting = {"view": "file", "features": [0, 1], "target": 2, "size": 3, "lowest": -0.05, "highest": 0.05}
    rows = table(search.numberings, setting, views={"file": view})
    assert list(rows["order"]) == ["0-1-2", "0-2-1", "1-0-2"]
    assert rows["mean"].between(0, 1).all()

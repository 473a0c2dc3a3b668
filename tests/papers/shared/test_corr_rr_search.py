"""The search for attributes, merges and numberings."""

import itertools
import math
from itertools import combinations

import numpy as np
import pytest
from shared.runners import search
from shared.runners.data import merged_correlations
from shared.runners.search import (
    adult_groups,
    by_frequency,
    clave,
    merges,
    mushroom,
    nearest_range,
    options,
    two_groups,
    value_orders,
)

from corrldp.data.table import Table


def made(names, values, codes, standin=False):
    return Table(np.asarray(codes), tuple(names), tuple(map(tuple, values)), standin)


@pytest.fixture(scope="module")
def mushrooms():
    rng = np.random.default_rng(3)
    first = rng.choice([0, 1, 2, 4, 5], size=300)  # nobody has value 3
    second = (first + rng.integers(3, size=300)) % 5
    return made(["cap", "ring", "flat"], ["fbdzca", "vwxyz", "pq"], np.column_stack([first, second, first % 2]))


@pytest.mark.parametrize(("values", "size"), [(5, 5), (6, 5), (9, 4), (12, 5)])
def test_merges_are_all_of_them(values, size):
    found = merges(values, size)
    assert len(found) == len(np.unique(found, axis=0)) == math.comb(values - 1, size - 1)
    assert (np.diff(found, axis=1) >= 0).all()
    assert (found[:, 0] == 0).all()
    assert (found[:, -1] == size - 1).all()


def test_merged_correlations_by_brute_force(mushrooms):
    first, second = merges(6, 4), merges(5, 4)
    joint = np.zeros((6, 5))
    np.add.at(joint, tuple(mushrooms.codes[:, :2].T), 1 / 300)
    table = merged_correlations(joint, first, second)
    for a, left in enumerate(first):
        for b, right in enumerate(second):
            expected = np.corrcoef(left[mushrooms.codes[:, 0]], right[mushrooms.codes[:, 1]])[0, 1]
            assert table[a, b] == pytest.approx(expected, abs=1e-12)


def test_a_planted_merge_is_found(mushrooms):
    """In alphabetical order, with the last two values of `cap` merged and `ring` unmerged."""
    ranks = np.argsort([5, 1, 4, 2, 0, 3])
    planted = np.corrcoef(np.minimum(ranks[mushrooms.codes[:, 0]], 4), mushrooms.codes[:, 1])[0, 1]
    orders = value_orders(mushrooms)
    assert orders["alphabetical"][0].tolist() == [5, 1, 4, 2, 0, 3]  # a b c d f z
    assert orders["occurring"][0].tolist() == [5, 1, 4, 2, 0]
    found = {choice["pool"]: (choice["choice"], measures) for choice, measures in mushroom(mushrooms, 5, abs(planted))}
    choice, measures = found["alphabetical"]
    assert choice == "cap 1-1-1-1-2, ring 1-1-1-1-1"
    assert measures["correlation"] == pytest.approx(planted, rel=1e-12)
    assert measures["matches"] >= 1
    choices = {pool: measures["choices"] for pool, (_, measures) in found.items()}
    assert choices == {"documented": 5, "alphabetical": 5, "occurring": 1}


def test_clave_pairs_onsets_with_each_other_and_with_classes():
    codes, onsets = np.random.default_rng(4).integers(2, size=(100, 4)), ["onset_01", "onset_02", "onset_03"]
    view = made([*onsets, "class_1"], ["01"] * 4, codes)
    matrix = np.corrcoef(codes, rowvar=False)
    choices = clave(view.names, matrix[None])
    found = {choice["choice"]: (choice["pool"], measures["correlation"]) for choice, measures in choices}
    assert {name for name, (pool, _) in found.items() if pool == "onsets"} == {*map(", ".join, combinations(onsets, 2))}
    assert found["onset_03, class_1"] == ("onset_class", matrix[[2], [3]])
    assert len(found) == 6


def test_groups_are_all_bipartitions_once():
    groups = [tuple(member) for _, member in two_groups(np.array([0, 1, 2, 3, 3]), list("abcd"))]
    assert len(set(groups)) == len(groups) == 2**3 - 1
    assert not any(group[0] for group in groups)
    assert [name for name, _ in two_groups(np.array([0, 2]), list("abc"))] == ["c", "b+c"]  # nobody has b


def test_extreme_correlations_of_groups():
    codes = np.random.default_rng(5).integers([2, 3, 2], size=(80, 3))
    view = made(["sex", "status", "kin"], ["fm", "abc", "xy"], codes)
    found = {choice["choice"]: measures for choice, measures in adult_groups(view, ["sex", "status", "kin"])}
    assert set(found) == {"m | b | y", "m | c | y", "m | b+c | y"}
    columns = [codes[:, 0], codes[:, 1] == 2, codes[:, 2]]
    pairs = [abs(np.corrcoef(a, b)[0, 1]) for a, b in combinations(columns, 2)]
    measures = found["m | c | y"]
    assert (measures["correlation_min"], measures["correlation_max"]) == pytest.approx((min(pairs), max(pairs)))


def test_table(table, mushrooms):
    codes = np.random.default_rng(6).integers(2, size=(60, 3))
    views = {
        "c": made(["onset_01", "onset_02", "class_1"], ["01"] * 3, codes),
        "m": mushrooms,
        "a": made(["sex", "status", "kin"], ["fm", "ab", "xy"], codes, standin=True),
    }
    setting = {
        "views": {"clave": "c", "mushroom": "m", "adult": "a"},
        "domain_size": 5,
        "mushroom_correlation": 0.2,
        "adult_attributes": ["sex", "status", "kin"],
        "clave_sample": 50,
    }
    axes = {"adult_users": [40, "all"], "clave_users": ["all", "random"]}
    found = table(search.attributes, setting, axes, 50, views=views)
    onsets = found[found["choice"] == "onset_01, onset_02"].set_index("clave_users")
    assert (onsets.loc["all", "se"] == 0).all()
    sampled = onsets.loc["random"]
    assert (sampled["se"], sampled["runs"]) == (pytest.approx(0, abs=0.02), 50)
    assert abs(sampled["mean"] - np.corrcoef(codes, rowvar=False)[0, 1]) < 5 * sampled["se"]
    assert found.groupby("dataset")["standin"].all().to_dict() == {"adult": True, "clave": False, "mushroom": False}
    adult = found.query("dataset == 'adult' and metric == 'correlation_max' and clave_users == 'all'")
    some, everybody = (np.abs(np.corrcoef(codes[:n], rowvar=False))[np.triu_indices(3, 1)].max() for n in (40, 60))
    assert adult.set_index("adult_users")["mean"].to_dict() == pytest.approx({40: some, "all": everybody})


def test_options_are_those_of_all_numberings():
    """The rarest values of a larger domain share the last number."""
    counts = [1, 4, 2, 3]
    np.testing.assert_array_equal(by_frequency(np.repeat(range(4), counts), 3), np.repeat([2, 0, 2, 1], counts))
    rng = np.random.default_rng(3)
    column, target = rng.integers(0, 3, 60), rng.integers(0, 3, 60)
    codes = map(np.array, itertools.permutations(range(3)))
    expected = {round(np.corrcoef(each[column], target)[0, 1], 9) for each in codes}
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

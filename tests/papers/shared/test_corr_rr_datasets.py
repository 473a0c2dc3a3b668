"""Sizes, marginals and correlations of data sets."""

import numpy as np
import pytest
from picked import number
from scipy import stats
from shared.runners import data, datasets
from shared.runners.synthetic import syn_a
from support_laws import marginals_and_correlations

from corrldp.data.table import Table

# 18 comparisons of nearly normal means: a correct program fails with a probability below 1e-4.
RUNS, BOUND = 400, 5


def made(codes, values, standin=False):
    names = tuple(f"a{j}" for j in range(len(values)))
    return Table(np.asarray(codes), names, tuple(map(tuple, values)), standin)


@pytest.fixture(scope="module")
def view():
    codes = np.random.default_rng(1).integers([3, 2, 4], size=(50, 3))
    return made(codes, [["b", "a", "c"], ["x", "y"], ["s", "q", "r", "p"]])


def test_alphabetical_codes(view):
    letters = np.array(["b", "a", "c"])[view.codes[:, 0]]
    np.testing.assert_array_equal(view.encode("alphabetical").codes[:, 0], np.unique(letters, return_inverse=True)[1])
    np.testing.assert_array_equal(view.encode("recipe").codes, view.codes)
    with pytest.raises(ValueError, match="encoding='best'"):
        view.encode("best")


def test_characteristics_and_matrix(table, view):
    setting = {"matrix": False, "views": {"mine": "file"}}
    found = table(datasets.facts, setting, {"encoding": ["recipe", "alphabetical"]}, views={"file": view})
    for encoding in ("recipe", "alphabetical"):
        pairs = np.corrcoef(view.encode(encoding).codes, rowvar=False)[np.triu_indices(3, 1)]
        assert number(found, metric="correlation_min", encoding=encoding) == pytest.approx(min(pairs))
        assert number(found, metric="correlation_max", encoding=encoding) == pytest.approx(max(pairs))
    sizes = {"users": 50, "attributes": 3, "domain_size": 4}
    assert {metric: number(found, metric=metric, reading="strict") for metric in sizes} == sizes
    found = table(datasets.facts, {**setting, "matrix": True}, views={"file": view})
    matrix = found.pivot(index="first", columns="second", values="mean")
    np.testing.assert_allclose(matrix, np.corrcoef(view.codes, rowvar=False))
    assert matrix.index.tolist() == [1, 2, 3]


def test_frequencies_and_skewness(table, view):
    """A coin with a share p of ones has skewness (1 - 2 p)/sqrt(p (1 - p)): -3/2 for p = 0.8."""
    coin = made([[1]] * 8 + [[0]] * 2, [["no", "yes"]])
    found = table(datasets.marginals, {"views": {"mine": "file", "coin": "coin"}}, views={"file": view, "coin": coin})
    assert number(found, metric="skewness", dataset="coin") == pytest.approx(-0.6 / 0.4)
    found = found[found["dataset"] == "mine"]
    for j, size in enumerate((3, 2, 4)):
        rows = found[(found["attribute"] == f"X{j + 1}") & (found["metric"] == "frequency")]
        np.testing.assert_allclose(rows["mean"], np.bincount(view.codes[:, j], minlength=size) / 50)
        assert rows["value"].tolist() == list(range(1, size + 1))
        assert number(found, metric="skewness", attribute=f"X{j + 1}") == pytest.approx(stats.skew(view.codes[:, j]))


def test_another_view_for_a_data_set(table, view):
    """A reading may use other attributes of one data set without affecting the others."""
    other = made([[0, 1], [1, 0], [1, 1]], [["a", "b"]] * 2)
    setting = {"matrix": False, "views": {"one": "file", "two": "file"}, "other_views": {"onsets": {"two": "other"}}}
    views = {"file": view, "other": other}
    found = table(datasets.facts, setting, {"attributes": ["nearest", "onsets"]}, views=views)
    users = found[found["metric"] == "users"].set_index(["dataset", "attributes"])["mean"].to_dict()
    assert users == {("one", "nearest"): 50, ("two", "nearest"): 50, ("one", "onsets"): 50, ("two", "onsets"): 3}


def test_columns_of_nursery_in_groups_of_equally_many_users(table):
    """Of one value, the first users come first; other data sets keep their values."""
    uneven = made([[0], [1], [0], [0], [2], [0]], ["abc"])
    setting, groups = {"views": {"nursery": "file", "other": "file"}}, {"nursery_groups": ["values", "users"]}
    found = table(datasets.marginals, setting, groups, views={"file": uneven})
    shares = found[found["metric"] == "frequency"].groupby(["dataset", "nursery_groups"])["mean"].apply(list)
    assert np.allclose(shares["nursery", "users"], 1 / 3)
    assert np.allclose([shares["nursery", "values"], shares["other", "users"]], [4 / 6, 1 / 6, 1 / 6])
    assert data.in_equal_groups(uneven).codes.T.tolist() == [[0, 2, 0, 1, 2, 1]]


SYNTHETIC = {"dataset": ["syn_a"], "n": [2000], "d": [3], "k": [4], "rho": [0.1, 0.5, 0.9]}


@pytest.mark.parametrize("non_copy", ["different", "marginal"])
def test_correlations_of_syn_a_are_those_of_its_law(table, non_copy):
    found = table(datasets.synthetic, SYNTHETIC, {"non_copy": [non_copy], "marginal": ["pi"]}, RUNS)
    for rho in SYNTHETIC["rho"]:
        _, law = marginals_and_correlations(syn_a(3, rho, (0.4, 0.3, 0.2, 0.1), non_copy).law)
        rows = found[found["rho"] == rho].set_index("pair")
        for (i, j), pair in {(0, 1): "1-2", (0, 2): "1-3", (1, 2): "2-3"}.items():
            assert abs(rows.loc[pair, "mean"] - law[i, j]) < BOUND * rows.loc[pair, "se"] + 1e-3  # bias of order 1/n
        pairs = rows.loc[["1-2", "1-3", "2-3"], "mean"]
        assert rows.loc["average", "mean"] == pytest.approx(pairs.mean())


def test_syn_b_draws_a_tree_for_each_data_set(table):
    """The spread between runs then includes that of the tree: attribute 3 copies attribute 1 or 2."""
    setting = {**SYNTHETIC, "dataset": ["syn_b"], "rho": [0.5]}
    spread = {}
    for parent in ("attribute", "user"):
        found = table(datasets.synthetic, setting, {"parent": [parent], "non_copy": ["marginal"]}, 100)
        spread[parent] = found.set_index("pair").loc["1-3", "se"] * 10
    assert spread["attribute"] > 3 * spread["user"]


def test_distances_and_correlations_by_hand(table):
    codes = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]])
    view = Table(codes, ("a", "b", "c"), (("x", "y"),) * 3, False)
    rows = table(datasets.pairs, {"views": {"mine": "file"}}, views={"file": view}).set_index(["first", "second"])
    assert rows.loc[(1, 2), "distance"] == 0
    assert rows.loc[(1, 2), "mean"] == pytest.approx(0)
    assert rows.loc[(1, 3), "distance"] == 0.25
    assert rows.loc[(1, 3), "mean"] == pytest.approx(np.corrcoef(codes.T)[0, 2])
    assert len(rows) == 3

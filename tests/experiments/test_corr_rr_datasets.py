import numpy as np
import pytest
from scipy import stats

from corrldp.data.synthetic import syn_a
from corrldp.experiments.command import View
from corrldp.experiments.corr_rr import datasets, dependence, marginals
from corrldp.experiments.corr_rr.correlation import correlations
from corrldp.experiments.corr_rr.real_data import encode
from corrldp.protocols.records import RecordTable

# 18 comparisons of nearly normal means: a correct program fails with a probability below 1e-4.
RUNS, BOUND = 400, 5


def made(codes, values, standin=False):
    attributes = [{"name": f"a{j}", "values": names} for j, names in enumerate(values)]
    return View(np.asarray(codes), {"standin": standin, "attributes": attributes})


@pytest.fixture(scope="module")
def view():
    codes = np.random.default_rng(1).integers([3, 2, 4], size=(50, 3))
    return made(codes, [["b", "a", "c"], ["x", "y"], ["s", "q", "r", "p"]])


def number(table, metric, **point):
    for name, value in {"metric": metric, **point}.items():
        table = table[table[name] == value]
    (found,) = table["mean"]
    return found


def test_correlations_of_tables_are_those_of_their_records():
    records = np.random.default_rng(2).integers([3, 2, 4], size=(40, 3))
    table = RecordTable.from_records(records, (3, 2, 4))
    np.testing.assert_allclose(correlations(table), [np.corrcoef(records, rowvar=False)], atol=1e-12)
    doubled = RecordTable(table.rows, np.stack([table.counts, table.counts]), (3, 2, 4))
    assert correlations(doubled).shape == (2, 3, 3)


def test_alphabetical_codes(view):
    letters = np.array(["b", "a", "c"])[view.codes[:, 0]]
    np.testing.assert_array_equal(encode(view, "alphabetical")[:, 0], np.unique(letters, return_inverse=True)[1])
    np.testing.assert_array_equal(encode(view, "recipe"), view.codes)
    with pytest.raises(ValueError, match="encoding='best'"):
        encode(view, "best")


def test_characteristics(experiment, view):
    setting = {"matrix": False, "views": {"mine": "file"}}
    table = datasets.run(experiment(setting, {"encoding": ["recipe", "alphabetical"]}, views={"file": view}))
    for encoding in ("recipe", "alphabetical"):
        matrix = np.corrcoef(encode(view, encoding), rowvar=False)
        pairs = [matrix[0, 1], matrix[0, 2], matrix[1, 2]]
        assert number(table, "correlation_min", encoding=encoding) == pytest.approx(min(pairs))
        assert number(table, "correlation_max", encoding=encoding) == pytest.approx(max(pairs))
    assert {m: number(table, m, reading="strict") for m in ("users", "attributes", "domain_size")} == {
        "users": 50,
        "attributes": 3,
        "domain_size": 4,
    }


def test_matrix(experiment, view):
    table = datasets.run(experiment({"matrix": True, "views": {"mine": "file"}}, views={"file": view}))
    matrix = table.pivot(index="first", columns="second", values="mean")
    np.testing.assert_allclose(matrix, np.corrcoef(view.codes, rowvar=False))
    assert matrix.index.tolist() == [1, 2, 3]


def test_stand_ins_are_told(experiment):
    fake = made([[0, 1], [1, 0], [1, 1]], [["a", "b"]] * 2, standin=True)
    for module, setting in ((datasets, {"matrix": False}), (datasets, {"matrix": True}), (marginals, {})):
        table = module.run(experiment({**setting, "views": {"mine": "file"}}, views={"file": fake}))
        assert table["standin"].all()


def test_frequencies_and_skewness(experiment, view):
    table = marginals.run(experiment({"views": {"mine": "file"}}, views={"file": view}))
    for j, size in enumerate((3, 2, 4)):
        rows = table[(table["attribute"] == f"X{j + 1}") & (table["metric"] == "frequency")]
        np.testing.assert_allclose(rows["mean"], np.bincount(view.codes[:, j], minlength=size) / 50)
        assert rows["value"].tolist() == list(range(1, size + 1))
        assert number(table, "skewness", attribute=f"X{j + 1}") == pytest.approx(stats.skew(view.codes[:, j]))


def test_another_view_for_a_data_set(experiment, view):
    """A reading may take other attributes of one data set and leave all others as they are."""
    other = made([[0, 1], [1, 0], [1, 1]], [["a", "b"]] * 2)
    setting = {"matrix": False, "views": {"one": "file", "two": "file"}, "other_views": {"else": {"two": "other"}}}
    views = {"file": view, "other": other}
    table = datasets.run(experiment(setting, {"attributes": ["usual", "else"]}, views=views))
    users = table[table["metric"] == "users"].set_index(["dataset", "attributes"])["mean"].to_dict()
    assert users == {("one", "usual"): 50, ("two", "usual"): 50, ("one", "else"): 50, ("two", "else"): 3}


def test_golden_skewness_of_a_coin(experiment):
    """A share p of ones has skewness (1 - 2 p)/sqrt(p (1 - p)): -4/3 for p = 0.8."""
    coin = made([[1]] * 8 + [[0]] * 2, [["no", "yes"]])
    table = marginals.run(experiment({"views": {"mine": "file"}}, views={"file": coin}))
    assert number(table, "skewness") == pytest.approx(-0.6 / 0.4)


SYNTHETIC = {"dataset": ["syn_a"], "n": [2000], "d": [3], "k": [4], "rho": [0.1, 0.5, 0.9]}


@pytest.mark.parametrize("non_copy", ["different", "marginal"])
def test_correlations_of_syn_a_are_those_of_its_law(experiment, non_copy):
    table = dependence.run(experiment(SYNTHETIC, {"non_copy": [non_copy], "marginal": ["pi"]}, RUNS))
    for rho in SYNTHETIC["rho"]:
        law = syn_a(3, rho, (0.4, 0.3, 0.2, 0.1), non_copy).correlations()
        rows = table[table["rho"] == rho].set_index("pair")
        for (i, j), pair in {(0, 1): "1-2", (0, 2): "1-3", (1, 2): "2-3"}.items():
            assert abs(rows.loc[pair, "mean"] - law[i, j]) < BOUND * rows.loc[pair, "se"] + 1e-3  # bias of order 1/n
        pairs = rows.loc[["1-2", "1-3", "2-3"], "mean"]
        assert rows.loc["average", "mean"] == pytest.approx(pairs.mean())


def test_golden_correlations_of_the_text(experiment):
    """Another value instead of a copy gives (4 rho - 1)/3 for uniform frequencies: negative at rho = 0.1."""
    table = dependence.run(experiment({**SYNTHETIC, "n": [20_000]}, {"marginal": ["uniform"]}, 20))
    rows = table[table["pair"] == "1-2"].set_index("rho")["mean"]
    np.testing.assert_allclose(rows, [(4 * rho - 1) / 3 for rho in rows.index], atol=0.01)


def test_syn_b_draws_a_tree_for_each_data_set(experiment):
    """The spread of a run then covers the tree's: attribute 3 copies attribute 1 or 2."""
    setting = {**SYNTHETIC, "dataset": ["syn_b"], "rho": [0.5]}
    spread = {}
    for parent in ("attribute", "user"):
        table = dependence.run(experiment(setting, {"parent": [parent], "non_copy": ["marginal"]}, 100))
        spread[parent] = table.set_index("pair").loc["1-3", "se"] * 10
    assert spread["attribute"] > 3 * spread["user"]

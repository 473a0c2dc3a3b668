import numpy as np
import pytest
from corrldp.experiments.corr_rr.population import model, points, records, trees

from corrldp.experiments.corr_rr.accuracy import run

AXES = {"marginal": "uniform", "structure": "equicorrelated", "non_copy": "marginal", "data_per_run": "new"}


def point(d=3, k=2, rho=0.5, n=1000, dataset="correlated"):
    return {"dataset": dataset, "n": n, "d": d, "k": k, "rho": rho, "epsilon": 1}


def law_of(point, axes):
    """Correlations and marginals of the last d attributes."""
    law, d = model(point, axes, np.random.default_rng(0)), point["d"]
    return law.correlations()[-d:, -d:], law.frequencies()[-d:]


@pytest.mark.parametrize("marginal", ["uniform", "pi"])
@pytest.mark.parametrize("rho", [0.1, 0.5, 0.9])
def test_every_pair_of_equicorrelated_attributes_correlates_by_rho(marginal, rho):
    correlations, frequencies = law_of(point(d=4, k=3, rho=rho), {**AXES, "marginal": marginal})
    np.testing.assert_allclose(correlations[~np.eye(4, dtype=bool)], rho)
    np.testing.assert_allclose(frequencies, frequencies[[0]] * np.ones((4, 1)))


def test_followers_in_a_star_correlate_by_rho_squared():
    correlations, _ = law_of(point(rho=0.5), {**AXES, "structure": "star"})
    np.testing.assert_allclose(correlations[0, 1:], 0.5)
    np.testing.assert_allclose(correlations[1, 2], 0.25)


def test_unequal_attributes_have_different_frequencies():
    _, frequencies = law_of(point(k=4, rho=0.5), {**AXES, "structure": "unequal"})
    np.testing.assert_allclose(frequencies[0], [0.4, 0.3, 0.2, 0.1])
    np.testing.assert_allclose(frequencies[1], (frequencies[0] + 0.25) / 2)


def test_data_may_be_made_with_another_rho_than_the_stated_one():
    stated, other = point(rho=0.1, dataset="syn_a"), point(rho=0.9, dataset="syn_a")
    rng = np.random.default_rng(0)
    assert model(stated, {"data_rho": 0.9}, rng) == model(other, {}, rng)
    assert model(stated, {"data_rho": "stated"}, rng) == model(stated, {}, rng) != model(other, {}, rng)


def test_unknown_structure_is_named():
    with pytest.raises(ValueError, match="structure='ring' is none of equicorrelated"):
        law_of(point(), {**AXES, "structure": "ring"})


def test_one_table_serves_all_runs_unless_more_records_are_possible_than_users(experiment):
    small = experiment({}, runs=5)
    (shared,) = records(small, point(d=3, n=9), AXES)
    assert shared.counts.shape == (5, 8)
    separate = records(small, point(d=3, n=8), AXES)
    assert [table.n for table in separate] == [8] * 5
    assert len(records(small, point(d=3, n=8), {**AXES, "data_per_run": "fixed"})) == 1


@pytest.mark.parametrize("dataset", ["correlated", "syn_a", "syn_b"])
def test_shared_and_separate_tables_follow_one_law(experiment, dataset):
    """Mean counts of the 8 records over 1000 runs of 8 users (separate) and of 9 (shared), both in shares of users.

    Each record's z is below 4.8 but for 1 in 30,000 (two-sided, 8 records, two tables).
    """
    expected = model(point(dataset=dataset), {**AXES, "parent": "user"}, np.random.default_rng(0)).law
    expected = expected.reshape(-1, 8).sum(axis=0)
    axes = {**AXES, "parent": "user"}
    for n in (8, 9):
        tables = records(experiment({}, runs=1000), point(n=n, dataset=dataset), axes)
        shares = np.zeros(8)
        for table in tables:
            codes = np.ravel_multi_index(table.rows.T, (2, 2, 2))
            shares[codes] += np.atleast_2d(table.counts).sum(axis=0) / (1000 * n)
        z = (shares - expected) / np.sqrt(expected * (1 - expected) / (1000 * n))
        assert np.abs(z).max() < 4.8


def test_errors_are_those_of_the_closed_form_whichever_table_is_used(experiment):
    """SPL and RS+RFD: |z| below 4.5 but for 1 in 17,000 (two-sided, 8 rows)."""
    for n, d, parent in [(60, 3, "attribute"), (60, 2, "user"), (60, 3, "user"), (70, 3, "user")]:
        setting = {"dataset": ["syn_b"], "n": [n], "d": [d], "k": [4], "rho": [0.5], "epsilon": [1]}
        readings = {"rs_rfd": ["single_phase"], "prior": ["true"], "parent": [parent]}
        table = run(experiment({**setting, "mechanisms": ["SPL", "RS+RFD"]}, readings, runs=400))
        assert (np.abs(table["mean"] - table["theory"]) / table["se"]).max() < 4.5


def test_data_do_not_depend_on_epsilon_or_phase(experiment):
    small = experiment({}, runs=2)
    first = records(small, point(d=3, n=8), AXES)
    again = records(small, {**point(d=3, n=8), "epsilon": 5, "phase1_fraction": 0.2}, AXES)
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one.rows, other.rows)
        np.testing.assert_array_equal(one.counts, other.counts)


@pytest.mark.parametrize(("dataset", "hidden"), [("correlated", 1), ("syn_a", 0), ("syn_b", 0)])
def test_records_that_follow_a_tree_are_drawn_along_it(experiment, dataset, hidden):
    tree = trees(experiment({}, runs=7), point(d=4, k=3, dataset=dataset), AXES)
    assert (tree.n, tree.d, tree.hidden, len(tree.roots)) == (1000, 4, hidden, 7)
    same_for_all_runs = (tree.parents == tree.parents[0]).all()
    assert same_for_all_runs == (dataset != "syn_b")


@pytest.mark.parametrize(
    ("changed_point", "changed_axes"),
    [
        ({"dataset": "clave"}, {}),
        ({"dataset": "syn_b"}, {"parent": "user"}),
        ({}, {"data_per_run": "one"}),
        ({"k": 10, "d": 2}, {}),
    ],
    ids=["real", "parents_of_users", "one_data_set", "few_records"],
)
def test_other_records_are_not(experiment, changed_point, changed_axes):
    assert trees(experiment({}, runs=2), {**point(d=4, k=3), **changed_point}, {**AXES, **changed_axes}) is None


def test_trees_do_not_depend_on_epsilon_or_phase(experiment):
    small = experiment({}, runs=2)
    first = trees(small, point(d=6), AXES)
    again = trees(small, {**point(d=6), "epsilon": 5, "phase1_fraction": 0.2}, AXES)
    np.testing.assert_array_equal(first.edges, again.edges)


def test_an_axis_overrides_the_grid():
    grid = {"dataset": ["correlated"], "rho": [0.5], "epsilon": [1, 3]}
    assert points(grid, {"rho": 0.9}) == [
        {"dataset": "correlated", "rho": 0.9, "epsilon": 1},
        {"dataset": "correlated", "rho": 0.9, "epsilon": 3},
    ]

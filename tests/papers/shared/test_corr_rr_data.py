"""The records behind the cells of the Corr-RR experiments."""

import numpy as np
import pytest
from shared.runners import errors
from shared.runners.data import model, records, trees
from support_laws import marginals_and_correlations

SETTING = {"epsilon": [1], "mechanisms": ["SPL"]}
AXES = {"marginal": "uniform", "structure": "equicorrelated", "non_copy": "marginal", "data_per_run": "new"}


OTHERS = ({}, {"epsilon": 5, "phase1_fraction": 0.2})


def point(d=3, k=2, rho=0.5, n=1000, dataset="correlated"):
    return {"dataset": dataset, "n": n, "d": d, "k": k, "rho": rho, "epsilon": 1}


def at(cell, point, runs=2, **axes):
    """Return the cell of a point and of axes that differ from `AXES`."""
    return cell(errors.mse, SETTING, point, runs, **{**AXES, **axes})


def law_of(cell):
    """Correlations and marginals of the last d attributes."""
    d = cell["d"]
    frequencies, correlations = marginals_and_correlations(model(cell, np.random.default_rng(0)).law)
    return correlations[-d:, -d:], frequencies[-d:]


@pytest.mark.parametrize("marginal", ["uniform", "pi"])
@pytest.mark.parametrize("rho", [0.1, 0.5, 0.9])
def test_every_pair_of_equicorrelated_attributes_correlates_by_rho(cell, marginal, rho):
    correlations, frequencies = law_of(at(cell, point(d=4, k=3, rho=rho), marginal=marginal))
    np.testing.assert_allclose(correlations[~np.eye(4, dtype=bool)], rho)
    np.testing.assert_allclose(frequencies, frequencies[[0]] * np.ones((4, 1)))


def test_structures_and_attributes_that_differ(cell):
    """Followers in a star correlate by rho squared; of differing data only the first attribute has a law of its own."""
    correlations, _ = law_of(at(cell, point(rho=0.5), structure="star"))
    np.testing.assert_allclose(correlations, [[1, 0.5, 0.5], [0.5, 1, 0.25], [0.5, 0.25, 1]])
    cells = {
        at(cell, point(k=4, d=2, rho=0.5), structure="unequal"): [0.4, 0.3, 0.2, 0.1],
        at(cell, point(k=4, rho=0.5, dataset="linear_first")): [0.4, 0.3, 0.2, 0.1],
        at(cell, point(k=4, rho=0.5, dataset="dominated_first")): [0.95, *[0.05 / 3] * 3],
    }
    for cell, first in cells.items():
        _, frequencies = law_of(cell)
        np.testing.assert_allclose(frequencies[0], first)
        np.testing.assert_allclose(frequencies[1:], [(frequencies[0] + 0.25) / 2] * (len(frequencies) - 1))


def test_one_table_serves_all_runs_unless_more_records_are_possible_than_users(cell):
    (shared,) = records(at(cell, point(d=3, n=9), 5))
    assert shared.counts.shape == (5, 8)
    separate = records(at(cell, point(d=3, n=8), 5))
    assert [table.n for table in separate] == [8] * 5
    assert len(records(at(cell, point(d=3, n=8), 5, data_per_run="fixed"))) == 1


@pytest.mark.parametrize("dataset", ["correlated", "syn_a", "syn_b"])
def test_shared_and_separate_tables_follow_one_law(cell, dataset):
    """Mean counts of the 8 records over 1000 runs of 8 users (separate) and of 9 (shared), both in shares of users.

    Each record's z is below 4.8 except for 1 in 30,000 (two-sided, 8 records, two tables).
    """
    expected = model(at(cell, point(dataset=dataset), parent="user"), np.random.default_rng(0)).law
    expected = expected.reshape(-1, 8).sum(axis=0)
    for n in (8, 9):
        tables = records(at(cell, point(n=n, dataset=dataset), 1000, parent="user"))
        shares = np.zeros(8)
        for table in tables:
            codes = np.ravel_multi_index(table.rows.T, (2, 2, 2))
            shares[codes] += np.atleast_2d(table.counts).sum(axis=0) / (1000 * n)
        z = (shares - expected) / np.sqrt(expected * (1 - expected) / (1000 * n))
        assert np.abs(z).max() < 4.8


@pytest.mark.thorough
def test_errors_are_those_of_the_closed_form_whichever_table_is_used(table):
    """SPL and RS+RFD: |z| below 4.5 except for 1 in 17,000 (two-sided, 8 rows)."""
    for n, d, parent in [(60, 3, "attribute"), (60, 2, "user"), (60, 3, "user"), (70, 3, "user")]:
        setting = {"dataset": ["syn_b"], "n": [n], "d": [d], "k": [4], "rho": [0.5], "epsilon": [1]}
        readings = {"rs_rfd": ["single_phase"], "prior": ["true"], "parent": [parent]}
        rows = table(errors.mse, {**setting, "mechanisms": ["SPL", "RS+RFD"]}, readings, runs=400)
        assert (np.abs(rows["mean"] - rows["theory"]) / rows["se"]).max() < 4.5


def test_data_and_trees_do_not_depend_on_epsilon_or_phase(cell):
    few, many = ([at(cell, {**each, **other}) for other in OTHERS] for each in (point(d=3, n=8), point(d=6)))
    for one, other in zip(*map(records, few), strict=True):
        np.testing.assert_array_equal(one.rows, other.rows)
        np.testing.assert_array_equal(one.counts, other.counts)
    np.testing.assert_array_equal(*(trees(cell).edges for cell in many))


@pytest.mark.parametrize(("dataset", "hidden"), [("correlated", 1), ("syn_a", 0), ("syn_b", 0)])
def test_records_that_follow_a_tree_are_drawn_along_it(cell, dataset, hidden):
    tree = trees(at(cell, point(d=4, k=3, dataset=dataset), 7))
    assert (tree.n, tree.d, tree.hidden, len(tree.roots)) == (1000, 4, hidden, 7)
    same_for_all_runs = (tree.parents == tree.parents[1]).all()
    assert same_for_all_runs == (dataset != "syn_b")


@pytest.mark.parametrize(
    ("changed_point", "changed_axes"),
    [
        ({"dataset": "clave"}, {}),
        ({"dataset": "syn_b"}, {"parent": "user"}),
        ({}, {"data_per_run": "fixed"}),
        ({"k": 10, "d": 2}, {}),
    ],
    ids=["real", "parents_of_users", "one_data_set", "few_records"],
)
def test_other_records_are_not(cell, changed_point, changed_axes):
    assert trees(at(cell, {**point(d=4, k=3), **changed_point}, **changed_axes)) is None

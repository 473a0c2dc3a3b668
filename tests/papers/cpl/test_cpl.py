"""The experiments of the CPL paper on small synthetic data, against enumeration and planted faults."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from cpl.runners import appendices, benchmarks, calibration, composition, estimates, facts, laws, pairs, relaxed
from cpl.runners.data import build, copied, joint_table, pair_tables, view_of
from cpl.runners.relaxed import delta_at
from scipy.stats import kstest

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.memo import Memo
from claimaudit.results import axes_of
from corrldp.data.table import Table
from corrldp.leakage.total import joint_leakage, total_leakage
from corrldp.mechanisms.grr import GRR

pytestmark = pytest.mark.thorough

MECHANISMS = ["GRR", "RAPPOR", "EXP", "OUE", "BLH", "OLH", "SS", "SHE"]
RAPPOR, BINNING = ["constants", "symmetric"], ["recipe", "quartiles"]


def view(seed, n, sizes, names, standin=False):
    """Records of a chain: each attribute copies the one before it, modulo its size, half of the time."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(sizes[0], size=n)]
    for size in sizes[1:]:
        columns.append(np.where(rng.random(n) < 0.5, columns[-1] % size, rng.integers(size, size=n)))
    return Table(np.column_stack(columns), tuple(names), tuple(tuple("0123"[:size]) for size in sizes), standin)


VIEWS = {
    "mixed": view(1, 3000, [3, 2, 4], ["a", "b", "c"]),
    "coarse": view(1, 3000, [2, 2, 2], ["a", "b", "c"]),
    "binary": view(2, 4000, [2, 2, 2, 2], ["w", "x", "y", "z"]),
    "public": view(3, 2000, [2, 2, 2, 2], ["w", "x", "y", "z"], standin=True),
}
NAMED = {"Mixed": "mixed", "Binary": "binary"}
BINNED = {"views": NAMED, "binned": {"quartiles": {"Mixed": "coarse"}}}


@pytest.fixture
def table_of(table):
    """Function (runner, setting, runs, axes) -> result table without duplicate rows."""

    def make(runner, setting, runs=2, **axes):
        found = table(runner, setting, axes, runs, views=VIEWS, paper="cpl")
        settings, read = axes_of(found)
        assert not found.duplicated([*settings, "reading", *read, "mechanism", "metric"]).any()
        return found

    return make


@pytest.fixture
def cells(experiment):
    """Function (runner, setting, axes) -> a cell of every reading by its name, and the log of what it reads."""

    def make(runner, setting, axes=None):
        chosen = experiment(runner, setting, axes, views=VIEWS)
        return {reading: (Cell(chosen, Memo(), {}, reading, log := {}), log) for reading in chosen.readings}

    return make


def value(table, query):
    found = table.query(query)
    assert len(found) == 1
    return found["mean"].iloc[0]


def test_data_sets_under_a_reading(cells):
    setting = {**BINNED, "without": {"without_country": {"Mixed": ["b"]}}, "epsilon": [1]}
    found = cells(pairs.every, setting, {"binning": BINNING, "domain": ["all", "without_country"]})
    sizes = {name: view_of(cell, "Mixed").sizes for name, (cell, _) in found.items()}
    assert sizes == {"strict": (3, 2, 4), "binning=quartiles": (2, 2, 2), "domain=without_country": (3, 4)}
    cell, log = cells(pairs.every, setting, {"binning": BINNING})["binning=quartiles"]
    assert view_of(cell, "Binary") is VIEWS["binary"]
    assert ("choice", "binning") not in log  # the reading shares the results for the data set that it does not change


def test_attributes_that_take_part_and_their_joint_counts(cells):
    setting = {"views": NAMED, "attributes": {"Mixed": ["c", "a"]}, "epsilon": [1]}
    [(cell, _)] = cells(pairs.every, setting).values()
    assert view_of(cell, "Mixed").names == ("c", "a")
    [(cell, _)] = cells(pairs.every, {"views": NAMED, "epsilon": [1]}).values()
    counts = joint_table(cell, "Mixed", "c", "a", "b")
    assert (counts.shape, counts.sum()) == ((4, 3, 2), 3000)
    np.testing.assert_array_equal(counts.sum(axis=2), joint_table(cell, "Mixed", "c", "a"))


def test_half_of_the_records_of_one_data_set(cells):
    setting = {"views": NAMED, "halved": ["Binary"], "epsilon": [1], "mechanisms": ["GRR"]}
    found = cells(estimates.nmse_cpl, setting, {"records": ["all", "half"]})
    cell, log = found["records=half"]
    half, whole = cell.once(pair_tables, "Binary"), VIEWS["binary"]
    assert {counts.sum() for counts in half.values()} == {2000}
    for expansion, rows in ((3, 6000), ("cut", 100_000)):
        assert {copied({"expansion": expansion}, counts).sum() for counts in half.values()} == {rows}
    assert copied({"expansion": "cut"}, np.full((3, 2, 2), 10**6)).tolist() == np.full((3, 2, 2), 1_250_000).tolist()
    sizes = [build({"subset_size": how}, "SS", 1.0, 6).size for how in ("floored", "rounded", "up")]
    assert sizes == [1, 2, 2]
    assert all((half[pair] <= counts).all() for pair, counts in pair_tables(found["strict"][0], "Binary").items())
    assert view_of(cell, "Binary").sizes == whole.sizes
    assert ("choice", "records") in log
    cell, log = cells(estimates.nmse_cpl, setting, {"records": ["all", "half"]})["records=half"]
    assert view_of(cell, "Mixed") is VIEWS["mixed"]
    assert ("choice", "records") not in log


@pytest.mark.parametrize("field", ["binned", "without", "attributes", "halved"])
def test_a_misspelt_data_set_is_refused(cells, field):
    wrong = {"binned": {"width": {"Mixd": "coarse"}}, "without": {"without_country": {"Mixd": ["b"]}}}
    content = ["Mixd"] if field == "halved" else wrong.get(field, {"Mixd": ["a"]})
    with pytest.raises(ValueError, match="no data set 'Mixd'; there are Mixed, Binary; did you mean Mixed"):
        cells(pairs.every, {"views": NAMED, "epsilon": [1], field: content})


def test_named_pairs(table_of):
    pair = {"dataset": "Mixed", "about": "b", "by": "c", "rank": 1}
    setting = {"views": NAMED, "pairs": [pair], "epsilon": [1], "mechanisms": ["GRR", "OUE", "RAPPOR"]}
    table = table_of(pairs.named, setting, runs=20, rappor=RAPPOR)
    strict = table[table["reading"] == "strict"]
    exact = value(strict, "mechanism == 'GRR' and metric == 'cpl'")
    estimate = strict.query("mechanism == 'GRR' and metric == 'cpl_estimated'").iloc[0]
    assert abs(estimate["mean"] - exact) < 5 * estimate["se"] + 0.02  # the estimator of a supremum is biased upwards
    bound = value(strict, "mechanism == 'Algorithm 2'")
    assert value(strict, "mechanism == 'OUE' and metric == 'cpl_reports'") == pytest.approx(bound)
    assert value(strict, "mechanism == 'OUE' and metric == 'cpl'") < exact <= bound + 1e-12
    symmetric = table[table["reading"] == "rappor=symmetric"]
    assert value(symmetric, "mechanism == 'RAPPOR' and metric == 'cpl_reports'") == pytest.approx(bound)


def test_over_budget(table_of):
    own = ["left_out", "included"]
    setting = {"views": {"Binary": "binary"}, "about": "x", "by": ["w", "y"], "epsilon": [0, 1, 4]}
    table = table_of(composition.neighbours, setting, own_report=own)
    strict = table[table["reading"] == "strict"]
    assert (strict.query("epsilon == 0")["mean"] == 0).all()
    single = strict.query("metric == 'leakage' and rank > 0 and epsilon == 1")["mean"]
    assert value(strict, "metric == 'sum' and epsilon == 1") == pytest.approx(single.sum())
    included = table[table["reading"] == "own_report=included"]
    joint, with_own = (value(part, "metric == 'joint' and epsilon == 4") for part in (strict, included))
    assert with_own == pytest.approx(joint + 4)  # the own report is independent of the others, given the attribute


def test_all_pairs_and_their_distribution_agree(table_of):
    both = table_of(pairs.every, {**BINNED, "epsilon": [1]}, binning=BINNING)
    strict = both.query("reading == 'strict' and mechanism == 'GRR' and metric == 'cpl'")
    assert len(strict) == 6 + 12
    about_b = value(strict, "dataset == 'Mixed' and about == 'b' and by == 'c'")
    reverse = both.query("reading == 'strict' and metric == 'cpl_reverse'")
    assert value(reverse, "dataset == 'Mixed' and about == 'c' and by == 'b'") == about_b
    setting = {**BINNED, "epsilon": 1, "bins": 20, "limits": [0.1]}
    table = table_of(pairs.distribution, setting, binning=BINNING, normalisation=["mean", "joint"])
    mixed = table.query("reading == 'strict' and dataset == 'Mixed' and along == 'cpl'")
    assert value(mixed, "metric == 'share_below_0.1'") == np.mean(strict.query("dataset == 'Mixed'")["mean"] < 0.1)
    assert mixed.query("metric == 'share'")["mean"].sum() == pytest.approx(1)
    quartiles = table.query("reading == 'binning=quartiles' and dataset == 'all'")
    assert value(quartiles, "metric == 'pairs' and along == 'cpl'") == 18


def test_leakages_that_are_equal_but_for_rounding_share_rank_and_bin():
    setting = pairs.Distribution(views={"a": "a"}, epsilon=1.0, bins=4, limits=(0.5,))
    leakages, nmis = np.repeat([0.2, 0.5, 1.0], 3), np.repeat([0.25, 0.5, 0.75], 3)
    noise = 2.0**-52 * np.tile([-1, 0, 1], 3)
    exact, noisy = (list(pairs.statistics(leakages + shift, {"nmi": nmis - shift}, setting)) for shift in (0, noise))
    assert noisy == exact


def test_shuffled_attributes_depend_on_no_other(table_of):
    setting = {"views": NAMED, "epsilon": 1, "bins": 20, "limits": [0.1]}
    drawn, shuffled = (
        table_of(pairs.distribution, setting | {"shuffled": shuffle}).query("dataset == 'all' and along == 'nmi'")
        for shuffle in (False, True)
    )
    assert shuffled["centre"].max() < drawn["centre"].max()
    assert shuffled.query("metric == 'pairs'")["mean"].sum() == drawn.query("metric == 'pairs'")["mean"].sum()


def test_estimates_are_near_exact_leakages_and_reports_attain_the_bound(table_of):
    setting = {**BINNED, "epsilon": [1], "mechanisms": MECHANISMS}
    table = table_of(estimates.nmse_cpl, setting, binning=BINNING, rappor=RAPPOR, expansion=[50, 1])
    strict = table[table["reading"] == "strict"]
    grr = strict.query("mechanism == 'GRR' and dataset == 'Binary'").set_index("metric")["mean"]
    assert grr["nmse_algorithm_1"] < 0.01
    assert grr["nmse_inferred"] == pytest.approx(0, abs=1e-20)  # binary: Algorithm 2 is the leakage of GRR
    for name in ("OUE", "BLH", "OLH", "SHE"):
        exact = strict.query(f"mechanism == '{name}'").groupby("metric")["mean"].agg(["min", "max"])
        assert exact.loc["nmse_reports", "max"] == 0
        assert exact.loc["nmse_inferred", "min"] > 0.05
    rows = table.set_index(["reading", "dataset", "mechanism", "metric"])["mean"].sort_index()
    changed = rows["rappor=symmetric"][rows["rappor=symmetric"].ne(rows["strict"])]
    assert set(changed.index.get_level_values("mechanism")) == {"RAPPOR"}
    pd.testing.assert_series_equal(rows["binning=quartiles", "Binary"], rows["strict", "Binary"])
    at = ("Mixed", "GRR", "nmse_algorithm_1")
    assert rows["expansion=1"][at] > 5 * rows["strict"][at]


def test_significance_sees_dependence_and_expansion_inflates_it(table_of):
    setting = {"views": {"Binary": "binary"}, "surrogates": 200, "cases": [{"epsilon": 2, "expansion": 50}]}
    table = table_of(estimates.significance, setting)
    assert value(table, "metric == 'share_significant'") == 1
    setting = {"n": [2000], "k": [2], "epsilon": [8], "expansion": [1, 50], "surrogates": 99}
    alarms = table_of(estimates.false_alarms, setting, runs=400).set_index("expansion")["mean"]
    assert 0.01 < alarms[1] < 0.10  # five standard errors about 0.05: false alarms of this test below 1e-5
    assert alarms[50] > 0.5


def test_drawing_ends_early_only_where_the_p_value_is_large():
    rng = np.random.default_rng(3)
    dependent = np.array([[900, 100], [100, 900]])
    assert estimates.sequential_p_value(dependent, 1000, rng) == 1 / 1001
    independent = rng.multinomial(2000, np.full(6, 1 / 6), size=400).reshape(-1, 2, 3)
    found = np.array([estimates.sequential_p_value(table, 1000, rng) for table in independent])
    assert kstest(found, "uniform").pvalue > 1e-4
    full = np.array([estimates.leakage_p_values(table, 1000, rng) for table in independent])
    error = np.sqrt(full * (1 - full) * (1 / 1000 + 0.01 / full))  # of the full p-value, and of one from 100 / p draws
    assert np.abs((found - full) / error).max() < 6


def test_algorithms(table_of):
    setting = {"views": NAMED, "epsilon": [1], "thresholds": {"GRF 0.2": 0.2}}
    symmetric = ["covariance", "smaller", "larger"]
    table = table_of(benchmarks.algorithms, setting, symmetric=symmetric, linked=["component", "edge"])
    strict = table.query("reading == 'strict' and dataset == 'Binary'")
    strict = strict.set_index(["truth", "mechanism", "metric"])["mean"]
    assert strict["Algorithm 2", "ITS", "undershoot"] == strict["Algorithm 2", "ITS", "overshoot"] == 0
    assert strict["Algorithm 2", "SPL-ANL", "undershoot"] == 0 < strict["Algorithm 2", "SPL-ANL", "overshoot"]
    assert strict["OUE", "ITS", "overshoot"] > 0 == strict["OUE reports", "ITS", "overshoot"]
    smaller = table.query("reading == 'symmetric=smaller' and mechanism == 'CBP' and truth == 'GRR'")
    assert (smaller.query("metric == 'overshoot'")["mean"] == 0).all()


def test_utility(table_of):
    setting = {"views": {"Mixed": "mixed"}, "epsilon": [1], "mechanisms": MECHANISMS}
    table = table_of(benchmarks.utility, setting, 300, rappor=RAPPOR, postprocess=["none", "clip_normalise"])
    strict = table[table["reading"] == "strict"]
    frequency = strict[strict["metric"] == "frequency_error"]
    z = (frequency["mean"] - frequency["theory"]) / frequency["se"]
    assert z.abs().max() < 4.5  # eight tests: false alarms below 1e-4
    assert (strict.query("metric == 'tcpl_reports' and mechanism in ['OUE', 'OLH', 'SHE']")["mean"] == 1).all()
    grr = value(strict, "mechanism == 'GRR' and metric == 'zero_one_error'")
    assert grr == pytest.approx(np.mean([1 - GRR(1, k).p_support for k in (3, 2, 4)]))
    view = VIEWS["mixed"]
    commonest = np.mean([1 - np.bincount(column).max() / view.n for column in view.codes.T])
    assert value(strict, "metric == 'commonest_error'") == pytest.approx(commonest)


def test_calibration_meets_its_budget_and_the_printed_algorithm_exceeds_it(table_of):
    chosen = ["all", "random_21", "independent_21"]
    setting = {"own": "binary", "public": "public", "budget": [1.5], "size": 3, "step": 0.01}
    table = table_of(calibration.budgets, setting, chosen=chosen)
    strict = table[table["reading"] == "strict"].set_index(["mechanism", "metric"])["mean"]
    assert strict["calibrated", "total_leakage"] == pytest.approx(1.5, abs=1e-6)
    assert strict["Algorithm 3 as printed", "total_leakage"] > 1.5
    assert strict["SPL", "epsilon_attribute"] == pytest.approx(1.5 / 4)
    assert strict["calibrated", "ratio"] > 1
    assert table["standin"].all()  # the public data set is a stand-in


def test_example_reproduces_appendix_k(table_of):
    law = [[0.2, 0, 0, 0], [0, 0.2, 0, 0], [0.1, 0.15, 0.03, 0.02], [0.1, 0.15, 0.03, 0.02]]
    axes = {"normalisation": ["mean", "joint"], "expansion": [50, 1], "theoretical": ["law", "records"]}
    table = table_of(appendices.example, {"law": law, "n": 1000, "epsilon": [0.5, 1, 2]}, **axes)
    table["printed"] = table["epsilon"].map({0.5: 0.2809, 1: 0.6201, 2: 1.4338})
    exact = table.query("reading == 'strict' and metric == 'cpl' and mechanism != 'GRR'")
    records = table.query("reading == 'theoretical=records' and metric == 'cpl' and mechanism == 'Algorithm 2'")
    assert (records["runs"] == 2).all()
    for rows, near in ((exact, {"atol": 5e-5}), (records, {"rtol": 0.2})):
        forward, backward = (rows[rows["direction"] == name] for name in ("X^ -> Xk", "Xk -> X^"))
        np.testing.assert_allclose(forward["mean"], forward["epsilon"], rtol=1e-12)
        np.testing.assert_allclose(backward["mean"], backward["printed"], **near)
    assert (backward["se"] > 0).all()
    assert value(table, "reading == 'normalisation=joint' and metric == 'nmi'") == pytest.approx(0.1649, abs=5e-5)


def test_two_thirds_of_the_pairs_of_every_selection(table_of):
    """Of four attributes two are named, so that either of the others makes three: six ordered pairs, of which four."""
    setting = {"views": {"Binary": "binary"}, "epsilon": 1, "size": 3, "named": ["w", "z"]}
    table = table_of(pairs.selections, setting).set_index("selection")["mean"]
    every = table_of(pairs.every, {"views": {"Binary": "binary"}, "epsilon": [1]}).query("metric == 'cpl'")
    for number, other in enumerate("xy"):
        inside = every.query(f"mechanism == 'GRR' and about in ['w', 'z', '{other}'] and by in ['w', 'z', '{other}']")
        assert table[number] == pytest.approx(inside["mean"].nlargest(3).iloc[-1])
    assert len(table) == 2


def test_composition_is_the_leakage_of_the_joint_reports(table_of):
    table = table_of(composition.triples, {"views": {"Binary": "binary"}, "epsilon": [1]})
    channel = GRR(1, 2).channel()
    ratios = []
    for pair in (["w", "y"], ["w", "z"], ["y", "z"]):
        single = sum(joint_leakage(VIEWS["binary"].counts(["x", name]), [channel]) for name in pair)
        ratios.append(joint_leakage(VIEWS["binary"].counts(["x", *pair]), [channel, channel]) / single)
    assert value(table, "about == 'x' and metric == 'ratio_highest'") == pytest.approx(max(ratios))
    assert value(table, "about == 'x' and metric == 'ratio_mean'") == pytest.approx(np.mean(ratios))
    assert value(table, "dataset == 'exclusive or' and metric == 'joint'") > 0.1
    assert value(table, "dataset == 'exclusive or' and metric == 'sum'") == pytest.approx(0, abs=1e-12)


def test_attack_gains_at_most_the_leakage(table_of):
    table = table_of(benchmarks.attack, {"views": NAMED, "epsilon": [1], "mechanisms": ["GRR", "OUE"]})
    assert (table[table["metric"].str.startswith("excess")]["mean"] <= 1e-12).all()
    gains = table[table["metric"] == "gain_highest"]
    assert (gains["mean"] > 0.01).all()


def test_laws_hold_and_a_planted_fault_shows(table_of, monkeypatch):
    """Line 3 of Algorithm 1 misses the actual leakage; the exponential mechanism leaks less than the bound."""

    def statements():
        table = table_of(laws.statements, {"t": [2, 3], "cases": 3, "epsilon": [1]})
        return table, (table["mean"] - table["theory"]).abs().groupby(table["law"]).max()

    table, before = statements()
    assert before["theorem_iv_6"] < 1e-12
    means = table.groupby("mechanism")["mean"].agg(list)
    printed, actual = np.array(means["printed CPL"]), np.array(means["actual CPL"])
    assert np.abs(printed - actual).max() > 1e-3
    np.testing.assert_allclose(actual, table.loc[table["law"] == "proposition_iv_1", "mean"], rtol=1e-12)
    shares = table.loc[table["law"] == "exponential_over_bound", ["zeros", "mean"]]
    assert shares["mean"].between(0, 1, inclusive="neither").all()
    assert (shares.loc[shares["zeros"] == "disjoint", "mean"] < 0.5 + 1e-12).all()  # the bound is then epsilon
    monkeypatch.setattr(laws, "best_ratio", lambda g, h, epsilon: float((g / np.maximum(h, 1e-9)).max()))
    assert statements()[1]["theorem_iv_6"] > 1e-3


def test_smallest_delta_is_that_of_the_worst_set_of_reports():
    rows = np.random.default_rng(1).dirichlet(np.ones(4), size=3)
    sets = np.array([*product((0, 1), repeat=4)])
    brute = max(((p - np.exp(0.3) * q) @ sets.T).max() for p, q in permutations(rows, 2))
    assert delta_at(rows, 0.3) == pytest.approx(brute, rel=1e-12)
    assert delta_at(GRR(0.3, 4).channel(), 0.3) == pytest.approx(0, abs=1e-15)


SMALL = {"t": [2, 4], "cases": 3, "epsilon": [0.5, 2], "delta": [0.01]}


def test_relaxed_statements_hold_with_the_least_relaxation(table_of):
    table = table_of(relaxed.statements, SMALL)
    largest = table.groupby("law")["mean"].max()
    gap = (table["mean"] - table["theory"]).abs().groupby(table["law"]).max()
    relaxed_bounds = ["relaxed_guarantee", "relaxed_least", "relaxed_pointwise"]
    assert (largest[[*relaxed_bounds, "worst_delta", "theorem_ii_3", "eq_6_independent"]] <= 1 + 1e-9).all()
    assert (gap[["eq_14", "relaxed_attained", "no_tighter", "no_saturation", "leaky_delta"]] < 1e-9).all()
    assert largest["relaxed_tight"] > 1.1
    assert largest["eq_6_exclusive_or"] > 1.1
    assert largest["relaxation_has_a_value"] == 0


def test_relaxation_of_two_binary_attributes(table_of):
    table = table_of(relaxed.pairs, {"views": {"Binary": "binary"}, "epsilon": [1]})
    assert value(table, "metric == 'pairs'") == 12
    by_hand = []
    for pair in permutations("wxyz", 2):
        g, h = (rows / rows.sum() for rows in VIEWS["binary"].counts(pair))
        a, b = max(zip(g, h, strict=True), key=lambda pair: pair[0] - pair[1])
        sets = [(a, b), (1 - b, 1 - a)]  # the likelier value under the first law, and the other under the second
        ratio, inside, outside = max(((1 + p * np.expm1(1)) / (1 + q * np.expm1(1)), p, q) for p, q in sets)
        by_hand.append(inside / (inside - ratio * outside))
    assert value(table, "metric == 'percentile_100'") == pytest.approx(max(by_hand))
    assert value(table, "metric == 'percentile_0'") == pytest.approx(min(by_hand))


def test_statements_of_appendix_a(table_of):
    """Exact epsilons, variances and ranges, and operations that grow as stated."""
    table = table_of(appendices.operations, {"m": [2, 4], "t": [32, 64]})
    operations = table.query("mechanism == 'Algorithm 2' and metric == 'operations'")
    counts = operations.pivot(index="m", columns="t", values="mean")
    assert counts.loc[4, 32] / counts.loc[2, 32] == pytest.approx(12 / 2, rel=0.1)
    assert counts.loc[2, 64] / counts.loc[2, 32] == pytest.approx(2 * 6 / 5, rel=0.1)
    table = table_of(appendices.mechanisms, {"epsilon": [1, 3]})
    exact = table[table["metric"] == "epsilon_exact"]
    np.testing.assert_allclose(exact["mean"], exact["epsilon"], rtol=1e-12)
    assert (table.query("metric == 'variance_over_least'")["mean"] <= 1).all()
    best = table[table["metric"] == "best_range"]
    assert (best["mean"] - best["theory"]).abs().max() < 1


def test_rare_values_are_merged(table_of):
    codes, sizes = estimates.merge(VIEWS["mixed"], 0.3)
    for column, merged, size in zip(VIEWS["mixed"].codes.T, codes.T, sizes, strict=True):
        counts = np.bincount(column)
        assert size == (counts >= 900).sum() + (counts < 900).any()
        assert {*np.bincount(merged)} == {*counts[counts >= 900], *filter(None, [counts[counts < 900].sum()])}
    setting = {"views": {"Mixed": "mixed"}, "epsilon": [1], "mechanisms": ["GRR"]}
    tables = [table_of(each, setting, runs=20) for each in (estimates.rare_values, estimates.nmse_cpl)]
    for metric in ("nmse_algorithm_1", "nmse_algorithm_2"):
        ours, theirs = (part[part["metric"] == metric].iloc[0] for part in tables)
        assert abs(ours["mean"] - theirs["mean"]) < 5 * np.hypot(ours["se"], theirs["se"])


def test_an_attribute_whose_values_are_all_rare_is_left_out():
    """Even marginals, such as those of a stand-in, have no value above a share of 0.4."""
    codes, values = np.arange(60)[:, None] // [1, 3, 6] % [2, 3, 2], (tuple("01"), tuple("012"), tuple("01"))
    merged, sizes = estimates.merge(Table(codes, ("a", "b", "c"), values), 0.4)
    assert (merged.T.tolist(), sizes) == ([codes[:, 0].tolist(), codes[:, 2].tolist()], [2, 2])


def test_selections_agree_with_the_calibration_of_all_attributes(table_of):
    setting = {"own": "binary", "public": "public", "budget": [1.5], "size": 4, "step": 0.01}
    selected = table_of(calibration.selections, {**setting, "draws": 2}, calibration=["printed", "optimum"])
    drawn = selected.query("metric == 'epsilon_attribute' and draw == 1")
    exact = table_of(calibration.budgets, setting, chosen=["all"]).query("metric == 'epsilon_attribute'")
    exact = exact.set_index("mechanism")["mean"]
    for mechanism in ("calibrated", "calibrated on LFW", "SPL"):
        optimal = value(drawn, f"mechanism == '{mechanism}' and calibration == 'optimum'")
        assert optimal == pytest.approx(exact[mechanism], rel=1e-4)
    printed = value(drawn, "mechanism == 'calibrated' and reading == 'strict'")
    assert printed == pytest.approx(exact["Algorithm 3 as printed"], rel=1e-9)


def test_what_all_reports_of_a_selection_leak(table_of):
    """The calibrated budget meets the sum of Eq. 6; what the reports leak together may be more or less."""
    setting = {"own": "binary", "public": "public", "budget": [1.5], "size": 4, "step": 0.01, "draws": 1}
    found = table_of(calibration.totals, setting).set_index("metric")["mean"]
    channel = GRR(found["epsilon_attribute"], 2).channel()
    counts = VIEWS["binary"].counts()
    together = [total_leakage(np.moveaxis(counts, k, 0), channel, [channel] * 3) for k in range(4)]
    assert found["total_leakage"] == pytest.approx(max(together))
    optimum = table_of(calibration.selections, setting, calibration=["printed", "optimum"])
    query = "mechanism == 'calibrated' and metric == 'epsilon_attribute' and calibration == 'optimum'"
    assert found["epsilon_attribute"] == pytest.approx(value(optimum, query))


def test_privacy_levels_are_those_of_the_reports_and_not_of_what_is_inferred(table_of):
    table = table_of(appendices.privacy, {"epsilon": [1], "k": [3]}, rappor=RAPPOR).query("reading == 'strict'")
    exact = table[table["metric"] == "epsilon_exact"].set_index("mechanism")["mean"]
    assert exact[["RAPPOR", "EXP", "OLH"]].tolist() == pytest.approx([np.log(77 / 45), 0.5, 1])


def test_facts_and_conditional_shares(table_of):
    named = {"CelebA": "binary", "LFW": "public", "CVD": "mixed"}
    setting = {"views": named, "holders_of_1": {"CVD": ["b"]}, "shared": ["CelebA", "LFW"]}
    table = table_of(facts.sizes, setting).set_index(["dataset", "metric"])["mean"]
    assert table["CelebA and LFW", "attributes"] == 4
    assert table["CVD", "holders_of_b"] == (VIEWS["mixed"].codes[:, 1] == 1).sum()
    assert table["CVD", "largest_domain"] == 4
    share = {"name": "y_of_x", "dataset": "Binary", "attribute": "y", "code": 1, "among": "x", "given": 0}
    x, y = VIEWS["binary"].codes[:, 1], VIEWS["binary"].codes[:, 2]
    found = table_of(facts.shares, {"views": NAMED, "shares": [share]})
    assert value(found, "metric == 'y_of_x'") == pytest.approx(np.mean(y[x == 0]), rel=1e-11)

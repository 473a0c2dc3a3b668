"""Experiments of the Castell paper on small data: golden numbers, exact rows, and planted faults."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from castell.runners import bounds, errors, estimates, laws, lopub, sets, synthetic, timing
from castell.runners.estimates import budget, distances, distances_of, observe, subsets, variant
from castell.runners.lopub import dependent_clusters, rr_clusters
from picked import number
from pydantic import ValidationError

from corrldp.data.table import Table
from corrldp.dependence import cramers_v
from corrldp.mechanisms.grr import GRR

NOISE = {"sampling_noise": ["randomised", "rounded", "unrounded"]}
SMALL = {"view": "small", "w": [2]}


@pytest.fixture(scope="module")
def view():
    rng = np.random.default_rng(0)
    first = rng.integers(2, size=400)
    codes = np.column_stack([first, (first + (rng.random(400) < 0.2)) % 2, rng.integers(3, size=400)])
    return Table(codes, ("sex", "income", "workclass"), (("a", "b"), ("a", "b"), ("a", "b", "c")))


def test_readings_of_the_observed_table():
    counts, mechanisms = np.array([[3, 1], [0, 6]]), [GRR(1.0, 2), GRR(2.0, 2)]
    expected = mechanisms[0].channel().T @ counts @ mechanisms[1].channel()
    rng = np.random.default_rng(1)
    np.testing.assert_allclose(observe(counts, mechanisms, "unrounded", None, None), expected / 10)
    np.testing.assert_allclose(observe(counts, mechanisms, "rounded", None, None), np.rint(expected) / 10)
    assert observe(counts, mechanisms, "randomised", lambda: counts, None)[0, 0] == 0.3
    modelled = [observe(counts, mechanisms, "modelled", None, rng) - expected / 10 for _ in range(200)]
    assert 0.04 < np.abs(modelled).max() <= 0.05
    assert abs(np.mean(modelled)) < 0.01
    assert [budget(4, 2, how) for how in ("per_attribute", "over_w", 1)] == [4, 2, 1]


def test_distances_of_one_run_and_of_all():
    error = np.array([[0.1, -0.3], [0.2, 0.0]])
    measures = {"sup": 0.3, "total_variation": 0.3, "mean_absolute": 0.15, "mean_squared": 0.14 / 4}
    assert distances_of(error) == pytest.approx(measures)
    found = distances([[("a", np.array([0.1, -0.2]))], [("a", np.array([0.4, 0.0]))]])
    np.testing.assert_allclose(found["a", "sup"], [0.2, 0.4])
    np.testing.assert_allclose(found["a", "total_variation"], [0.15, 0.2])


def test_without_noise_only_the_assumption_of_independence_errs(view):
    names = [("RR-Ind-Joint", ""), ("truncated", "in_order"), ("RR-Joint", ""), ("RR-Independent", "")]
    found = dict(estimates.errors(view, 1.0, "unrounded", names, np.random.default_rng(0)))
    assert not any(found[name].any() for name in names[:3])
    truth = view.counts() / 400
    product = np.einsum("i,j,k->ijk", truth.sum((1, 2)), truth.sum((0, 2)), truth.sum((0, 1)))
    np.testing.assert_allclose(found["RR-Independent", ""], product - truth, atol=1e-12)
    assert variant("truncated", {"truncation": "printed"}) == ("truncated", "printed")
    assert variant("EM", {}) == ("EM", "")


def test_estimates_rounded_to_whole_counts(view):
    names = [("RR-Ind-Joint", ""), ("truncated", "own_tables")]
    truth = view.counts() / 400
    for name, error in estimates.errors(view, 1.0, "rounded", names, np.random.default_rng(0), "whole"):
        [(_, exact)] = estimates.errors(view, 1.0, "rounded", [name], np.random.default_rng(0))
        np.testing.assert_allclose((truth + error) * 400, np.rint((truth + exact) * 400), atol=1e-9)
        assert np.abs(error - exact).max() > 1e-4


def test_limits_from_tables_of_their_own_matter_only_where_tables_are_rounded(view):
    names = [("truncated", how) for how in ("clipped", "own_tables")]
    for noise in ("randomised", "unrounded", "rounded", "modelled"):
        clipped, own = dict(estimates.errors(view, 0.1, noise, names, np.random.default_rng(0))).values()
        assert (own + view.counts() / 400 >= -1e-12).all()
        assert np.allclose(clipped, own, atol=1e-12) == (noise in ("randomised", "unrounded"))


ACCURACY = {
    "datasets": {"small": SMALL, "census": {"view": "absent", "w": [2]}},
    "epsilon": [4],
    "mechanisms": ["RR-Ind-Joint", "RR-Independent", "RR-Joint", "hybrid", "truncated"],
    "left_out": ["workclass"],
}


def test_accuracy_shares_attributes_between_readings_and_skips_what_is_missing(table, view):
    axes = {**NOISE, "attributes": ["all", "figure_4"], "truncation": ["printed", "in_order"]}
    axes |= {"thresholds": ["data", "appendix_c"], "distance": ["sup", "total_variation"]}
    found, again = (table(errors.random_sets, ACCURACY, axes, runs=20, views={"small": view}) for _ in range(2))
    assert set(found["dataset"]) == {"small"}
    strict, total, rounded, exact = (
        number(found, reading=reading, mechanism="RR-Ind-Joint")
        for reading in ("strict", "distance=total_variation", "sampling_noise=rounded", "sampling_noise=unrounded")
    )
    assert 0 == exact < rounded < 0.01
    assert total >= strict
    pd.testing.assert_frame_equal(found, again)


@pytest.mark.thorough
def test_accuracy_takes_the_stated_number_of_users(table, view):
    """The mean squared error falls as 1/n, the distance as its root: by about 3 from 40 to 360 users."""
    setting = {**ACCURACY, "datasets": {"small": {**SMALL, "n": [40, 360, 400]}}}
    found = table(errors.random_sets, setting, runs=200, views={"small": view})
    few, many, everybody = (number(found, n=n, mechanism="RR-Ind-Joint") for n in (40, 360, 400))
    assert few / many == pytest.approx(3, rel=0.2)
    assert everybody < 1.1 * many
    with pytest.raises(ValueError, match="n=401: small has 400 records"):
        table(errors.random_sets, setting | {"datasets": {"small": {**SMALL, "n": [401]}}}, views={"small": view})


def test_a_distance_stands_beside_the_bound_at_its_own_budget(table, view):
    """Eq. 10 with the largest of the data set's domains."""
    axes, setting = {"budget": ["per_attribute", "over_w", 8]}, {**ACCURACY, "mechanisms": ["RR-Ind-Joint"]}
    runners = (errors.beside_bound, errors.random_sets)
    found, plain = (table(each, setting, axes, runs=20, views={"small": view}) for each in runners)
    distances = found[found["metric"] == "avd"].reset_index(drop=True)
    wanted = ["dataset", "w", "n", "reading", "mean"]
    pd.testing.assert_frame_equal(distances[wanted], plain[wanted])
    d, n = max(view.sizes), view.n
    for row in found[found["metric"] == "bound"].itertuples():
        own = {"strict": row.epsilon, "budget=over_w": row.epsilon / row.w, "budget=8": 8}[row.reading]
        assert row.mean == pytest.approx((1 + (d - 1) / np.exp(own)) ** row.w * d**row.w / n)


def test_a_set_of_attributes_without_noise_is_estimated_once(table, view, monkeypatch):
    """17 runs of each set: the mean over all sets, whatever the order in which they were drawn."""
    calls, right = [], estimates.errors
    monkeypatch.setattr(errors, "errors", lambda chosen, *rest: calls.append(chosen.names) or right(chosen, *rest))
    setting = {**ACCURACY, "mechanisms": ["RR-Independent"]}
    found = table(errors.random_sets, setting, {"sampling_noise": ["unrounded"]}, runs=51, views={"small": view})
    assert sorted(calls) == [("income", "workclass"), ("sex", "income"), ("sex", "workclass")]
    each = [next(right(view.subset(names), 4, "unrounded", [("RR-Independent", "")], None))[1] for names in calls]
    assert number(found, dataset="small") == pytest.approx(np.mean([np.abs(error).max() for error in each]))
    assert found["runs"].tolist() == [51]


def test_subsets_leave_attributes_out_only_when_asked(view):
    assert subsets(view, 2, "all", ["workclass"]) == [(0, 1), (0, 2), (1, 2)]
    assert subsets(view, 2, "figure_4", ["workclass"]) == [(0, 1)]
    with pytest.raises(ValueError, match="no attribute 'work class'"):
        subsets(view, 2, "figure_4", ["work class"])
    with pytest.raises(ValueError, match="w=3: there are 2 attributes to choose from"):
        subsets(view, 3, "figure_4", ["workclass"])


def test_domain_fits_a_line(table, view):
    setting = {"view": "small", "w": [2, 3], "epsilon": 2, "subsets": 5}
    axes = {**NOISE, "budget": ["per_attribute"], "distance": ["sup"], "attributes": ["all"]}
    found = table(sets.line, setting, axes, runs=5, views={"small": view})
    assert set(found["cells"]) == {0, 4, 6, 12}
    points = pd.DataFrame({"w": [2, 2, 3, 3], "cells": [4, 8, 16, 32], "avd": [0.5, 0.9, 1.7, 3.3]})
    assert sets.fit([points], 10, np.random.default_rng(0)) == pytest.approx((0.1, 0.1))


def test_pairs_give_v_and_errors(table, view):
    setting = {"view": "small", "pairs": [["sex", "income"]], "epsilon": 1}
    axes = {**NOISE, "error": ["mean_absolute", "mean_squared"]}
    found = table(errors.pairs, setting, axes, runs=10, views={"small": view})
    pair = view.subset([0, 1])
    assert number(found, reading="strict", metric="cramers_v") == pytest.approx(cramers_v(pair.counts(), "domain"))
    assert number(found, reading="sampling_noise=unrounded", mechanism="RR-Ind-Joint") == 0
    assert (found.loc[found["reading"] == "sampling_noise=rounded", "runs"] == 0).all()


LOPUB = {
    "datasets": {"small": {"view": "small", "w": [2, 3]}},
    "epsilon": [4],
    "clusters": {"least_v": 0.2, "most_cells": 10},
}


def test_lopub_runs_every_scheme_and_shares_what_the_penalty_does_not_change(table, view):
    axes = {"budget": ["per_attribute"], "distance": ["sup"], "penalty": [0.001, 0.1]}
    found = table(lopub.schemes, LOPUB, axes, runs=3, views={"small": view})
    assert {"LoPub", "LoPub-EM", "RR-Clusters", "EM", "projected"} <= set(found["mechanism"])
    at = {"w": 2, "mechanism": "RR-Ind-Joint"}
    assert number(found, reading="strict", **at) == number(found, reading="penalty=0.1", **at)
    at["mechanism"] = "LoPub"
    assert number(found, reading="strict", **at) != number(found, reading="penalty=0.1", **at)


def test_reports_with_a_huge_budget_are_the_truth_of_each_cluster():
    records = np.array([[0, 0, 1]] * 50 + [[1, 2, 0]] * 30 + [[0, 1, 1]] * 20)
    view = Table(records, ("a", "b", "c"), (("0", "1"), ("0", "1", "2"), ("0", "1")))
    expected = np.einsum("ac,b->abc", [[0, 0.7], [0.3, 0]], [0.5, 0.2, 0.3])
    estimate = rr_clusters(view, 40.0, ((2, 0), (1,)), np.random.default_rng(5))
    np.testing.assert_allclose(estimate, expected, atol=1e-9)
    joint, sizes = GRR(1.5, 12), (2, 3, 2)
    reports = joint.privatize(np.ravel_multi_index(records.T, sizes), np.random.default_rng(5))
    one = rr_clusters(view, 0.5, ((0, 1, 2),), np.random.default_rng(5))
    np.testing.assert_allclose(one.ravel(), joint.estimate(reports), atol=1e-12)


def test_clusters_merge_the_most_dependent_attributes_within_their_size():
    dependence = np.array([[1, 0.9, 0.1, 0.2], [0.9, 1, 0.3, 0.1], [0.1, 0.3, 1, 0.6], [0.2, 0.1, 0.6, 1]])
    assert dependent_clusters(dependence, (2, 3, 4, 5), 0.5, 100) == [(0, 1), (2, 3)]
    assert dependent_clusters(dependence, (2, 3, 4, 5), 0.5, 10) == [(0, 1), (2,), (3,)]
    assert dependent_clusters(dependence, (2, 3, 4, 5), 0.25, 120) == [(0, 1, 2, 3)]
    assert dependent_clusters(dependence, (2, 3, 4, 5), 0.95, 120) == [(0,), (1,), (2,), (3,)]


def test_the_example_of_appendix_b(table):
    """Golden numbers of the paper; the three that differ from its print are misprints."""
    setting = {"true_counts": [[4, 0], [2, 4]], "seen_counts": [[3, 1], [3, 3]], "odds": 3}
    found = {quantity: rows["mean"].tolist() for quantity, rows in table(laws.example, setting).groupby("quantity")}
    expected = {
        "joint": [0.45, -0.15, 0.25, 0.45],
        "expected_lambda": [0.2875, 0.2625, 0.1625, 0.2875],
        "truncated_mse": [0.005625],
        "v_of_x": [2 / 3],
        "estimated_pi_b_in_truncated": [0.7, 0.3],
        "independent_mse": [0.0411],
    }
    for quantity, numbers in expected.items():
        assert found[quantity] == pytest.approx(numbers), quantity


def test_privacy_is_what_theorem_3_says(table):
    found = table(bounds.privacy, {"sizes": [[2, 2], [2, 5]], "epsilon": [0.5, 4]})
    assert set(found["sizes"]) == {"2 x 2", "2 x 5"}
    known = found.dropna(subset="theory")
    np.testing.assert_allclose(known["mean"], known["theory"])
    of_lopub = found[(found["mechanism"] == "LoPub") & (found["metric"] == "epsilon_attribute")]
    assert (of_lopub["mean"] <= of_lopub["epsilon"] + 1e-9).all()


def test_thresholds_leave_out_what_the_formula_does_not_define(table):
    """The printed epsilon is the threshold at the printed w."""
    found = table(bounds.thresholds, {"d": [16], "n": [32561]}, {"ways": [2, 3, "w_star"], "epsilon": [4]})
    assert number(found, reading="strict", metric="w_star") == pytest.approx(1.374, abs=5e-4)
    assert set(found.loc[found["reading"] == "ways=3", "metric"]) == {"n_star", "w_star"}
    assert number(found, reading="ways=w_star", metric="epsilon_star") == pytest.approx(0.473, abs=5e-4)


@pytest.mark.thorough
def test_synthetic_error_follows_its_closed_form(table):
    """Mean of 400 runs, within 6 standard errors."""
    setting = {"defaults": {"v": 0.5, "epsilon": 1, "n": 300, "d": 4}, "varied": {"v": [0, 1]}}
    axes = {"sampling_noise": ["randomised", "rounded"], "error": ["mean_absolute"]}
    found = table(synthetic.errors, setting, axes, runs=400)
    known = found[found["theory"].notna()]
    assert len(known) == 2
    assert set(known["reading"] + known["mechanism"] + known["metric"]) == {"strictRR-Ind-Jointmse"}
    assert (np.abs(known["mean"] - known["theory"]) < 6 * known["se"]).all()


def test_what_a_synthetic_sweep_holds_fixed_is_a_reading(table):
    setting = {"defaults": {"v": 0.5, "epsilon": 1, "n": 50, "d": 3}, "varied": {"d": [4], "epsilon": [2]}}
    axes = {"sampling_noise": ["rounded"], "error": ["mean_absolute"]}
    axes["held"] = ["defaults", "small_epsilon", "many_users"]
    points = table(synthetic.errors, setting, axes).groupby(["held", "varied"])[["d", "n", "epsilon"]].first()
    expected = [([4, 50, 1], "d"), ([4, 50, 0.5], "d"), ([4, 10_000, 1], "d")]
    for held, (point, varied) in zip(axes["held"], expected, strict=True):
        assert points.loc[(held, varied)].tolist() == point
    assert points.loc[("many_users", "epsilon")].tolist() == [2, 10_000, 2]


def test_timing_measures_and_counts(table):
    setting = {"k": 3, "p": 0.5, "ways": [2, 3], "largest_w": {"naive": 2, "reduced": 3, "castell": 3}}
    found = table(timing.inversions, setting, runs=3)
    assert (found[found["metric"] == "seconds"]["mean"] > 0).all()
    assert len(found[found["metric"] == "seconds"]) == 5
    assert number(found, mechanism="castell", metric="largest_w") == 18
    assert number(found, mechanism="naive", metric="largest_w") == 9
    assert number(found, mechanism="reduced", metric="storage", w=3) == 3**6


def test_bounds_hold_and_fail_where_arithmetic_says(table, view):
    setting = {"channel_sizes": [[2, 3]], "uniform_sizes": [[2, 2], [2, 16]], "d": [2, 5], "v": [0.5], "ways": [1, 2]}
    setting |= {"views": {"small": "small"}, "epsilon": [0.5, 4], "n": [1000]}
    found = table(bounds.theorems, setting, views={"small": replace(view, standin=True)})
    assert (found["standin"] == (found["data"] == "small")).all()
    both = found.set_index([*bounds.NOTHING, "metric"])["mean"].unstack("metric").reset_index()
    holds = (both["value"] <= both["bound"] * (1 + 1e-12)).groupby(both["fact"]).agg(["all", "any"])
    assert holds.loc[["theorem_4", "theorem_5", "lemma_1"], "all"].all()
    assert not holds.loc["lemma_2", "any"]
    assert holds.loc["theorem_6_rounding"].to_dict() == {"all": False, "any": True}
    largest = both[(both["fact"] == "lemma_2") & (both["d"] == 5) & (both["epsilon"] == 4)]
    assert largest["value"].iloc[0] == pytest.approx((np.exp(4) + 3) / (np.exp(4) - 1))


LAWS = {"d": [2, 16], "ways": [1, 2, 3], "epsilon": [0.5, 4, 100], "n": [32561], "sizes": [[2, 3], [3, 2, 2]]}
LAWS |= {"counts": [[4, 0], [2, 4]], "odds": 3, "copies": [1, 10], "transposition": [5, 2, 2], "transposed": 2}


@pytest.fixture(scope="module")
def found(table):
    return table(laws.derivations, LAWS)


def test_laws_follow_the_definitions(found):
    known = found.dropna(subset="theory")
    np.testing.assert_allclose(known["mean"], known["theory"])
    assert number(found, metric="epsilon_star", d=16, w=2) == pytest.approx(4.32, abs=0.005)
    assert set(found.loc[found["fact"] == "inversions", "metric"]) == {"naive", "reduced", "recovered"}
    of_bounds = found[found["fact"] == "bounds"]
    both = of_bounds.pivot_table(index=["d", "w", "epsilon", "n"], columns="metric", values="mean")
    assert (both["limit"] > both["eq_10"]).all()
    np.testing.assert_allclose(both.xs(100, level="epsilon")["per_cell"], 1, rtol=1e-12)
    transposed = np.stack([np.arange(1, 11), np.arange(11, 21)], axis=1)
    assert found.loc[found["fact"] == "transposition", "mean"].tolist() == transposed.ravel().tolist()


def test_deviations_are_those_of_simulated_reports(found):
    """The worked example with 100 records: the mean of 20,000 draws, within 6 standard errors."""
    rng, channel = np.random.default_rng(0), GRR(np.log(3), 2).channel()
    counts = 10 * np.array([[4, 0], [2, 4]])
    chances = np.outer(channel[:, 1], channel[:, 0])  # of reporting the third cell, a = 1 and b = 0
    draws = sum(rng.binomial(k, p, size=20000) for k, p in zip(counts.ravel(), chances.ravel(), strict=True)) / 100
    off = np.abs(draws - (counts * chances).sum() / 100)
    at = {"n": 100, "cell": 2}
    assert abs(off.mean() - number(found, metric="deviation", **at)) < 6 * off.std() / np.sqrt(20000)
    assert (off < 0.01 - 1e-9).mean() == pytest.approx(number(found, metric="within", **at), abs=0.02)
    assert number(found, metric="limit", **at) == pytest.approx(0.01)


def test_sets_are_counted_and_compared(table, view):
    setting = {"view": "small", "w": [2, 3], "epsilon": [1], "cells": 5, "drawn": 1}
    found = table(sets.every_set, setting, views={"small": view})
    assert number(found, metric="sets", w=2) == 3
    assert number(found, metric="larger", w=2) == 2
    assert number(found, metric="chance", w=2) == pytest.approx(1 / 3)
    whole = view.counts() / view.n
    error = np.einsum("i,j,k->ijk", whole.sum((1, 2)), whole.sum((0, 2)), whole.sum((0, 1))) - whole
    assert number(found, metric="sup", w=3) == pytest.approx(np.abs(error).max())
    assert number(found, metric="total_variation", w=3) == pytest.approx(np.abs(error).sum() / 2)
    joint = GRR(3.0, 12)
    exact = joint.variance(whole.ravel(), view.n).sum()
    assert number(found, metric="squared", mechanism="RR-Joint", w=3) == pytest.approx(exact, rel=0.01)
    assert sets.chance_of_none(56, 14, 20) == pytest.approx(6.54e-4, rel=1e-3)


def test_spread_has_no_largest_number_of_attributes_for_rr_joint(table, view, monkeypatch):
    assert errors.spread_of(np.array([1.0, 3.0, 5.0, 7.0]))[0] == pytest.approx(np.std([1, 3, 5, 7], ddof=1))
    assert errors.spread_of(np.ones(3)) == (0.0, 0.0)
    setting = {**ACCURACY, "epsilon": [1], "mechanisms": ["RR-Joint"]}
    setting["datasets"] = {**ACCURACY["datasets"], "small": {"view": "small", "w": [2, 3]}}
    monkeypatch.setattr(errors, "LARGEST_W_OF_JOINT", 2)
    found = table(errors.spread, setting, runs=10, views={"small": view})
    assert set(found["w"]) == {2, 3}
    assert set(found["dataset"]) == {"small"}
    both = found.pivot_table(index="w", columns="metric", values=["mean", "se"])
    np.testing.assert_allclose(both["mean", "sd"], both["se", "avd"] * np.sqrt(10))


def test_the_excess_over_the_first_mechanism_is_of_the_same_runs(table, view):
    setting = {**ACCURACY, "epsilon": [1], "mechanisms": ["RR-Ind-Joint", "truncated", "RR-Independent"]}
    found = table(errors.spread, setting, runs=10, views={"small": view})
    excess, distance = (found[found["metric"] == name].set_index("mechanism")["mean"] for name in ("excess", "avd"))
    assert excess.to_dict() == pytest.approx((distance - distance["RR-Ind-Joint"]).drop("RR-Ind-Joint").to_dict())
    variation = found[found["metric"] == "total_variation"].set_index("mechanism")["mean"]
    assert set(variation.index) == set(distance.index)
    assert (variation > distance).all()  # half the sum of more than two errors exceeds the largest


@pytest.mark.parametrize(
    ("runner", "setting", "words"),
    [
        (errors.random_sets, {**ACCURACY, "mechanisms": ["RR-Joined"]}, "RR-Joint"),
        (synthetic.pictures, {"names": ["a", "b"], "epsilon": 1}, "either a view or a pair"),
    ],
)
def test_a_mistaken_setting_is_refused(runner, setting, words):
    with pytest.raises(ValidationError, match=words):
        runner.setting.model_validate_json(json.dumps(setting))

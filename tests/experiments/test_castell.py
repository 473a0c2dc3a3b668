"""Experiments of the Castell paper on small data: golden numbers, exact rows, and planted faults."""

import numpy as np
import pandas as pd
import pytest

from corrldp.dependence import cramers_v
from corrldp.experiments.castell import (
    accuracy,
    bounds,
    datasets,
    domain,
    example,
    lopub,
    pairs,
    pictures,
    privacy,
    synthetic,
    thresholds,
    timing,
)
from corrldp.experiments.castell.estimates import errors, variant
from corrldp.experiments.castell.population import DISTANCES, Population, budget, observe, subsets
from corrldp.experiments.command import View
from corrldp.mechanisms.grr import GRR

NOISE = {"sampling_noise": ["randomised", "rounded", "unrounded"]}


@pytest.fixture(scope="module")
def view():
    rng = np.random.default_rng(0)
    first = rng.integers(2, size=400)
    codes = np.column_stack([first, (first + (rng.random(400) < 0.2)) % 2, rng.integers(3, size=400)])
    attributes = [
        {"name": name, "values": list("abc")[:k]} for name, k in (("sex", 2), ("income", 2), ("workclass", 3))
    ]
    return View(codes, {"standin": False, "attributes": attributes})


def mean(table, **chosen):
    rows = table[np.logical_and.reduce([table[name] == value for name, value in chosen.items()])]
    assert len(rows) == 1, chosen
    return rows.iloc[0]["mean"]


def test_readings_of_the_observed_table():
    counts, mechanisms = np.array([[3, 1], [0, 6]]), [GRR(1.0, 2), GRR(2.0, 2)]
    expected = sum(
        counts[i, j] * np.outer(mechanisms[0].channel()[i], mechanisms[1].channel()[j])
        for i in range(2)
        for j in range(2)
    )
    np.testing.assert_allclose(observe(counts, mechanisms, "unrounded", None), expected / 10)
    np.testing.assert_allclose(observe(counts, mechanisms, "rounded", None), np.rint(expected) / 10)
    assert observe(counts, mechanisms, "randomised", lambda: counts)[0, 0] == 0.3
    with pytest.raises(ValueError, match="none of randomised"):
        observe(counts, mechanisms, "other", None)
    assert [budget(4, 2, how) for how in ("per_attribute", "over_w", 1)] == [4, 2, 1]


def test_distances():
    error = np.array([[0.1, -0.3], [0.2, 0.0]])
    found = {name: distance(error) for name, distance in DISTANCES.items()}
    assert found == pytest.approx({"sup": 0.3, "total_variation": 0.3, "mean_absolute": 0.15, "mean_squared": 0.14 / 4})


def test_without_noise_only_the_assumption_of_independence_errs(view):
    population = Population.from_view(view)
    names = [("RR-Ind-Joint", ""), ("truncated", "in_order"), ("RR-Joint", ""), ("RR-Independent", "")]
    found = dict(errors(population, 1.0, "unrounded", names, np.random.default_rng(0)))
    assert all(not found[name].any() for name in names[:3])
    truth = population.table() / 400
    product = np.einsum("i,j,k->ijk", truth.sum((1, 2)), truth.sum((0, 2)), truth.sum((0, 1)))
    np.testing.assert_allclose(found["RR-Independent", ""], product - truth, atol=1e-12)
    assert variant("truncated", {"truncation": "printed"}) == ("truncated", "printed")
    assert variant("EM", {}) == ("EM", "")


def test_accuracy_shares_attributes_between_readings_and_skips_what_is_missing(experiment, view):
    setting = {
        "datasets": {"small": {"view": "small", "w": [2, 3]}, "census": {"view": "absent", "w": [2]}},
        "epsilon": [4],
        "mechanisms": ["RR-Ind-Joint", "RR-Independent", "RR-Joint", "hybrid", "truncated"],
        "left_out": ["workclass"],
    }
    readings = {
        **NOISE,
        "attributes": ["all", "figure_4"],
        "truncation": ["printed", "in_order"],
        "thresholds": ["data", "appendix_c"],
        "distance": ["sup", "total_variation"],
    }
    setting["datasets"]["small"]["w"] = [2]
    table = accuracy.run(experiment(setting, readings, runs=20, views={"small": view}))
    assert set(table["dataset"]) == {"small"}
    assert mean(table, reading="sampling_noise=unrounded", mechanism="RR-Ind-Joint") == 0
    rounded = table[(table["reading"] == "sampling_noise=rounded") & (table["mechanism"] == "RR-Ind-Joint")]
    assert 0 < rounded["mean"].iloc[0] < 0.01
    strict = mean(table, reading="strict", mechanism="RR-Ind-Joint")
    assert mean(table, reading="distance=total_variation", mechanism="RR-Ind-Joint") >= strict
    pd.testing.assert_frame_equal(table, accuracy.run(experiment(setting, readings, runs=20, views={"small": view})))


def test_subsets_leave_attributes_out_only_when_asked(view):
    population = Population.from_view(view)
    assert subsets(population, 2, "all", ["workclass"]) == [(0, 1), (0, 2), (1, 2)]
    assert subsets(population, 2, "figure_4", ["workclass"]) == [(0, 1)]
    assert population.of([1, 2], 50, np.random.default_rng(0)).n == 50


def test_domain_fits_a_line(experiment, view):
    setting = {
        "datasets": {"small": {"view": "small", "w": [2, 3]}},
        "epsilon": 2,
        "subsets": 5,
        "left_out": [],
    }
    axes = {**NOISE, "budget": ["per_attribute"], "distance": ["sup"], "attributes": ["all"]}
    table = domain.run(experiment(setting, axes, runs=5, views={"small": view}))
    assert set(table["cells"]) == {0, 4, 6, 12}
    points = pd.DataFrame({"w": [2, 2, 3, 3], "cells": [4, 8, 16, 32], "avd": [0.5, 0.9, 1.7, 3.3]})
    assert domain.fit(points, 10, np.random.default_rng(0)) == pytest.approx((0.1, 0.1))


def test_pairs_give_v_and_errors(experiment, view):
    setting = {"datasets": {"small": {"view": "small"}}, "pairs": [["sex", "income"]], "epsilon": 1}
    axes = {**NOISE, "distance": ["mean_absolute", "mean_squared"]}
    table = pairs.run(experiment(setting, axes, runs=10, views={"small": view}))
    population = Population.from_view(view).of([0, 1])
    assert mean(table, metric="cramers_v") == pytest.approx(cramers_v(population.table(), "domain"))
    assert mean(table, reading="sampling_noise=unrounded", mechanism="RR-Ind-Joint") == 0
    assert (table.loc[table["reading"] == "sampling_noise=rounded", "runs"] == 0).all()


def test_lopub_runs_every_scheme_and_shares_what_the_penalty_does_not_change(experiment, view):
    setting = {
        "datasets": {"small": {"view": "small", "w": [2, 3]}},
        "epsilon": 4,
        "clusters": {"least_v": 0.2, "most_cells": 10},
    }
    axes = {"budget": ["per_attribute"], "distance": ["sup"], "penalty": [0.001, 0.1]}
    table = lopub.run(experiment(setting, axes, runs=3, views={"small": view}))
    assert {"LoPub", "LoPub-EM", "RR-Clusters", "EM", "projected"} <= set(table["mechanism"])
    at = {"w": 2, "mechanism": "RR-Ind-Joint"}
    assert mean(table, reading="strict", **at) == mean(table, reading="penalty=0.1", **at)
    at["mechanism"] = "LoPub"
    assert mean(table, reading="strict", **at) != mean(table, reading="penalty=0.1", **at)


def test_the_example_of_appendix_b(experiment):
    """Golden numbers of the paper; the three that it prints otherwise are the misprints."""
    setting = {
        "true_counts": [[4, 0], [2, 4]],
        "seen_counts": [[3, 1], [3, 3]],
        "odds": 3,
        "decimals": {"joint": 2, "independent_mse": 3},
    }
    table = example.run(experiment(setting))
    exact = {
        quantity: rows["mean"].tolist() for quantity, rows in table[table["metric"] == "exact"].groupby("quantity")
    }
    assert exact["joint"] == pytest.approx([0.45, -0.15, 0.25, 0.45])
    assert exact["expected_lambda"] == pytest.approx([0.2875, 0.2625, 0.1625, 0.2875])
    assert exact["truncated_mse"] == pytest.approx([0.005625])
    assert exact["v_of_x"] == pytest.approx([2 / 3])
    assert exact["estimated_pi_b_in_truncated"] == pytest.approx([0.7, 0.3])
    assert mean(table, metric="value", quantity="independent_mse") == 0.041
    assert (table["metric"] == "value").sum() == 5


def test_privacy_is_what_theorem_3_says(experiment):
    table = privacy.run(experiment({"sizes": [[2, 2], [2, 5]], "epsilon": [0.5, 4]}))
    known = table.dropna(subset="theory")
    np.testing.assert_allclose(known["mean"], known["theory"])
    of_lopub = table[(table["mechanism"] == "LoPub") & (table["metric"] == "epsilon_attribute")]
    assert (of_lopub["mean"] <= of_lopub["epsilon"] + 1e-9).all()


def test_thresholds_leave_out_what_the_formula_does_not_define(experiment):
    axes = {"ways": [2, 3], "epsilon": [4]}
    table = thresholds.run(experiment({"d": 16, "n": 32561}, axes))
    assert mean(table, reading="strict", metric="w_star") == pytest.approx(1.374, abs=5e-4)
    assert set(table.loc[table["reading"] == "ways=3", "metric"]) == {"n_star", "w_star"}


@pytest.mark.parametrize("v", [0.0, 0.3, 1.0])
def test_synthetic_pairs_have_the_wanted_v(v):
    law = synthetic.correlated_law(7, v)
    assert law.sum() == pytest.approx(1)
    assert cramers_v(law, "domain") == pytest.approx(v, abs=1e-9)
    np.testing.assert_allclose(law.sum(axis=0), synthetic.marginal_law(7))


def test_synthetic_error_follows_its_closed_form(experiment):
    """Mean of 400 runs, within 6 standard errors."""
    setting = {"defaults": {"v": 0.5, "epsilon": 1, "n": 300, "d": 4}, "varied": {"v": [0, 1]}}
    axes = {"sampling_noise": ["randomised", "rounded"], "distance": ["mean_absolute"]}
    table = synthetic.run(experiment(setting, axes, runs=400))
    known = table[(table["metric"] == "mse") & (table["mechanism"] == "RR-Ind-Joint")]
    assert len(known) == 2
    assert (np.abs(known["mean"] - known["theory"]) < 6 * known["se"]).all()


def test_pictures_of_synthetic_and_real_pairs(experiment, view):
    axes = {"sampling_noise": ["randomised", "unrounded"]}
    numbers = pictures.run(experiment({"d": 3, "n": 50, "v": 0.5, "epsilon": 1, "names": ["a", "b"]}, axes))
    assert np.allclose(numbers.groupby(["reading", "stage"])["mean"].sum(), 1)
    two = View(view.codes[:, :2], {**view.domain, "attributes": view.domain["attributes"][:2]})
    setting = {"view": "small", "epsilon": 1, "names": ["sex", "income"]}
    real = pictures.run(experiment(setting, axes, views={"small": two}))
    exact = real[real["reading"] != "strict"].set_index(["stage", "sex", "income"])["mean"]
    np.testing.assert_allclose(exact["data"], exact["RR-Ind-Joint"], atol=1e-12)


def test_timing_measures_and_counts(experiment):
    setting = {"k": 3, "p": 0.5, "ways": [2, 3], "largest_w": {"naive": 2, "reduced": 3, "castell": 3}}
    table = timing.run(experiment(setting, runs=3))
    assert (table[table["metric"] == "seconds"]["mean"] > 0).all()
    assert len(table[table["metric"] == "seconds"]) == 5
    assert mean(table, mechanism="castell", metric="largest_w") == 18
    assert mean(table, mechanism="naive", metric="largest_w") == 9
    assert mean(table, mechanism="reduced", metric="storage", w=3) == 3**6


def test_bounds_hold_and_fail_where_arithmetic_says(experiment, view):
    setting = {
        "datasets": {"small": {"view": "small"}},
        "channel_sizes": [[2, 3]],
        "uniform_sizes": [[2, 2], [2, 16]],
        "d": [2, 5],
        "v": [0.5],
        "ways": [1, 2],
        "epsilon": [0.5, 4],
        "n": [1000],
    }
    table = bounds.run(experiment(setting, views={"small": view}))
    keys = list(bounds.NOTHING)
    both = table.set_index([*keys, "metric"])["mean"].unstack("metric").reset_index()
    holds = (both["value"] <= both["bound"] * (1 + 1e-12)).groupby(both["fact"]).agg(["all", "any"])
    assert holds.loc["theorem_4", "all"]
    assert holds.loc["theorem_5", "all"]
    assert holds.loc["lemma_1", "all"]
    assert not holds.loc["lemma_2", "any"]
    assert holds.loc["theorem_6_rounding", "any"]
    assert not holds.loc["theorem_6_rounding", "all"]
    largest = both[(both["fact"] == "lemma_2") & (both["d"] == 5) & (both["epsilon"] == 4)]
    assert largest["value"].iloc[0] == pytest.approx((np.exp(4) + 3) / (np.exp(4) - 1))


def test_datasets_count_records_and_cells(experiment, view):
    table = datasets.run(experiment({"datasets": {"small": {"view": "small"}}}, views={"small": view}))
    assert mean(table, metric="domain") == 12
    assert mean(table, metric="records") == 400

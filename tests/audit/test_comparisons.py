"""Rates are over 60 tables at level 0.05 with a fixed seed; more than 12 false alarms have probability 1e-5."""

import numpy as np
import pandas as pd
import pytest
from checking import of_one_reading
from corrldp.audit.comparisons import compare_monotone, compare_ordering, groups, judge_monotone, judge_ordering
from corrldp.audit.evidence import Levels

LEVELS, SHARP = Levels(0.05, 0.05), Levels(0.001, 0.001)
TRIALS, MOST_ALARMS = 60, 12
SETTINGS = {"n": [100, 400], "epsilon": [0.1, 0.5]}
BETTER = {"quantity": "mse_jrr", "relation": "<", "against": "mse_rr"}
FALLING = {"quantity": "mse_jrr", "along": "epsilon", "direction": "decreasing"}


ordering = of_one_reading(compare_ordering, judge_ordering)
monotone = of_one_reading(compare_monotone, judge_monotone)


def truth(factor, power=1):
    def expected(setting, mechanism, reading):
        return setting["n"] / setting["epsilon"] ** power * (1.0 if mechanism == "RR" else factor)

    return expected


@pytest.mark.parametrize(("relation", "outcome"), [("<", True), ("<=", True), (">", False), (">=", False)])
def test_clear_orderings_are_decided_either_way(simulate, rates, relation, outcome):
    claim = {**BETTER, "relation": relation}
    counted = rates(lambda rng: ordering(claim, simulate(truth(0.5), rng, SETTINGS), LEVELS).holds, 15)
    assert counted[outcome] == 15


def test_equal_mechanisms_cannot_be_ordered_and_false_alarms_are_rare(simulate, rates):
    counted = rates(lambda rng: ordering(BETTER, simulate(truth(1.0), rng, SETTINGS), LEVELS).holds, TRIALS)
    assert counted[False] <= MOST_ALARMS
    assert counted[True] == 0
    assert counted[None] >= TRIALS - MOST_ALARMS


def one_better_of_four(setting, mechanism, reading):
    better = mechanism == "JRR" and setting == {"n": 400, "epsilon": 0.5}
    return 0.5 if better else 0.7 if mechanism == "RR" else 1.0


@pytest.mark.parametrize(
    ("share", "holds"),
    [
        ("every", False),
        ("some", True),
        ("none", False),
        ({"at_least": 0.25}, True),
        ({"at_least": 0.26}, False),
        ({"at_most": 0.25}, True),
        ({"at_most": 0.24}, False),
    ],
)
def test_shares(simulate, rng, share, holds):
    for runs in (0, 100_000):
        rows = simulate(one_better_of_four, rng, SETTINGS, runs=runs)
        assert ordering({**BETTER, "share": share}, rows, SHARP).holds is holds


@pytest.mark.parametrize(
    ("share", "holds"),
    [
        ("every", None),
        ("some", True),
        ("none", False),
        ({"at_least": 0.5}, True),
        ({"at_least": 0.6}, None),
        ({"at_most": 0.5}, None),
        ({"at_most": 0.4}, False),
    ],
)
def test_shares_with_undecided_rows(simulate, rng, share, holds):
    rows = simulate(truth(0.5), rng, SETTINGS)
    rows.loc[rows["n"] == 100, "se"] *= 1e3
    evidence = ordering({**BETTER, "share": share}, rows, SHARP)
    assert evidence.holds is holds
    assert evidence.reason == "2 satisfied, 0 violated, 2 undecided"


@pytest.mark.parametrize(("relation", "holds"), [("<", False), ("<=", True), (">=", True), (">", False)])
def test_equal_exact_numbers_satisfy_only_the_weak_relations(simulate, rng, relation, holds):
    rows = simulate(truth(1 + 1e-13), rng, SETTINGS, runs=0)
    assert ordering({**BETTER, "relation": relation}, rows, SHARP).holds is holds


def test_infinite_numbers_are_ordered(simulate, rng):
    rows = simulate(truth(1.0), rng, SETTINGS, runs=0)
    rows.loc[rows["mechanism"] == "RR", "mean"] = np.inf
    assert ordering(BETTER, rows, SHARP).holds is True
    rows["mean"] = np.inf
    assert ordering(BETTER, rows, SHARP).holds is False
    assert ordering({**BETTER, "relation": "<="}, rows, SHARP).holds is True


def test_ordering_against_a_number_names_the_worst_setting(simulate, rng):
    rows = simulate(truth(0.5), rng, SETTINGS, runs=0)
    rows.loc[(rows["n"] == 400) & (rows["epsilon"] == 0.1) & (rows["mechanism"] == "JRR"), "mean"] *= 2.014
    claim = {"quantity": "mse_jrr / mse_rr", "relation": "<=", "against": 1}
    evidence = ordering(claim, rows, SHARP)
    assert evidence.holds is False
    assert evidence.effect == "3 of 4 satisfied; worst: 1.007, claimed at most 1 at n=400, epsilon=0.1"
    assert evidence.worst == {"n": 400, "epsilon": 0.1}
    assert (evidence.estimate, evidence.p_value) == (pytest.approx(0.007), 0)
    assert evidence.comparisons["outcome"] == ["satisfied", "satisfied", "violated", "satisfied"]
    assert evidence.comparisons["left"][2] == pytest.approx(1.007)


def test_the_numbers_are_told_in_the_terms_of_the_claim(simulate, rng):
    rows = simulate(truth(0.683), rng, {"n": [100], "epsilon": [0.1]}, runs=0)
    gain = {
        "quantity": "1 - mse_jrr / mse_rr",
        "measure": "reduction",
        "unit": "percent",
        "relation": ">",
        "against": 0.7,
    }
    assert ordering(gain, rows, SHARP).effect == "reduction 31.7 %, claimed above 70 %"
    assert ordering(BETTER, rows.assign(mean=[2.0, 1.5]), SHARP).effect == "JRR 1.5, RR 2"


def test_a_named_measure_replaces_the_metrics_of_one_mechanism(simulate, rng):
    exact = simulate(truth(0.5), rng, {"n": [100], "epsilon": [0.1]}, ["JRR"], runs=0).assign(mean=4.0)
    rows = pd.concat([exact, exact.assign(metric="bound", mean=3.0)])
    bounded = {"quantity": "mse_jrr", "relation": "<=", "against": "bound_jrr"}
    assert ordering(bounded, rows, SHARP).effect == "mse_jrr 4, bound_jrr 3"
    assert ordering({**bounded, "measure": "error"}, rows, SHARP).effect == "error 4, claimed at most 3"


def test_a_simulated_number_against_a_fixed_one_shows_its_error(simulate, rng):
    rows = simulate(truth(0.5), rng, {"n": [100], "epsilon": [0.1]}).assign(mean=[2.0, 1.5], se=[0.2, 0.0])
    claim = {"quantity": "mse_rr / 2", "measure": "half", "relation": "<", "against": 3}
    assert ordering(claim, rows, SHARP).effect == "half 1 ± 0.1, claimed below 3"
    assert ordering({**claim, "against": "mse_jrr"}, rows, SHARP).effect == "half 1, JRR 1.5"


def test_a_claim_about_most_settings_tells_the_worst(simulate, rng):
    rows = simulate(lambda setting, *_: setting["n"], rng, {"n": [1, 2, 3]}, ["JRR"], runs=0)
    most = {"quantity": "mse_jrr", "relation": ">", "against": 2.5, "share": {"at_least": 0.8}}
    assert ordering(most, rows, SHARP).effect == "1 of 3 satisfied; worst: JRR 1, claimed above 2.5 at n=1"
    few = {**most, "share": {"at_most": 0.2}}
    assert ordering(few, rows, SHARP).effect == "1 of 3 satisfied; best: JRR 3, claimed above 2.5 at n=3"


def test_a_claim_about_some_settings_tells_the_nearest(simulate, rng):
    rows = simulate(lambda setting, *_: setting["n"], rng, {"n": [1, 2, 3]}, ["JRR"], runs=0)
    some = {"quantity": "mse_jrr", "relation": ">", "against": 4, "share": "some"}
    evidence = ordering(some, rows, SHARP)
    assert evidence.holds is False
    assert evidence.effect == "0 of 3 satisfied; best: JRR 3, claimed above 4 at n=3"


@pytest.mark.parametrize(("direction", "outcome"), [("decreasing", True), ("increasing", False)])
def test_clear_trends_are_decided_either_way(simulate, rates, direction, outcome):
    claim, settings = {**FALLING, "direction": direction}, {"n": [100, 400], "epsilon": [0.1, 0.3, 0.9]}
    counted = rates(lambda rng: monotone(claim, simulate(truth(0.5), rng, settings), LEVELS).holds, 15)
    assert counted[outcome] == 15


def test_a_trend_names_its_quantity_if_the_claim_does(simulate):
    rows = simulate(truth(0.5), np.random.default_rng(1), {"n": [100], "epsilon": [0.1, 0.9]}, runs=0)
    assert monotone(FALLING, rows, LEVELS).effect == "from 500 to 55.56"
    assert monotone({**FALLING, "measure": "error"}, rows, LEVELS).effect == "error from 500 to 55.56"


def test_constant_quantity_has_no_trend_and_false_alarms_are_rare(simulate, rates):
    flat = truth(0.5, power=0)
    counted = rates(lambda rng: monotone(FALLING, simulate(flat, rng, SETTINGS), LEVELS).holds, TRIALS)
    assert counted[False] <= MOST_ALARMS
    assert counted[True] <= MOST_ALARMS / 2


def curve(simulate, rng, values):
    grid = [0.1 * (i + 1) for i in range(len(values))]
    rows = simulate(lambda *_: 1.0, rng, {"epsilon": grid}, ["JRR"], runs=0)
    return rows.assign(mean=values)


@pytest.mark.parametrize(
    ("values", "holds"), [([3, 2, 1], True), ([3, 3, 1], True), ([3, 3, 3], False), ([3, 1, 2], False)]
)
def test_exact_curves_may_stay_level_but_not_altogether(simulate, rng, values, holds):
    assert monotone(FALLING, curve(simulate, rng, values), SHARP).holds is holds


def test_order_of_rows_is_no_matter_and_the_wrong_step_is_named(simulate, rng):
    rows = curve(simulate, rng, [3.0, 1.0, 2.0]).iloc[[2, 0, 1]]
    evidence = monotone(FALLING, rows, SHARP)
    assert evidence.worst["epsilon"].startswith("0.2 -> 0.3")
    assert evidence.effect.startswith("2 of 3 satisfied; worst: from 1 to 2")


def test_groups_by_all_other_settings_or_by_the_named_ones(simulate, rng):
    rows = simulate(truth(1.0), rng, {"n": [1, 2], "epsilon": [0.2, 0.1]}, ["RR"])
    frame = rows[["reading", "n", "epsilon"]].assign(product=rows["n"] * rows["epsilon"])
    settings = ["n", "epsilon", "product"]
    grouped = groups(frame, settings, "epsilon", ["n"])
    assert grouped["group_number"].tolist() == [0, 0, 1, 1]
    assert grouped["epsilon"].tolist() == [0.1, 0.2, 0.1, 0.2]
    with pytest.raises(ValueError, match="name the grouping columns with `by`"):
        groups(frame, settings, "epsilon", None)
    with pytest.raises(ValueError, match="two settings share a value of epsilon"):
        groups(frame, settings, "epsilon", [])
    with pytest.raises(ValueError, match="unknown setting column rho; there are: n, epsilon, product"):
        groups(frame, settings, "rho", None)


def test_groups_do_not_mix_readings_and_every_reading_needs_one(simulate, rng):
    rows = simulate(lambda *_: 1.0, rng, {"epsilon": [0.1, 0.2]}, ["RR"], readings=["strict", "b"])
    assert groups(rows, ["epsilon"], "epsilon", None)["group_number"].tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match=r"no two selected settings differ in epsilon alone.*reading b\)$"):
        groups(rows[:3], ["epsilon"], "epsilon", None)


@pytest.mark.parametrize(
    ("compare", "judge", "claim"),
    [(compare_ordering, judge_ordering, BETTER), (compare_monotone, judge_monotone, FALLING)],
)
def test_readings_are_judged_as_if_each_were_alone(simulate, rng, compare, judge, claim):
    settings = {"n": [400, 100], "epsilon": [0.5, 0.1, 0.9]}
    rows = simulate(truth(0.9), rng, settings, readings=["b", "strict", "a"]).sample(frac=1, random_state=1)
    found = [judge(claim, reading, SHARP) for reading in compare(claim, rows)]
    alone = [compare(claim, rows[rows["reading"] == name])[0] for name in ("strict", "a", "b")]
    assert found == [judge(claim, reading, SHARP) for reading in alone]


def test_error_of_a_step_is_that_of_both_ends(simulate, rng):
    rows = curve(simulate, rng, [3.0, 2.0]).assign(se=[0.3, 0.4], runs=100)
    evidence = monotone(FALLING, rows, SHARP)
    assert (evidence.se, evidence.statistic) == (pytest.approx(0.5), pytest.approx(2.0))
    assert evidence.holds is None

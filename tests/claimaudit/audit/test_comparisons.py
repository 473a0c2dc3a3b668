"""Rates are over 60 tables at level 0.05 with a fixed seed; more than 12 false alarms have probability 1e-5."""

import numpy as np
import pytest
from checking import LOOSE, SHARP, of_kind

from claimaudit.audit.arrays import Arrays, groups

pytestmark = pytest.mark.thorough

TRIALS, MOST_ALARMS = 60, 12
SETTINGS = {"n": [100, 400], "epsilon": [0.1, 0.5]}
BETTER = {"quantity": "mse_jrr", "relation": "<", "against": "mse_rr"}
FALLING = {"quantity": "mse_jrr", "along": "epsilon", "direction": "decreasing"}


ordering = of_kind("ordering")
monotone = of_kind("monotone")


def truth(factor, power=1):
    return lambda setting, name, _: setting["n"] / setting["epsilon"] ** power * (1.0 if name == "RR" else factor)


@pytest.mark.parametrize(
    ("judged", "claim", "outcome"),
    [
        *((ordering, {**BETTER, "relation": relation}, "<" in relation) for relation in ("<", "<=", ">", ">=")),
        *((monotone, {**FALLING, "direction": way}, way == "decreasing") for way in ("decreasing", "increasing")),
    ],
)
def test_clear_orderings_and_trends_are_decided_either_way(simulate, rates, judged, claim, outcome):
    settings = {"n": [100, 400], "epsilon": [0.1, 0.3, 0.9]}
    counted = rates(lambda rng: judged(claim, simulate(truth(0.5), rng, settings), LOOSE).holds, 15)
    assert counted[outcome] == 15


def test_equal_mechanisms_cannot_be_ordered_and_false_alarms_are_rare(simulate, rates):
    counted = rates(lambda rng: ordering(BETTER, simulate(truth(1.0), rng, SETTINGS), LOOSE).holds, TRIALS)
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
    assert (evidence.found.satisfied, evidence.found.violated, evidence.found.undecided) == (2, 0, 2)


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
    assert (evidence.found.satisfied, evidence.found.left, evidence.found.right) == (3, pytest.approx(1.007), 1)
    assert evidence.worst == {"n": 400, "epsilon": 0.1}
    assert evidence.varying == ("n", "epsilon")
    assert (evidence.estimate, evidence.p_value) == (pytest.approx(0.007), 0)
    assert evidence.comparisons["outcome"] == ["satisfied", "satisfied", "violated", "satisfied"]
    assert evidence.comparisons["left"][2] == pytest.approx(1.007)


@pytest.mark.parametrize(
    ("against", "share", "satisfied", "worst", "left"),
    [
        (2.5, {"at_least": 0.8}, 1, True, 1),
        (2.5, {"at_most": 0.2}, 1, False, 3),
        (4, "some", 0, False, 3),  # the nearest
    ],
)
def test_a_claim_about_a_share_of_settings_tells_the_worst_or_the_nearest(
    simulate, rng, against, share, satisfied, worst, left
):
    rows = simulate(lambda setting, *_: setting["n"], rng, {"n": [1, 2, 3]}, ["JRR"], runs=0)
    claim = {"quantity": "mse_jrr", "relation": ">", "against": against, "share": share}
    found = ordering(claim, rows, SHARP).found
    assert (found.satisfied, found.worst, found.left, found.left_name) == (satisfied, worst, left, "JRR")


def test_constant_quantity_has_no_trend_and_false_alarms_are_rare(simulate, rates):
    flat = truth(0.5, power=0)
    counted = rates(lambda rng: monotone(FALLING, simulate(flat, rng, SETTINGS), LOOSE).holds, TRIALS)
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
    assert evidence.worst["epsilon"] == (0.2, pytest.approx(0.3))
    assert (evidence.found.satisfied, evidence.found.start, evidence.found.end) == (2, 1, 2)


def test_groups_by_all_other_settings_or_by_the_named_ones(simulate, rng):
    rows = simulate(truth(1.0), rng, {"n": [1, 2], "epsilon": [0.2, 0.1]}, ["RR"])
    rows.insert(2, "product", rows["n"] * rows["epsilon"])
    table = Arrays.of(rows)
    grouped = groups(table, "epsilon", ["n"])
    assert grouped["group_number"].tolist() == [0, 0, 1, 1]
    assert grouped["epsilon"].tolist() == [0.1, 0.2, 0.1, 0.2]
    with pytest.raises(ValueError, match="name the grouping columns with `by`"):
        groups(table, "epsilon", None)
    with pytest.raises(ValueError, match="two settings share a value of epsilon"):
        groups(table, "epsilon", [])
    with pytest.raises(ValueError, match="unknown setting column rho; there are: n, epsilon, product"):
        groups(table, "rho", None)


def test_groups_do_not_mix_readings_and_every_reading_needs_one(simulate, rng):
    rows = simulate(lambda *_: 1.0, rng, {"epsilon": [0.1, 0.2]}, ["RR"], readings=["strict", "b"])
    assert groups(Arrays.of(rows), "epsilon", None)["group_number"].tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match=r"no two selected settings differ in epsilon alone.*reading b\)$"):
        groups(Arrays.of(rows[:3]), "epsilon", None)


def test_error_of_a_step_is_that_of_both_ends(simulate, rng):
    rows = curve(simulate, rng, [3.0, 2.0]).assign(se=[0.3, 0.4], runs=100)
    evidence = monotone(FALLING, rows, SHARP)
    assert (evidence.se, evidence.statistic) == (pytest.approx(0.5), pytest.approx(2.0))
    assert evidence.holds is None

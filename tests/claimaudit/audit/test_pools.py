"""Pools judge the printed numbers of exhibits that share settings jointly."""

import numpy as np
import pandas as pd
import pytest

from claimaudit.audit.fitting.exhibits import joint_p_values, score
from claimaudit.audit.fitting.likelihood import RunsRatio
from claimaudit.audit.fitting.pools import Pools
from claimaudit.audit.fitting.settings import Variables
from claimaudit.papers.jobs import Outline, Shared
from claimaudit.results import STRICT
from claimaudit.verdicts import LEVEL

pytestmark = pytest.mark.thorough


def axis_of(name):
    return name.split(" of ")[0]


MEAN, SE = 1e6, 100.0
"""Expectation and standard error of every printed number: normal, with scores that add up exactly."""

RULES = {
    STRICT: {"rule": "body", "share": "10"},
    "rule": {"rule": "own", "share": "10"},
    "share": {"rule": "body", "share": "20"},
    "both": {"rule": "own", "share": "20"},
}
TWO = {STRICT: {"rule": "body"}, "own": {"rule": "own"}}
BODY, OWN = {STRICT: 0.5, "own": 30.0}, {STRICT: 30.0, "own": 0.5}
APART = {"fig1": OWN, "fig2": OWN, "table1": BODY, "table2": BODY}  # scores


def cells(scores, metric="mse", se_ours=0.0):
    """Twenty printed numbers with the same score under each reading, of alternating sign."""
    rows = []
    for reading, z in scores.items():
        for number in range(20):
            printed = MEAN * (1 + number)
            ours = printed - (-1) ** number * z * np.hypot(SE, se_ours)
            rows.append((reading, "A", metric, number, printed, ours, se_ours, 10 * SE, 0.0, 0.0, 100.0, np.nan, 1.0))
    names = "reading mechanism metric number value ours se_ours run_sd digit digitised stated theory weight"
    return pd.DataFrame(rows, columns=names.split())


def fit(scores, **more):
    return score(cells(scores, **more), RunsRatio())


def pools(fits, shared, readings=RULES):
    """Pools of exhibits with the same readings, or with those that are given by exhibit."""
    by_exhibit = readings if set(fits) <= set(readings) else dict.fromkeys(fits, readings)
    fitted = {name: fit(scores) for name, scores in fits.items() if scores}
    return Pools(Variables(Outline(shared=tuple(shared)), by_exhibit, fitted))


def share(*exhibits, axes=("rule", "share")):
    return Shared(axes, exhibits)


def test_a_reading_that_passes_each_exhibit_is_rejected_by_all_of_them():
    each = {STRICT: 30.0, "own": 1.4}
    alone, together = (fit(each) for _ in range(2))
    assert min(alone.p_values["own"], together.p_values["own"]) > LEVEL
    six = {f"table{number}": fit(each) for number in range(4, 10)}
    (joint,) = joint_p_values(six, {name: ["own"] for name in six})
    assert joint < 1e-5
    found = pools(dict.fromkeys(six, each), [share(*six, axes=("rule",))], TWO).all
    assert len(found) > 1
    assert all(pool.record.apart and pool.record.together == pytest.approx(joint) for pool in found)


def test_settings_are_the_natural_join_of_what_each_exhibit_runs():
    readings = {
        "fig1": {STRICT: {"rule": "body", "noise": "no"}, "n": {"rule": "own", "noise": "yes"}},
        "fig2": RULES,
    }
    found = pools(
        {"fig1": {STRICT: 0.0, "n": 1.0}, "fig2": dict(zip(RULES, (0.0, 0.5, 1.0, 1.4), strict=True))},
        [share("fig1", "fig2", axes=("rule",)), share("fig1", "fig3", axes=("noise",)), share("fig2", "fig3")],
        readings | {"fig3": RULES},
    )
    (pool,) = found.all
    values = {tuple(setting.values[name] for name in sorted(pool.settings[0].values)) for setting in pool.settings}
    assert sorted(map(axis_of, pool.settings[0].values)) == ["noise", "rule", "share"]
    assert values == {("no", "body", "10"), ("yes", "own", "10"), ("no", "body", "20"), ("yes", "own", "20")}


def test_an_axis_on_which_no_number_depends_says_nothing():
    """As Table 3 of the CPL study and Figure 11 of Corr-RR: the text fits, whatever the other exhibits need."""
    indifferent = {STRICT: 0.2, "rule": 0.2, "share": 30.0, "both": 30.0}
    fits = {"fig1": {STRICT: 30.0, "rule": 0.0, "share": 30.0, "both": 30.0}, "table3": indifferent}
    found = pools(fits, [share("fig1", "table3")])
    assert found.variables.axes_of["table3"] == ("share",)
    (pool,) = [pool for pool in found.all if "table3" in pool.record.exhibits]
    assert found.fitting("table3", pool) == [STRICT, "rule"]
    alone = pools({"table3": indifferent}, [])
    (pool,) = alone.all
    assert [axis_of(name) for name in pool.settings[0].values] == ["share"]
    assert (pool.settings[0].departures, pool.record.demanded, pool.record.undetermined) == ((), (), ())


def test_a_pool_is_split_into_the_fewest_parts():
    found = pools(APART, [share(*APART, axes=("rule",))], TWO).all
    assert sorted(pool.record.exhibits for pool in found) == [("fig1", "fig2"), ("table1", "table2")]
    assert [pool.settings[0].departures != () for pool in found] == [False, True]
    assert all(pool.record.together < LEVEL for pool in found)


@pytest.mark.parametrize("slightly", [STRICT, "own"])
def test_an_exhibit_that_cannot_tell_goes_with_those_with_which_it_shares_most(slightly):
    """Figure 3 shares most with Figure 2, which cannot tell either, but shares most with Figure 1."""
    either = {STRICT: 0.6, "own": 0.6, slightly: 0.5}
    fits = {"fig1": OWN, "fig3": either, "fig2": either, "table1": BODY, "table2": either}
    pairs = {"n": ("fig1", "fig2"), "k": ("fig2", "fig3"), "m": ("table1", "table2")}
    groups = [share(*fits, axes=("rule",)), *(share(*pair, axes=(axis,)) for axis, pair in pairs.items())]
    found = pools(fits, groups, TWO).all
    assert sorted(pool.record.exhibits for pool in found) == [("fig1", "fig3", "fig2"), ("table1", "table2")]


def test_an_exhibit_without_numbers_inherits_from_the_part_with_which_it_shares_most():
    groups = [share("fig1", "table1", "fig2", axes=("rule",)), share("fig1", "fig2", axes=("n",))]
    found = pools({"fig1": OWN, "table1": BODY}, groups, {"fig1": TWO, "table1": TWO, "fig2": TWO})
    (parts,) = found.of("fig2")
    assert [pool.record.exhibits for pool in parts] == [("fig1",)]
    assert found.agreeing("fig2", parts) == ["own"]


def test_the_fewest_departures_are_named_of_the_about_as_likely():
    """The likelihoods of "share" and "both" differ by 20 (0.4² - 0.3²) / 2 = 0.7."""
    (pool,) = pools({"fig1": {STRICT: 30.0, "rule": 30.0, "share": 0.4, "both": 0.3}}, [], RULES).all
    named, other = pool.standing
    assert [axis_of(name) for name in named.departures] == ["share"]
    assert (other.likelihood[0], round(named.likelihood[0], 2)) == (0.0, -0.7)
    assert pool.record.demanded == ("share",)
    assert pool.record.undetermined == ("rule",)


@pytest.mark.parametrize(
    ("fits", "readings", "departures", "undetermined"),
    [
        ({STRICT: 30.0, "rule": 30.0, "share": 0.8, "both": 0.1}, RULES, [2, 1], ()),
        ({STRICT: 0.8, "own": 0.1}, TWO, [0, 1], ("rule",)),
    ],
)
def test_more_departures_are_named_if_far_likelier_but_the_text_first(fits, readings, departures, undetermined):
    """By 20 (0.8² - 0.1²) / 2 = 6.3: too far to be named, not far enough to fall; the text demands none."""
    (pool,) = pools({"fig1": fits}, [], readings).all
    assert [len(setting.departures) for setting in pool.standing] == departures
    assert pool.record.undetermined == undetermined
    assert not (pool.record.demanded and 0 in departures)


def test_a_setting_falls_if_another_is_a_thousand_times_likelier():
    """Neither is rejected on its own: p = 0.1 or more; the likelihoods differ by 10 (1.2² - 0.1²) = 14."""
    readings = {"fig1": {STRICT: 30.0, "rule": 30.0, "share": 1.2, "both": 0.1}}
    found = pools(readings, [], RULES)
    (pool,) = found.all
    assert found.variables.fits["fig1"].p_values["share"] > LEVEL
    assert found.fitting("fig1", pool) == ["both"]
    assert len(pool.standing) == 1


@pytest.mark.parametrize(("behind", "proposed", "stands"), [(7.5, 0, True), (9.0, 0, False), (9.0, 10, True)])
def test_a_departure_must_earn_the_price_of_looking_elsewhere(behind, proposed, stands):
    """Each of twenty scores of the text adds half of its square; four settings compete that experiments run."""
    fits = {"fig3": fit({STRICT: np.sqrt(behind / 10), "rule": 0.0, "share": 3.0, "both": np.sqrt(0.75)})}
    (pool,) = Pools(Variables(Outline(proposed={"fig3": proposed}), {"fig3": RULES}, fits)).all
    found = {tuple(choice.axis for choice in one.departures): one.stands for one in pool.record.settings}
    assert found[()] is stands
    assert found["rule",]
    assert not found["rule", "share"], "more departures, and less likely by more than 6.9"


def test_what_is_not_shared_is_weighed_by_likelihood_too():
    """Figure 1 shares its rule only; of its shares, one is far likelier."""
    fits = {
        "fig1": {STRICT: 30.0, "rule": 1.2, "share": 30.0, "both": 0.1},
        "fig2": {STRICT: 30.0, "own": 0.2},
    }
    found = pools(fits, [share("fig1", "fig2", axes=("rule",))], {"fig1": RULES, "fig2": TWO})
    (pool,) = found.all
    assert found.fitting("fig1", pool) == ["both"]


def test_one_axis_may_have_two_values_in_disjoint_groups():
    groups = [share("fig1", "fig2", axes=("rule",)), share("table1", "table2", axes=("rule",))]
    found = pools(APART, groups, TWO)
    assert len(set(found.variables.common.values())) == 2
    assert [(pool.record.exhibits, pool.record.apart, len(pool.record.demanded)) for pool in found.all] == [
        (("fig1", "fig2"), (), 1),
        (("table1", "table2"), (), 0),
    ]
    linked = pools(APART, [*groups, share("fig2", "table1", axes=("rule",))], TWO)
    assert len(set(linked.variables.common.values())) == 1


def test_an_exact_number_that_differs_rejects_a_reading():
    exact = cells({STRICT: 4.0, "own": 0.0}).assign(run_sd=0.0, digit=SE)
    tally = score(exact, RunsRatio())
    assert tally.p_values == {STRICT: 0.0, "own": 1.0}
    assert joint_p_values({"a": tally}, {"a": [STRICT, "own"]}).tolist() == [0.0, 1.0]
    assert tally.log_likelihoods["own"] == pytest.approx(-20 * np.log(1.5 * SE))
    assert tally.log_likelihoods[STRICT] < tally.log_likelihoods["own"]
    noisy = fit({STRICT: 0.5, "own": 0.5})
    beside = joint_p_values({"a": tally, "b": noisy}, {"a": [STRICT, "own"], "b": [STRICT, "own"]})
    assert beside.tolist() == [0.0, noisy.p_values["own"]]


def test_exact_numbers_that_print_alike_are_likelier_than_noise_around_the_printed_ones():
    """Noise has a density at the printed numbers; exact numbers of ours have that of their digits."""
    table = cells({STRICT: 0.0, "own": 0.0}).assign(digit=SE / 10)
    found = score(table.assign(run_sd=table["run_sd"].where(table["reading"] == STRICT, 0.0)), RunsRatio())
    assert found.log_likelihoods["own"] > found.log_likelihoods[STRICT] + 20
    assert found.error_between(STRICT, "own") == 0


def test_metrics_of_the_same_runs_are_tested_alone():
    """Two metrics with the same scores are as surprising as one, but for Bonferroni."""
    one = cells({STRICT: 1.4})
    both = pd.concat([one, cells({STRICT: 1.4}, metric="are")])
    single, double = (joint_p_values({"a": score(each, RunsRatio())}, {"a": [STRICT]})[0] for each in (one, both))
    assert double == pytest.approx(2 * single)


@pytest.mark.parametrize("ratio", [0.3, 1.0])
def test_errors_of_log_likelihoods_are_those_of_our_simulation(ratio):
    """Two simulations of the same reading differ by what their errors say; five pairs share their printed numbers.

    The root mean square of 250 standardised differences is within 20 % of 1; its standard error is about 4.5 %, so the
    test fails by chance with a probability below 1e-5. At most one difference in 100 is above `ERRORS`.
    """
    rng = np.random.default_rng(3)
    standardised = []
    for _ in range(50):
        table = cells(dict.fromkeys("0123456789", 0.0), se_ours=ratio * SE)
        printed = np.tile(MEAN + SE * rng.standard_normal(20), 10)
        ours = MEAN + ratio * SE * rng.standard_normal(len(table))
        found = score(table.assign(value=printed, ours=ours), RunsRatio())
        for one, other in zip("02468", "13579", strict=True):
            difference = found.log_likelihoods[one] - found.log_likelihoods[other]
            standardised.append(difference / found.error_between(one, other))
    assert np.sqrt(np.mean(np.square(standardised))) == pytest.approx(1, rel=0.2)
    assert np.mean(np.abs(standardised) > 3) <= 0.01


def test_numbers_that_two_readings_share_add_no_error_to_their_difference():
    table = cells({STRICT: 0.5, "own": 0.5}, se_ours=SE)
    own = table["reading"] == "own"
    few = table.assign(ours=table["ours"] + 50 * (own & (table["number"] < 5)))
    all_ = table.assign(ours=table["ours"] + 50 * own)
    assert score(table, RunsRatio()).error_between(STRICT, "own") == 0
    error, more = (score(one, RunsRatio()).error_between(STRICT, "own") for one in (few, all_))
    assert 0 < error < 0.7 * more

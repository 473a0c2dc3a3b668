"""A plan is right: its errors are those of the protocols, its intervals cover, its questions are each other's inverse.

A correct program fails the tests of coverage with probability below 1e-2: each of some 1000 shares of seeded runs may
leave its probability by 4.5 standard deviations (two-sided 6.8e-6), and by what the normal approximation misses.
"""

import html
import json
import math
import re

import numpy as np
import pytest
from closed_errors import error_with_channels
from fuzzing import draws
from hypothesis import given, settings
from hypothesis import strategies as st

import corrldp
from corrldp import plan
from corrldp.__main__ import main
from corrldp.deployment.plan import INTERVAL, LEVEL, ErrorCurve, curves_of
from corrldp.protocols.corr_rr.pivot import copy_channels
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import protocol
from corrldp.protocols.reports import variance
from corrldp.protocols.two_phase import first_users

pytestmark = pytest.mark.thorough

SIZES, USERS, RUNS = (2, 5), 20_000, 5000
APPROXIMATION = 0.006
ALLOWANCE = 4.5 * math.sqrt(LEVEL * (1 - LEVEL) / RUNS) + APPROXIMATION
OPTIONS = plan(SIZES, users=USERS, epsilon=1).options
PLANNED = [name for one in OPTIONS if one.exact for name in (one.protocol, *one.same)]
SOME = PLANNED[::4]
"""Protocols whose intervals are drawn; the curves from which they are, are exact for all."""

SMOOTH = [name for name in PLANNED if "OLH" not in name and "SS" not in name]
"""Protocols without a parameter that is rounded."""

budgets = st.floats(0.1, 8)
domains = st.lists(st.integers(2, 12), min_size=2, max_size=4)


def population(sizes, share, users):
    """Users of whom a share has value 0 of every attribute, and the others value 1."""
    have = round(share * users)
    return RecordTable(np.array([[0] * len(sizes), [1] * len(sizes)]), np.array([have, users - have]), tuple(sizes))


def of_value_0(curve):
    return ErrorCurve(curve.constant[:1], curve.linear[:1], curve.square[:1])


def only(name, sizes, **known):
    [option] = plan(sizes, names=[name], **known).options
    return option


@given(st.sampled_from(PLANNED), budgets, domains, st.integers(100, 10**6), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_the_curves_are_the_exact_error_on_any_table_and_their_maximum_bounds_it(name, epsilon, sizes, users, seed):
    rng = np.random.default_rng(seed)
    rows = np.array([rng.permutation(k)[np.arange(12) % k] for k in sizes]).T
    rows, counts = np.unique(rows, axis=0, return_counts=True)
    counts = rng.multinomial(users, rng.dirichlet(np.full(len(rows), 0.5)))
    table, one = RecordTable(rows, counts, tuple(sizes)), protocol(name, epsilon, tuple(sizes))
    exact, frequencies = one.expected_mse(table), table.frequencies()
    for j, curve in enumerate(curves_of(one, users)):
        k = sizes[j]
        np.testing.assert_allclose(curve.at(frequencies[j, :k]), exact[j, :k], rtol=1e-9)
        assert (curve.largest() >= exact[j, :k] * (1 - 1e-9)).all()
        grid = [curve.at(share) for share in np.linspace(0, 1, 1001)]
        np.testing.assert_allclose(curve.largest(), np.max(grid, axis=0), rtol=1e-5)


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("users", [1000, 1001])
def test_the_curve_of_jrr_is_its_exact_error_and_that_of_its_plan(k, users):
    one = protocol("JRR", 1.5, (k,))
    [curve] = curves_of(one, users)
    for share in (0, 0.1, 0.3, 0.5, 0.9, 1):
        table = population((k,), share, users)
        np.testing.assert_allclose(curve.at(table.frequencies()[0, 0])[0], one.expected_mse(table)[0, 0], rtol=1e-9)
        found = only("JRR", (k,), users=users, epsilon=1.5, share=share)
        assert found.error == pytest.approx(of_value_0(curve).error(share))


@pytest.mark.parametrize("name", SOME)
def test_intervals_cover_as_often_as_the_plan_says_and_shorter_ones_do_not(name):
    one, rng = protocol(name, 1.5, SIZES), np.random.default_rng(11)
    for share in (0, 0.12, 0.5, 1):
        table = population(SIZES, share, USERS)
        distance = np.abs(one.simulate(table, RUNS, rng) - table.frequencies())
        found, worst = (only(name, SIZES, users=USERS, epsilon=1.5, share=at) for at in (share, None))
        for j, k in enumerate(SIZES):
            error = of_value_0(curves_of(one, USERS)[j]).error(share)
            covered = (distance[:, j, 0] <= error).mean()
            assert abs(covered - LEVEL) < ALLOWANCE
            assert (distance[:, j, 0] <= 0.85 * error).mean() < LEVEL - ALLOWANCE
            assert error <= found.attributes[j].error <= worst.attributes[j].error
            assert (distance[:, j, :k] <= worst.attributes[j].error).mean(axis=0).min() > LEVEL - ALLOWANCE


@pytest.mark.parametrize("name", SOME)
def test_the_smallest_share_is_told_from_an_absent_value_as_often_as_the_plan_says(name):
    one, rng = protocol(name, 1.5, SIZES), np.random.default_rng(13)
    found = only(name, SIZES, users=USERS, epsilon=1.5)
    for j, part in enumerate(found.attributes):
        curve = of_value_0(curves_of(one, USERS)[j])
        threshold, smallest = INTERVAL * math.sqrt(curve.constant[0]), curve.smallest_share()
        absent = one.simulate(population(SIZES, 0, USERS), RUNS, rng)[:, j, 0]
        present = one.simulate(population(SIZES, smallest, USERS), RUNS, rng)[:, j, 0]
        assert abs((absent > threshold).mean() - (1 - LEVEL) / 2) < ALLOWANCE
        assert abs((present > threshold).mean() - LEVEL) < ALLOWANCE
        assert smallest <= part.smallest_share
    assert found.smallest_share == max(part.smallest_share for part in found.attributes)


@given(st.sampled_from(PLANNED), budgets, domains, st.integers(200, 10**6), st.booleans())
@settings(max_examples=draws(20, 60))
def test_the_users_needed_are_those_that_have_the_error(name, epsilon, sizes, users, by_share):
    found = only(name, sizes, users=users, epsilon=epsilon)
    goal = {"smallest_share": found.smallest_share} if by_share else {"error": found.error}
    if None in goal.values() or found.error >= 1:
        return
    assert only(name, sizes, epsilon=epsilon, **goal).users == users


@given(st.sampled_from(SMOOTH), st.floats(0.2, 6), domains, st.integers(1000, 10**6))
@settings(max_examples=draws(20, 60))
def test_the_budget_needed_is_the_one_that_has_the_error(name, epsilon, sizes, users):
    error = only(name, sizes, users=users, epsilon=epsilon, share=0.1).error
    if error >= 1:
        return
    needed = only(name, sizes, users=users, error=error, share=0.1)
    assert needed.error <= error
    # Oracles change where the adaptive choice does, so that a much smaller budget may have nearly the same error.
    assert needed.epsilon <= epsilon * (1 + 1e-5)
    if "adaptive" not in name:
        assert needed.epsilon == pytest.approx(epsilon, rel=1e-5)


@given(st.sampled_from(PLANNED), domains, st.integers(1000, 10**5), st.floats(0.01, 0.3))
@settings(max_examples=draws(20, 60))
def test_the_budget_needed_is_enough_for_every_protocol(name, sizes, users, error):
    if only(name, sizes, users=users, epsilon=16).error > error:
        with pytest.raises(ValueError, match="no budget up to 16 is enough"):
            only(name, sizes, users=users, error=error)
    else:
        assert only(name, sizes, users=users, error=error).error <= error


@pytest.mark.parametrize(
    ("known", "sizes"),
    [
        ({"users": 5000, "epsilon": 2}, (2, 5, 16)),
        ({"users": 5000, "error": 0.1}, (3,)),
        ({"epsilon": 2, "error": 0.1}, (2, 5)),
    ],
)
def test_protocols_are_ranked_within_the_budget_and_each_has_one_place(sizes, known):
    found = plan(sizes, **known)
    values = [getattr(option, found.sought) for option in found.options]
    assert values == sorted(values)
    names = [name for option in found.options for name in (option.protocol, *option.same)]
    assert sorted(names + [one.protocol for one in found.left_out]) == sorted(corrldp.list_protocols())
    for option in found.options:
        assert protocol(option.protocol, option.epsilon, sizes).guarantee().record <= option.epsilon * (1 + 1e-9)
        assert option.error == max(part.error for part in option.attributes)
        assert [part.size for part in option.attributes] == list(sizes)


def test_a_bound_holds_for_every_frequency_and_prior_and_is_nearly_attained():
    assert {one.protocol for one in OPTIONS if not one.exact} == {"RS+RFD", "Corr-RR", "Cond-RR"}
    one = protocol("RS+RFD", 1.5, SIZES)
    bound, n1 = one.error_bound(USERS), first_users(USERS, one.phase1_fraction)
    known = ~np.isnan(bound)
    largest = np.zeros(bound.shape)
    for share in (0, 0.3, 0.7, 1):
        table = population(SIZES, share, USERS)
        for prior in np.linspace(0, 1, 21):
            faked = one._faked(np.full(bound.shape, prior))
            second = variance(table.frequencies(), USERS - n1, faked, SIZES)
            exact = n1 / USERS * one.spl.expected_mse(table) + (1 - n1 / USERS) ** 2 * second
            assert (exact <= bound * (1 + 1e-9))[known].all()
            largest = np.fmax(largest, exact)
    assert (largest >= 0.9 * bound)[known].all()


@pytest.mark.parametrize("name", ["Corr-RR", "Cond-RR"])
def test_the_bound_of_a_biased_protocol_holds_for_any_channels_and_is_nearly_attained(name):
    """The records with all users alike and the channels that repeat one value attain the bias."""
    sizes, rng = (3, 3, 3), np.random.default_rng(4)
    one = protocol(name, 1.0, sizes)
    bias, rest = one.bias_bound(USERS), one.error_bound(USERS)
    pairs = ~np.eye(3, dtype=bool)
    largest = 0.0
    for share in (0, 0.4, 1):
        for other in ((0, 0, 0), (0, 1, 2)):
            ones = round(share * USERS)
            table = RecordTable(np.array([[1, 1, 1], other]), np.array([ones, USERS - ones]), sizes)
            for concentrated in (True, False):
                if name == "Corr-RR":
                    copies = np.where(pairs, rng.random((3, 3)).round() if concentrated else rng.random((3, 3)), 1)
                    learned = copy_channels(copies, 3)
                else:
                    learned = np.broadcast_to(np.eye(3), (3, 3, 3, 3)).copy()
                    laws = rng.dirichlet(np.ones(3), size=(3, 3, 3))
                    learned[pairs] = np.eye(3)[[2, 2, 2]] if concentrated else laws[pairs]
                exact = error_with_channels(one, table, learned)
                assert (exact <= (rest + bias**2) * (1 + 1e-9)).all()
                largest = max(largest, float((exact / (rest + bias**2)).max()))
    assert largest >= 0.9


@pytest.mark.parametrize(("name", "sizes"), [("Corr-RR", (3, 3)), ("Corr-RR", (2, 4)), ("Cond-RR", (2, 5))])
def test_intervals_with_a_bias_cover(name, sizes):
    [option] = plan(sizes, users=USERS, epsilon=1, names=[name]).options
    assert not option.exact
    assert 0 < option.bias < option.error
    rows = np.array([[1, 0], [0, sizes[1] - 1]])
    for ones in (0, USERS // 2, USERS):
        table = RecordTable(rows, np.array([ones, USERS - ones]), sizes)
        estimates = protocol(name, 1.0, sizes).simulate(table, 200, np.random.default_rng(5))
        distance = np.abs(estimates - table.frequencies())
        for j, k in enumerate(sizes):
            assert (distance[:, j, :k] <= option.attributes[j].error).mean() > LEVEL
            if ones == USERS:
                assert distance[:, j, :k].max() > 0.1 * option.bias


@pytest.mark.parametrize(("text", "number"), [("1e5", 100_000), (" 100_000 ", 100_000)])
def test_numbers_are_taken_as_people_write_them(text, number, capsys):
    known = ["--sizes", "2,3", "--users", text, "--error", "2.5 %", "--protocols", "SPL,SMP"]
    assert main(["plan", *known, "--json"]) == 0
    read, found = json.loads(capsys.readouterr().out), plan((2, 3), users=number, error=0.025, names=["SPL", "SMP"])
    assert (read["users"], read["error"], read["sought"]) == (number, 0.025, "epsilon")
    assert read["options"][0]["attributes"][1]["error"] == found.options[0].attributes[1].error


WRONG = {
    "one known": ({"users": 1000}, "give exactly two"),
    "three known": ({"users": 1000, "epsilon": 1, "error": 0.1}, "give exactly two"),
    "two goals": ({"error": 0.1, "smallest_share": 0.1, "users": 1000}, "not both"),
    "few users": ({"users": 99, "epsilon": 1}, "users=99 must be an integer from 100"),
    "half users": ({"users": 1e5, "epsilon": 1}, "users=100000.0 must be an integer"),
    "no budget": ({"users": 1000, "epsilon": 0}, "epsilon=0"),
    "NaN": ({"users": 1000, "epsilon": math.nan}, "epsilon=nan"),
    "an error of percent": ({"users": 1000, "error": 2}, r"error=2 must lie in \(0, 1\): 2 % are 0.02$"),
    "a share of percent": ({"users": 1000, "epsilon": 1, "share": 12}, "share=12"),
    "an unknown protocol": ({"users": 1000, "epsilon": 1, "names": ["SPLL"]}, "did you mean SPL"),
    "no protocol": ({"users": 1000, "epsilon": 1, "names": []}, "leave no protocol"),
    "an error out of reach": ({"users": 100, "error": 1e-6}, "no budget up to 16"),
    "too many users": ({"epsilon": 0.001, "error": 1e-7}, "are not enough"),
    "a bias": ({"users": 10**6, "error": 0.02, "names": ["Corr-RR"]}, "its bias alone may be larger"),
}


@pytest.mark.parametrize(("known", "words"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_planned_is_one_line(known, words):
    with pytest.raises(ValueError, match=rf"^[^\n]*{words}[^\n]*$"):
        plan((2, 3), **known)


def test_the_command_prints_tables(capsys):
    assert main(["plan", "--sizes", "2,5,16", "--users", "50000", "--epsilon", "1"]) == 0
    printed = capsys.readouterr().out
    best = plan((2, 5, 16), users=50000, epsilon=1).options[0]
    assert printed.splitlines()[3].split()[:3] == [best.protocol, "50000", "1"]
    assert f"12 % is read as 12 % ± {100 * best.error:.2g}" in printed
    assert "Corr-RR" in printed
    assert "more: --all" in printed
    assert max(map(len, printed.splitlines()[:20])) <= 120
    for protocols, bound in (("SPL,RS+RFD", True), ("SPL", False)):
        assert main(["plan", "--sizes", "2,5", "--users", "20000", "--epsilon", "1", "--protocols", protocols]) == 0
        printed = capsys.readouterr().out
        assert ("RS+RFD (at most)  20000" in printed) == ("(at most): upper bounds" in printed) == bound
        assert "bias" not in printed


def test_the_command_writes_a_page(tmp_path, capsys):
    page = tmp_path / "plan.html"
    names = ["SPL", "SMP", "Corr-RR", "Cond-RR"]
    known = ["--sizes", "2,5", "--error", "0.02", "--epsilon", "1", "--protocols", ",".join(names)]
    assert main(["plan", *known, "--out", str(page)]) == 0
    printed, text = capsys.readouterr().out, page.read_text(encoding="utf-8")
    words = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text)))
    [best, *_] = plan((2, 5), error=0.02, epsilon=1, names=names).options
    assert printed.splitlines()[3].startswith(best.protocol)
    assert f"{best.protocol} with {best.users} users and a budget of epsilon = 1 for a record" in words
    assert "an error of ±2.0 percentage points" in words
    assert "Left out: Corr-RR, Cond-RR: 10000000000 users are not enough: its bias alone may be larger" in words
    assert "differs by a factor of at most 2.72" in words
    assert html.unescape(re.search(r"<code>({.*?})</code>", text)[1]) == protocol(best.protocol, 1.0, (2, 5)).to_json()
    assert "default-src 'none'" in text
    ids = re.findall(r"\sid=\"([^\"]+)\"", text)
    assert set(re.findall(r"href=\"#([^\"]+)\"", text)) <= set(ids)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("option", [["--users", "many"], ["--users", "1000", "--epsilon", "x"], ["--users", "1000"]])
def test_a_mistake_in_the_command_is_one_line(option, capsys):
    assert main(["plan", "--sizes", "2,3", *option]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_protocols_of_ones_own_are_planned_as_their_classes_say():
    """The first one's estimates are repaired, which a plan does not know."""
    names = [f"planted_faults:{name}" for name in ("Clipped", "Doubled", "Simulated")]
    found = plan((2, 3), users=5000, epsilon=1, names=["SPL", *names])
    [option] = found.options
    assert (option.protocol, option.same) == ("SPL", (names[0],))
    reasons = {one.protocol: one.reason for one in found.left_out}
    assert reasons[names[1]].startswith("over its budget: a record spends 2 where 1 is stated")
    assert "study a table" in reasons[names[2]]

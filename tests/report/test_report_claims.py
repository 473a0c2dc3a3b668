"""How a claim is shown: three columns, why it is undecided, and nothing said twice."""

import pytest

from corrldp.report.claims import describe
from corrldp.words.numbers import MINUS


@pytest.fixture
def shown(setting, record):
    def show(verdict, **changes):
        causes = {"sign": {"states": "One sign is reversed."}}
        return describe("jrr", setting["papers"]["jrr"], record(verdict, **changes), causes)

    return show


def test_the_three_columns_stand_in_order_with_answer_and_numbers(shown):
    claim = shown("reproduced as run")
    assert [(view.heading, view.answer.name, view.effect) for view in claim.views.values()] == [
        ("as stated", "fails", "ours 0.0581, printed 0.058"),
        ("as run", "holds", "ours 0.0579, printed 0.058"),
        ("by the paper's own numbers", "not tested", ""),
    ]
    assert claim.views["as_stated"].remarks == (f"z = {MINUS}0.49",)
    assert claim.views["as_run"].remarks == ("a vanishing step (the printed numbers of Figure 3)",)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("inferred", "a; or b; or c; or 2 more readings (inferred from exhibits that share its settings)"),
        ("rejected", "no reading tried fits its printed numbers, so all admissible readings were tried"),
        (
            "inadmissible",
            "the printed numbers fit only what breaks a condition of the paper, so all admissible readings were tried",
        ),
        ("none", "nothing printed says what was run, so all admissible readings were tried"),
    ],
)
def test_the_source_of_the_answer_as_run_is_told(shown, record, source, words):
    run = {**record("not reproduced")["as_run"], "source": source, "words": list("abcde")}
    assert shown("not reproduced", as_run=run).views["as_run"].remarks == (words,)


@pytest.mark.parametrize(
    ("depends", "told"),
    [
        ("holds with a; fails with b; or c", ["holds with a", "fails with: b; or c"]),
        ("cannot tell with a; or b", []),
    ],
)
def test_readings_that_disagree_are_named(shown, record, depends, told):
    run = {**record("undecided")["as_run"], "depends": depends}
    assert list(shown("undecided", as_run=run).views["as_run"].remarks[1:]) == told


def test_without_other_readings_the_text_leaves_nothing_open(shown, record):
    one = record("not reproduced")["evidence"][:1]
    assert shown("not reproduced", evidence=one).views["as_run"].remarks == ("the text leaves no setting open here",)


def test_numbers_as_run_that_equal_those_as_stated_are_not_repeated(shown, record):
    run = {**record("reproduced")["as_run"], "effect": "ours 0.0581, printed 0.058"}
    assert shown("reproduced", as_run=run).views["as_run"].effect == ""


@pytest.mark.parametrize(
    ("why", "fields", "words"),
    [
        ("chance", {"decides": "more runs"}, "chance; more runs would decide it"),
        ("word", {"decides": 'what the paper means by "close"'}, 'a vague word; what the paper means by "close" would'),
        ("readings", {"decides": "the settings"}, "settings that the text leaves open; the settings would decide it"),
        ("glyph", {"doubt": "p may be rho."}, "a character that may be misread: p may be rho."),
    ],
)
def test_an_undecided_claim_says_why_and_what_would_decide(shown, why, fields, words):
    assert shown("undecided", why=why, **fields).open.startswith(words)


def test_a_decided_claim_is_not_open(shown):
    assert shown("reproduced").open == ""


def test_the_reason_is_told_only_if_the_columns_do_not(shown):
    assert shown("not reproduced").reason == ""
    assert shown("no data").reason == "data unavailable: stand-in for mushroom"
    own = {"answer": "fails", "effect": "printed 0.07"}
    told = "by its own printed points: printed 0.07 (0 satisfied, 1 violated, 0 undecided)"
    assert shown("contradicted by the paper", reason=told, own_numbers=own).reason == ""
    by_points = shown("contradicted by the paper", reason="by its own printed points: 0.07 (p = 1e-9)")
    assert by_points.reason == "by its own printed points: 0.07 (p < 0.001)"
    assert shown("contradicted by the paper").reason == ""


def test_thresholds_are_told_once(shown):
    thresholds = 'We took "close" as 5 % (strict) to 25 % (generous).'
    assert shown("undecided", thresholds=thresholds).thresholds == thresholds
    assert shown("undecided", thresholds=thresholds, checked='We took "close" as 5 to 25 %.').thresholds == ""


def test_a_claim_shows_the_error_with_which_it_falls(shown):
    assert shown("not reproduced", cause="sign").cause == "One sign is reversed."


@pytest.mark.parametrize(
    ("fields", "counts"), [({}, "yes"), ({"weight": "slip"}, "slip"), ({"counted": False, "weight": "slip"}, "no")]
)
def test_what_a_claim_counts_for(shown, fields, counts):
    assert shown("reproduced", **fields).counts == counts


def test_comparisons_of_the_strict_and_the_standing_readings_are_shown(shown):
    claim = shown("not reproduced")
    assert claim.total == 4
    assert [row[0].text for row in claim.comparisons.rows] == ["the text as it stands"] * 2 + ["a vanishing step"] * 2

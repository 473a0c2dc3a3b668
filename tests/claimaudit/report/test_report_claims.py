# ruff: noqa: RUF001 (characters of the report)
"""How a claim is shown on pages, in a terminal and in notebooks: three columns, and nothing said twice."""

from dataclasses import replace

import pytest
from small_report import record, verdicts_of

from claimaudit.report.claims import WIDTH, answer, card, describe
from claimaudit.results import write_sealed
from claimaudit.verdicts import Cause, Names, Reply, Threshold, plain
from claimaudit.words.numbers import MINUS
from claimaudit.words.verdicts import reason, remark_on_thresholds, why_open

BETWEEN = "below 0.001 (cannot hold) but not 1×10⁻⁵ (cannot fail)"
NUMBERS = ", printed 0.058 at n = 10,000"


def shown(setting, name, **changes):
    verdicts = verdicts_of((), causes={"sign": Cause("One sign is reversed.")})
    return describe("jrr", setting["papers"]["jrr"]["figures"], record(name, **changes), verdicts)


def test_the_three_columns_stand_in_order_with_answer_and_numbers(setting):
    claim = shown(setting, "reproduced as run")
    assert [(view.heading, view.answer.name, view.effect) for view in claim.views.values()] == [
        ("as stated", "fails", f"ours 0.05812 ± 0.00023{NUMBERS}"),
        ("as run", "holds", f"ours 0.0579 ± 0.00023{NUMBERS}"),
        ("by the paper's own numbers", "not tested", ""),
    ]
    assert claim.views["as_stated"].remarks == (f"z = {MINUS}0.49, p < 0.001 over 63 rows; {BETWEEN}",)
    assert claim.views["as_run"].remarks == ("a vanishing step (the printed numbers of Figure 3)",)


TRIED = ", so all settings that keep the conditions of the paper were tried"
RUNS = "with 45 % of the stated number of runs"
FAILS, DISAGREEING = "not reproduced", {"holding": ("strict",), "failing": ("vanishing_step", "b"), "open": ()}
MANY = {"source": "inferred", "readings": ("vanishing_step", "b", "c", "d", "e"), "runs_factor": 0.45}


@pytest.mark.parametrize(
    ("verdict", "run", "remarks"),
    [
        (FAILS, {"source": "rejected", "readings": ()}, [f"no setting tried fits its printed numbers{TRIED}"]),
        (FAILS, {"source": "inadmissible", "readings": ()}, ["the printed numbers fit only what breaks a condition"]),
        (FAILS, {"source": "none", "readings": ()}, [f"nothing printed says what was run{TRIED}"]),
        (FAILS, MANY, [f"a vanishing step, {RUNS}; or b, {RUNS}; or c, {RUNS}; or 2 more settings (the printed"]),
        ("undecided", DISAGREEING, ["", "holds with the text as it stands", "fails with: a vanishing step; or b"]),
        ("undecided", {"holding": (), "failing": (), "open": ("strict", "vanishing_step")}, [""]),
    ],
)
def test_the_column_as_run_tells_its_source_its_readings_and_which_disagree(setting, verdict, run, remarks):
    one = record(verdict)
    three = (*one.evidence, replace(one.evidence[1], reading="b"))
    found = shown(setting, verdict, as_run=replace(one.as_run, **run), evidence=three).views["as_run"].remarks
    assert len(found) == len(remarks)
    assert all(map(str.startswith, found, remarks))


@pytest.mark.parametrize(("word", "remarks"), [("", ()), ("as well", ('by our reading of "as well"',))])
def test_a_contradiction_by_a_vague_word_says_that_its_meaning_is_ours(setting, word, remarks):
    assert shown(setting, "contradicted by the paper", word=word).views["own_numbers"].remarks == remarks


def test_without_other_readings_the_text_leaves_nothing_open(setting):
    one = record("not reproduced").evidence[:1]
    run = replace(record("not reproduced").as_run, holding=(), failing=("strict",), readings=())
    remarks = shown(setting, "not reproduced", evidence=one, as_run=run).views["as_run"].remarks
    assert remarks == ("the text leaves no setting open here",)


def test_numbers_as_run_that_equal_those_as_stated_are_not_repeated(setting):
    run = replace(record("reproduced").as_run, holding=("strict",))
    assert shown(setting, "reproduced", as_run=run).views["as_run"].effect == ""


def test_the_reason_names_the_side_on_which_the_text_is_and_what_may_be_misread():
    names, one = Names(), record("undecided", because="depends", why="readings")
    one = replace(one, as_run=replace(one.as_run, holding=(), failing=(), open=()))
    for holds, start in ((True, "holds as stated: "), (False, "fails as stated: ")):
        evidence = (replace(one.evidence[0], holds=holds), *one.evidence[1:])
        assert reason(replace(one, evidence=evidence), names).startswith(start)
    doubtful = replace(one, why="glyph", doubt="Two signs decide.")
    assert reason(doubtful, names).endswith("; what may be misread: Two signs decide.")


def test_the_reason_is_told_only_if_the_columns_do_not_and_a_decided_claim_is_not_open(setting):
    assert shown(setting, "no data").reason.endswith(
        "no source answered, so that a stand-in took their place: mushroom"
    )
    assert shown(setting, "not reproduced").reason == shown(setting, "contradicted by the paper").reason == ""
    assert why_open(record("reproduced")) == ""


def test_thresholds_are_told_once():
    vague = {"word": "close", "thresholds": (Threshold("against", 0.05, 0.25),), "unit": "percent"}
    told = 'We took "close" as 5 % (strict) to 25 % (generous).'
    assert remark_on_thresholds(record("undecided", **vague)) == told
    assert remark_on_thresholds(record("undecided", **vague, thresholds_in_note=True)) == ""


def test_a_claim_shows_its_cause_and_comparisons_of_the_strict_and_the_standing_readings(setting):
    claim = shown(setting, "not reproduced", cause="sign")
    assert claim.cause == "One sign is reversed."
    assert claim.total == 4
    assert [row[0].text for row in claim.comparisons.rows] == ["the text as it stands"] * 2 + ["a vanishing step"] * 2


def test_it_has_the_sentence_the_verdict_the_three_answers_and_replies():
    claim = record("reproduced as run", note="For many users.")
    reply = Reply("A. Author", "2026-01-31", "a letter", "No.", (claim.id,), disputes=True)
    text = card("jrr", replace(verdicts_of([claim]), replies=(reply,)), claim.id)
    lines = text.splitlines()
    assert lines[0] == "jrr/reproduced-as-run (Section 5.3, paragraph 1, sentence 2)"
    assert lines[1] == "statement reproduced as run"
    assert lines[2] == "  Verdict: ⇄ reproduced as run, disputed"
    starts = [line.split(":")[0].strip() for line in lines[3:] if line.startswith("  ") and line[2] != " "]
    assert starts[:3] == ["As stated", "As run", "By the paper's own numbers"]
    assert "✗ fails: ours 0.05812" in text
    assert "✓ holds: ours 0.0579" in text
    assert "Note: For many users." in text
    assert "Reply: Disputed by A. Author, 2026-01-31 (a letter): No." in text
    assert max(map(len, lines)) <= WIDTH


def test_an_answer_names_the_claim_its_columns_and_its_place_in_the_report(tmp_path):
    write_sealed(tmp_path / "jrr.json", plain(verdicts_of([record("reproduced as run", id="better")])))
    text = answer("jrr", "better", tmp_path)
    assert "**Section 5.3, paragraph 1, sentence 2:** statement reproduced as run" in text
    assert (
        "**Answer: reproduced as run** (as stated: fails, as run: holds, by the paper's own numbers: not tested)"
        in text
    )
    assert "As stated: ours 0.05812" in text
    assert "](../claims.html#claim-jrr-better)" in text
    with pytest.raises(ValueError, match="no claim 'beter'"):
        answer("jrr", "beter", tmp_path)

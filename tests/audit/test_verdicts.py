import json

import numpy as np
import pytest
from corrldp.audit.records import validated
from corrldp.audit.verdicts import decide, judge, stated_column, thresholds

from corrldp.audit.judging.as_run import Known, as_run
from corrldp.audit.judging.cases import Result, plain, prepare
from corrldp.verdicts import Evidence, Levels

LEVELS = Levels(0.001, 0.0001)
READINGS = ["strict", "b", "c"]
ORDERING = {
    **{"id": "a-claim", "where": "Section 5", "states": "JRR is better.", "table": "fig3"},
    **{"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "0.8 * mse_rr"},
}
WORDS = {"strict": "the text", "b": "fewer steps", "c": "more steps"}
NOTHING = Known(("strict", "b", "c"), "none")


@pytest.fixture
def table(better_as_run):
    return better_as_run(READINGS)


@pytest.fixture
def verdict(table, tmp_path):
    def judged(claim, known=NOTHING, **more):
        record = judge(prepare(claim, {"fig3": Result(table)}, tmp_path), "jrr", LEVELS, known, WORDS, **more)
        return validated({"claims": [record], "exhibits": {}, "pools": [], "meetings": [], "causes": {}})["claims"][0]

    return judged


def answer(holds, name="strict", **more):
    return Evidence(name, holds, 1, f"{name} {holds}", "why not", **more)


def decided(stated, others=(), source="own", printed=None, claim=ORDERING):
    """Verdict of a claim with the answer `stated` under the strict reading, of which `others` are the standing ones."""
    evidence = {"strict": answer(stated)} | {
        name: answer(holds, name) for name, holds in zip("bcd", others, strict=False)
    }
    known = Known(tuple(evidence) if source == "none" else tuple(evidence)[1:], source)
    points = None if printed is None else answer(printed, "printed")
    return decide(claim, evidence["strict"], as_run(known, evidence), known, WORDS, points)


@pytest.mark.parametrize(
    ("stated", "others", "source", "word", "why"),
    [
        (True, [True], "own", "reproduced", ""),
        (True, [False], "own", "reproduced", ""),
        (False, [True, True], "own", "reproduced as run", ""),
        (False, [True], "inferred", "reproduced as run", ""),
        (None, [True], "own", "reproduced as run", ""),
        (False, [True, False], "own", "undecided", "readings"),
        (False, [True, None], "own", "undecided", "chance"),
        (False, [False, False], "own", "not reproduced", ""),
        (None, [False], "own", "undecided", "chance"),
        (False, [False, False], "none", "not reproduced", ""),
        (False, [False, True], "none", "undecided", "readings"),
        (None, [None], "none", "undecided", "chance"),
    ],
)
def test_the_verdict_follows_from_what_holds_as_stated_and_as_run(stated, others, source, word, why):
    decision = decided(stated, others, source)
    assert (decision.verdict, decision.why) == (word, why)


def test_without_evidence_on_what_was_run_no_reading_rescues_a_claim():
    assert decided(False, [True, True, True], "none").verdict == "undecided"


def test_what_rests_on_a_value_that_the_text_does_not_state_is_undecided():
    evidence = {"strict": answer(True), "b": answer(False, "b")}

    def verdict_of(source, unstated, readings=("strict", "b")):
        known = Known(readings, source, unstated=unstated)
        unsaid = tuple(evidence[name] for name in unstated)
        return decide(ORDERING, evidence["strict"], as_run(known, evidence), known, WORDS, None, unsaid)

    undecided = verdict_of("none", ("b",))
    assert (undecided.verdict, undecided.why) == ("undecided", "readings")
    unsaid = "the text does not state what decides: holds with the values that we took, fails with fewer steps"
    assert undecided.reason == unsaid
    assert verdict_of("none", ()).verdict == "reproduced"
    assert verdict_of("own", ("b",)).verdict == "undecided"
    assert verdict_of("own", ("b",), readings=("strict",)).verdict == "reproduced"


@pytest.mark.parametrize(("standing", "word"), [(("strict",), "reproduced"), (("strict", "b"), "undecided")])
def test_an_unstated_value_that_printed_numbers_reject_leaves_nothing_open(standing, word):
    evidence = {"strict": answer(True), "b": answer(False, "b")}
    known = Known(standing, "own", unstated=("b",))
    run = as_run(known, evidence)
    assert decide(ORDERING, evidence["strict"], run, known, WORDS, None, (evidence["b"],)).verdict == word


def test_nothing_is_said_to_fail_as_stated_where_nothing_is_stated():
    """Another value that the text does not state explains the numbers, or none tried does though choices are open."""
    evidence = {"strict": answer(False), "b": answer(True, "b")}
    known = Known(("strict", "b"), "none", unstated=("b",))
    run = as_run(known, evidence)
    decision = decide(ORDERING, evidence["strict"], run, known, WORDS, None, (evidence["b"],))
    took = "the text does not state what decides: fails with the values that we took, holds with fewer steps"
    assert (decision.verdict, decision.reason) == ("undecided", f"strict False; {took}")
    assert stated_column(evidence["strict"], (), WORDS, unknowable=True)["answer"] == "undecided"
    assert stated_column(evidence["strict"], (), WORDS, unknowable=False)["answer"] == "fails"


def test_the_reason_says_that_a_claim_is_undecided_as_stated():
    assert decided(None, [True]).reason == "as stated: undecided, strict None (why not); as run: b True"
    assert decided(False, [True]).reason == "as stated: strict False; as run: b True"


def test_a_meaning_that_decides_under_all_readings_is_told_without_them(table, tmp_path):
    claim = {**ORDERING, "against": "0.1 * mse_rr", "alternatives": [{"name": "of RR", "against": "2 * mse_rr"}]}
    record = judge(prepare(claim, {"fig3": Result(table)}, tmp_path), "jrr", LEVELS, NOTHING, WORDS)
    assert (record["verdict"], record["why"]) == ("undecided", "word")
    assert record["as_run"]["depends"] == "holds if it means: of RR"


def test_the_papers_own_points_come_before_simulation():
    assert decided(True, [True], printed=False).verdict == "contradicted by the paper"
    assert decided(True, [True], printed=True).verdict == "reproduced"
    assert decided(False, [False], printed=True).verdict == "not reproduced"


def test_points_that_no_reading_explains_but_that_agree_with_the_sentence_leave_it_undecided():
    assert decided(False, [False], "rejected", printed=True).why == "readings"
    assert decided(False, [False], "rejected", printed=None).verdict == "not reproduced"


def test_numbers_that_no_reading_explains_are_undecided_where_the_text_leaves_choices_open():
    evidence = {"strict": answer(False), "b": answer(False, "b")}

    def verdict_of(kind, open_):
        known = Known(("strict", "b"), "rejected", open=open_)
        claim = {**ORDERING, "kind": kind}
        return decide(claim, evidence["strict"], as_run(known, evidence), known, WORDS, None).verdict

    assert verdict_of("cells", True) == "undecided"
    assert verdict_of("cells", False) == "not reproduced"
    assert verdict_of("ordering", True) == "not reproduced"


def test_one_character_that_may_be_misread_leaves_a_claim_undecided():
    doubtful = {**ORDERING, "doubt": "The p may be a rho."}
    assert decided(False, [False], claim=doubtful).why == "glyph"
    assert decided(True, [True], printed=False, claim=doubtful).why == "glyph"
    assert decided(True, [True], claim=doubtful).verdict == "reproduced"


def test_a_record_shows_all_three_columns_with_the_strict_numbers_first(verdict):
    record = verdict(ORDERING, Known(("b", "c"), "own", ("fig3",)))
    assert record["verdict"] == "reproduced as run"
    assert (record["as_stated"]["answer"], record["as_run"]["answer"]) == ("fails", "holds")
    assert record["own_numbers"]["answer"] == "not tested"
    assert record["effect"].startswith("as stated: 0 of 4 satisfied")
    assert record["as_run"]["words"] == ["fewer steps", "more steps"]
    assert [item["standing"] for item in record["evidence"]] == [False, True, True]
    assert record["level"] == LEVELS.failing


def test_the_number_of_runs_belongs_to_what_was_run(verdict):
    claim = {**ORDERING, "kind": "value", "quantity": "mse_jrr / mse_rr", "printed": {"value": 0.7, "tolerance": 0.1}}
    del claim["relation"], claim["against"]
    record = verdict(claim, Known(("b",), "own", runs_factor=0.45))
    assert record["as_run"]["words"] == ["fewer steps, with 45 % of the stated number of runs"]


def test_only_the_text_and_standing_readings_list_their_comparisons(verdict):
    record = verdict(ORDERING, Known(("b",), "own"))
    assert [bool(item["comparisons"]) for item in record["evidence"]] == [True, True, False]
    assert len(record["evidence"][0]["comparisons"]["left"]) == 4


def test_what_is_undecided_says_why_and_what_would_decide(verdict):
    record = verdict(ORDERING)
    assert (record["verdict"], record["why"]) == ("undecided", "readings")
    assert "holds with fewer steps; or more steps; fails with the text" in record["reason"]
    assert record["decides"] == "the settings that were run"


def test_a_claim_may_say_itself_what_would_decide(verdict):
    record = verdict({**ORDERING, "decides": "the number of steps"})
    assert (record["why"], record["decides"]) == ("readings", "the number of steps")
    assert verdict({**ORDERING, "decides": "the number of steps"}, Known(("b",), "own"))["decides"] == ""


@pytest.mark.parametrize(("unstated", "word"), [((), "holds"), (("b", "c"), "undecided")])
def test_nothing_holds_as_stated_that_rests_on_a_value_that_the_text_does_not_state(verdict, unstated, word):
    """Both other readings fail."""
    known = Known(("strict", "b", "c"), "none", unstated=unstated)
    record = verdict({**ORDERING, "relation": ">"}, known)
    assert record["as_stated"]["answer"] == word
    assert record["verdict"] == {"holds": "reproduced", "undecided": "undecided"}[word]


@pytest.mark.parametrize(
    ("change", "could_fail", "counted"),
    [({}, True, True), ({"origin": "ours"}, True, False), ({"origin": "definition"}, True, False), ({}, False, False)],
)
def test_only_claims_of_the_paper_that_could_fail_count(verdict, change, could_fail, counted):
    record = verdict({**ORDERING, **change}, could_fail=could_fail)
    assert record["counted"] is counted
    assert bool(record["uncounted"]) is not counted


def test_a_contradiction_needs_no_table(verdict):
    claim = {key: entry for key, entry in ORDERING.items() if key not in ("table", "quantity", "against")}
    claim |= {"kind": "contradiction", "printed": {"a": 0.741, "b": 0.909}, "relation": "abs(1 - a - b) < 0.01"}
    record = verdict(claim, Known((), "none"))
    assert record["verdict"] == "contradicted by the paper"
    assert record["own_numbers"]["answer"] == "fails"
    assert record["as_run"]["answer"] == "not tested"


def test_a_gap_in_the_data_is_no_verdict_on_the_claim(verdict):
    record = verdict({**ORDERING, "rows": "n == 900", "lacking": "the survey of 2016"})
    assert (record["verdict"], record["evidence"]) == ("no data", [])
    assert record["reason"] == "data unavailable: the survey of 2016"


@pytest.mark.parametrize(("relation", "word"), [("<", "not reproduced"), (">", "reproduced")])
def test_a_sentence_about_cited_work_is_judged_as_stated(verdict, relation, word):
    """All other readings say the opposite of the strict one."""
    record = verdict({**ORDERING, "cited": True, "relation": relation}, Known((), "none"))
    assert (record["verdict"], record["as_run"]["answer"]) == (word, "not tested")


def test_the_level_at_which_cells_agree_is_told():
    cells = {**{name: ORDERING[name] for name in ("id", "where", "states", "table")}, "kind": "cells"}
    agreeing = (
        "We took the numbers as agreeing if they are not rejected at 0.1 %, and as disagreeing if they are at 0.01 %; "
    )
    assert thresholds(cells, LEVELS).startswith(agreeing)


def test_thresholds_of_a_vague_word_are_told():
    vague = {**ORDERING, "word": "close", "tolerance": {"strict": 0.05, "generous": 0.25}}
    assert thresholds(vague, LEVELS) == 'We took "close" as 5 % (strict) to 25 % (generous).'
    flat = 'We took "close" as within 5 % (strict) to 25 % (generous) of the mean, weighted by precision.'
    assert thresholds({**vague, "kind": "flat"}, LEVELS) == flat
    assert thresholds(ORDERING, LEVELS) == ""


def test_thresholds_of_a_share_and_of_a_printed_number_say_of_what():
    share = {"share": {"at_least": {"strict": 0.9, "generous": 0.5}}}
    limit = {"against": {"strict": 0.1, "generous": 0.3}, "unit": "nats"}
    mostly = "at least 90 % (strict) to 50 % (generous) of the cases"
    assert thresholds({**ORDERING, "word": "most", **share}, LEVELS) == f'We took "most" as {mostly}.'
    both = f'We took "small" as 0.1 nats (strict) to 0.3 nats (generous), in {mostly}.'
    assert thresholds({**ORDERING, "word": "small", **share, **limit}, LEVELS) == both
    bound = {"against": {"strict": "mse_rr", "generous": "2 * mse_rr"}, "unit": "nats"}
    ends = "mse_rr (strict) to 2 * mse_rr (generous)"
    assert thresholds({**ORDERING, "word": "matches", **bound}, LEVELS) == f'We took "matches" as {ends}.'
    printed = {"value": 0.6, "tolerance": {"strict": 0.05, "generous": 0.15}}
    within = "within 5 % (strict) or 15 % (generous) of the printed number"
    assert thresholds({**ORDERING, "word": "about", "printed": printed}, LEVELS) == f'We took "about" as {within}.'


def test_records_are_plain_json(verdict):
    json.dumps(verdict(ORDERING), allow_nan=False)
    assert plain({"a": 1 / 3, "b": [float("inf")]}) == {"a": 0.333333333, "b": [None]}


def test_a_claim_undecided_by_chance_says_how_many_more_runs_decide(simulate, tmp_path):
    """The same estimate with as many times the runs, and a tenth more, is decided."""

    def judged(se):
        rows = simulate(lambda *_: 100.0, np.random.default_rng(1), {"n": [100]})
        rows = rows.assign(mean=[100.0, 99.0], se=se)
        claim = {**ORDERING, "against": "mse_rr"}
        return judge(prepare(claim, {"fig3": Result(rows)}, tmp_path), "jrr", LEVELS, Known(("strict",), "none"), WORDS)

    undecided = judged(0.5)
    chance = undecided["chance"]
    assert undecided["why"] == "chance"
    assert chance["statistic"] == pytest.approx(1 / (0.5 * 2**0.5))
    assert f"(about {chance['runs']:.2g} times as many; it is at 1.41, and 3.09 decides)" in undecided["decides"]
    decided_ = judged(0.5 / (1.1 * chance["runs"]) ** 0.5)
    assert (decided_["verdict"], decided_["chance"]) == ("reproduced", None)

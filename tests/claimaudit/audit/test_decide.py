import numpy as np
import pytest
from checking import LEVELS, case_of
from checking import claim as claim_of

from claimaudit.audit.judging.decide import ClaimFindings, Known, judge
from claimaudit.verdicts import Evidence, Relation

READINGS = ["strict", "b", "c"]
ORDERING = {"kind": "ordering", "quantity": "mse_jrr", "relation": "<", "against": "0.8 * mse_rr"}
NOTHING = Known(("strict", "b", "c"), "none")


@pytest.fixture
def table(better_as_run):
    return better_as_run(READINGS)


def verdict(table, claim, known=NOTHING, **more):
    return judge(case_of(claim, table), "jrr", LEVELS, known, **more)


def answer(holds, name="strict", **more):
    return Evidence(name, holds, 1, Relation(), **more)


def decided(stated, others=(), source="own", printed=None, claim=ORDERING):
    """Verdict of a claim with the answer `stated` under the strict reading, of which `others` are the standing ones."""
    evidence = {"strict": answer(stated)} | {
        name: answer(holds, name) for name, holds in zip("bcd", others, strict=False)
    }
    known = Known(tuple(evidence) if source == "none" else tuple(evidence)[1:], source)
    points = None if printed is None else answer(printed, "printed")
    return ClaimFindings(claim_of(claim), known, evidence["strict"], evidence, points).decision()


@pytest.mark.parametrize(
    ("stated", "others", "source", "word", "why"),
    [
        (True, [True], "own", "reproduced", ""),
        (True, [True, False], "own", "reproduced", ""),
        (True, [False], "own", "undecided", "readings"),
        (True, [False, False], "inferred", "undecided", "readings"),
        (True, [False], "none", "reproduced", ""),
        (False, [True, True], "own", "reproduced as run", ""),
        (False, [True], "inferred", "reproduced as run", ""),
        (None, [True], "own", "reproduced as run", ""),
        (False, [True, False], "own", "undecided", "readings"),
        (False, [True, None], "own", "undecided", "chance"),
        (False, [False, False], "own", "not reproduced", ""),
        (None, [False], "own", "undecided", "chance"),
        (False, [False, False], "none", "not reproduced", ""),
        (False, [False, True], "none", "undecided", "readings"),
        (False, [True, True, True], "none", "undecided", "readings"),  # without evidence, no reading rescues it
        (None, [None], "none", "undecided", "chance"),
    ],
)
def test_the_verdict_follows_from_what_holds_as_stated_and_as_run(stated, others, source, word, why):
    decision = decided(stated, others, source)
    assert (decision.verdict, decision.why) == (word, why)


def found(answers, source, readings, texts, **more):
    """ClaimFindings on an ordering, from the answer by reading."""
    evidence = {name: answer(holds, name, why="" if holds is not None else "chance") for name, holds in answers.items()}
    known = Known(readings, source, texts=texts)
    return ClaimFindings(claim_of({**ORDERING, **more}), known, evidence["strict"], evidence)


@pytest.mark.parametrize(
    ("stated", "source", "readings", "texts", "word"),
    [
        (True, "none", ("strict", "b"), ("strict", "b"), "undecided"),
        (True, "none", ("strict", "b"), ("strict",), "reproduced"),
        (True, "own", ("strict", "b"), ("strict", "b"), "undecided"),
        (True, "own", ("strict",), ("strict",), "reproduced"),
        (False, "none", ("strict", "b"), ("strict", "b"), "undecided"),  # nothing fails as stated where nothing is
    ],
)
def test_what_rests_on_a_value_that_the_text_does_not_state_is_undecided(stated, source, readings, texts, word):
    """With b, which the text does not exclude, though the printed numbers may, the answer is the other one."""
    findings = found({"strict": stated, "b": not stated}, source, readings, texts)
    assert findings.decision().verdict == word
    assert findings.as_stated().answer == {"reproduced": "holds", "undecided": "undecided"}[word]
    if word == "undecided":
        assert (findings.decision().because, findings.decision().why) == ("unstated", "readings")


@pytest.mark.parametrize(
    ("stated", "text", "run", "word", "because", "why"),
    [
        (True, True, False, "undecided", "depends", "readings"),
        (True, False, False, "undecided", "unstated", "readings"),
        (True, False, None, "undecided", "unstated", "readings"),
        (True, False, True, "reproduced as run", "run", ""),
        (True, None, False, "undecided", "unstated", "chance"),
        (True, None, True, "reproduced", "stated", ""),
        (True, ..., False, "undecided", "unstated", "readings"),
        (True, ..., True, "reproduced", "stated", ""),
        (False, False, False, "not reproduced", "fails", ""),
        (False, True, False, "undecided", "unstated", "readings"),
        (False, True, True, "reproduced as run", "run", ""),
        (False, None, False, "not reproduced", "fails", ""),
        (False, None, True, "reproduced as run", "run", ""),
        (False, None, None, "undecided", "unstated", "chance"),
        (False, ..., False, "not reproduced", "fails", ""),
    ],
)
def test_values_of_ours_that_printed_numbers_reject_decide_neither_for_nor_against(
    stated, text, run, word, because, why
):
    """The text with the unstated values that stand is b; what stands, c, departs from the text besides."""
    answers = {"strict": stated, "c": run} | ({} if text is ... else {"b": text})
    findings = found(answers, "own", ("c",), ("b",))
    decision = findings.decision()
    assert (decision.verdict, decision.because, decision.why) == (word, because, why)
    open_ = decision.because not in ("stated", "fails", "depends")
    assert findings.as_stated().answer == ("undecided" if open_ else {True: "holds", False: "fails"}[stated])
    assert findings.as_stated().rejected is open_


@pytest.mark.parametrize(
    ("others", "because", "why"),
    [
        ((True, False), "unstated", "readings"),
        ((True, True), "open", "chance"),
        ((False, None), "open", "chance"),
    ],
)
def test_chance_leaves_open_only_what_more_runs_may_decide(others, because, why):
    """Where values that the text does not state decide both ways, those that were run decide."""
    names = ("strict", "b", "c")
    findings = found(dict(zip(names, (None, *others), strict=True)), "none", names, names)
    decision = findings.decision()
    assert (decision.verdict, decision.because, decision.why) == ("undecided", because, why)
    assert findings.as_stated().unstated == (("b", "c") if because == "unstated" else ())


@pytest.mark.parametrize(
    ("kind", "open_", "word", "stated"),
    [
        ("cells", True, "undecided", "undecided"),
        ("cells", False, "not reproduced", "fails"),
        ("ordering", True, "not reproduced", "fails"),
    ],
)
def test_numbers_that_no_reading_explains_are_undecided_where_the_text_leaves_choices_open(kind, open_, word, stated):
    evidence = {"strict": answer(False), "b": answer(False, "b")}
    claim = claim_of({**ORDERING, "kind": kind, "published": "fig3", "metric": "mse"})
    findings = ClaimFindings(claim, Known(("strict", "b"), "rejected", open=open_), evidence["strict"], evidence)
    assert (findings.decision().verdict, findings.as_stated().answer) == (word, stated)


def test_a_number_that_told_the_setting_decides_nothing():
    circular = Known(("b",), "own", circular=True)
    evidence = {"strict": answer(False), "b": answer(True, "b")}
    decision = ClaimFindings(claim_of(ORDERING), circular, evidence["strict"], evidence).decision()
    assert (decision.verdict, decision.because) == ("undecided", "circular")


DOUBTFUL = {**ORDERING, "doubt": "The p may be a rho."}


@pytest.mark.parametrize(
    ("stated", "source", "printed", "claim", "word", "why"),
    [
        (True, "own", False, ORDERING, "contradicted by the paper", ""),
        (True, "own", True, ORDERING, "reproduced", ""),
        (False, "own", True, ORDERING, "not reproduced", ""),
        # Points that no reading explains, but that agree with the sentence, leave it undecided.
        (False, "rejected", True, ORDERING, "undecided", "readings"),
        (False, "rejected", None, ORDERING, "not reproduced", ""),
        (False, "own", None, DOUBTFUL, "undecided", "glyph"),
        (True, "own", False, DOUBTFUL, "undecided", "glyph"),
        (True, "own", None, DOUBTFUL, "reproduced", ""),
    ],
)
def test_the_papers_own_points_come_before_simulation_and_a_doubtful_character_before_both(
    stated, source, printed, claim, word, why
):
    decision = decided(stated, [stated], source, printed, claim)
    assert (decision.verdict, decision.why) == (word, why)


def test_a_record_shows_all_three_columns_with_the_strict_numbers_first(table):
    record = verdict(table, ORDERING, Known(("b", "c"), "own", ("fig3",)))
    answers = [one.answer for one in (record.as_stated, record.as_run, record.own_numbers)]
    assert (record.verdict, answers) == ("reproduced as run", ["fails", "holds", "not tested"])
    assert (record.stated.found.satisfied, record.as_run.deciding) == (0, "b")
    assert record.as_run.readings == ("b", "c")
    assert [item.standing for item in record.evidence] == [False, True, True]
    assert record.level == LEVELS.failing


def test_only_the_text_and_standing_readings_list_their_comparisons(table):
    record = verdict(table, ORDERING, Known(("b",), "own"))
    assert [bool(item.comparisons) for item in record.evidence] == [True, True, False]
    assert len(record.evidence[0].comparisons["left"]) == 4


def test_the_number_of_runs_belongs_to_what_was_run(table):
    claim = {**ORDERING, "kind": "value", "quantity": "mse_jrr / mse_rr", "printed": {"value": 0.7, "tolerance": 0.1}}
    assert verdict(table, claim, Known(("b",), "own", runs_factor=0.45)).as_run.runs_factor == 0.45


def test_what_is_undecided_says_why_and_on_which_readings_it_depends(table):
    record = verdict(table, {**ORDERING, "decides": "the number of steps"})
    assert (record.verdict, record.why, record.decides) == ("undecided", "readings", "the number of steps")
    assert (record.as_run.holding, record.as_run.failing) == (("b", "c"), ("strict",))


@pytest.mark.parametrize(
    ("change", "could_fail", "counted"),
    [({}, True, True), ({"origin": "ours"}, True, False), ({"origin": "definition"}, True, False), ({}, False, False)],
)
def test_only_claims_of_the_paper_that_could_fail_count(table, change, could_fail, counted):
    record = verdict(table, {**ORDERING, **change}, could_fail=could_fail)
    assert record.counted is counted
    assert bool(record.uncounted) is not counted


@pytest.mark.parametrize(("weight", "word"), [("result", "contradicted by the paper"), ("slip", "not reproduced")])
def test_a_contradiction_needs_no_table(table, weight, word):
    """A slip of the pen is never called contradicted."""
    claim = {"kind": "contradiction", "printed": {"a": 0.741, "b": 0.909}, "relation": "abs(1 - a - b) < 0.01"}
    record = verdict(table, {**claim, "weight": weight}, Known((), "none"))
    assert record.verdict == word
    assert (record.own_numbers.answer, record.as_run.answer) == ("fails", "not tested")


def test_a_gap_in_the_data_is_no_verdict_on_the_claim(table):
    record = verdict(table, {**ORDERING, "where": "n == 900", "lacking": "the survey of 2016"})
    assert (record.verdict, record.evidence) == ("no data", ())
    assert record.lacking == "the survey of 2016"


@pytest.mark.parametrize(("relation", "word"), [("<", "not reproduced"), (">", "reproduced")])
def test_a_sentence_about_cited_work_is_judged_as_stated(table, relation, word):
    """All other readings say the opposite of the strict one."""
    record = verdict(table, {**ORDERING, "cited": True, "relation": relation}, Known((), "none"))
    assert (record.verdict, record.as_run.answer) == (word, "not tested")


def test_a_claim_undecided_by_chance_says_how_many_more_runs_decide(simulate):
    """The same estimate with as many times the runs, and a tenth more, is decided."""

    def judged(se):
        rows = simulate(lambda *_: 100.0, np.random.default_rng(1), {"n": [100]})
        rows = rows.assign(mean=[100.0, 99.0], se=se)
        claim = {**ORDERING, "against": "mse_rr"}
        return verdict(rows, claim, Known(("strict",), "none"))

    undecided = judged(0.5)
    chance = undecided.chance
    assert undecided.why == "chance"
    assert (chance.statistic, chance.needed) == (pytest.approx(1 / (0.5 * 2**0.5)), pytest.approx(3.09, abs=0.01))
    decided_ = judged(0.5 / (1.1 * chance.runs) ** 0.5)
    assert (decided_.verdict, decided_.chance) == ("reproduced", None)

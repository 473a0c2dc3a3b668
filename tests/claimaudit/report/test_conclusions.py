"""Conclusions rest on verdicts: one with another verdict says so."""

from dataclasses import replace

import pytest
from small_report import record, verdicts_of

from claimaudit.papers.claims import ConclusionEntry
from claimaudit.report.findings import hold
from claimaudit.verdicts import VERDICTS
from claimaudit.words.numbers import DASH
from claimaudit.words.verdicts import mark

VERDICTS_OF_JRR = {"jrr": verdicts_of([record("reproduced"), record("reproduced as run")])}


def conclusion(**rests_on):
    names = {name.replace("__", "/").replace("_", "-"): expected for name, expected in rests_on.items()}
    return ConclusionEntry(states=" JRR has the lower error.\n", rests_on=names)


def test_a_conclusion_whose_claims_have_the_expected_verdicts_stands():
    entry = conclusion(jrr__reproduced="reproduced", jrr__reproduced_as_run="fails")
    (found,) = hold([entry], VERDICTS_OF_JRR)
    assert found.stands
    assert found.states == "JRR has the lower error."
    assert found.numbers == "Ours 0.05812 ± 0.00023, printed 0.058 at n = 10,000."
    assert [(item.claim.id, item.found) for item in found.evidence] == [
        ("reproduced", "reproduced"),
        ("reproduced-as-run", "fails"),
    ]


@pytest.mark.parametrize(
    ("expected", "found"),
    [(word, "reproduced as run") for word in VERDICTS] + [(word, "fails") for word in ("holds", "fails")],
)
def test_any_other_verdict_overturns_it(expected, found):
    (conclusion_found,) = hold([conclusion(jrr__reproduced="holds", jrr__reproduced_as_run=expected)], VERDICTS_OF_JRR)
    assert conclusion_found.stands == (expected == found)
    assert conclusion_found.evidence[1].found == found


@pytest.mark.parametrize("expected", ["reproduced", "holds"])
@pytest.mark.parametrize(("other", "beware"), [("reproduced", "has no data for it"), ("fails", "does not show it")])
def test_one_on_a_claim_without_data_says_so(expected, other, beware):
    verdicts = {"jrr": verdicts_of([record("reproduced"), record("no data")])}
    (found,) = hold([conclusion(jrr__reproduced=other, jrr__no_data=expected)], verdicts)
    assert not found.stands
    assert found.beware == f"This run {beware}"
    assert found.evidence[1].found == "no data"


def test_a_conclusion_quotes_numbers_and_says_why_its_evidence_is_undecided():
    rests_on = {"jrr/reproduced": "reproduced", "jrr/undecided": "undecided", "jrr/no-data": "no data"}
    entry = ConclusionEntry(states="Of {jrr/reproduced: rows} and {jrr/no-data: rows}.", rests_on=rests_on)
    (found,) = hold([entry], {"jrr": verdicts_of([record(word) for word in rests_on.values()])})
    assert found.states == f"Of 63 and {DASH}."
    assert [bool(item.open) for item in found.evidence] == [False, True, False]
    assert found.evidence[1].open.startswith("Undecided: ")


def test_a_question_of_ours_that_is_undecided_as_run_says_so():
    ours = record("reproduced", origin="ours", counted=False, uncounted="ours")
    run = replace(ours.as_run, answer="undecided", holding=("strict",), failing=("vanishing_step",))
    (found,) = hold([conclusion(jrr__reproduced="holds")], {"jrr": verdicts_of([replace(ours, as_run=run)])})
    assert mark(found.evidence[0].claim).name == "our question: holds as stated, undecided as run"
    assert found.evidence[0].open == "As run, it holds with the text as it stands; it fails with a vanishing step."


def test_conclusions_on_other_papers_are_left_out():
    entry = conclusion(jrr__reproduced="reproduced", cpl__leaks="reproduced")
    assert hold([entry], VERDICTS_OF_JRR) == []
    assert len(hold([entry], {**VERDICTS_OF_JRR, "cpl": verdicts_of([record("reproduced", id="leaks")])})) == 1

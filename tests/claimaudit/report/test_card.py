"""The card of a claim in a terminal has what the page says of it."""

from dataclasses import replace

import pytest

from claimaudit.report.claims import WIDTH, card
from claimaudit.verdicts import Reply


@pytest.fixture
def text(record, verdicts_of):
    claim = record("reproduced as run", note="For many users.")
    verdicts = verdicts_of([claim])
    reply = Reply("A. Author", "2026-01-31", "a letter", "No.", (claim.id,), disputes=True)
    return card("jrr", replace(verdicts, replies=(reply,)), claim.id)


def test_it_has_the_sentence_the_verdict_the_three_answers_and_replies(text):
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


def test_an_unknown_claim_has_no_card(verdicts_of):
    with pytest.raises(StopIteration):
        card("jrr", verdicts_of([]), "x")

"""The audit's answer to a claim, as a notebook shows it."""

import pytest

from claimaudit.report.claims import answer
from claimaudit.results import write_sealed
from claimaudit.verdicts import plain


@pytest.fixture
def verdicts(tmp_path, record, verdicts_of):
    write_sealed(tmp_path / "jrr.json", plain(verdicts_of([record("reproduced as run", id="better")])))
    return tmp_path


def test_an_answer_names_the_claim_its_columns_and_its_place_in_the_report(verdicts):
    text = answer("jrr", "better", verdicts)
    assert "**Section 5.3, paragraph 1, sentence 2:** statement reproduced as run" in text
    assert (
        "**Answer: reproduced as run** (as stated: fails, as run: holds, by the paper's own numbers: not tested)"
        in text
    )
    assert "As stated: ours 0.05812" in text
    assert "](../claims.html#claim-jrr-better)" in text


def test_a_claim_that_does_not_exist_is_named(verdicts):
    with pytest.raises(ValueError, match="no claim 'beter'"):
        answer("jrr", "beter", verdicts)

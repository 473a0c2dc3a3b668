"""The audit's answer to a claim, as a notebook shows it."""

import json

import pytest

from corrldp.checksums import sealed
from corrldp.report.answer import answer

RECORD = {
    **{"id": "better", "where": "Section 5", "states": "JRR is better.", "verdict": "reproduced as run", "reason": ""},
    **{"effect": "as stated: 3 of 4; as run: 4 of 4"},
    **{name: {"answer": told} for name, told in (("as_stated", "fails"), ("as_run", "holds"))},
    "own_numbers": {"answer": "not tested"},
}


@pytest.fixture
def verdicts(tmp_path):
    (tmp_path / "jrr.json").write_text(json.dumps(sealed({"claims": [RECORD]})), encoding="utf-8")
    return tmp_path


def test_an_answer_names_the_claim_its_columns_and_its_place_in_the_report(verdicts):
    text = answer("jrr", "better", verdicts).data
    assert "**Section 5:** JRR is better." in text
    assert (
        "**Answer: reproduced as run** (as stated: fails, as run: holds, by the paper's own numbers: not tested)"
        in text
    )
    assert "3 of 4" in text
    assert "](../jrr.html#claim-jrr-better)" in text


def test_a_claim_that_does_not_exist_is_named(verdicts):
    with pytest.raises(ValueError, match="no claim 'beter'"):
        answer("jrr", "beter", verdicts)

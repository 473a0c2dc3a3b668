"""Numbers that a sentence quotes are those of the records."""

from dataclasses import replace

import pytest
from small_report import record

from claimaudit.verdicts import Inequalities
from claimaudit.words.quoted import quoted, quotes, unknown

COLUMNS = {"epsilon": [0.1, 1.0], "left": [0.25, 0.855], "right": [0.5, 0.5], "se": [0.0, 0.0]}


@pytest.fixture
def shares():
    """A claim on a share in percent, checked at two settings, which another reading makes larger."""
    one = record("reproduced").stated
    found = Inequalities(1, 1, 0, True, 0.25, 0.5, ">", 0.0, "share")
    strict = replace(one, found=found, rows=2, comparisons=COLUMNS)
    other = replace(strict, reading="other", comparisons={**COLUMNS, "left": [0.9, 0.95]})
    claim = record("reproduced", id="shares", unit="percent", evidence=(strict, other))
    return replace(claim, as_run=replace(claim.as_run, readings=("other",), holding=("other",)))


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("least", "25 %"),
        ("most", "85.5 %"),
        ("threshold", "50 %"),
        ("least share", "50 %"),
        ("most ratio", "1.71"),
        ("satisfied", "1"),
        ("rows", "2"),
        ("as run least", "90 %"),
        ("most ratio at epsilon = 1.0", "1.71"),
        ("least at epsilon = 0.1", "25 %"),
    ],
)
def test_a_number_is_that_of_the_record(shares, what, text):
    assert quoted(f"It is {{jrr/shares: {what}}} here.", {"jrr/shares": shares}) == f"It is {text} here."


def test_a_sentence_whose_claim_has_no_evidence_is_left_out():
    assert quoted("{jrr/a: least} of all", {"jrr/a": record("no data", id="a")}) == ""


def test_a_setting_that_was_not_compared_is_an_error(shares):
    with pytest.raises(ValueError, match="claim shares has no comparison at epsilon = 2"):
        quoted("{jrr/shares: most at epsilon = 2}", {"jrr/shares": shares})


def test_what_is_quoted_is_known():
    assert list(quotes("{jrr/a: least} and {jrr/b: as run most}, {typo}")) == [
        ("jrr/a", "least"),
        ("jrr/b", "as run most"),
        ("typo", ""),
    ]
    assert not unknown("as run least")
    assert not unknown("as run most ratio at w = 2")
    assert unknown("largest")
    assert unknown("largest at w = 2")
    assert unknown("rows at w = 2")

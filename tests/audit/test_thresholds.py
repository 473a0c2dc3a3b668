import pytest
from corrldp.audit.evidence import Evidence
from corrldp.audit.thresholds import at_end, between, intervals

VAGUE = {
    "id": "close",
    "against": {"strict": 0.05, "generous": 0.25},
    "share": {"at_least": {"strict": 1, "generous": 0.9}},
    "printed": {"value": 3, "tolerance": 0.1},
}


def test_each_end_is_a_claim_of_its_own():
    assert at_end(VAGUE, "strict") == {**VAGUE, "against": 0.05, "share": {"at_least": 1}}
    assert at_end(VAGUE, "generous") == {**VAGUE, "against": 0.25, "share": {"at_least": 0.9}}
    assert intervals(VAGUE) == [(0.05, 0.25), (1, 0.9)]
    assert intervals({"against": 0.1}) == []


@pytest.mark.parametrize(
    ("strict", "generous", "holds", "why"),
    [
        (True, True, True, ""),
        (False, False, False, ""),
        (False, True, None, "word"),
        (None, True, None, "word"),
        (None, None, None, "chance"),
        (False, None, None, "chance"),
        (None, False, False, ""),
    ],
)
def test_it_holds_at_the_strict_end_and_fails_only_at_the_generous_one(strict, generous, holds, why):
    ends = [Evidence("strict", answer, 1, "e", "r") for answer in (strict, generous)]
    found = between(*ends)
    assert (found.holds, found.why) == (holds, why)


@pytest.mark.parametrize(
    ("strict", "generous", "why"),
    [
        ((None, -1.0), (None, 1.0), "word"),
        ((None, -2.0), (None, -1.0), "chance"),
        ((None, 1.0), (True, 9.0), "chance"),
        ((None, -1.0), (True, 9.0), "word"),
    ],
)
def test_the_word_decides_if_our_estimate_lies_between_the_ends(strict, generous, why):
    def end(answer, statistic):
        return Evidence("strict", answer, 1, "e", "r", statistic=statistic, p_value=0.5, comparisons={"outcome": []})

    assert between(end(*strict), end(*generous)).why == why


def test_a_share_is_not_judged_by_its_worst_setting():
    strict, generous = (Evidence("strict", answer, 9, "e", "r", statistic=-9.0) for answer in (False, True))
    assert between(strict, generous).why == "word"

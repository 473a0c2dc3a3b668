import pytest
from checking import claim

from claimaudit.audit.checks.registry import CHECKS
from claimaudit.verdicts import Evidence, Relation, Threshold

VAGUE = claim(
    {
        "kind": "ordering",
        "against": {"strict": 0.05, "generous": 0.25},
        "share": {"at_least": {"strict": 1, "generous": 0.9}},
        "printed": {"value": 3, "tolerance": 0.1},
    }
)


def evidence(answer, **more):
    return Evidence("strict", answer, 1, Relation(), **more)


def test_each_end_is_a_claim_of_its_own():
    strict, generous = VAGUE.at("strict"), VAGUE.at("generous")
    assert (strict.against, strict.share, strict.printed) == (0.05, {"at_least": 1}, VAGUE.printed)
    assert (generous.against, generous.share, generous.printed) == (0.25, {"at_least": 0.9}, VAGUE.printed)
    assert list(VAGUE.thresholds()) == [Threshold("against", 0.05, 0.25), Threshold("at_least", 1, 0.9)]
    assert list(strict.thresholds()) == []


@pytest.mark.parametrize("kind", CHECKS)
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
def test_it_holds_at_the_strict_end_and_fails_only_at_the_generous_one(kind, strict, generous, holds, why):
    found = CHECKS[kind].combine_ends(evidence(strict), evidence(generous))
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
    ends = (evidence(answer, statistic=statistic, p_value=0.5) for answer, statistic in (strict, generous))
    assert CHECKS["ordering"].combine_ends(*ends).why == why


def test_a_share_is_not_judged_by_its_worst_setting():
    ends = (evidence(answer, statistic=-9.0) for answer in (False, True))
    assert CHECKS["ordering"].combine_ends(*ends).why == "word"

import pytest
from checking import LEVELS, claim

from claimaudit.audit.checks.base import at
from claimaudit.audit.judging.cases import combine_ends
from claimaudit.verdicts import Evidence, Inequalities, Relation, Threshold

VAGUE = claim(
    {
        "kind": "ordering",
        "quantity": "mse_jrr",
        "relation": "<",
        "against": {"strict": 0.05, "generous": 0.25},
        "share": {"at_least": {"strict": 1, "generous": 0.9}},
    }
).check
NEAR = {"kind": "value", "quantity": "rho", "printed": {"value": 3, "tolerance": {"strict": 0.1, "generous": 0.2}}}


COMPARED = Inequalities(0, 0, 1, True, 0.1, 0.2, "<")


def evidence(answer, found=COMPARED, **more):
    return Evidence("strict", answer, 1, found, **more)


def test_each_end_is_a_check_of_its_own():
    strict, generous = at(VAGUE, "strict"), at(VAGUE, "generous")
    assert (strict.against, strict.share.at_least, strict.quantity) == (0.05, 1, "mse_jrr")
    assert (generous.against, generous.share.at_least, generous.quantity) == (0.25, 0.9, "mse_jrr")
    assert VAGUE.thresholds(LEVELS) == (Threshold("against", 0.05, 0.25), Threshold("at_least", 1, 0.9))
    assert strict.thresholds(LEVELS) == ()


def test_a_tolerance_of_a_printed_number_is_named_by_it():
    check = claim(NEAR).check
    assert at(check, "generous").printed.tolerance == 0.2
    assert check.thresholds(LEVELS) == (Threshold("printed", 0.1, 0.2),)


@pytest.mark.parametrize(("found", "p_value"), [(Relation(), 0.5), (COMPARED, None)])
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
def test_it_holds_at_the_strict_end_and_fails_only_at_the_generous_one(found, p_value, strict, generous, holds, why):
    """As for all but inequalities that must hold everywhere, which alone have a p-value."""
    combined = combine_ends(*(evidence(answer, found, p_value=p_value) for answer in (strict, generous)))
    assert (combined.holds, combined.why) == (holds, why)


@pytest.mark.parametrize(
    ("strict", "generous", "why"),
    [
        ((None, -1.0), (None, 1.0), "word"),
        ((None, -2.0), (None, -1.0), "chance"),
        ((None, 1.0), (True, 9.0), "chance"),
        ((None, -1.0), (True, 9.0), "word"),
    ],
)
def test_of_inequalities_the_word_decides_if_our_estimate_lies_between_the_ends(strict, generous, why):
    ends = (evidence(answer, statistic=statistic, p_value=0.5) for answer, statistic in (strict, generous))
    assert combine_ends(*ends).why == why


def test_a_share_is_not_judged_by_its_worst_setting():
    ends = (evidence(answer, statistic=-9.0) for answer in (False, True))
    assert combine_ends(*ends).why == "word"

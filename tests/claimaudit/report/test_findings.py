"""Findings from planted verdicts; every expected word follows from the records."""

import small_report
from small_report import ran_exhibit, verdicts_of

from claimaudit.report.findings import findings
from claimaudit.verdicts import Cause, StandingReading
from claimaudit.words.numbers import listed


def record(name, verdict, **fields):
    fields = {"level": 0.0, "measure": f"number {name}", "place": f"Section {name}, sentence 1; Figure 1", **fields}
    return small_report.record(verdict, id=name, states=f"Claim {name}.", **fields)


def ours(name, verdict="reproduced", **fields):
    return record(name, verdict, origin="ours", counted=False, uncounted="ours", **fields)


def found(claims, causes=None, exhibits=None):
    return findings(verdicts_of(claims, exhibits, causes))


def test_the_summary_counts_the_claims_of_the_paper_only():
    claims = [
        record("1", "reproduced"),
        record("2", "reproduced"),
        record("3", "contradicted by the paper"),
        record("4", "undecided"),
        record("5", "undecided", why="glyph"),
        record("6", "no data"),
        record("7", "not reproduced", weight="slip"),
        ours("8", "not reproduced"),
        ours("9"),
        record("10", "reproduced", origin="definition", counted=False, uncounted="definition"),
    ]
    assert found(claims).summary == (
        "Of 6 claims of the paper, 2 hold as stated, 1 is contradicted by the paper's own numbers, 2 are undecided and "
        "1 needs data that are not at hand. What leaves claims undecided: chance (1) and characters that may be "
        "misread (1). Not counted: 1 claim on a possible slip, 2 checks of our own and 1 claim that holds by "
        "definition or could not fail. No check rests on simulation."
    )


def test_claims_with_one_cause_are_one_finding_with_the_numbers_of_the_claim_that_fails_most_clearly():
    claims = [
        record("1", "reproduced", cause="sign"),
        record("2", "not reproduced", cause="sign", level=0.001),
        record("3", "contradicted by the paper", cause="sign"),
        record("4", "not reproduced"),
    ]
    points = found(claims, {"sign": Cause("One sign is reversed.", "headline")}).points
    assert [(point.claims, point.weight, point.cause) for point in points] == [
        (("1", "2", "3"), "headline", "sign"),
        (("4",), "result", ""),
    ]
    numbers = "Printed: number 3 0.07 ± 0.00023, printed 0.058 at n = 10,000."
    assert points[0].text == f"One sign is reversed. {numbers} (Section 3, sentence 1)"
    assert points[0].verdict == "contradicted by the paper"
    stated, run = (f"number 4 {value} ± 0.00023, printed 0.058 at n = 10,000" for value in ("0.05812", "0.0579"))
    found_otherwise = f"We find otherwise: as stated: {stated}; as run: {run}."
    assert points[1].text == f"Claim (Section 4, sentence 1): Claim 4. {found_otherwise}"


def test_a_cause_is_no_finding_unless_a_claim_of_the_paper_falls_with_it():
    claims = [
        record("1", "undecided", cause="open"),
        ours("2", "not reproduced", cause="ours"),
        record("3", "reproduced as run", cause="run"),
    ]
    causes = {name: Cause(f"Cause {name}.") for name in ("open", "ours", "run")}
    result = found(claims, causes)
    assert [point.cause for point in result.points] == ["run"]
    assert [point.cause for point in result.open] == ["open"]


def test_findings_are_ordered_by_weight_then_verdict_then_certainty_then_number_of_claims():
    claims = [
        record("detail", "contradicted by the paper", weight="detail"),
        record("simulated", "not reproduced", level=0.001),
        record("exact", "not reproduced"),
        record("many-1", "not reproduced", cause="many"),
        record("many-2", "not reproduced", cause="many"),
        record("torn", "contradicted by the paper"),
        record("headline", "not reproduced", weight="headline", level=0.001),
    ]
    points = found(claims, {"many": Cause("Many.")}).points
    assert [point.claims[0] for point in points] == [
        *("headline", "torn", "many-1", "exact", "simulated", "detail"),
    ]


def test_claims_that_hold_only_as_run_or_are_undecided_are_no_finding_of_their_own():
    assert found([record("1", "reproduced as run"), record("2", "undecided"), record("3", "no data")]).points == ()


def test_slips_are_listed_apart_whether_the_claim_or_the_cause_is_one():
    claims = [
        record("1", "not reproduced", weight="slip"),
        record("2", "contradicted by the paper", cause="print"),
        record("3", "reproduced", weight="slip"),
    ]
    result = found(claims, {"print": Cause("A misprint.", "slip")})
    assert [slip.claims for slip in result.slips] == [("2",), ("1",)]
    assert result.points == ()


def test_what_we_asked_beyond_the_paper_has_headline_questions_first_and_no_findings():
    claims = [ours("1", "not reproduced"), ours("2", weight="headline"), record("3", "reproduced")]
    result = found(claims)
    assert [asked.id for asked in result.beyond] == ["2", "1"]
    assert result.points == ()


def test_claims_that_leave_the_score_are_listed_with_the_reason():
    could_not_fail = "no disturbance of its numbers makes the check fail"
    claims = [
        record("1", "reproduced", counted=False, uncounted="cannot fail"),
        record("2", "reproduced", origin="definition", counted=False, uncounted="definition"),
        ours("3"),
    ]
    left = {reason: [claim.id for claim in records] for reason, records in found(claims).left_out.items()}
    assert left == {could_not_fail: ["1"], "it holds by construction": ["2"]}


def test_the_summary_says_which_exhibits_fit_the_text():
    def exhibit(source, *readings):
        standing = tuple(StandingReading(name, True, "", name == "open", 0.5, 1.0) for name in readings)
        return ran_exhibit(numbers=9, source=source, readings=standing)

    exhibits = {
        "fig1": exhibit("own", "strict", "other"),
        "fig3": exhibit("own", "other"),
        "fig4": exhibit("own", "open"),
        "table2": exhibit("rejected"),
        "table4": exhibit("rejected"),
        "fig9": ran_exhibit(numbers=None, source="none", readings=()),
    }
    assert (
        "Of what has printed numbers, Figure 1 fits the text as it stands; Figure 4 fits the text, with other "
        "values than ours where it states none; Figure 3 fits another setting; Tables 2 and 4 fit no setting tried."
        in found([], exhibits=exhibits).summary
    )


def test_the_summary_bounds_the_probability_of_a_false_alarm():
    claims = [record(str(number), "reproduced", level=0.001) for number in range(2)]
    assert found(claims).summary.endswith(
        "2 checks rest on simulation; the probability that any true claim among them fails by chance is at most "
        "0.002, provided that simulated means are normally distributed."
    )


def test_lists():
    found = [listed([*"abc"], limit, "place") for limit in (None, 3, 2, 1)]
    assert found == ["a, b and c", "a, b and c", "a, b and 1 more place", "a and 2 more places"]

"""Findings from planted verdicts; every expected word follows from the records."""

import pytest

from corrldp.audit.words import OTHER_READING
from corrldp.report.findings import findings
from corrldp.report.fits import fits
from corrldp.report.wording import listed, percent, plural

READINGS = ("strict", "a=1", "a=2", "b=3")


def record(name, verdict, answers=(True,), kind="ordering", level=0.0, inside=None, **fields):
    evidence = [
        {"reading": reading, "words": "", "holds": holds, "estimate": share, "rows": 10}
        for reading, holds, share in zip(READINGS, answers, inside or [0.5] * len(answers), strict=False)
    ]
    common = {"where": f"Section {name}, Figure 1", "states": f"Claim {name}.", "figure": "fig1", "table": "fig1"}
    record = {
        **common,
        "origin": "paper",
        "id": name,
        "kind": kind,
        "verdict": verdict,
        "level": level,
        "evidence": evidence,
    }
    return {**record, "effect": f"effect {name}", "reason": f"reason {name}", **fields}


CELLS = [
    record("t1", "reproduced", (True, True, False), "cells", 0.001, [0.9, 1.0, 0.2]),
    record("t2", OTHER_READING, (False, True, False), "cells", 0.001, [0.1, 0.9, 0.2]),
    record("t3", OTHER_READING, (False, False, True), "cells", 0.001, [0.2, 0.1, 0.8]),
    record("t4", "not reproduced", (False, False, False), "cells", 0.001, [0.0, 0.1, 0.2]),
]


def test_the_first_sentence_counts_the_verdicts():
    verdicts = [
        record("1", "reproduced"),
        record("2", "reproduced"),
        record("3", "self-contradictory", (False,)),
        record("4", "untested", (None,)),
        record("5", "untested", (), reason="data unavailable: stand-in for x"),
    ]
    assert findings(verdicts).summary == (
        "Of 5 checkable claims, 2 hold as stated, 1 is contradicted by what the paper itself prints, 1 cannot be "
        "decided and 1 needs data that could not be obtained. "
        "Printed numbers or sentences disagree with each other in Section 3. No check rests on simulation."
    )


def test_failures_name_their_places_and_how_many_are_exact():
    verdicts = [record(str(number), "not reproduced", (False,), level=0.001 * (number < 2)) for number in range(6)]
    summary = findings(verdicts).summary
    assert (
        "Claims fail under every reading in Section 2, Section 3, Section 4, Section 5 and 2 more places; 4 of 6 "
        "without simulation error, by enumeration, arithmetic or a closed form." in summary
    )
    assert summary.endswith(
        "2 checks rest on simulation; the probability that any true claim among them fails by chance is at most "
        "0.002, provided that simulated means are normally distributed."
    )


def test_published_numbers_arise_under_the_fewest_readings_that_fit_most():
    strict, chosen, unexplained = fits(CELLS)
    assert (strict.fitting, strict.inside, unexplained) == (1, pytest.approx(0.3), 1)
    assert [(fit.reading, fit.fitting, fit.gained) for fit in chosen] == [("a=1", 2, 2), ("a=2", 1, 1)]
    assert (
        "Compared cell by cell, 1 of 4 published tables and curves fits the text as it stands, with 30 % of all cells "
        'inside their 95 % interval. Best fits: 2 under "a=1" (52 % of the cells) and 1 more '
        'under "a=2" (35 % of the cells). 1 fits no reading tried.' in findings(CELLS).summary
    )


def test_the_strict_reading_comes_first_among_equals():
    _, chosen, _ = fits([record("t", "reproduced", (True, True), "cells", inside=[0.9, 1.0])])
    assert [fit.reading for fit in chosen] == ["strict"]


def test_points_are_ordered_by_importance_and_exact_failures_come_first():
    verdicts = [
        record("held", "reproduced"),
        record("open", "untested", (None,)),
        record("other", OTHER_READING, (False, True, True, True)),
        record("simulated", "not reproduced", (False,), level=0.001),
        record("exact", "not reproduced", (False,)),
        record("torn", "self-contradictory", (False,), figure="", table=""),
    ]
    points = findings(verdicts).points
    assert [point.claims for point in points] == [
        ("torn",),
        ("exact",),
        ("simulated",),
        ("other",),
        ("open",),
        ("held",),
    ]
    assert [point.text for point in points] == [
        "Section torn, Figure 1: Claim torn. The paper's own numbers disagree: effect torn.",
        "Section exact, Figure 1: Claim exact. We find otherwise: effect exact.",
        "Section simulated, Figure 1: Claim simulated. We find otherwise: effect simulated.",
        'Section other, Figure 1: Claim other. It fails as stated and holds under "a=1", "a=2" or 1 more reading.',
        "The check cannot tell: 1 claim, in Section open.",
        "Claims hold as stated for Figure 1 (1).",
    ]


def test_claims_of_one_figure_that_hold_under_other_readings_share_a_point():
    first, second, third = (
        record(str(number), OTHER_READING, answers)
        for number, answers in enumerate([(False, True, True), (False, True, False), (False, False, True)])
    )
    found = findings([first, second])
    assert [point.text for point in found.points] == [
        'Figure 1: 2 claims fail as stated and hold under another reading, both under "a=1".'
    ]
    assert 'Of the claims that hold only under another reading, 2 hold under "a=1" and 1 under "a=2".' in found.summary
    assert findings([first, second, third]).points[0].text.endswith(', 2 of 3 under "a=1" or "a=2".')
    assert findings([second, third]).points[0].text.endswith(", no two under the same.")


def test_a_check_of_our_own_is_called_so():
    verdicts = [record("1", "not reproduced"), record("2", "not reproduced", origin="ours")]
    assert findings(verdicts).points[0].text.startswith("Section 1, Figure 1: Claim 1. We find otherwise")
    assert findings(verdicts).points[1].text.startswith("Section 2, Figure 1, our own check: Claim 2. We find")


@pytest.mark.parametrize(
    ("items", "limit", "words"),
    [
        ("a", None, "a"),
        ("ab", 2, "a and b"),
        ("abc", 1, "a and 2 more places"),
        ("abc", 2, "a, b and 1 more place"),
    ],
)
def test_lists(items, limit, words):
    assert listed(list(items), limit, "place") == words


def test_numbers():
    assert (plural(1, "claim"), plural(1200, "claim"), percent(0.528)) == ("1 claim", "1,200 claims", "53 %")

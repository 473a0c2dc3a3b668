"""Claims at a glance: every counted claim lies in one cell, and the cell's filter finds it."""

from collections import Counter

import pytest
from small_report import model

from claimaudit.audit.checks import CHECKS
from claimaudit.papers.description import Description
from claimaudit.report.claims import FAMILIES, TEXT, describe, families, matrix


@pytest.fixture
def claims(setting, record, verdicts_of):
    """Return a function that describes claims: (verdict, kind, figure, other changes)."""

    def described(*given):
        entry = {**setting["papers"]["jrr"]}
        entry["figures"] = dict.fromkeys(("fig2", "fig3", "fig10"), entry["figures"]["fig3"])
        text = model(Description, entry)
        return [
            describe(text, record(verdict, kind=kind, figure=figure, id=f"c{place}", **more), verdicts_of(()))
            for place, (verdict, kind, figure, more) in enumerate(given)
        ]

    return described


def test_every_kind_of_check_belongs_to_a_family():
    assert set(FAMILIES) == set(CHECKS)


def test_cells_count_verdicts_in_the_order_of_the_scoreboard(claims):
    found = matrix(
        claims(
            ("undecided", "value", "fig10", {}),
            ("reproduced", "value", "fig10", {}),
            ("reproduced", "value", "fig10", {}),
            ("not reproduced", "ordering", "fig2", {}),
            ("reproduced", "agreement", "", {}),
            ("reproduced", "value", "table3", {}),
        )
    )
    assert [row.name for row in found] == ["Figure 2", "Figure 10", "Table 3", TEXT]
    shown = [[[(verdict.name, count) for verdict, count in cell.verdicts] for cell in row.cells] for row in found]
    assert shown == [
        [[("not reproduced", 1)], [], []],
        [[], [("reproduced", 2), ("undecided", 1)], []],
        [[], [("reproduced", 1)], []],
        [[], [], [("reproduced", 1)]],
    ]
    assert found[1].cells[1].query == "counts=yes&figure=fig10&kind=value"
    assert found[3].cells[2].query == "counts=yes&figure=-&kind=agreement"


def test_what_is_not_counted_is_in_no_cell_and_opens_no_column(claims):
    described = claims(
        ("reproduced", "value", "fig3", {}),
        ("reproduced", "flat", "fig3", {"counted": False, "uncounted": "ours"}),
        ("not reproduced", "monotone", "fig2", {"weight": "slip"}),
    )
    (row,) = matrix(described)
    assert families(described) == {"value": FAMILIES["value"]}
    assert [len(cell.verdicts) for cell in row.cells] == [1]


def test_all_counted_claims_are_in_the_matrix(claims):
    verdicts = ("reproduced", "reproduced as run", "not reproduced", "undecided", "no data")
    given = [
        (verdicts[place % 5], list(FAMILIES)[place % 7], ("fig2", "fig3", "")[place % 3], {}) for place in range(60)
    ]
    described = claims(*given)
    counts = Counter()
    for row in matrix(described):
        assert len(row.cells) == len(families(described))
        for cell in row.cells:
            counts.update({verdict.name: count for verdict, count in cell.verdicts})
    assert counts == Counter(verdict for verdict, *_ in given)


def test_no_claims_make_no_rows():
    assert matrix([]) == []

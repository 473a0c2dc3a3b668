"""Claims meet: pairs of sentences that no one setting makes true together are found."""

from types import SimpleNamespace

import pytest

from claimaudit.audit.fitting.settings import Variables
from claimaudit.audit.judging.audit import meetings
from claimaudit.papers.jobs import Outline, Shared

READINGS = {
    "strict": {"rule": "body", "share": 0.1},
    "own": {"rule": "own", "share": 0.1},
    "more": {"rule": "body", "share": 0.2},
    "both": {"rule": "own", "share": 0.2},
}
RULE = {"strict": True, "own": False, "more": True, "both": False}
OWN = {name: not holds for name, holds in RULE.items()}
SHARE = {"strict": False, "own": False, "more": True, "both": True}


def record(name, answers, table="fig1", counted=True, verdict="undecided"):
    evidence = [SimpleNamespace(reading=reading, holds=holds) for reading, holds in answers.items()]
    run = SimpleNamespace(exhibits=(table,))
    return SimpleNamespace(id=name, table=table, counted=counted, verdict=verdict, evidence=evidence, as_run=run)


def met(*records, axes=("rule", "share"), broken=()):
    exhibits = {"fig1": READINGS, "fig2": READINGS}
    outline = Outline(shared=(Shared(axes, ("fig1", "fig2")),), inadmissible=dict.fromkeys(exhibits, broken))
    return meetings(records, Variables(outline, exhibits, {}), exhibits)


@pytest.mark.parametrize(("other", "broken"), [(OWN, ()), ({**SHARE, "own": True}, ("more",))])
def test_two_claims_that_need_two_rules_are_a_finding_and_inadmissible_readings_make_nothing_true(other, broken):
    (found,) = met(record("a", RULE), record("b", other, "fig2"), broken=broken)
    assert (found.claims, found.readings, found.axes) == (("a", "b"), ("strict", "own"), ("rule",))


@pytest.mark.parametrize(
    "other",
    [
        record("b", SHARE, "fig2"),  # both hold with more
        record("b", OWN, "fig2", counted=False),
        record("b", OWN, "fig2", verdict="not reproduced"),
        record("b", OWN, "fig2", verdict="contradicted by the paper"),
        record("b", dict.fromkeys(READINGS, False), "fig2"),  # holds nowhere
        record("b", {**OWN, "strict": None}, "fig2"),  # may hold as stated
        record("b", dict.fromkeys(READINGS, True), "fig2"),
    ],
)
def test_what_may_hold_together_is_none(other):
    assert met(record("a", RULE), other) == []


@pytest.mark.parametrize(("table", "found"), [("fig2", 0), ("fig1", 1)])
def test_exhibits_that_share_no_axis_may_differ_and_claims_on_one_exhibit_share_all_its_axes(table, found):
    assert len(met(record("a", RULE), record("b", OWN, table), axes=("share",))) == found


def test_combinations_may_exclude_each_other_though_no_axis_does_alone():
    one = {"strict": True, "own": False, "more": False, "both": True}
    (found,) = met(record("a", one), record("b", {name: not holds for name, holds in one.items()}, "fig2"))
    assert len(found.axes) == 2

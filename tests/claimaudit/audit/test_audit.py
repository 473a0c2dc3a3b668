"""What a search adds to the audit of an exhibit."""

import json

import numpy as np
import pandas as pd
import pytest
from checking import claim as claim_of
from picked import printed_in

from claimaudit.audit.arrays import Result
from claimaudit.audit.fitting.standing import FEW, FINAL, Material
from claimaudit.audit.judging.audit import audit
from claimaudit.audit.search import COLUMNS
from claimaudit.papers.jobs import Outline, PaperExhibit, Shared
from claimaudit.results import MEASURES
from claimaudit.verdicts import Levels

FACTORS = {"body": 1.0, "preprint": 2.0}


def table():
    """Two readings of one rule, exact but for the standard deviation of a run."""
    rows = [
        (d, name, rule, "Corr-RR", "mse", d * FACTORS[rule], 0.02 * d, 400, np.nan, False)
        for name, rule in (("strict", "body"), ("preprint_rule", "preprint"))
        for d in (2, 3, 4)
    ]
    return pd.DataFrame(rows, columns=["d", "reading", "py_rule", *MEASURES])


def evidence(tmp_path, search, digits=".001"):
    """Return the evidence: figures 3 and 5 print the preprint's rule, with these digits, and share the rule."""
    for name in ("fig3", "fig5"):
        printed = [f"{d},Corr-RR,mse,{2 * d}{digits},100" for d in (2, 3, 4)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["d,mechanism,metric,value,runs", *printed]), encoding="utf-8")
    results = {name: Result(table(), ()) for name in ("fig3", "fig5")}
    exhibits = tuple(PaperExhibit(name, name, name) for name in results)
    shared = (Shared(("py_rule", "py_input"), ("fig3", "fig5")),)
    return Material(Outline(exhibits, shared), results, printed_in(tmp_path), search)


ROW = {"pool": "fig3 fig5", "base": "named", "kind": "number", "reason": "", "run": False, "stage": FINAL, "runs": 100}
ROW |= {"p_value": 0.5, "error": 0.1, "differ": "fig3"}
RULE = "py_rule of fig3"


def searched(*rows):
    """A table of rows (words, departures, log-likelihood) and what else is not as in `ROW`."""
    found = []
    for words, departures, likelihood, *others in rows:
        own = {"words": words, "departures": json.dumps(departures), "setting": json.dumps([words])}
        own |= {
            "point": " & ".join(departures) if likelihood else "",
            "word": "half" if words else "",
            "log_likelihood": likelihood,
        }
        found.append(ROW | own | (others[0] if others else {}))
    return pd.DataFrame(found, columns=COLUMNS)


NAMED = ("", {RULE: "preprint"}, 0.0, {"run": True, "differ": ""})
TEXT = ("", {}, -900.0, {"run": True, "stage": FEW, "p_value": 1e-30})
HALF = {"d as run of fig3": "half"}
BOTH_CHANGES = {RULE: "preprint"} | HALF


def pool_with(tmp_path, *rows):
    return audit("made", Levels(0.001, 0.01), [], evidence(tmp_path, searched(NAMED, TEXT, *rows))).pools[0]


@pytest.mark.parametrize(
    ("row", "rival"),
    [
        (("half", HALF, -7.0), True),
        (("half", HALF, 12.0), True),
        (("half", HALF, -9.0), False),  # too far behind
        (("half", HALF, -9.0, {"error": 5.0}), True),  # as far as we can tell
        (("half", {}, -7.5), True),  # with a departure less
        (("half", BOTH_CHANGES, 0.5), False),  # one more must earn its price
        (("half", BOTH_CHANGES, 1.5), True),
        (("half", BOTH_CHANGES, 1.5, {"error": 0.5}), False),
        (("half", HALF, -1.0, {"stage": FEW}), False),  # given up with few runs
        (("half", HALF, -1.0, {"p_value": 1e-4}), False),
        (("half", HALF, 0.0, {"differ": ""}), False),  # no number differs
        (("half", HALF, 0.0, {"run": True}), False),  # an experiment runs it, so it competes already
    ],
)
def test_a_rival_explains_the_numbers_as_standing_settings_do(tmp_path, row, rival):
    pool = pool_with(tmp_path, row)
    assert [one.setting for one in pool.rivals] == [("half",)] * rival
    new = not (len(row) > 3 and ("run" in row[3] or "differ" in row[3]))
    assert pool.proposed == new
    assert pool.undecided == ("stage" in (row[3] if len(row) > 3 else {}))


@pytest.mark.parametrize(
    ("departures", "outcome"), [({RULE: "preprint"}, "fits"), ({}, "rejected"), (HALF, "undecided")]
)
def test_of_a_setting_that_competes_few_runs_do_not_tell_what_came_of_a_guide_word(tmp_path, departures, outcome):
    found = searched(NAMED, TEXT, ("half", departures, -1.0, {"run": departures != HALF, "stage": FEW}))
    (asked,) = audit("made", Levels(0.001, 0.01), [], evidence(tmp_path, found)).asked[:1]
    assert asked.outcome == outcome


def test_what_a_rival_does_without_is_not_demanded(tmp_path):
    assert pool_with(tmp_path).demanded == ("py_rule",)
    kept = pool_with(tmp_path, ("half", BOTH_CHANGES, 12.0))
    assert kept.demanded == ("py_rule",)
    assert [(one.axis, one.value) for one in kept.rivals[0].departures] == [
        ("py_rule", "preprint"),
        ("d as run", "half"),
    ]
    without = pool_with(tmp_path, ("half", HALF, -1.0))
    assert without.demanded == ()
    assert without.undetermined == ("py_rule",)


def test_what_came_of_each_word_is_said(tmp_path):
    untried = {"stage": np.nan, "differ": ""}
    found = searched(
        NAMED,
        ("a half", {"d as run": "half"}, -1.0),
        ("d = 7", {"d as run": 7}, -90.0, {"stage": FEW, "p_value": 0.0, "word": "stated elsewhere"}),
        ("", {"n": 1}, np.nan, {**untried, "kind": "data", "reason": "It is on the axis."}),
        ("d = 5", {"d as run": 5}, -5.0, {"stage": FEW, "word": "one more"}),
        ("d = 9", {"d as run": 9}, -90.0, {"stage": FEW, "word": "double"}),
        ("d = 4", {"d as run": 4}, -90.0, {"word": "one less"}),  # not rejected, but far less likely
        ("other data", {"seed": 1}, np.nan, {**untried, "reason": "not reached"}),
    )
    asked = audit("made", Levels(0.001, 0.01), [], evidence(tmp_path, found)).asked
    assert [(one.point, one.proposed, one.outcome) for one in asked] == [
        ("d as run", ("a half",), "fits"),
        ("d as run", ("d = 7",), "rejected"),
        ("d as run", ("d = 5",), "undecided"),
        ("d as run", ("d = 9",), "rejected"),
        ("d as run", ("d = 4",), "rejected"),
        ("seed", ("other data",), "not reached"),
        ("n", (), "It is on the axis."),
    ]


def test_of_numbers_that_nothing_fits_it_is_said_how_many_settings_would(tmp_path):
    alone = {"pool": "fig3"}
    found = evidence(tmp_path, searched(("", {}, 0.0, alone | {"run": True}), ("half", HALF, 50.0, alone)), "9.001")
    record = found.standing["fig3"].record
    assert (record.source, record.competed, record.not_run) == ("rejected", 2 + 1, 1)


SHARES = {"strict": ("0.1", "body", 1.0), "share_20": ("0.2", "body", 2.0), "preprint_rule": ("0.1", "preprint", 1.1)}
FIG5 = PaperExhibit("fig5", "fig5")
BOTH = {"both": ("0.2", "preprint", 2.2)}


@pytest.mark.parametrize(
    ("check", "word", "as_stated"),
    [
        # Only with 10 %, which the text does not state and the printed numbers reject.
        ({"relation": "<", "against": "1.5 * d"}, "undecided", "undecided"),
        # As stated with any share, but not with what the printed numbers demand.
        ({"relation": "<", "against": "2.1 * d"}, "undecided", "holds"),
        ({"relation": "<", "against": "2.5 * d"}, "reproduced", "holds"),
        ({"relation": ">", "against": "1.5 * d"}, "reproduced as run", "undecided"),
        ({"quantity": "abs(mse_corr_rr / d - 2)", "relation": "<", "against": 0.15}, "undecided", "undecided"),
        ({"relation": ">", "against": "2.5 * d"}, "not reproduced", "fails"),
    ],
)
def test_the_text_is_judged_with_the_unstated_values_that_its_printed_numbers_demand(tmp_path, check, word, as_stated):
    """A made-up paper that states the rule `body` and no share of users, and ran the preprint's rule with 20 %.

    Its Figure 3 prints numbers; the claim is about Figure 5, which shares the setting.
    """
    rows = [
        (d, name, share, rule, "Corr-RR", "mse", d * factor, 0.002 * d, 400, np.nan, False)
        for name, (share, rule, factor) in {**SHARES, **BOTH}.items()
        for d in range(2, 8)
    ]
    table = pd.DataFrame(rows, columns=["d", "reading", "share", "rule", *MEASURES])
    printed = [f"{d},Corr-RR,mse,{2.2 * d:.4g},400" for d in range(2, 8)]
    (tmp_path / "fig3.csv").write_text("\n".join(["d,mechanism,metric,value,runs", *printed]), encoding="utf-8")
    results, exhibits = {name: Result(table) for name in ("fig3", "fig5")}, (PaperExhibit("fig3", "fig3", "fig3"), FIG5)
    shared = (Shared(("share", "rule"), ("fig3", "fig5")),)
    known = Outline(exhibits, shared, unstated=dict.fromkeys(results, ("share_20",)))
    material = Material(known, results, printed_in(tmp_path))
    assert material.standing["fig5"].readings == ("both",)
    claim = {"id": "a-claim", "place": "Section 5", "states": "So it is.", "table": "fig5", "kind": "ordering"}
    claim |= {"quantity": "mse_corr_rr", **check}
    found = audit("made up", Levels(0.001, 0.01), [claim_of(claim)], material)
    assert {axis.exhibits for pool in found.pools for axis in pool.axes} == {("fig3",)}
    (verdict,) = found.claims
    assert (verdict.verdict, verdict.as_stated.answer) == (word, as_stated)

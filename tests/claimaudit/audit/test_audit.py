"""What a search adds to the audit of an exhibit."""

import numpy as np
import pandas as pd
import pytest
from checking import claim as claim_of

from claimaudit.audit.judging.audit import Material, audit
from claimaudit.audit.judging.cases import Result
from claimaudit.papers.jobs import Outline, PaperExhibit, Shared
from claimaudit.results import MEASURES
from claimaudit.verdicts import Levels

FACTORS = {("body", "raw"): 1.0, ("preprint", "raw"): 2.0}


def table():
    """Two readings of one rule, exact but for the standard deviation of a run."""
    rows = [
        (d, name, rule, "Corr-RR", "mse", d * FACTORS[rule, "raw"], 0.02 * d, 400, np.nan, False)
        for name, rule in (("strict", "body"), ("preprint_rule", "preprint"))
        for d in (2, 3, 4)
    ]
    return pd.DataFrame(rows, columns=["d", "reading", "py_rule", *MEASURES])


@pytest.fixture
def evidence(tmp_path):
    """Function (search of fig3) -> the evidence; figures 3 and 5 print the preprint's rule and share the rule."""
    for name in ("fig3", "fig5"):
        printed = [f"{d},Corr-RR,mse,{2 * d}.001,100" for d in (2, 3, 4)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["d,mechanism,metric,value,runs", *printed]), encoding="utf-8")

    def build(search):
        results = {name: Result(table(), ()) for name in ("fig3", "fig5")}
        exhibits = tuple(PaperExhibit(name, name, name) for name in results)
        shared = (Shared(("py_rule", "py_input"), ("fig3", "fig5")),)
        return Material(Outline(exhibits, shared), results, tmp_path, {} if search is None else {"fig3": search})

    return build


def searched(*rows):
    columns = ["py_rule", "py_input", "reading", "stage", "runs", "cells", "p_value", "same", "standin"]
    return pd.DataFrame([(*row[:4], 100, 3, *row[4:], False) for row in rows], columns=columns)


def test_without_a_search_the_readings_of_the_experiment_competed(evidence):
    found = evidence(None)
    assert found.standing["fig3"].readings == ("preprint_rule",)
    found = found.standing["fig3"].record
    assert (found.competed, found.not_run) == (2, 0)


def test_a_search_counts_what_makes_a_difference_once_and_what_other_exhibits_allow(evidence):
    found = evidence(
        searched(
            ("body", "raw", "strict", 1, 1e-30, 0),
            ("body", "normalised", np.nan, 1, 1e-30, 0),
            ("preprint", "raw", "preprint_rule", 3, 0.5, 1),
            ("preprint", "normalised", np.nan, 3, 0.4, 2),
            ("preprint", "other", np.nan, 3, 0.4, 2),
            ("appendix", "raw", np.nan, 3, 0.3, 3),
            ("appendix", "normalised", np.nan, 3, 1e-5, 4),
            ("exact", "raw", np.nan, 1, 1e-12, 5),
        )
    )
    # Figure 5 runs no appendix, so that one is contradicted; the normalised input is not.
    found = found.standing["fig3"].record
    assert (found.competed, found.not_run) == (2 + 4, 1)


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
    material = Material(known, results, tmp_path)
    assert material.standing["fig5"].readings == ("both",)
    claim = {"id": "a-claim", "place": "Section 5", "states": "So it is.", "table": "fig5", "kind": "ordering"}
    claim |= {"quantity": "mse_corr_rr", **check}
    found = audit("made up", Levels(0.001, 0.01), [claim_of(claim)], material)
    assert {axis.exhibits for pool in found.pools for axis in pool.axes} == {("fig3",)}
    (verdict,) = found.claims
    assert (verdict.verdict, verdict.as_stated.answer) == (word, as_stated)

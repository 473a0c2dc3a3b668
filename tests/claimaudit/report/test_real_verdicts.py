"""Verdicts of the audit on small tables, of every kind of check and every outcome, on every page and in every table."""

import html
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from outline import CLAIM, unfolded
from picked import claim_with, printed_in
from small_report import assemble, read_pdf

from claimaudit.audit.arrays import Result
from claimaudit.audit.checks import CHECKS
from claimaudit.audit.fitting.standing import Material
from claimaudit.audit.judging.audit import audit
from claimaudit.audit.summary import COLUMNS, flat, terminal_table
from claimaudit.papers.jobs import Outline, PaperExhibit
from claimaudit.report.page import render, typeset
from claimaudit.results import MEASURES, STRICT
from claimaudit.storage import adapter
from claimaudit.verdicts import ANSWERS, VERDICTS, Choice, Departures, Levels, Names, Verdicts, plain
from claimaudit.words.verdicts import VERDICTS as BADGES
from claimaudit.words.verdicts import why_open

pytestmark = pytest.mark.thorough

READINGS = {STRICT: "0.0001", "vanishing_step": "0"}
FACTOR = {STRICT: 1.0, "vanishing_step": 2.0}
ORDERING = {"kind": "ordering", "quantity": "error_jrr", "relation": "<", "against": "error_rr"}
VALUE = {"kind": "value", "where": "n == 1", "quantity": "error_jrr"}
SUM = {"kind": "contradiction", "relation": "a + b == 1"}
NOISY = {"table": "noisy"}
TREND = {"kind": "monotone", "quantity": "error_jrr", "along": "n", "direction": "increasing"}
VAGUE = {"strict": "0.5 * error_rr", "generous": "1.5 * error_rr"}


def table(se, theory=False, standin=False):
    """Errors that double as run; JRR has those of RR as stated, and RR has half of them as run."""
    rows = []
    for reading, n, mechanism in product(READINGS, (1, 2, 3, 4), ("RR", "JRR")):
        mean = n * (FACTOR[reading] if mechanism == "JRR" else 1.0)
        exact = mean if theory else np.nan
        rows.append(
            (n, reading, READINGS[reading], mechanism, "error", mean, se * mean, 1000 if se else 0, exact, standin)
        )
    return pd.DataFrame(rows, columns=["n", "reading", "grid_step", *MEASURES])


# By kind: claims on exact tables and on noisy ones, that hold, fail, or cannot be told.
CLAIMS = [
    {**ORDERING, "relation": "<="},
    ORDERING,
    {**ORDERING, "relation": ">", "exhibits": ("fig3",)},
    {**ORDERING, **NOISY, "against": 1.1, "where": "n == 1"},
    {**ORDERING, "against": VAGUE, "word": "close", "exhibits": ()},
    {**ORDERING, "alternatives": {"not worse": {"relation": "<="}}, "exhibits": ()},
    {**ORDERING, "share": {"at_least": 0.5}, "relation": "<=", "measure": "error", "unit": "users"},
    {**ORDERING, "origin": "ours"},
    {**ORDERING, "doubt": "The p may be a rho.", "exhibits": ()},
    {**ORDERING, "table": "standin"},
    {**ORDERING, "where": "n == 9", "lacking": "the survey of 2016"},
    TREND,
    {**TREND, "direction": "decreasing"},
    {**TREND, **NOISY, "where": "n > 2"},
    {"kind": "flat", "quantity": "error_jrr / n", "along": "n"},
    {"kind": "flat", "quantity": "error_jrr", "along": "n", "unit": "percent"},
    {"kind": "flat", **NOISY, "quantity": "error_jrr / n", "along": "n"},
    {"kind": "flat", "quantity": "error_jrr", "along": "n", "tolerance": 2},
    {**VALUE, "printed": {"value": "1.0"}},
    {**VALUE, "printed": {"value": "3.0"}},
    {**VALUE, "printed": {"value": 2, "tolerance": 0.1}, "exhibits": ("fig3",)},
    {**VALUE, "printed": {"interval": [0.5, 1.5]}, "unit": "percent"},
    {**VALUE, **NOISY, "printed": {"value": "1.0"}, "runs": 10},
    {"kind": "agreement"},
    {"kind": "agreement", "table": "wrong"},
    {"kind": "cells", "published": "fig3", "metric": "error"},
    {"kind": "cells", "published": "wrong", "metric": "error"},
    {**SUM, "printed": {"a": "0.4", "b": "0.6"}},
    {**SUM, "printed": {"a": "0.41", "b": "0.66"}, "measure": "sum"},
    {**SUM, "relation": "0 < a and a < b", "printed": {"a": 2, "b": 1}},
]  # fmt: skip


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """The printed numbers of Figure 3 are those as run."""
    published = tmp_path_factory.mktemp("published")
    exact = table(0.001, theory=True)
    printed = exact[exact["reading"] == "vanishing_step"].rename(columns={"mean": "value"})
    printed = printed[["n", "mechanism", "metric", "value", "runs"]]
    for name, factor in (("fig3", 1.0), ("wrong", 1.5)):
        printed.assign(value=[f"{value * factor:.3f}" for value in printed["value"]]).to_csv(
            published / f"{name}.csv", index=False
        )
    results = {
        "fig3": Result(exact),
        "noisy": Result(table(0.3)),
        "wrong": Result(exact.assign(theory=exact["theory"] * 1.5)),
        "standin": Result(table(0.0, standin=True), ("mushroom",)),
    }
    names = Names(
        {"fig3": {STRICT: Departures(), "vanishing_step": Departures((Choice("grid_step", "0"),))}},
        {"grid_step": {"0.0001": "a step in [0, 1]", "0": "a step in [0, 1], which vanishes"}},
    )
    evidence = Outline((PaperExhibit("fig3", "fig3", "fig3"),), names=names)
    claims = []
    for place, content in enumerate(CLAIMS):
        own = {} if content["kind"] == "contradiction" else {"table": "fig3"}
        own |= {"place": "Section 5", "states": f"Sentence {place}.", "id": f"c{place}", **content}
        claims.append(claim_with(own))
    found = audit("jrr", Levels(0.001, 0.01), claims, Material(evidence, results, printed_in(published)))
    return adapter(Verdicts).validate_python(plain(found))


@pytest.fixture
def document(verdicts, contents, setting):
    entry = setting["papers"]["jrr"]
    entry["experiments"] |= dict.fromkeys(("noisy", "wrong", "standin"), entry["experiments"]["fig3"])
    contents.records.update({f"jrr/{name}": contents.records["jrr/fig3"] for name in ("noisy", "wrong", "standin")})
    fig4 = contents.verdicts["jrr"].exhibits["fig4"]
    contents.verdicts["jrr"] = replace(verdicts, exhibits={**verdicts.exhibits, "fig4": fig4})
    return assemble(setting, replace(contents, conclusions=[]))


def test_every_kind_and_every_outcome_occurs(verdicts):
    assert {verdict.kind for verdict in verdicts.claims} == set(CHECKS)
    assert {verdict.verdict for verdict in verdicts.claims} == set(VERDICTS)
    assert {verdict.why for verdict in verdicts.claims} >= {"", "chance", "word", "glyph"}
    for kind in ("ordering", "flat", "value"):
        answers = {item.holds for verdict in verdicts.claims if verdict.kind == kind for item in verdict.evidence}
        assert answers == set(ANSWERS), kind
    assert {item.grounds for verdict in verdicts.claims for item in verdict.evidence} >= {
        *("", "exact", "test", "blind", "tolerance"),
    }


def test_all_verdicts_are_shown_on_the_page_with_their_numbers(document, verdicts):
    page = unfolded(render(document)["claims.html"])
    found = (card for card in CLAIM.findall(page) if 'data-paper="jrr"' in card)
    cards = {re.search('data-claim="([^"]*)"', card)[1]: card for card in found}
    assert sorted(cards) == sorted(verdict.id for verdict in verdicts.claims)
    for claim in document.papers[1].claims:
        card = cards[claim.record.id]
        assert f'data-verdict="{BADGES[claim.record.verdict].slug}"' in card
        shown = html.unescape(re.sub("<[^>]*>", "", card))
        assert why_open(claim.record) in shown
        assert re.findall("<dt>(As .*?|By .*?)</dt>", html.unescape(card)) == [
            *(view.heading[0].upper() + view.heading[1:] for view in claim.views.values())
        ]
        for view in claim.views.values():
            assert view.effect in shown
            assert all(remark in shown for remark in view.remarks)
        assert not re.search(r"\bNone\b|\bnan\b|{|}", shown.partition("Check")[0]), shown


def test_all_verdicts_are_rows_of_the_tables_and_findings_of_the_pdf(document, verdicts):
    rows = [flat(verdict, verdicts) for verdict in verdicts.claims]
    assert all(set(row) == set(COLUMNS) and row["reason"] for row in rows if row["verdict"] != "reproduced")
    assert all(bool(row["effect"]) == (row["verdict"] != "no data") for row in rows)
    assert "Sentence" not in terminal_table(rows)
    text = read_pdf(typeset(document)["report.pdf"])
    for point in document.papers[1].findings.points:
        assert point.states.split(". ")[0] in text

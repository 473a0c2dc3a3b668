"""All that the report says of an exhibit follows from one record: no two places disagree on what was run."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from small_report import assemble, read_pdf

from claimaudit.audit.claims import Claim
from claimaudit.audit.fitting.exhibits import run_of
from claimaudit.audit.judging.audit import Material, audit
from claimaudit.audit.judging.cases import Result
from claimaudit.papers import jobs
from claimaudit.papers.jobs import Outline
from claimaudit.report import pdf, runs
from claimaudit.report.page import render
from claimaudit.results import MEASURES, STRICT
from claimaudit.verdicts import Choice, Departures, Exhibit, Levels, Names, Verdicts, adapter, plain
from claimaudit.words.names import reading

pytestmark = pytest.mark.thorough

TEXT = "the text as it stands"
WORDS = {STRICT: TEXT, "vanishing_step": "a vanishing step"}
STEPS = {STRICT: "0.0001", "vanishing_step": "0"}
USERS = range(1, 21)
SE = 1.0


def table():
    """Exact expectations of JRR: 10,000 n as stated, and two standard errors of a printed number more as run."""
    rows = [
        (n, name, STEPS[name], "JRR", "mse_counts", mean, SE, 100, mean, False)
        for name in WORDS
        for n in USERS
        for mean in [10_000.0 * n + 2 * SE * (name != STRICT)]
    ]
    return pd.DataFrame(rows, columns=["n", "reading", "grid_step", *MEASURES])


@pytest.fixture
def document(contents, setting, tmp_path):
    """Function: the report on Figure 3, whose printed numbers lie at a share of the way from the text to as run."""

    def made(share):
        signs = np.resize([1, -1], len(USERS)) * 0.1 * SE
        value = [f"{10_000 * n + 2 * SE * share + sign:.6f}" for n, sign in zip(USERS, signs, strict=True)]
        printed = pd.DataFrame({"n": USERS, "mechanism": "JRR", "metric": "mse_counts", "value": value, "runs": 100})
        printed.to_csv(tmp_path / "fig3.csv", index=False)
        names = Names(
            {"fig3": {STRICT: Departures(), "vanishing_step": Departures((Choice("grid_step", "0"),))}},
            {"grid_step": {STEPS[name]: words for name, words in WORDS.items()}},
        )
        evidence = Outline((jobs.PaperExhibit("fig3", "fig3", "fig3"),), names=names)
        material = Material(evidence, {"fig3": Result(table())}, tmp_path)
        claim = {
            **{"id": "errors", "place": "Section 5", "states": "The errors of Figure 3.", "kind": "cells"},
            **{"table": "fig3", "published": "fig3", "metric": "mse_counts"},
        }
        verdicts = audit("jrr", Levels(0.001, 0.01), [Claim.of(claim)], material)
        verdicts.exhibits["fig4"] = contents.verdicts["jrr"].exhibits["fig4"]
        contents.verdicts["jrr"] = adapter(Verdicts).validate_python(plain(verdicts))
        return assemble(setting, replace(contents, conclusions=[]))

    return made


@pytest.mark.parametrize(
    ("share", "fits", "named", "undetermined"),
    [
        (0.0, True, TEXT, False),
        (0.48, True, TEXT, True),  # both are about as likely
        (1.0, False, "a vanishing step", False),
    ],
)
def test_all_places_agree_on_whether_the_text_fits_and_on_what_is_named_first(
    document, share, fits, named, undetermined
):
    report = document(share)
    paper = next(item for item in report.papers if item.name == "jrr")
    (claim,) = paper.claims
    (pool,) = paper.settings
    exhibit = next(item for item in paper.ran if item.name == "fig3")
    page = render(report)["jrr.html"]

    # The pool on the page, its competitors, and the evidence of the exhibit.
    assert pool.answer == named
    assert (pool.axes == ()) == fits
    assert any("may have been run in place of" in sentence for sentence in pool.sentences) == undetermined
    assert exhibit.readings[0][0] == named
    assert exhibit.short.startswith("not the text") == (not fits)
    assert exhibit.answer.startswith(TEXT) == fits
    shown = re.search('<section id="ran-jrr".*?</section>', page, re.DOTALL)[0]
    assert (f"What seems to have been run: {TEXT}." in shown) == fits
    assert ("no setting that we tried fits without it" in shown) == (not fits)

    # The conclusions, the card and its verdict.
    assert (f"Figure 3 fits {TEXT}" in paper.findings.summary) == fits
    assert reading(claim.names, "fig3", claim.record.as_run.readings[0]) == named
    assert (claim.record.verdict == "reproduced") == fits

    # The table beside the printed numbers, and the points beneath the thumbnail.
    known = exhibit.known
    assert WORDS[run_of(known) or STRICT] == named
    rows = (
        table().rename(columns={"mean": "value"}).assign(exhibit="fig3", printed=1.0, low=0.0, high=2.0, their_runs=1.0)
    )
    rows = rows.assign(stated=(rows["reading"] == STRICT).map({True: "yes", False: "no"}))
    rows.loc[rows["reading"] == STRICT, "value"] = 0.5
    (row,) = runs.strips(paper.text, {"fig3": known, "fig4": Exhibit("fig3", None, "none")}, rows).values()
    stated, run = row.values()
    assert (run == stated) == fits

    # The PDF.
    assert f"Figure 3: {named}" in read_pdf(pdf.render(report))

"""What strangers ask of the report of our papers, whose claims have no data here, since no run is needed."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
import yaml
from made_up_verdicts import claim
from playwright.sync_api import expect

from claimaudit.audit.claims import load
from claimaudit.plots.layers import Drawing
from claimaudit.report.document import assemble
from claimaudit.report.inputs import Contents
from claimaudit.report.page import render
from claimaudit.report.sheets import Sheet
from claimaudit.results import TableRecord
from claimaudit.verdicts import Exhibit, Names, Verdicts
from replication.jobs import Jobs
from replication.validation import read

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = {
    "offline": "data.html#data",
    "no network": "ways.html#way-which-one-for-my-table",
    "unfair": "method.html#disagree",
    "author": "method.html#disagree",
    "reply": "method.html#disagree",
    "cite": "provenance.html#cite",
    "licence of the report": "provenance.html#cite",
    "example of a study": "cases/example.html",
    "how to add a paper": "ways.html#way-your-own-paper",
    "epsilon per attribute or per record": "glossary.html#term-epsilon",
    "decided by more runs": "claims.html#scoreboard",
    "which data sets does Castell need": "data.html#theirs-castell",
    "n = 500": "claims.html#claim-castell-joint-from-500-users",
    "preprint's rule": "corr_rr.html#experiment-corr_rr-",
    "dots": "claims.html#claims",
    "estimated or fixed copy probability": "cases/corr_rr.html",
    "which theorem or lemma of Castell fails": "claims.html#claim-castell-",
    "knows all other users": "claims.html#claim-jrr-known-values-cost-jrr",
    "Table VI": "castell.html#table-castell-table6",
    "formula of Theorem 4": "claims.html#claim-corr_rr_preprint-theorem-4",
    "why undecided": "claims.html#scoreboard",
    "attacker gain": "cpl.html#figure-cpl-attack",
    "JRR step": "cases/jrr.html",
    "how long for one claim": "provenance.html#provenance",
    "JRR any number of users": "cases/jrr.html",
    "limits": "castell.html#unchecked-castell",
    "error rate of verdicts": "method.html#wrong",
    "SMP beats RS+RFD": "claims.html#claim-corr_rr-smp-below-rs-rfd",
    "my own data": "ways.html#way-which-one-for-my-table",
    "500 users, epsilon 0.1, five colluders: JRR or RR": "cases/jrr.html",
    "50000 users four attributes": "cases/corr_rr.html",
    "what share of users should go to Phase I": "corr_rr.html#table-corr_rr-phase1_share",
    "without CelebA": "data.html#data-celeba_attributes",
    "is SMP better than Corr-RR for 4 attributes with rho 0.2": "cases/corr_rr.html",
    "what does as run mean": "glossary.html#term-as-run",
    "plan users for an error": "ways.html#way-which-one",
    "what was not checked": "corr_rr.html#unchecked-corr_rr",
    "contest": "method.html#disagree",
    "contest a verdict": "method.html#disagree",
    "PDF": "report.pdf",
    "no data CPL": "data.html#theirs-cpl",
    "LoPub Table VI": "castell.html#run-castell-table6_lopub",
    "Table 6 of Castell": "castell.html#table-castell-table6",
    "colluding users": "claims.html#claim-jrr-gain-gone-at-one-percent",
    "best accuracy": "claims.html#claim-castell-",
    "overestimate": "claims.html#claim-cpl-",
    "existing algorithms": "cpl.html#figure-cpl-fig6b",
    "disk": "provenance.html#provenance",
    "disk space": "provenance.html#provenance",
    "how long": "provenance.html#provenance",
    "how long does it take": "provenance.html#provenance",
    "spreadsheet": "claims.html#claims",
    "excel": "claims.html#claims",
    "fraction correct": "claims.html#scoreboard",
    "colluding": "cases/jrr.html",
    "wrong verdict": "method.html#disagree",
    "disagree": "method.html#disagree",
    "as run": "glossary.html#term-as-run",
}


def told(jobs):
    """What a report of the papers is told and reads, without a single number."""
    texts, verdicts = {}, {}
    for name, paper in jobs.papers.items():
        texts[name] = paper.description()
        of_paper = [
            claim(name, "no data", id=one.id, states=one.states, place=one.place, note=one.note, figure="", table="")
            for one in load(paper.folder.claims, paper.context())
        ]
        known = {one: Exhibit("", None, "none") for one in (*texts[name].exhibits, "fig3")}
        if name == "castell":
            known["table6_lopub"] = Exhibit("", None, "rejected", numbers=5, competed=2)
        verdicts[name] = Verdicts(tuple(of_paper), known, names=Names())
    keys = {
        kind: [f"{name}/{one}" for name in texts for one in getattr(texts[name], kind)]
        for kind in ("drawings", "tables")
    }
    records = [(name, one) for name in texts for one in texts[name].experiments]
    columns = pd.Index(["exhibit", "reading", "mechanism", "metric", "stated", "printed", "value", "se", "low", "high"])
    files = Contents(
        verdicts=verdicts,
        predictions=dict.fromkeys(texts, pd.DataFrame(columns=columns)),
        figures=dict.fromkeys(keys["drawings"], '<svg xmlns="http://www.w3.org/2000/svg"/>'),
        figure_tables=dict.fromkeys(keys["drawings"], "n,mean\n1,2\n"),
        drawings=dict.fromkeys(keys["drawings"], Drawing(1.0, 1.0, 0.0, [], [], "")),
        tables=dict.fromkeys(keys["tables"], Sheet([], [])),
        data=[],
        records={
            f"{paper}/{one}": TableRecord.of({"paper": paper, "experiment": one, "seed": 1, "sha256": "0"})
            for paper, one in records
        },
        conclusions=[],
    )
    return replace(jobs.plan.report, papers=texts), files


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """Directory of the start page."""
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text(encoding="utf-8"))
    jobs = Jobs(ROOT, config, *read(ROOT, config))
    directory = tmp_path_factory.mktemp("ours")
    page = render(assemble(*told(jobs)))["index.html"]
    (directory / "index.html").write_text(page, encoding="utf-8")
    return directory


def test_a_phone_has_room_for_the_first_finding_on_its_first_screen(visit, ours):
    header = visit(root=ours, width=390).locator("header").bounding_box()
    assert header["y"] + header["height"] < 600
    rows = visit(root=ours).locator(".strip tbody th").all_inner_texts()
    assert "JRR two users randomise jointly (Zheng et al. 2025)" in rows


def test_strangers_find_the_place_among_the_first_three(visit, ours):
    page = visit(root=ours)
    missed = {}
    for question, place in QUESTIONS.items():
        page.get_by_label("Search", exact=True).fill(question)
        links = page.locator("#found li a")
        expect(links.first).to_be_visible()
        first = [link.get_attribute("href") for link in links.all()[:3]]
        if not any(link.startswith(place) for link in first):
            missed[question] = first
    assert missed == {}

"""The certificate of each paper: a page, and a PDF file of one page."""

import hashlib
import io
import json
import re
from dataclasses import replace

import pytest
from pypdf import PdfReader
from small_report import words

from claimaudit.report.page import render, typeset


@pytest.fixture
def paper(document):
    return next(paper for paper in document.papers if paper.name == "jrr")


def test_it_names_the_text_by_a_checksum_that_anybody_can_compute(document, paper):
    entry = {key: getattr(paper.text, key) for key in ("title", "authors", "doi")}
    entry["venue"] = paper.text.published_in
    compact = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
    assert paper.identity == hashlib.sha256(compact).hexdigest()


def test_page_and_pdf_say_the_same_of_commit_outcome_data_and_what_is_open(document, paper, pages, setting):
    reader = PdfReader(io.BytesIO(typeset(document)["certificate_jrr.pdf"]))
    assert len(reader.pages) == 1
    shown = re.sub(r"\s+", " ", re.sub("<[^>]*>", "", pages["certificate_jrr.html"]))
    for text in (words(reader), shown):
        assert f"commit {setting['source']['commit']}" in text
        assert f"Outcome of {paper.counted} claims, 1 of them without data" in text
        assert "judge jrr" in text
        assert paper.findings.points[0].states in text
    assert 'href="certificate_jrr.pdf"' in pages["certificate_jrr.html"]
    assert 'href="certificate_jrr.html"' in pages["jrr.html"]


def test_a_cause_stands_behind_the_claim_that_fails_by_it(document, paper):
    point = replace(paper.findings.points[0], place="Section 1", claim="JRR wins.", states="Table 2 does not add up.")
    planted = replace(paper, findings=replace(paper.findings, points=(point,)))
    found = replace(document, papers=[planted])
    says = "Claim (Section 1): JRR wins. Found: Table 2 does not add up."
    assert says in render(found)["certificate_jrr.html"]
    assert says in words(PdfReader(io.BytesIO(typeset(found)["certificate_jrr.pdf"])))

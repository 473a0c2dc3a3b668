"""Replies of a made-up paper's authors: shown everywhere, refused if they fit nothing, and never a verdict."""

import base64
import gzip
import json
import re

import pandas as pd
import pypdf
import pytest
from outline import CLAIM, unfolded, words_of

from claimaudit.verdicts import read

pytestmark = pytest.mark.thorough

REPLIES = """\
- by: B. Author
  date: 2026-01-31
  source: https://letters.example/1
  says: Two digits of "insertion" <were> exchanged & printed.
  claims: [table-1-insertion]
  disputes: true
- by: An editor
  date: "2026-02-01"
  source: a letter
  says: We thank for the audit.
"""
SAID = 'Two digits of "insertion" <were> exchanged & printed.'
FIRST = f"Disputed by B. Author, 2026-01-31 (https://letters.example/1): {SAID}"


@pytest.fixture
def answered(audited):
    return audited(REPLIES)[2] / "report"


def test_a_reply_changes_no_verdict(audited):
    status, said, out = audited()
    path = "report/verdicts/sorting.json"
    before = read(out / path)
    assert before.replies == ()
    again, answer, out = audited(REPLIES)
    assert again == status
    assert answer == said.replace("(Table 1): not reproduced", "(Table 1): not reproduced (disputed)")
    after = read(out / path)
    assert after.claims == before.claims
    assert [reply.by for reply in after.replies] == ["B. Author", "An editor"]
    assert [after.disputed(claim.id) for claim in after.claims].count(True) == 1


def test_it_is_on_the_card_of_its_claim_only_and_on_the_page(answered):
    claims, page = (unfolded((answered / f"{name}.html").read_text()) for name in ("claims", "sorting"))
    cards = {re.search('data-claim="(.*?)"', card)[1]: card for card in CLAIM.findall(claims)}
    own = cards.pop("table-1-insertion")
    assert '<span class="badge disputed">disputed</span>' in own
    assert "&lt;were&gt; exchanged &amp; printed." in own
    assert '<a href="https://letters.example/1">' in own
    assert not any("disputed" in card or "B. Author" in card for card in cards.values())
    [section] = re.findall('<section id="replies-sorting".*?</section>', page, re.DOTALL)
    told = "Answered by An editor, 2026-02-01 (a letter): We thank for the audit. On the audit as a whole"
    assert told in words_of(section)
    assert 'href="claims.html#claim-sorting-table-1-insertion"' in section
    assert '<a href="#replies-sorting">Replies</a>' in page


def test_it_is_in_the_tables_for_programs_and_in_the_search(answered):
    table = pd.read_csv(answered / "claims.csv").set_index("id")
    assert table.loc["table-1-insertion", "replies"] == FIRST
    assert table["disputed"].sum() == 1
    assert table["replies"].notna().sum() == 1
    replies = json.loads((answered / "claims.json").read_text())["papers"]["sorting"]["replies"]
    assert [(reply["claims"], reply["disputes"]) for reply in replies] == [(["table-1-insertion"], True), ([], False)]
    packed = re.search('id="vocabulary">([^<]*)', (answered / "index.html").read_text())[1]
    assert "Answers of B. Author and An editor." in gzip.decompress(base64.b64decode(packed)).decode()


def test_it_is_on_the_certificate(answered):
    [page] = pypdf.PdfReader(answered / "certificate_sorting.pdf").pages
    text = " ".join(page.extract_text().split())
    assert "(not reproduced, disputed)" in text
    assert "Replies, which change no verdict" in text
    assert "On Table 1. Disputed by B. Author, 2026-01-31" in text
    assert "On the audit. Answered by An editor" in text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("table-1-insertion", "table-1-insert", "line 5: 0.claims.0: no claim 'table-1-insert'; did you mean table-1-"),
        ("2026-01-31", "2026-13-31", "line 2: 0.date: '2026-13-31' "),
        ("  claims: [table-1-insertion]\n", "", "line 1: 0: name the `claims` whose verdicts it disputes"),
        ("  source: a letter\n", "", "line 7: 1.source: the key is missing"),
        ("disputes: true", "verdict: reproduced", "line 6: 0.verdict: unknown key"),
    ],
)
def test_what_fits_nothing_is_refused_in_one_line(claimaudit, sorting, old, new, words):
    (sorting / "replies.yaml").write_text(REPLIES.replace(old, new), encoding="utf-8")
    status, said, errors = claimaudit("run", "sorting", "--out", "audit")
    assert (status, said) == (2, "")
    [line] = errors.splitlines()
    assert line.startswith(f"sorting/replies.yaml, {words}")


def test_without_replies_nothing_is_said_of_them(audited):
    assert not re.search('replies-sorting|class="reply"', (audited()[2] / "report/sorting.html").read_text())

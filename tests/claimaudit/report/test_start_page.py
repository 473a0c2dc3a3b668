"""The start page: conclusions, scoreboard, search and the picture of all printed numbers."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest
from outline import claims_on, unpacked

from claimaudit.results import TableRecord
from claimaudit.verdicts import VERDICTS

pytestmark = pytest.mark.thorough


def selected(claims, query):
    """Return the claims that a filter in an address leaves, by the rule of claims.js."""
    chosen = dict(part.split("=") for part in query.replace("&amp;", "&").split("&"))
    return [claim for claim in claims if all(claim[f"data-{name}"] == value for name, value in chosen.items())]


def test_scoreboard_shows_the_counts_and_each_is_a_link_to_its_claims(index):
    (board,) = re.findall(r'<table class="scoreboard">.*?</table>', index, re.DOTALL)
    (answers,) = re.findall(r'<tr data-paper="jrr">.*?</tr>', board, re.DOTALL)
    stated, run, own = ["1", "3", "1", "1"], ["2", "2", "1", "1"], ["0", "1", "0", "5"]
    assert re.findall(r">(\d+)(?:</a>)?</td>", answers) == [*stated, *run, *own]
    assert 'href="jrr.html#claims-jrr?counts=yes&as_run=holds"' in answers
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", board, re.DOTALL)
    assert re.findall(r">(\d+)</td>", total)[:4] == ["2", "3", "1", "1"]  # Castell's claim holds


def test_beside_the_scoreboard_stands_what_not_reproduced_means_and_of_whom(index):
    (board,) = re.findall(r'<section id="scoreboard".*?</section>', index, re.DOTALL)
    assert "It does not say whose fault that is." in board
    shares = re.findall(r"verdict=not-reproduced\">([^<]*)</a> (\d+ of \d+)", board)
    assert shares == [("castell", "0 of 1"), ("JRR", "1 of 5")]  # one claim of JRR has no data
    assert "These shares do not compare" in board


def test_a_comparison_of_ours_is_no_text_and_has_no_score(change_claims, render):
    change_claims({"origin": "ours", "counted": False, "uncounted": "ours"}, paper="castell")
    page = render()["index.html"]
    assert "checkable claim of 1 text was recomputed" in page
    assert re.findall(r'<tr data-paper="(\w+)">', page) == ["jrr"]
    assert '<a href="castell.html">' in page


def test_promises_of_the_publishers_are_counted_apart(contents, setting, render):
    for experiment in setting["papers"]["castell"]["experiments"]:
        contents.records["castell", experiment] = TableRecord("", source="given", by="us", origin="a.csv")
    setting["about"] = setting["about"] | {"promises": "castell"}
    page = render()["index.html"]
    assert "checkable claim of 1 text was recomputed" in page
    assert "given by us" not in page
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", page, re.DOTALL)
    texts, promises = re.findall(r"<tr.*?</tr>", total, re.DOTALL)
    assert re.findall(r">(\d+)</td>", texts)[:4] == ["1", "3", "1", "1"]
    assert re.findall(r">(\d+)(?:</a>)?</td>", promises)[:4] == ["1", "0", "0", "0"]


def test_each_number_that_leads_to_claims_selects_as_many(change_claims, render):
    ours = {"origin": "ours", "counted": False, "uncounted": "ours", "kind": "flat"}
    change_claims(ours, {"weight": "slip"}, {"kind": "ordering", "figure": ""})
    pages = render()
    claims = {name: claims_on(pages[f"{name}.html"]) for name in ("jrr", "castell")}
    links = re.findall(r'href="(\w+)\.html#claims-\1\?([^"]*)"[^>]*>(\d+)</a></td>', pages["index.html"])
    links += re.findall(
        r'href="(jrr)\.html#claims-jrr\?([^"]*)"><span class="badge.*?</span> (\d+) [a-z ]+</span></a>',
        pages["jrr.html"],
    )
    assert len(links) > 12
    for paper, query, count in links:
        assert len(selected(claims[paper], query)) == int(count)
    cells = re.findall(r'href="#claims-jrr\?([^"]*)" aria-label="[^"]*: ([^"]*)"', pages["jrr.html"])
    assert len(cells) == 2
    for query, words in cells:
        found = Counter(claim["data-verdict"] for claim in selected(claims["jrr"], query))
        slugs = {"undecided": "undecided", "no data": "no-data", "not reproduced": "not-reproduced"}
        slugs["contradicted by the paper"] = "contradicted"
        named = dict(reversed(part.split(" ", 1)) for part in words.split(", "))
        assert {slugs[name]: int(count) for name, count in named.items()} == found


def test_own_checks_are_not_counted_but_shown(contents, render):
    def board(pages):
        return re.findall(r'<table class="scoreboard">.*?</table>', pages["index.html"], re.DOTALL)

    before = render()
    verdicts = contents.verdicts["jrr"]
    asked = replace(verdicts.claims[2], id="asked", origin="ours", counted=False, uncounted="ours")
    contents.verdicts["jrr"] = replace(verdicts, claims=(*verdicts.claims, asked))
    after = render()
    assert board(before) == board(after)
    assert '<li data-ours="asked">' in after["jrr.html"]
    assert "not counted for or against the authors: a check of ours" in after["jrr.html"]
    assert '"jrr.html#claim-jrr-asked"' in unpacked(after["index.html"], "vocabulary")  # the search finds it


def test_a_conclusion_that_this_run_does_not_show_says_so(index):
    stands, fails = re.findall(
        r"<li id[^>]*>(.*?)</li>", re.search('<ol class="conclusions">.*?</ol>', index, re.DOTALL)[0], re.DOTALL
    )
    assert "JRR has the lower error." in stands
    assert "This run does not show it" not in stands
    assert re.findall('<a href="([^"]*)"[^>]*>.*?</span> (evidence [12])', stands) == [
        ("jrr.html#claim-jrr-reproduced", "evidence 1"),
        ("jrr.html#claim-jrr-reproduced-as-run", "evidence 2"),
    ]
    assert "Ours 0.05812 ± 0.00023, printed 0.058 at n = 10,000." in stands
    assert "This run does not show it" in fails
    assert re.findall('<a href="([^"]*)"[^>]*>.*?</span> ([^<]*)', fails) == [
        ("jrr.html#claim-jrr-not-reproduced", "not-reproduced is not reproduced")
    ]
    assert "Leakage is small" not in index


def test_without_conclusions_the_start_page_has_no_such_section(contents, render):
    contents.conclusions.clear()
    assert "What we found" not in render()["index.html"]


def test_the_search_knows_every_claim(pages, index):
    content = json.loads(unpacked(index, "vocabulary"))
    names = [mark["name"] for mark in content["marks"]]
    claims = [entry for entry in content["entries"] if entry["mark"] is not None]
    found = {tuple(entry["link"].split(".html#claim-")): names[entry["mark"]] for entry in claims}
    assert found == {
        ("castell", "castell-hostile"): "reproduced",
        **{("jrr", f"jrr-{name.replace(' ', '-')}"): name for name in VERDICTS},
    }
    for paper, claim in found:
        assert f'id="claim-{claim}"' in pages[f"{paper}.html"]
    assert [names[entry["mark"]] for entry in claims[:2]] == ["not reproduced", "contradicted by the paper"]


def test_own_questions_and_slips_are_marked_apart_from_verdicts_and_found_after_them(change_claims, render):
    ours = {"origin": "ours", "counted": False, "uncounted": "ours"}
    change_claims(ours, {"weight": "slip"})
    pages = render()
    content = json.loads(unpacked(pages["index.html"], "vocabulary"))
    marks = [content["marks"][entry["mark"]] for entry in content["entries"] if entry["mark"] is not None]
    assert [mark["slug"] for mark in marks[-2:]] == ["slip", "own"]
    assert marks[-1]["name"] == "own question: holds"
    assert '<span class="badge own">' in pages["jrr.html"]
    assert '<details class="claim slip"' in pages["jrr.html"]


def test_every_result_of_a_search_has_its_place(pages, index):
    content = json.loads(unpacked(index, "vocabulary"))
    for entry in content["entries"]:
        page, _, part = entry["link"].partition("#")
        assert f'id="{part}"' in pages[page], entry


def test_printed_numbers_are_drawn_against_ours_as_stated_and_as_run(index):
    (row,) = re.findall(r'<tr data-paper="jrr" data-exhibit="\w+">.*?</tr>', index)
    assert '<a href="jrr.html#run-jrr-fig3">JRR, Figure 3</a>' in row
    assert re.findall('class="count">(.*?)</td>', row) == ["2 of 4", "4 of 4"]
    stated, run = re.findall("<svg.*?</svg>", row)
    centres = [float(x) for x in re.findall('<circle cx="([0-9.]+)"', stated)]
    assert centres == [2.0, 102.0, 102.2, 152.0]  # 100 to 990, 1000 to 1000, 99,000 to 98,700, 160,000 to 80,000
    assert (stated.count("outside"), run.count("outside")) == (2, 0)


def test_where_no_reading_fits_the_picture_says_so(contents, render, ran_exhibit):
    contents.verdicts["jrr"].exhibits["fig3"] = ran_exhibit(source="rejected", readings=())
    (row,) = re.findall(r'<tr data-paper="jrr" data-exhibit="\w+">.*?</tr>', render()["index.html"])
    assert row.count("<svg") == 1
    assert "no reading tried fits" in row


def test_short_runs_are_announced(index, render):
    assert "quick run" not in index
    assert "quick run" in render(runs_factor=0.05)["index.html"]

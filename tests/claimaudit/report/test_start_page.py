"""The start page: what survives of each text, conclusions and search; and the scoreboard beside the claims."""

import json
import re

import pytest
from made_up_verdicts import OURS
from outline import claims_on, unpacked

from claimaudit.results import TableRecord
from claimaudit.verdicts import VERDICTS

pytestmark = pytest.mark.thorough


def selected(claims, query):
    """Return the claims that a filter in an address leaves, by the rule of claims.js."""
    chosen = dict(part.split("=") for part in query.replace("&amp;", "&").split("&"))
    return [claim for claim in claims if all(claim[f"data-{name}"] == value for name, value in chosen.items())]


def test_scoreboard_shows_the_counts_and_each_is_a_link_to_its_claims(claims):
    (board,) = re.findall(r'<table class="scoreboard">.*?</table>', claims, re.DOTALL)
    (answers,) = re.findall(r'<tr data-paper="jrr">.*?</tr>', board, re.DOTALL)
    stated, run, own = ["1", "3", "1", "1"], ["2", "2", "1", "1"], ["0", "1", "0", "5"]
    assert re.findall(r">(\d+)(?:</a>)?</td>", answers) == [*stated, *run, *own]
    assert 'href="claims.html#claims?paper=jrr&counts=yes&as_run=holds"' in answers
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", board, re.DOTALL)
    assert re.findall(r">(\d+)</td>", total)[:4] == ["2", "3", "1", "1"]  # Castell's claim holds


def test_a_comparison_of_ours_is_no_text_and_has_no_score(change_claims, render):
    change_claims(OURS, paper="castell")
    page = render()["index.html"]
    assert "1 text: every figure, table and checkable claim recomputed" in page
    assert re.findall(r'<tr data-paper="(\w+)">', page) == ["jrr"]
    assert '<a href="castell.html">' in page


def test_promises_of_the_publishers_are_counted_apart(contents, setting, render):
    for experiment in setting["papers"]["castell"]["experiments"]:
        contents.records[f"castell/{experiment}"] = TableRecord("", source="given", by="us", origin="a.csv")
    setting["about"] = setting["about"] | {"promises": "castell"}
    pages = render()
    page = pages["index.html"]
    assert "1 text: every figure, table and checkable claim recomputed" in page
    assert "given by us" not in page
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", pages["claims.html"], re.DOTALL)
    texts, promises = re.findall(r"<tr.*?</tr>", total, re.DOTALL)
    assert re.findall(r">(\d+)</td>", texts)[:4] == ["1", "3", "1", "1"]
    assert re.findall(r">(\d+)(?:</a>)?</td>", promises)[:4] == ["1", "0", "0", "0"]
    assert "(<code>in_score</code>: counted, and 1 of castell)" in pages["claims.html"]


def test_each_number_that_leads_to_claims_selects_as_many(change_claims, render):
    counted = {"kind": "ordering", "figure": "", "verdict": VERDICTS[1]}  # that of the slip, too
    change_claims(OURS | {"kind": "flat"}, {"weight": "slip"}, counted)
    pages = render()
    claims = claims_on(pages["claims.html"])
    links = re.findall(
        r'href="claims.html#claims\?([^"]*)"[^>]*>\s*(?:<span class="badge.*?</span> )?(\d+)', "".join(pages.values())
    )
    assert len(links) > 20
    assert sum("&why=chance" in query for query, _ in links) == 2  # on the page of the text, and on that of all claims
    assert pages["claims.html"].count(" · undecided by chance</span>") == 1
    for query, count in links:
        assert len(selected(claims, query)) == int(count)


def test_claims_begin_with_headlines_and_end_with_details_that_do_not_count(contents, change_claims, render):
    change_claims({"weight": "detail", **OURS}, {"weight": "detail"}, {}, {"weight": "headline"})
    shown = [claim["data-claim"] for claim in claims_on(render()["claims.html"])]
    last, before, _, first, *_ = (claim.id for claim in contents.verdicts["jrr"].claims)
    assert (shown[0], *shown[-2:]) == (first, before, last)


def test_a_conclusion_that_this_run_does_not_show_says_so(index):
    conclusions = re.search('<ol class="conclusions">.*?</ol>', index, re.DOTALL)[0]
    stands, fails = re.findall(r'<li id="conclusion[^>]*>(.*?)</details>\s*</li>', conclusions, re.DOTALL)
    assert re.findall('<a href="([^"]*)">([^<]*)</a>', stands) == [
        ("claims.html#claim-jrr-reproduced", "statement reproduced"),
        ("claims.html#claim-jrr-reproduced-as-run", "statement reproduced as run"),
    ]
    for shown in ("JRR has the lower error.", "Ours 0.05812 ± 0.00023, printed 0.058 at n = 10,000."):
        assert shown in stands
    warning = "This run does not show it"
    assert (warning in stands, warning in fails) == (False, True)
    assert "We expected “reproduced”, and it is not reproduced." in fails
    assert "Leakage is small" not in index


def test_an_answer_on_what_was_run_names_all_of_it_and_says_how_many_printed_numbers_fit(contents, render):
    rests_on = {"jrr/reproduced": "reproduced", "jrr/reproduced-as-run": "reproduced as run"}
    contents.conclusions[:] = [contents.conclusions[0].model_copy(update={"rests_on": rests_on})]
    index = render()["index.html"]
    (told,) = re.findall('<p><a href="jrr.html#settings-jrr-fig3">(.*?)</p>', index)
    assert re.sub("<.*?>", "", told) == (
        "What seems to have been run for Figure 3: a vanishing step. "
        "2 of 4 printed numbers fit as stated, 4 of 4 printed numbers fit as run."
    )


def test_without_conclusions_the_start_page_has_no_such_section(contents, render):
    contents.conclusions.clear()
    assert "What we found" not in render()["index.html"]


def test_the_search_knows_every_claim_and_every_result_has_its_place(pages, index):
    content = json.loads(unpacked(index, "vocabulary"))
    names = [mark["name"] for mark in content["marks"]]
    claims = [entry for entry in content["entries"] if entry["mark"] is not None]
    found = {entry["link"].removeprefix("claims.html#claim-"): names[entry["mark"]] for entry in claims}
    of_jrr = {f"jrr-{name.replace(' ', '-')}": name for name in VERDICTS}
    assert found == {"castell-hostile": "reproduced", **of_jrr}
    assert [names[entry["mark"]] for entry in claims[:2]] == ["not reproduced", "contradicted by the paper"]
    for entry in content["entries"]:
        page, _, part = entry["link"].partition("#")
        if page == "report.pdf":  # made beside the pages
            continue
        assert f'id="{part.partition("?")[0]}"' in pages[page], entry


@pytest.mark.parametrize(("exhibits", "named"), [(("fig3", "fig4"), " of Figures 3 and 4"), ((), "")])
def test_a_choice_that_is_found_names_the_figures_that_have_it(setting, render, exhibits, named):
    setting["papers"]["jrr"]["exhibits"] = {name: {"name": name, "experiment": "fig3"} for name in exhibits}
    content = json.loads(unpacked(render()["index.html"], "vocabulary"))
    (step,) = (entry for entry in content["entries"] if entry["states"].startswith("Grid step: a step of 0.0001;"))
    assert step["name"] == f"JRR, settings{named}"


def test_own_questions_and_slips_are_marked_apart_from_verdicts_and_found_after_them(change_claims, render):
    change_claims(OURS, {"weight": "slip"})
    pages = render()
    content = json.loads(unpacked(pages["index.html"], "vocabulary"))
    marks = [content["marks"][entry["mark"]] for entry in content["entries"] if entry["mark"] is not None]
    assert [mark["slug"] for mark in marks[-2:]] == ["slip", "own"]
    assert marks[-1]["name"] == "our question: holds"
    assert '<span class="badge own">' in pages["jrr.html"]
    assert '<details class="claim slip"' in pages["claims.html"]


def test_short_runs_are_announced(index, render):
    assert "quick run" not in index
    assert "quick run" in render(options={"runs_factor": 0.05})["index.html"]


def test_the_strip_shows_what_survives_of_the_tested_claims(index):
    (row,) = re.findall(r'<tr data-paper="jrr">.*?</tr>', index, re.DOTALL)
    assert re.sub("<.*?>", "", row).split() == ["JRR", "1", "of", "5"]  # one claim has no data
    assert "no-data" not in row
    assert "the shares cannot be compared" in index


def test_a_conclusion_has_a_picture_of_the_record_on_which_it_rests(index):
    pictures = re.findall('<figure><svg class="small".*?>(.*?)</svg><figcaption>(.*?)</figcaption>', index)
    assert [(legend, drawn.count("<rect")) for drawn, legend in pictures] == [
        ("the number checked; line: 0.058; ± standard error", 2)
    ] * 2

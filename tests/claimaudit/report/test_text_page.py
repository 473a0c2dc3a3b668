"""The page of a text: who beats whom, what was run, figures, and claims with their cards."""

import json
import re
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pytest
from outline import CLAIM, claims_on, unpacked
from small_report import ran_exhibit

from claimaudit.report.markup import environment
from claimaudit.report.sheets import Cell, Column, Sheet
from claimaudit.verdicts import VERDICTS, Cause, Meeting, Names, Threshold
from claimaudit.words.names import STATED
from claimaudit.words.runs import answer, broken
from claimaudit.words.verdicts import COLUMNS

pytestmark = pytest.mark.thorough


def test_a_page_says_which_parts_of_the_text_no_claim_checks(setting, render):
    setting["papers"]["jrr"]["unchecked"] = {"6 Related Work": "It is cited."}
    section = render(papers=setting["papers"])["jrr.html"].split('id="unchecked-jrr"')[1]
    assert "<strong>6 Related Work</strong>: It is cited." in section.split("</section>")[0]


def test_a_text_without_errors_to_compare_has_no_such_section(pages):
    assert 'id="pairs-castell"' not in pages["castell.html"]
    assert "pairs-castell" not in pages["index.html"]


@pytest.mark.parametrize(
    ("repository", "told"),
    [
        ("", "Send the whole text to whoever gave you the report."),
        ("https://code.example/it", '<a href="https://code.example/it/issues/new?title='),
    ],
)
def test_a_card_says_where_to_send_what_is_wrong(setting, render, repository, told):
    pages = render(source={**setting["source"], "repository": repository, "changed": True})
    cards = json.loads(unpacked(pages["claims.html"], "cards"))
    assert told in cards["claim-jrr-reproduced"]
    steps = re.search("<ol>.*?</ol>", cards["claim-jrr-reproduced"], re.DOTALL)[0]
    file = f"{setting['papers']['jrr']['folder']}/claims.yaml"
    assert f"open <code>{file}</code> at the line <code>id: reproduced</code>. In the lines beneath it" in steps
    assert "Run <code>judge jrr/reproduced</code>. It judges the claim again." in steps
    assert "At the end of the text below, write what is wrong" in steps
    steps = steps.replace("below", "that the claim has under “Something wrong?”")
    in_general = re.search('<h2 id="disagree">.*?(<ol>.*?</ol>)', pages["method.html"], re.DOTALL)[1]
    assert steps.replace("jrr", "PAPER").replace("reproduced", "CLAIM") == in_general
    for line in ("Claim: jrr/reproduced (JRR, Section 5.3", "Commit: abc1234, with local changes, version 0.1.0"):
        assert line in cards["claim-jrr-reproduced"]
    assert ("https://code.example/it/issues" in pages["certificate_jrr.html"]) == bool(repository)
    assert ("whoever gave you this report" in pages["certificate_jrr.html"]) != bool(repository)


def test_what_seems_to_have_been_run_is_shown_and_linked_from_figure_and_claims(jrr, claims):
    ran = re.search('<article class="ran" id="run-jrr-fig3".*?</article>', jrr, re.DOTALL)[0]
    assert "63 printed numbers. The text as it stands is rejected" in ran
    assert "about 520 runs (95 % interval 430 to 631)" in ran
    told = ["a step of 0.0001", "a vanishing step", "no setting that we tried fits without it"]
    (pool,) = re.findall('<article class="pool" id="settings-jrr-fig3">.*?</article>', jrr, re.DOTALL)
    assert re.findall('<td class="prose"[^>]*>(.*?)</td>', pool) == told
    assert jrr.count('href="#run-jrr-fig3"') == 1
    assert """<a href="#settings-jrr-fig3">The text's settings beside these</a>""" in ran
    assert jrr.count('(<a href="#settings-jrr-fig3">beside the text</a>)') == 1
    assert claims.count('href="jrr.html#run-jrr-fig3"') == 6
    assert '<span id="run-jrr-fig4">Figure 4</span>. Numbers in them may be marked as misfits' in jrr


def test_settings_that_do_not_depart_stand_beside_no_text(contents, render):
    verdicts = contents.verdicts["jrr"]
    axes = tuple(replace(axis, departs=False) for axis in verdicts.pools[0].axes)
    contents.verdicts["jrr"] = replace(verdicts, pools=(replace(verdicts.pools[0], axes=axes),))
    assert 'href="#settings-jrr-fig3"' not in render()["jrr.html"]


def test_exhibits_that_nothing_fits_come_last(contents, render):
    contents.verdicts["jrr"].exhibits["fig1"] = ran_exhibit(source="rejected", readings=())
    page = render()["jrr.html"]
    assert re.findall('<article class="pool" id="(.*?)"', page) == ["settings-jrr-fig3", "settings-jrr-rejected"]
    assert "What seems to have been run: unknown, since no setting run in full fits the printed numbers." in page


def test_a_table_that_nothing_fits_says_what_fits_a_part_and_with_which_data_nothing_does():
    ran = {"table1": ran_exhibit(source="rejected", readings=()), "table1_celeba": ran_exhibit(numbers=4)}
    rows = [[Cell(data, data), Cell(whose, whose)] for data, whose in product(("CelebA", "Adult"), ("printed", STATED))]
    rows.append([Cell("DSS", "DSS"), Cell("printed", "printed")])  # printed, and not compared
    columns = [Column("dataset", "data set", False), Column("numbers", "numbers", False)]
    texts = dict.fromkeys(("caption", "difference", "predictions"), "")
    item = SimpleNamespace(
        **texts,
        kind="table",
        name="table1",
        shown=SimpleNamespace(experiment="e", shows="table1"),
        id="t",
        title="Table 1",
        claims=(),
        numbers=Sheet(columns, rows),
    )
    paper = SimpleNamespace(name="cpl", names=Names(), strips={"table1": {"0 of 2": []}}, ran=ran, pools=(), claims=())
    templates = environment()
    silent = ("answer_on_pool", "beside_text", "mark", "place", "ratios", "reading")
    templates.filters |= {**dict.fromkeys(silent, lambda *_: ""), "answer": answer, "broken": broken}
    templates.globals |= {
        "columns": COLUMNS,
        "verdicts": (),
        "document": SimpleNamespace(about=SimpleNamespace(workflow=False)),
    }
    drawn = templates.get_template("parts.html").make_module(templates.globals).exhibit(paper, item)
    told = '<a href="#run-cpl-table1_celeba">Table 1 (CelebA)</a>, 4 numbers: not the text as it stands; '
    told += "vanishing_step.<br>With Adult: none of 3 settings tried fits all its printed numbers. </div>"
    assert told in drawn


def test_causes_are_findings_with_their_claims_beneath_them(change_claims, render):
    causes = {"step": Cause("The step is half of what Table 4 states.")}
    change_claims(*[{"cause": "step"}] * 4, causes=causes)
    pages = render()
    (finding,) = re.findall('<li id="cause-jrr-step".*?</details>', pages["jrr.html"], re.DOTALL)
    assert pages["claims.html"].count('<a href="jrr.html#cause-jrr-step">the finding</a>') == 4
    assert "The step is half of what Table 4 states." in finding
    statement, numbers = finding.split("<summary>")
    assert "Printed: ours 0.07" in numbers
    assert "Printed: ours" not in statement
    assert "<span" not in statement  # a mark is that of a claim
    assert "4 claims with this cause: " in numbers
    named = ["reproduced", "reproduced-as-run", "not-reproduced", "contradicted-by-the-paper"]
    assert re.findall('href="claims.html#claim-jrr-([a-z-]*)"', finding) == named


def test_a_claim_that_fails_alone_is_quoted_as_one_with_its_mark(jrr):
    marks = re.findall(r'<span class="badge ([a-z-]*)">.*?</span> \S+.*?</span> Claim \(Section 5.3', jrr)
    assert marks == ["contradicted", "not-reproduced"]


def test_every_value_of_an_attribute_can_be_chosen(claims):
    selects = re.findall('<select id="filter-([a-z_]+)"(.*?)</select>', claims, re.DOTALL)
    assert len(selects) == 11
    for name, select in selects:
        values = {value or text for value, text in re.findall(r'<option(?: value="([^"]*)")?>([^<]*)', select)}
        assert {claim[f"data-{name}"] for claim in claims_on(claims)} <= values | {""}


def test_a_claim_shows_who_says_so_what_it_refines_and_why_it_falls(change_claims, render):
    ours = {"origin": "ours", "refines": "undecided", "cause": "step", "note": "For n of 10,000."}
    vague = {"word": "close", "thresholds": (Threshold("printed", 0.05, 0.25),)}
    causes = {"step": Cause("The step is too small.")}
    change_claims({**ours, **vague, "counted": False, "uncounted": "ours"}, causes=causes)
    *others, first = CLAIM.findall(render()["claims.html"])  # what does not count comes last
    assert "our own question, not a statement of the paper" in first
    assert '<a href="#claim-jrr-undecided">statement undecided</a>' in first
    assert "<dt>Cause</dt><dd>The step is too small. </dd>" in first  # of questions of ours only, which is no finding
    assert "For n of 10,000. We took &#34;close&#34; as within 5 % (strict) or" in first
    assert len(others) == 6
    assert not any(name in claim for claim in others for name in ("Our own", "Refines", "Cause"))


def test_claims_that_no_one_setting_makes_true_are_shown_together(change_claims, render):
    first = Meeting(("reproduced", "not-reproduced"), ("strict", "strict"), ("non_copy",))
    pair = Meeting(("reproduced", "undecided"), ("strict", "vanishing_step"), ("grid_step", "n"))
    change_claims(meetings=(first, pair, replace(pair, readings=("vanishing_step", "strict"))))
    clashes = re.findall("<li data-clash>.*?</details></li>", render()["jrr.html"], re.DOTALL)
    assert [re.search("<summary>(.*?)</summary>", clash)[1] for clash in clashes] == [
        "2 pairs: different values of grid step and users n",
        "1 pair: different values of non copy",
    ]
    shown = re.findall("<li data-meeting>.*?</li>", clashes[0], re.DOTALL)[0]
    assert re.findall("Holds with (.*?)[.]<", shown) == ["the text as it stands", "a vanishing step"]
    assert re.findall('href="claims.html#claim-jrr-([a-z-]*)"', shown) == [*pair.claims]


def test_an_exhibit_has_its_printed_numbers_against_ours_and_its_verdicts(jrr):
    figure = re.search('<article class="exhibit" id="figure-jrr-fig3".*?</article>', jrr, re.DOTALL)[0]
    assert re.search('<svg class="small".*?</svg>', figure)[0].count("violated") == 2
    verdicts = re.search('<p class="verdicts">(.*?)</p>', figure)[1]
    assert re.findall("</span> 1 (.*?)</span>", verdicts) == [*VERDICTS]


def test_an_answer_of_a_paper_and_whom_it_leaves_out_stand_on_its_page(setting, contents, render):
    setting["papers"]["jrr"]["compared"] = "SMP is not among them."
    contents.conclusions[0] = contents.conclusions[0].model_copy(update={"about": "jrr"})
    pages = render()
    assert [name for name, text in pages.items() if '<div class="answer-of-paper">' in text] == ["jrr.html"]
    assert "JRR has the lower error." not in pages["index.html"]
    assert pages["jrr.html"].index('<ul class="counts">') < pages["jrr.html"].index('<div class="answer-of-paper">')
    assert "JRR, RR. SMP is not among them." in re.sub("<.*?>", "", pages["jrr.html"])

# ruff: noqa: RUF001 (characters on the page)
import base64
import gzip
import json
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from corrldp.report import inputs as report_inputs
from corrldp.report import page
from corrldp.report.document import assemble
from corrldp.report.page import pack

VOID = {"meta", "link", "br", "img", "hr", "input"}
LOADING = {"src", "srcset", "poster", "data", "action", "xlink:href", "background"}
NEIGHBOURS = {
    "verdicts/jrr.json",
    "verdicts/castell.json",
    "report.pdf",
    "claims.csv",
    "predictions.csv",
    "claims.json",
    "ro-crate-metadata.json",
}


class Outline(HTMLParser):
    """Parser for the parts of a page that tests examine; an element not closed in order is an error."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.elements, self.headings = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def unpacked(html, name):
    text = re.search(rf'<script type="application/gzip" id="{name}">([^<]*)</script>', html)[1]
    return gzip.decompress(base64.b64decode(text)).decode()


@pytest.fixture
def contents(setting, inputs):
    return report_inputs.read(setting, inputs)


@pytest.fixture
def html(setting, contents):
    return page.render(assemble(setting, contents))


@pytest.fixture
def outline(html):
    return Outline(html)


def test_scoreboard_shows_the_counts_and_each_is_a_link_to_its_claims(html):
    verdicts, answers = re.findall(r'<tr data-paper="jrr">.*?</tr>', html, re.DOTALL)
    assert re.findall(r">(\d+)(?:</a>)?</td>", verdicts) == ["1", "1", "1", "1", "1", "1", "6", "0", "0"]
    assert 'href="#claims?paper=jrr&amp;counts=yes&amp;verdict=as-run"' in verdicts
    stated, run, own = ["1", "3", "1", "1"], ["2", "2", "1", "1"], ["0", "1", "0", "5"]
    assert re.findall(r">(\d+)(?:</a>)?</td>", answers) == [*stated, *run, *own]
    assert 'href="#claims?paper=jrr&amp;counts=yes&amp;as_run=holds"' in answers


def test_each_number_of_the_scoreboard_selects_as_many_claims(setting, contents):
    first, second, *_ = contents.verdicts["jrr"]["claims"]
    first |= {"origin": "ours", "counted": False, "uncounted": "a check of ours"}
    second |= {"weight": "slip"}
    html = page.render(assemble(setting, contents))
    claims = [attributes for _, attributes in Outline(html).elements if "data-claim" in attributes]
    links = re.findall(r'href="#claims\?([^"]*)"[^>]*>(\d+)</a></td>', html)
    assert len(links) > 20
    for query, count in links:
        chosen = dict(pair.split("=") for pair in query.replace("&amp;", "&").split("&"))
        assert sum(all(claim[f"data-{name}"] == value for name, value in chosen.items()) for claim in claims) == int(
            count
        )


def test_own_checks_are_not_counted_but_shown(setting, contents):
    before = page.render(assemble(setting, contents))
    contents.verdicts["jrr"]["claims"].append(
        {
            **contents.verdicts["jrr"]["claims"][2],
            **{"id": "asked", "origin": "ours", "counted": False, "uncounted": "a check of ours"},
        }
    )
    after = page.render(assemble(setting, contents))
    rows = [re.findall(r'<tr data-paper="jrr">.*?</tr>', html, re.DOTALL) for html in (before, after)]
    assert rows[0][1] == rows[1][1]
    counts = re.findall(r">(\d+)(?:</a>)?</td>", rows[1][0])
    assert counts == ["1", "1", "1", "1", "1", "1", "6", "0", "1"]
    assert '<li data-ours="asked">' in after
    assert "not counted for or against the authors: a check of ours" in after


def test_a_claim_shows_its_three_columns(html):
    for claim in re.findall('<article class="claim.*?</article>', html, re.DOTALL):
        assert re.findall("<dt>(As .*?|By .*?)</dt>", claim) == [
            "As stated",
            "As run",
            "By the paper&#39;s own numbers",
        ]
    run = re.search('<article class="claim as-run.*?</article>', html, re.DOTALL)[0]
    assert re.findall(r'data-(as_stated|as_run|own_numbers)="([a-z-]*)"', run) == [
        *(("as_stated", "fails"), ("as_run", "holds"), ("own_numbers", "not-tested")),
    ]
    assert "a vanishing step (the printed numbers of Figure 3)" in run


def test_what_seems_to_have_been_run_is_shown_and_linked_from_figure_and_claims(html):
    ran = re.search('<article class="ran" id="run-jrr-fig3".*?</article>', html, re.DOTALL)[0]
    assert "3 readings competed" in ran
    assert "about 520 (95 % interval 430 to 631)" in ran
    assert html.count('href="#run-jrr-fig3"') == 1 + 6


def test_causes_are_findings_with_their_claims_beneath_them(setting, contents):
    contents.verdicts["jrr"]["causes"] = {"step": {"states": "The step is half of what Table 4 states."}}
    for claim in contents.verdicts["jrr"]["claims"][:4]:
        claim["cause"] = "step"
    html = page.render(assemble(setting, contents))
    (finding,) = re.findall('<li id="cause-jrr-step".*?</details>', html, re.DOTALL)
    assert "The step is half of what Table 4 states." in finding
    assert "Ours 0.0581, printed 0.058. (Section 5.3, paragraph 1, sentence 2)" in finding
    assert re.findall('href="#claim-jrr-([a-z-]*)"', finding) == [
        *("reproduced", "reproduced-as-run", "not-reproduced", "contradicted-by-the-paper"),
    ]


def test_long_comparisons_are_capped_with_a_pointer_to_all(setting, contents):
    item = contents.verdicts["jrr"]["claims"][0]["evidence"][0]
    item["comparisons"] = {"n": list(range(500)), "outcome": ["satisfied"] * 499 + ["violated"]}
    html = page.render(assemble(setting, contents))
    assert "502 comparisons, the first 200 here" in html
    assert 'All 502 are in <a href="verdicts/jrr.json">' in html
    rows = json.loads(unpacked(html, "numbers-jrr"))["sheets"]["claim-jrr-reproduced-comparisons"]["rows"]
    assert len(rows) == 200
    assert rows[0][1] == "499"


def test_findings_are_shown_with_links_to_their_claims(setting, contents, html):
    for paper in assemble(setting, contents).papers:
        assert paper.findings.points or paper.name == "castell"
        for claim in {claim for point in paper.findings.points for claim in point.claims}:
            assert f'<a href="#claim-{paper.name}-{claim}">' in html


def test_numbers_and_evidence_are_packed_with_their_unrounded_values(html):
    numbers = json.loads(unpacked(html, "numbers-jrr"))
    sheet = numbers["sheets"]["figure-jrr-fig3"]
    mean = [column["name"] for column in sheet["columns"]].index("mean")
    assert [row[mean] for row in sheet["rows"]] == [["98765.4321", "98,765"], ["0.000012345", "1.234×10⁻⁵"]]
    assert numbers["points"]["figure-jrr-fig3"] == [[0, 60.12, 50.5], [1, 120, 70]]
    ids = re.findall('data-paper="jrr" data-claim="([^"]*)"', html)
    assert set(numbers["sheets"]) == {
        *("figure-jrr-fig3", "table-jrr-table3"),
        *(f"claim-jrr-{record}" for record in ids),
        *(f"claim-jrr-{record}-comparisons" for record in ids if record != "no-data"),
    }


def test_the_table_library_is_packed_whole(html):
    assert "as jQuery" in unpacked(html, "datatables")[-20_000:]


def test_pack_is_the_same_at_any_time():
    assert pack("é" * 1000) == pack("é" * 1000)


def test_elements_are_closed_and_ids_unique(outline):
    repeated = [name for name, count in Counter(outline.ids).items() if count > 1]
    assert repeated == []


def test_every_link_on_the_page_leads_somewhere(outline):
    links = [attributes["href"] for tag, attributes in outline.elements if tag == "a"]
    local = [link[1:].split("?")[0] for link in links if link.startswith("#")]
    assert len(local) > 20
    assert set(local) <= set(outline.ids)
    for tag, attributes in outline.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert set(attributes.get(name, "content").split()) <= set(outline.ids), tag


def test_nothing_is_loaded_from_elsewhere(html, outline):
    for tag, attributes in outline.elements:
        assert not LOADING & set(attributes), tag
        assert tag not in {"link", "iframe", "img", "object", "embed"}
        address = attributes.get("href", "#")
        if tag == "a":
            assert re.match(r"#|https://doi\.org/|notebooks/\w+\.(html|ipynb)$", address) or address in NEIGHBOURS
        else:
            assert address.startswith("#")
    assert "@import" not in html
    assert all(target.startswith("#") for target in re.findall(r"url\(['\"]?([^)]*)\)", html))


def test_claims_carry_the_attributes_that_filters_need(outline):
    claims = [attributes for _, attributes in outline.elements if "data-claim" in attributes]
    assert len(claims) == 7
    names = {"verdict", "kind", "origin", "weight", "counts", "as_stated", "as_run", "own_numbers"}
    assert all({"id", "data-paper", *(f"data-{name}" for name in names)} <= set(claim) for claim in claims)
    selects = {attributes["name"] for tag, attributes in outline.elements if tag == "select" and "name" in attributes}
    assert selects == names | {"paper"}
    assert {"claim-jrr-no-data", "figure-jrr-fig3", "table-jrr-table3", "data-adult"} <= set(outline.ids)


def test_layers_that_a_figure_has_can_be_switched(outline):
    switches = [attributes["data-layer"] for _, attributes in outline.elements if "data-layer" in attributes]
    assert switches == ["theory", "theory"]


def test_a_claim_shows_who_says_so_what_it_refines_and_why_it_falls(setting, contents):
    contents.verdicts["jrr"]["claims"][0] |= {
        **{"origin": "ours", "refines": "undecided", "cause": "step", "checked": "For n of 10,000."},
        **{"counted": False, "uncounted": "a check of ours", "thresholds": 'We took "close" as 5 to 25 %.'},
    }
    contents.verdicts["jrr"]["causes"] = {"step": {"states": "The step is too small."}}
    castell, first, *others = re.findall(
        '<article class="claim.*?</article>', page.render(assemble(setting, contents)), re.DOTALL
    )
    assert "Our own question, not a statement of the paper" in first
    assert '<a href="#claim-jrr-undecided">statement undecided</a>' in first
    assert "<dt>Cause</dt><dd>The step is too small." in first
    assert "Checked: For n of 10,000. We took &#34;close&#34; as 5 to 25 %." in first
    assert not any(name in claim for claim in (castell, *others) for name in ("Our own", "Refines", "Cause", "Checked"))


def test_an_undecided_claim_says_why_and_what_would_decide(html):
    claim = re.search('<article class="claim undecided.*?</article>', html, re.DOTALL)[0]
    assert "chance; more Monte-Carlo runs, ours or the paper&#39;s would decide it" in claim
    assert html.count("<dt>Open</dt>") == 1


def test_text_of_claims_is_escaped(html, outline):
    assert "alert(1)" in html
    assert "<script>alert" not in html
    kinds = Counter(attributes.get("type") for tag, attributes in outline.elements if tag == "script")
    assert kinds == {None: 2, "application/gzip": 3}


def test_figures_of_two_papers_do_not_collide(html, outline):
    assert {"svg-jrr-fig3-p41", "svg-castell-fig3-p41"} <= set(outline.ids)
    targets = re.findall(r"url\(#([^)]*)\)", html) + re.findall(r'<use href="#([^"]*)"', html)
    assert len(targets) == 6
    assert set(targets) <= set(outline.ids)


def test_headings_have_one_first_level_and_leave_none_out(outline):
    assert outline.headings.count(1) == 1
    steps = [after - before for before, after in zip(outline.headings, outline.headings[1:], strict=False)]
    assert max(steps) == 1


def test_stand_ins_are_announced_only_when_used(setting, html, contents):
    marks = ("Stand-in data was used.", 'class="standin"', "Rests on stand-in data.")
    assert all(mark in html for mark in marks)
    real = [{**record, "status": "original"} for record in contents.data]
    clean = {key: {**record, "standin": []} for key, record in contents.records.items()}
    without = report_inputs.Contents(**{**vars(contents), "data": real, "records": clean})
    quiet = page.render(assemble(setting, without))
    assert not any(mark in quiet for mark in marks)


def test_only_papers_with_a_notebook_link_to_it(html):
    assert re.findall(r"notebooks/(\w+\.\w+)", html) == ["jrr.html", "jrr.ipynb"]


def test_short_runs_are_announced(setting, contents, html):
    assert "quick run" not in html
    assert "quick run" in page.render(assemble({**setting, "runs_factor": 0.05}, contents))


def test_same_inputs_give_the_same_page(setting, inputs, html):
    again = page.render(assemble(setting, report_inputs.read(setting, inputs)))
    assert again == html


def test_figures_with_predictions_link_to_them(html):
    figure = re.search('<article class="exhibit" id="figure-jrr-fig3".*?</article>', html, re.DOTALL)[0]
    assert 'href="predictions.csv" data-predictions="fig3"' in figure
    assert "exhibit <code>fig3</code>: 2 predictions" in figure
    for name in ("figure-castell-fig3", "table-jrr-table3"):
        other = re.search(f'<article class="exhibit" id="{name}".*?</article>', html, re.DOTALL)[0]
        assert "predictions.csv" not in other


def test_what_was_run_is_told_once_for_all_exhibits(html):
    ran = re.search('<section id="ran-jrr".*?</section>', html, re.DOTALL)[0]
    rows = re.findall('<th scope="row" class="exhibits">(.*?)</th><td class="prose">(.*?)</td>', ran)
    assert rows == [("Figure 3", "a vanishing step")]

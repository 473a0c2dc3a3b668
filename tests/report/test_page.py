import json
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from corrldp.report import inputs as report_inputs
from corrldp.report import page

VOID = {"meta", "link", "br", "img", "hr", "input"}
LOADING = {"src", "srcset", "poster", "data", "action", "xlink:href", "background"}


class Outline(HTMLParser):
    """What the tests ask of a page; an element that is not closed in order is an error."""

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


@pytest.fixture
def contents(setting, inputs):
    return report_inputs.read(setting, inputs)


@pytest.fixture
def html(setting, contents):
    return page.render(page.context(setting, contents))


@pytest.fixture
def outline(html):
    return Outline(html)


def test_context_counts_equal_the_verdict_files(setting, contents, inputs):
    context = page.context(setting, contents)
    for paper in context["papers"]:
        path = next(path for path in inputs.verdicts if path.stem == paper.name)
        records = json.loads(path.read_text(encoding="utf-8"))
        assert paper.counts == Counter(record["verdict"] for record in records)
        assert [claim.record for claim in paper.claims] == records
        for claim in paper.claims:
            values = [
                {column.name: cell.value for column, cell in zip(claim.evidence.columns, row, strict=True)}
                for row in claim.evidence.rows
            ]
            for shown, evidence in zip(values, claim.record["evidence"], strict=True):
                assert all(shown[name] == str(evidence[name]) for name in ("estimate", "se", "p_value", "rows"))
    assert context["totals"].total() == 6


def test_scoreboard_shows_those_counts(html):
    row = re.search(r'<tr data-paper="jrr">.*?</tr>', html, re.DOTALL)[0]
    assert re.findall(r">(\d+)</td>", row) == ["1", "1", "1", "1", "1", "5"]


def test_what_matters_first_lists_the_worst_first(setting, contents):
    paper = page.context(setting, contents)["papers"][1]
    assert [claim.verdict.slug for claim in paper.pressing] == [
        "self-contradictory",
        "not-reproduced",
        "other-reading",
        "untested",
    ]


def test_elements_are_closed_and_ids_unique(outline):
    repeated = [name for name, count in Counter(outline.ids).items() if count > 1]
    assert repeated == []


def test_every_link_on_the_page_leads_somewhere(outline):
    links = [attributes["href"] for tag, attributes in outline.elements if tag == "a"]
    local = [link[1:] for link in links if link.startswith("#")]
    assert len(local) > 20
    assert set(local) <= set(outline.ids)
    for tag, attributes in outline.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert attributes.get(name, "content") in outline.ids, tag


def test_nothing_is_loaded_from_elsewhere(html, outline):
    for tag, attributes in outline.elements:
        assert not LOADING & set(attributes), tag
        assert tag not in {"link", "iframe", "img", "object", "embed"}
        address = attributes.get("href", "#")
        if tag == "a":
            assert re.match(r"#|https://doi\.org/|data:text/csv", address)
        else:
            assert address.startswith("#")
    assert "@import" not in html
    assert all(target.startswith("#") for target in re.findall(r"url\(['\"]?([^)]*)\)", html))


def test_claims_carry_the_attributes_that_filters_need(outline):
    claims = [attributes for _, attributes in outline.elements if "data-claim" in attributes]
    assert len(claims) == 6
    wanted = {"id", "data-paper", "data-verdict", "data-kind", "data-experiment", "data-figure", "data-reading"}
    assert all(wanted <= set(attributes) for attributes in claims)
    assert {"claim-jrr-untested", "figure-jrr-fig3", "table-jrr-table3", "data-adult"} <= set(outline.ids)


def test_text_of_claims_is_escaped(html, outline):
    assert "alert(1)" in html
    assert "<script>alert" not in html
    assert sum(tag == "script" for tag, _ in outline.elements) == 1


def test_figures_of_two_papers_do_not_collide(html, outline):
    assert {"svg-jrr-fig3-p41", "svg-castell-fig3-p41"} <= set(outline.ids)
    targets = re.findall(r"url\(#([^)]*)\)", html) + re.findall(r'<use href="#([^"]*)"', html)
    assert len(targets) == 6
    assert set(targets) <= set(outline.ids)


def test_headings_descend_one_level_at_a_time(outline):
    assert outline.headings[0] == 1
    assert outline.headings.count(1) == 1
    steps = [after - before for before, after in zip(outline.headings, outline.headings[1:], strict=False)]
    assert max(steps) == 1


def test_stand_ins_are_announced_only_when_used(setting, html, contents):
    marks = ("Stand-in data was used.", 'class="standin"', "Rests on stand-in data.")
    assert all(mark in html for mark in marks)
    real = [{**record, "status": "original"} for record in contents.data]
    clean = {key: {**record, "standin": []} for key, record in contents.records.items()}
    without = report_inputs.Contents(**{**vars(contents), "data": real, "records": clean})
    quiet = page.render(page.context(setting, without))
    assert not any(mark in quiet for mark in marks)


def test_short_runs_are_announced(setting, contents, html):
    assert "quick look" not in html
    assert "quick look" in page.render(page.context({**setting, "runs_factor": 0.05}, contents))


def test_figures_stand_in_the_order_of_the_configuration(setting, contents):
    paper = setting["papers"]["castell"]
    names = ("fig2", "fig10", "appendix", "fig3")
    for kind in ("figures", "figure_tables"):
        texts = getattr(contents, kind)
        texts.update({("castell", name): texts["castell", "fig3"] for name in names})
    paper["figures"] = dict.fromkeys(names, paper["figures"]["fig3"])
    figures = page.context(setting, contents)["papers"][0].figures
    assert [figure.name for figure in figures] == list(names)


def test_same_inputs_give_the_same_page(setting, inputs, html):
    again = page.render(page.context(setting, report_inputs.read(setting, inputs)))
    assert again == html

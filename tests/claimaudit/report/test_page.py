"""What holds for all pages: they are well formed, lead to each other, load nothing, and are safe."""
# ruff: noqa: RUF001 (characters on the page)

import json
import re
from collections import Counter

import pytest
from outline import unfolded, unpacked
from small_report import assemble, job_of

from claimaudit.report import inputs as report_inputs
from claimaudit.report import page

pytestmark = pytest.mark.thorough

LOADING = {"src", "srcset", "poster", "data", "action", "xlink:href", "background"}
NEIGHBOUR = re.compile(
    r"verdicts/(jrr|castell)\.json|(report|certificate_(jrr|castell))\.pdf|claims\.(csv|json)|predictions\.csv|times\.txt|ro-crate-metadata\.json"
    r"|notebooks/jrr\.(html|ipynb)"
)
"""Files beside the pages; a copy of the folder has no others."""


def test_a_page_for_the_answers_for_each_text_and_for_provenance(pages):
    texts = [f"{prefix}{paper}.html" for prefix in ("", "certificate_") for paper in ("castell", "jrr")]
    others = [f"{name}.html" for name in ("claims", "data", "glossary", "index", "method", "provenance")]
    assert sorted(pages) == sorted([*texts, *others])
    for name, text in pages.items():
        (navigation,) = re.findall(r'<nav class="contents".*?</nav>', text, re.DOTALL)
        links = re.findall(r'<a href="([a-z]+\.html)"', navigation)
        assert links == [
            "index.html",
            "castell.html",
            "jrr.html",
            "claims.html",
            "method.html",
            "glossary.html",
            "data.html",
            "provenance.html",
        ]
        current = [] if name.startswith("certificate_") else [name]
        assert re.findall(r'<a href="([^"]*)" aria-current=page', navigation) == current


def test_numbers_and_evidence_are_packed_with_their_unrounded_values(pages, jrr):
    numbers = json.loads(unpacked(jrr, "numbers"))
    sheet = numbers["sheets"]["figure-jrr-fig3"]
    mean = [column["name"] for column in sheet["columns"]].index("mean")
    assert [row[mean] for row in sheet["rows"]] == [["98765.4321", "98,765"], ["0.000012345", "1.234×10⁻⁵"]]
    drawn = ("figure-jrr-fig3", "difference-jrr-table3")
    assert numbers["points"] == {name: [[0, 60.12, 50.5], [1, 120, 70]] for name in drawn}
    assert set(numbers["sheets"]) == {*drawn, "table-jrr-table3"}
    assert sorted(re.findall('data-drawing="([^"]*)"', jrr)) == sorted(drawn)
    evidence = json.loads(unpacked(pages["claims.html"], "numbers"))["sheets"]
    ids = re.findall('id="(claim-[^"]*)"', pages["claims.html"])
    assert set(evidence) == {*ids, *(f"{one}-comparisons" for one in ids if one != "claim-jrr-no-data")}
    assert 'type="application/gzip"' not in pages["provenance.html"]
    assert 'id="numbers"' not in pages["index.html"]


def test_elements_are_closed_and_ids_unique(outlines):
    for outline in outlines.values():
        assert [name for name, count in Counter(outline.ids).items() if count > 1] == []


def test_every_link_leads_somewhere_on_its_page_or_another(outlines):
    followed = Counter()
    for name, outline in outlines.items():
        for tag, attributes in outline.elements:
            for reference in ("aria-labelledby", "aria-describedby", "for"):
                assert set(attributes.get(reference, "content").split()) <= set(outline.ids), (name, tag)
            address = attributes.get("href", "")
            target, _, fragment = address.partition("#")
            if tag != "a" or (target and target not in outlines):
                continue
            followed[name] += 1
            assert not fragment or fragment.split("?")[0] in outlines[target or name].ids, address
    assert set(followed) == set(outlines)
    assert min(followed["index.html"], followed["jrr.html"], followed["claims.html"]) >= 20


def test_nothing_is_loaded_from_elsewhere(pages, outlines):
    for name, outline in outlines.items():
        for tag, attributes in outline.elements:
            if (tag, attributes.get("action")) != ("form", "index.html"):
                assert not LOADING & set(attributes), tag
            assert tag not in {"link", "iframe", "img", "object", "embed"}
            address = attributes.get("href", "#")
            if tag != "a":
                assert address.startswith("#")
            elif not address.startswith(("#", "https://doi.org/")) and address.partition("#")[0] not in pages:
                assert NEIGHBOUR.fullmatch(address) or address == "https://data.example/mushroom.data", address
        assert "@import" not in pages[name]
        assert all(target.startswith("#") for target in re.findall(r"url\(['\"]?([^)]*)\)", pages[name]))
        assert pages[name].count("default-src 'none'") == 1


def test_text_of_claims_is_escaped(pages, outlines):
    for name, own in (
        ("castell.html", {None: 3, "application/gzip": 3, "application/json": 1}),
        ("index.html", {None: 3, "application/gzip": 1, "application/json": 1}),
    ):
        assert "<script>alert" not in pages[name]
        assert "<img" not in pages[name]
        kinds = Counter(attributes.get("type") for tag, attributes in outlines[name].elements if tag == "script")
        assert kinds == own
    assert "alert(1)" in pages["castell.html"]
    assert "alert(1)" in unpacked(pages["index.html"], "vocabulary")


def test_references_of_a_drawing_stay_within_it(pages, outlines):
    for paper in ("jrr", "castell"):
        text, ids = pages[f"{paper}.html"], set(outlines[f"{paper}.html"].ids)
        targets = re.findall(r"url\(#([^)]*)\)", text) + re.findall(r'<use href="#([^"]*)"', text)
        assert len(targets) == 3
        assert set(targets) <= ids
        assert all(target.startswith(f"svg-figure-{paper}-fig3-") for target in targets)


def test_headings_have_one_first_level_and_leave_none_out(outlines):
    for outline in outlines.values():
        assert outline.headings.count(1) == 1
        steps = [after - before for before, after in zip(outline.headings, outline.headings[1:], strict=False)]
        assert max(steps) == 1


def test_only_papers_with_a_notebook_link_to_it(pages):
    assert re.findall(r"notebooks/(\w+\.\w+)", "".join(pages.values())) == ["jrr.html", "jrr.ipynb"]


def test_same_inputs_give_the_same_pages(setting, inputs, pages):
    again = page.render(assemble(setting, report_inputs.read(inputs, job_of(setting).papers)))
    assert {name: unfolded(text) for name, text in again.items()} == pages

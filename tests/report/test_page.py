# ruff: noqa: RUF001 (characters on the page)
import base64
import gzip
import json
import re
from collections import Counter
from html.parser import HTMLParser

import pytest

from corrldp.audit.words import VERDICTS
from corrldp.report import inputs as report_inputs
from corrldp.report import page
from corrldp.report.document import assemble
from corrldp.report.page import pack

VOID = {"meta", "link", "br", "img", "hr", "input"}
LOADING = {"src", "srcset", "poster", "data", "action", "xlink:href", "background"}
NEIGHBOUR = re.compile(
    r"verdicts/(jrr|castell)\.json|report\.pdf|claims\.(csv|json)|predictions\.csv|times\.txt|ro-crate-metadata\.json"
    r"|notebooks/jrr\.(html|ipynb)"
    r"|\.\./(results/(jrr|castell)/fig3\.csv|figures/(jrr|castell)/fig3\.(svg|png|pdf|csv)|tables/jrr/table3\.(csv|md)"
    r"|config/claims/(jrr|castell)\.yaml|CITATION\.cff|LICENSE)"
)
CLAIM = re.compile(r'<details class="claim [a-z-]+" id="claim-[^"]*".*?</template>\s*</details>', re.DOTALL)


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


def outline_of(pages):
    return {name: Outline(text) for name, text in pages.items()}


def claims_on(text):
    return [attributes for _, attributes in Outline(text).elements if "data-claim" in attributes]


def selected(claims, query):
    """Return the claims that a filter in an address leaves, by the rule of claims.js."""
    chosen = dict(part.split("=") for part in query.replace("&amp;", "&").split("&"))
    return [claim for claim in claims if all(claim[f"data-{name}"] == value for name, value in chosen.items())]


@pytest.fixture
def render(setting, contents):
    """Return a function that renders the pages, with changes to the setting."""
    return lambda **changes: page.render(assemble({**setting, **changes}, contents))


@pytest.fixture
def pages(render):
    return render()


@pytest.fixture
def outlines(pages):
    return outline_of(pages)


@pytest.fixture
def index(pages):
    return pages["index.html"]


@pytest.fixture
def jrr(pages):
    return pages["jrr.html"]


def test_a_page_for_the_answers_for_each_text_and_for_provenance(pages):
    assert sorted(pages) == ["castell.html", "index.html", "jrr.html", "provenance.html"]
    for name, text in pages.items():
        (navigation,) = re.findall(r'<nav class="contents".*?</nav>', text, re.DOTALL)
        links = re.findall(r'<a href="([a-z]+\.html)"', navigation)
        assert links == ["index.html", "castell.html", "jrr.html", "provenance.html"]
        assert re.findall(r'<a href="([^"]*)" aria-current=page', navigation) == [name]


def test_scoreboard_shows_the_counts_and_each_is_a_link_to_its_claims(index):
    (board,) = re.findall(r'<table class="scoreboard">.*?</table>', index, re.DOTALL)
    (answers,) = re.findall(r'<tr data-paper="jrr">.*?</tr>', board, re.DOTALL)
    stated, run, own = ["1", "3", "1", "1"], ["2", "2", "1", "1"], ["0", "1", "0", "5"]
    assert re.findall(r">(\d+)(?:</a>)?</td>", answers) == [*stated, *run, *own]
    assert 'href="jrr.html#claims-jrr?counts=yes&as_run=holds"' in answers
    (total,) = re.findall(r"<tfoot>.*?</tfoot>", board, re.DOTALL)
    assert re.findall(r">(\d+)</td>", total)[:4] == ["2", "3", "1", "1"]  # Castell's claim holds


def test_each_number_that_leads_to_claims_selects_as_many(contents, render):
    first, second, third, *_ = contents.verdicts["jrr"]["claims"]
    first |= {"origin": "ours", "counted": False, "uncounted": "a check of ours", "kind": "flat"}
    second |= {"weight": "slip"}
    third |= {"kind": "ordering", "figure": ""}
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


def test_claims_at_a_glance_have_a_cell_below_each_heading(contents, render):
    contents.verdicts["jrr"]["claims"][0] |= {"kind": "flat", "counted": False, "uncounted": "a check of ours"}
    contents.verdicts["jrr"]["claims"][1] |= {"kind": "ordering", "figure": ""}
    (table,) = re.findall(r'<table class="families">.*?</table>', render()["jrr.html"], re.DOTALL)
    headings = re.findall(r'<th scope="col">(.*?)</th>', table)
    assert headings == ["about", "who is better, by how much", "single numbers"]
    rows = re.findall(r'<th scope="row">(.*?)</th>(.*?)</tr>', table)
    assert [name for name, _ in rows] == ["Figure 3", "theory and text"]
    assert all(cells.count("<td>") == len(headings) - 1 for _, cells in rows)


def test_own_checks_are_not_counted_but_shown(contents, render):
    def board(pages):
        return re.findall(r'<table class="scoreboard">.*?</table>', pages["index.html"], re.DOTALL)

    before = render()
    contents.verdicts["jrr"]["claims"].append(
        {
            **contents.verdicts["jrr"]["claims"][2],
            **{"id": "asked", "origin": "ours", "counted": False, "uncounted": "a check of ours"},
        }
    )
    after = render()
    assert board(before) == board(after)
    assert '<li data-ours="asked">' in after["jrr.html"]
    assert "not counted for or against the authors: a check of ours" in after["jrr.html"]
    assert '"asked"' in after["index.html"]  # the search finds it


def test_a_conclusion_that_this_run_does_not_show_says_so(index):
    stands, fails = re.findall(
        r"<li>(.*?)</li>", re.search('<ol class="conclusions">.*?</ol>', index, re.DOTALL)[0], re.DOTALL
    )
    assert "JRR has the lower error." in stands
    assert "This run does not show it" not in stands
    assert re.findall('<a href="([^"]*)">(evidence [12])', stands) == [
        ("jrr.html#claim-jrr-reproduced", "evidence 1"),
        ("jrr.html#claim-jrr-reproduced-as-run", "evidence 2"),
    ]
    assert "Ours 0.0581, printed 0.058." in stands
    assert "This run does not show it" in fails
    assert re.findall('<a href="([^"]*)">([^<]*)', fails) == [
        ("jrr.html#claim-jrr-not-reproduced", "not-reproduced is not reproduced")
    ]
    assert "Leakage is small" not in index


def test_without_conclusions_the_start_page_has_no_such_section(contents, render):
    contents.conclusions.clear()
    assert "What we found" not in render()["index.html"]


def test_the_search_knows_every_claim(pages, index):
    content = json.loads(re.search('<script type="application/json" id="vocabulary">(.*?)</script>', index)[1])
    names = [item["verdict"] for item in content["verdicts"]]
    assert names == list(VERDICTS)
    known = {(paper, claim, names[verdict]) for paper, claim, _, _, verdict, _ in content["claims"]}
    assert known == {
        ("castell", "hostile", "reproduced"),
        *(("jrr", name.replace(" ", "-"), name) for name in VERDICTS),
    }
    for paper, claim, *_ in content["claims"]:
        assert f'id="claim-{paper}-{claim}"' in pages[f"{paper}.html"]


def test_printed_numbers_are_drawn_against_ours_as_stated_and_as_run(index):
    (row,) = re.findall(r'<tr data-paper="jrr" data-exhibit="\w+">.*?</tr>', index)
    assert '<a href="jrr.html#run-jrr-fig3">JRR, Figure 3</a>' in row
    assert re.findall('class="count">(.*?)</td>', row) == ["2 of 4", "4 of 4"]
    stated, run = re.findall("<svg.*?</svg>", row)
    centres = [float(x) for x in re.findall('<circle cx="([0-9.]+)"', stated)]
    assert centres == [2.0, 102.0, 102.2, 152.0]  # 100 to 990, 1000 to 1000, 99,000 to 98,700, 160,000 to 80,000
    assert (stated.count("outside"), run.count("outside")) == (2, 0)


def test_where_no_reading_fits_the_picture_says_so(contents, render):
    contents.verdicts["jrr"]["exhibits"]["fig3"] |= {"source": "rejected", "readings": []}
    (row,) = re.findall(r'<tr data-paper="jrr" data-exhibit="\w+">.*?</tr>', render()["index.html"])
    assert row.count("<svg") == 1
    assert "no reading tried fits" in row


def test_who_beats_whom_is_counted_and_its_numbers_open_the_settings(jrr):
    (table,) = re.findall(r'<table class="pairs">.*?</table>', jrr, re.DOTALL)
    cells = re.findall(r'<a href="#(pair-jrr-\w+-\w+)" aria-label="([^"]*)">(.*?)</a>', table)
    plain = [(target, label, re.sub("<.*?>", "", text)) for target, label, text in cells]
    assert plain == [
        ("pair-jrr-jrr-rr", "JRR against RR: 1 of 2 as stated, 1 of 2 as run", "1 of 2 (1 of 2)"),
        ("pair-jrr-rr-jrr", "RR against JRR: 0 of 2 as stated, 1 of 2 as run", "0 of 2 (1 of 2)"),
    ]
    opened = re.search(r'<details class="pair" id="pair-jrr-jrr-rr">.*?</details>', jrr, re.DOTALL)[0]
    assert "Figure 3: 1 of 2; not at epsilon = 1 (cannot tell)." in opened
    assert "Figure 3: 1 of 2; not at epsilon = 0.01 (higher)." in opened


def test_where_a_mechanism_always_wins_its_exhibits_are_listed_together(contents, render):
    predictions = contents.predictions["jrr"]
    of_jrr = (predictions["mechanism"] == "JRR") & (predictions["exhibit"] == "fig3")
    predictions.loc[of_jrr, "value"] = 1
    jrr = render()["jrr.html"]
    won = re.search(r'<details class="pair" id="pair-jrr-jrr-rr">.*?</details>', jrr, re.DOTALL)[0]
    assert won.count("At every setting of Figure 3.") == 2
    assert "not at" not in won


def test_a_text_without_errors_to_compare_has_no_such_section(pages):
    assert 'id="pairs-castell"' not in pages["castell.html"]
    assert "pairs-castell" not in pages["index.html"]


def test_a_claim_shows_its_three_columns(pages, jrr):
    found = [claim for text in pages.values() for claim in CLAIM.findall(text)]
    assert len(found) == 7
    for claim in found:
        assert re.findall("<dt>(As .*?|By .*?)</dt>", claim) == [
            "As stated",
            "As run",
            "By the paper&#39;s own numbers",
        ]
    (run,) = (claim for claim in CLAIM.findall(jrr) if claim.startswith('<details class="claim as-run"'))
    assert re.findall(r'data-(as_stated|as_run|own_numbers)="([a-z-]*)"', run) == [
        *(("as_stated", "fails"), ("as_run", "holds"), ("own_numbers", "not-tested")),
    ]
    assert "a vanishing step (the printed numbers of Figure 3)" in run


def test_a_claim_names_its_files_and_how_to_judge_it_again(jrr):
    claim = CLAIM.findall(jrr)[0]
    for part in (
        '<a href="../results/jrr/fig3.csv">result table</a>',
        '<a href="../config/claims/jrr.yaml">configuration</a> at abc1234',
        "<code>snakemake --cores all -f report/verdicts/jrr.json</code>",
        '<span class="term">against</span> <code>mse_rr</code>',
        'data-link="#claim-jrr-reproduced"',
    ):
        assert part in claim


def test_the_row_of_a_claim_is_outside_its_card(jrr):
    """What the card holds is laid out only when a reader opens it."""
    for claim in CLAIM.findall(jrr):
        row, card = claim.split("<template>")
        assert "statement " in row
        assert "<dl" not in row
        assert "<dl" in card


def test_what_seems_to_have_been_run_is_shown_and_linked_from_figure_and_claims(jrr):
    ran = re.search('<article class="ran" id="run-jrr-fig3".*?</article>', jrr, re.DOTALL)[0]
    assert "3 readings competed" in ran
    assert "about 520 (95 % interval 430 to 631)" in ran
    assert jrr.count('href="#run-jrr-fig3"') == 1 + 6
    assert '<span id="run-jrr-fig4">Figure 4</span>' in jrr  # nothing printed says what was run


def test_causes_are_findings_with_their_claims_beneath_them(contents, render):
    contents.verdicts["jrr"]["causes"] = {"step": {"states": "The step is half of what Table 4 states."}}
    for claim in contents.verdicts["jrr"]["claims"][:4]:
        claim["cause"] = "step"
    (finding,) = re.findall('<li id="cause-jrr-step".*?</details>', render()["jrr.html"], re.DOTALL)
    assert "The step is half of what Table 4 states." in finding
    assert "Ours 0.0581, printed 0.058. (Section 5.3, paragraph 1, sentence 2)" in finding
    assert re.findall('href="#claim-jrr-([a-z-]*)"', finding) == [
        *("reproduced", "reproduced-as-run", "not-reproduced", "contradicted-by-the-paper"),
    ]


def test_long_comparisons_are_capped_with_a_pointer_to_all(contents, render):
    item = contents.verdicts["jrr"]["claims"][0]["evidence"][0]
    item["comparisons"] = {"n": list(range(500)), "outcome": ["satisfied"] * 499 + ["violated"]}
    html = render()["jrr.html"]
    assert "502 comparisons, the first 200 here" in html
    assert 'All 502 are in <a href="verdicts/jrr.json">' in html
    rows = json.loads(unpacked(html, "numbers"))["sheets"]["claim-jrr-reproduced-comparisons"]["rows"]
    assert len(rows) == 200
    assert rows[0][1] == "499"


def test_findings_are_shown_with_links_to_their_claims(setting, contents, pages):
    for paper in assemble(setting, contents).papers:
        assert paper.findings.points or paper.name == "castell"
        for claim in {claim for point in paper.findings.points for claim in point.claims}:
            assert f'<a href="#claim-{paper.name}-{claim}">' in pages[f"{paper.name}.html"]


def test_numbers_and_evidence_are_packed_with_their_unrounded_values(pages, jrr):
    numbers = json.loads(unpacked(jrr, "numbers"))
    sheet = numbers["sheets"]["figure-jrr-fig3"]
    mean = [column["name"] for column in sheet["columns"]].index("mean")
    assert [row[mean] for row in sheet["rows"]] == [["98765.4321", "98,765"], ["0.000012345", "1.234×10⁻⁵"]]
    assert numbers["points"] == {"figure-jrr-fig3": [[0, 60.12, 50.5], [1, 120, 70]]}
    ids = re.findall('data-paper="jrr" data-claim="([^"]*)"', jrr)
    assert set(numbers["sheets"]) == {
        *("figure-jrr-fig3", "table-jrr-table3"),
        *(f"claim-jrr-{record}" for record in ids),
        *(f"claim-jrr-{record}-comparisons" for record in ids if record != "no-data"),
    }
    assert all('type="application/gzip"' not in pages[name] for name in ("index.html", "provenance.html"))


def test_the_table_library_is_packed_whole(jrr):
    assert "as jQuery" in unpacked(jrr, "datatables")[-20_000:]


def test_pack_is_the_same_at_any_time():
    assert pack("é" * 1000) == pack("é" * 1000)


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
    assert min(followed["index.html"], followed["jrr.html"]) > 40


def test_claims_and_copies_of_their_links_name_each_other(outlines):
    for name in ("jrr.html", "castell.html"):
        elements = outlines[name].elements
        ids = [attributes["id"] for _, attributes in elements if "data-claim" in attributes]
        copied = [attributes["data-link"] for _, attributes in elements if "data-link" in attributes]
        assert copied == [f"#{one}" for one in ids]


def test_nothing_is_loaded_from_elsewhere(pages, outlines):
    for name, outline in outlines.items():
        for tag, attributes in outline.elements:
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


def test_claims_carry_the_attributes_that_filters_need(outlines):
    claims = [
        attributes for outline in outlines.values() for _, attributes in outline.elements if "data-claim" in attributes
    ]
    assert len(claims) == 7
    names = {"verdict", "kind", "figure", "origin", "weight", "counts", "as_stated", "as_run", "own_numbers"}
    assert all({"id", "data-paper", *(f"data-{name}" for name in names)} <= set(claim) for claim in claims)
    elements = outlines["jrr.html"].elements
    selects = {attributes["name"] for tag, attributes in elements if tag == "select" and "name" in attributes}
    assert selects == names
    assert {"claim-jrr-no-data", "figure-jrr-fig3", "table-jrr-table3"} <= set(outlines["jrr.html"].ids)
    assert "data-adult" in outlines["provenance.html"].ids


def test_every_value_of_an_attribute_can_be_chosen(jrr):
    for name in ("verdict", "kind", "figure", "origin", "weight", "counts", "as_stated", "as_run", "own_numbers"):
        (select,) = re.findall(f'<select id="filter-{name}".*?</select>', jrr, re.DOTALL)
        values = {value or text for value, text in re.findall(r'<option(?: value="([^"]*)")?>([^<]*)', select)}
        assert {claim[f"data-{name}"] for claim in claims_on(jrr)} <= values


def test_layers_that_a_figure_has_can_be_switched(outlines):
    switches = [
        attributes["data-layer"]
        for outline in outlines.values()
        for _, attributes in outline.elements
        if "data-layer" in attributes
    ]
    assert switches == ["theory", "theory"]


def test_a_drawing_waits_in_a_template_and_its_box_has_its_shape(jrr):
    box = re.search('<div class="scroll drawing".*?</template></div>', jrr, re.DOTALL)[0]
    assert 'style="--width: 240pt; --shape: 240 / 120"' in box
    assert 'aria-label="Drawing of Figure 3; arrow keys go from value to value"' in box
    assert re.search("<template><svg .*</svg></template>", box, re.DOTALL)


def test_a_claim_shows_who_says_so_what_it_refines_and_why_it_falls(contents, render):
    contents.verdicts["jrr"]["claims"][0] |= {
        **{"origin": "ours", "refines": "undecided", "cause": "step", "checked": "For n of 10,000."},
        **{"counted": False, "uncounted": "a check of ours", "thresholds": 'We took "close" as 5 to 25 %.'},
    }
    contents.verdicts["jrr"]["causes"] = {"step": {"states": "The step is too small."}}
    pages = render()
    first, *others = CLAIM.findall(pages["jrr.html"])
    others += CLAIM.findall(pages["castell.html"])
    assert "Our own question, not a statement of the paper" in first
    assert '<a href="#claim-jrr-undecided">statement undecided</a>' in first
    assert "<dt>Cause</dt><dd>The step is too small." in first
    assert "Checked: For n of 10,000. We took &#34;close&#34; as 5 to 25 %." in first
    assert len(others) == 6
    assert not any(name in claim for claim in others for name in ("Our own", "Refines", "Cause", "Checked"))


def test_an_undecided_claim_says_why_and_what_would_decide(jrr):
    (claim,) = (claim for claim in CLAIM.findall(jrr) if claim.startswith('<details class="claim undecided"'))
    assert "chance; more Monte-Carlo runs, ours or the paper&#39;s would decide it" in claim
    assert jrr.count("<dt>Open</dt>") == 1


def test_text_of_claims_is_escaped(pages, outlines):
    for name, own in (
        ("castell.html", {None: 2, "application/gzip": 2}),
        ("index.html", {None: 2, "application/json": 1}),
    ):
        assert "alert(1)" in pages[name]
        assert "<script>alert" not in pages[name]
        assert "<img" not in pages[name]
        kinds = Counter(attributes.get("type") for tag, attributes in outlines[name].elements if tag == "script")
        assert kinds == own


def test_references_of_a_drawing_stay_within_it(pages, outlines):
    for paper in ("jrr", "castell"):
        text, ids = pages[f"{paper}.html"], set(outlines[f"{paper}.html"].ids)
        targets = re.findall(r"url\(#([^)]*)\)", text) + re.findall(r'<use href="#([^"]*)"', text)
        assert len(targets) == 3
        assert set(targets) <= ids
        assert all(target.startswith(f"svg-{paper}-fig3-") for target in targets)


def test_headings_have_one_first_level_and_leave_none_out(outlines):
    for outline in outlines.values():
        assert outline.headings.count(1) == 1
        steps = [after - before for before, after in zip(outline.headings, outline.headings[1:], strict=False)]
        assert max(steps) == 1


def test_stand_ins_are_announced_only_when_used(contents, pages, render):
    marks = ("Stand-in data was used.", 'class="standin"', "Rests on stand-in data.")
    assert all(mark in pages["jrr.html"] for mark in marks)
    assert all(marks[0] in text for text in pages.values())
    contents.data[:] = [{**record, "status": "original"} for record in contents.data]
    for record in contents.records.values():
        record["standin"] = []
    quiet = "".join(render(source={"version": "", "licence": "", "authors": "", "date": "", "commit": ""}).values())
    assert not any(mark in quiet.replace("This run does not show it:", "") for mark in (marks[0], marks[2]))
    assert "stand-in (synthetic)" not in quiet


def test_only_papers_with_a_notebook_link_to_it(pages):
    assert re.findall(r"notebooks/(\w+\.\w+)", "".join(pages.values())) == ["jrr.html", "jrr.ipynb"]


def test_short_runs_are_announced(index, render):
    assert "quick run" not in index
    assert "quick run" in render(runs_factor=0.05)["index.html"]


def test_same_inputs_give_the_same_pages(setting, inputs, pages):
    assert page.render(assemble(setting, report_inputs.read(setting, inputs))) == pages


def test_figures_with_predictions_link_to_them(pages, jrr):
    figure = re.search('<article class="exhibit" id="figure-jrr-fig3".*?</article>', jrr, re.DOTALL)[0]
    assert 'href="predictions.csv" data-predictions="fig3"' in figure
    assert "exhibit <code>fig3</code>: 8 predictions" in figure
    for paper, name in (("castell", "figure-castell-fig3"), ("jrr", "table-jrr-table3")):
        text = pages[f"{paper}.html"]
        other = re.search(f'<article class="exhibit" id="{name}".*?</article>', text, re.DOTALL)[0]
        assert "predictions.csv" not in other


def test_what_was_run_is_told_once_for_all_exhibits(jrr):
    ran = re.search('<section id="ran-jrr".*?</section>', jrr, re.DOTALL)[0]
    rows = re.findall('<th scope="row" class="exhibits">(.*?)</th><td class="prose">(.*?)</td>', ran)
    assert rows == [("Figure 3", "a vanishing step")]


def fact(text, name):
    return re.sub("<.*?>", "", re.search(f"<dt>{name}</dt><dd>(.*?)</dd>", text)[1])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "abc1234, 2026-01-02"),
        ({"changed": True}, "abc1234, 2026-01-02 with local changes"),
        ({"commit": ""}, "not under version control"),
    ],
)
def test_provenance_names_commit_seed_and_libraries(setting, render, changes, words):
    text = render(source={**setting["source"], **changes})["provenance.html"]
    assert fact(text, "Commit") == words
    assert (fact(text, "Version"), fact(text, "Seed"), fact(text, "Libraries")) == ("0.1.0", "7", "numpy=2.4.1")
    assert f"note    = {{commit {changes.get('commit', 'abc1234') or 'unknown'}}}" in text
    for line in ("author  = {The authors of corrldp},", "version = {0.1.0},", "year    = {2026},"):
        assert line in text


def test_data_sets_have_their_addresses_or_where_they_came_from(pages):
    adult, mushroom = re.findall('<tr id="data-.*?</tr>', pages["provenance.html"], re.DOTALL)
    assert '<td class="source">mirror directory</td>' in adult
    assert '<td class="source"><a href="https://data.example/mushroom.data">' in mushroom
    assert "3,974,305" in adult
    assert "stand-in (synthetic)" in mushroom


def test_the_stages_count_what_was_made(pages):
    stages = re.findall(
        r"<li><strong>(.*?)</strong>.*?<span class=\"numbers-line\">(.*?)</span>", pages["provenance.html"]
    )
    assert [stage for stage in stages if stage[1]] == [
        ("Data", "2 files"),
        ("Experiments", "2 result tables"),
        ("Figures and tables", "2 figures, 1 table"),
        ("Verdicts", "7 claims"),
    ]

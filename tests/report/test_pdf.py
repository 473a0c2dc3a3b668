import io
import itertools
from dataclasses import replace
from datetime import datetime

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ContentStream
from reportlab.pdfgen.canvas import Canvas

from corrldp.report import inputs as report_inputs
from corrldp.report import pdf
from corrldp.report.document import TITLE, assemble
from corrldp.report.pdf_paper import FIGURES, telling
from corrldp.report.pdf_parts import EmbeddedPage, embed, grid


@pytest.fixture
def document(setting, inputs):
    return assemble(setting, report_inputs.read(setting, inputs))


@pytest.fixture
def reader(document):
    return PdfReader(io.BytesIO(pdf.render(document)))


def words(reader):
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def read_text(document):
    return words(PdfReader(io.BytesIO(pdf.render(document))))


@pytest.fixture
def text(reader):
    return words(reader)


def leaves(element):
    """Yield the tag, the alternative text and the mark of each drawn part, in order."""
    kids = element["/K"]
    if isinstance(kids, int):
        yield element["/S"], element.get("/Alt"), kids
        return
    for kid in kids:
        yield from leaves(kid.get_object())


def tree(reader):
    return reader.trailer["/Root"]["/StructTreeRoot"]["/K"].get_object()


def test_abstract_has_the_totals_and_the_conclusions_with_their_numbers(text):
    abstract = text[text.index("Abstract") : text.index("Method")]
    assert "Of 7 claims, 2 hold as stated, 1 holds only as run, 1 is not reproduced" in abstract
    assert "• JRR has the lower error. Ours 0.0581, printed 0.058. •" in abstract
    assert "JRR runs faster. Ours 0.0581, printed 0.058. This run does not show it." in abstract
    assert "Stand-in data was used for Mushroom" in abstract
    assert "≠" not in abstract


def test_a_paper_without_a_conclusion_has_its_weightiest_finding_in_the_abstract(setting, inputs):
    document = assemble(setting, replace(report_inputs.read(setting, inputs), conclusions=[]))
    text = read_text(document)
    abstract = text[text.index("Abstract") : text.index("Method")]
    assert document.papers[1].findings.points[0].verdict == "contradicted by the paper"
    assert f"Joint Randomized Response (JRR). ≠ {document.papers[1].findings.points[0].text}" in abstract


def test_sections_come_in_the_order_of_a_paper(reader):
    titles = [entry.title for entry in reader.outline if not isinstance(entry, list)]
    papers = ["Castell (castell)", "Joint Randomized Response (JRR)"]
    ends = ["Limits", "Where everything is", "Data and provenance"]
    assert titles == ["Abstract", "Method", "Scoreboard", *papers, *ends]
    headings = [
        entry.title for entry in itertools.chain(*(entry for entry in reader.outline if isinstance(entry, list)))
    ]
    assert headings == ["Figures", "Findings", "What seems to have been run", "Figures"]


def test_no_claim_id_is_in_the_text(setting, inputs):
    contents = report_inputs.read(setting, inputs)
    for record in contents.verdicts["jrr"]["claims"]:
        record["id"] = f"id-of-{record['id']}"
    conclusions = [{"states": "One.", "rests_on": {"jrr/id-of-reproduced": "not reproduced"}}]
    text = read_text(assemble(setting, replace(contents, conclusions=conclusions)))
    assert "One." in text
    assert "id-of-" not in text


def test_scoreboard_has_the_three_columns(text):
    assert "JRR 1 holds, 3 fails, 1 undecided, 1 not tested" in text


def test_what_seems_to_have_been_run_is_told(text):
    assert "Figure 3: a vanishing step (the text: a step of 0.0001)." in text
    told = "The scatter of the printed numbers of Figure 3 tells of about 520 (95 % interval 430 to 631)"
    assert f"{told}, not of the stated 1,000 runs." in text


def test_exhibits_with_the_same_number_of_runs_are_told_of_together(setting, inputs):
    contents = report_inputs.read(setting, inputs)
    exhibits = contents.verdicts["jrr"]["exhibits"]
    exhibits["fig4"] = exhibits["fig3"]
    assert "printed numbers of Figures 3 and 4 tells of about 520" in read_text(assemble(setting, contents))


def test_limits_name_what_is_open_and_what_was_not_tested(text):
    limits = text[text.index("Limits") :]
    assert "What leaves them undecided: chance (1)." in limits
    assert "1 claim needs data that could not be obtained." in limits


def test_slips_and_details_are_counted_and_not_listed(setting, inputs):
    contents = report_inputs.read(setting, inputs)
    claims = contents.verdicts["jrr"]["claims"]
    claims[2] |= {"weight": "slip", "states": "a misprint"}
    claims[3] |= {"weight": "detail", "states": "a small thing"}
    text = read_text(assemble(setting, contents))
    results = text[text.index("Findings") :]
    counted = "1 finding on a detail and 1 slip (misprint, rounding, wrong reference)"
    assert f"The pages beside this file have in addition {counted}." in results
    assert "a misprint" not in results
    assert "a small thing" not in results


def test_figures_with_printed_numbers_are_chosen_first_then_those_of_claims_that_fail(document):
    exhibit = document.papers[1].figures[0]
    printed, failing = exhibit, replace(exhibit, name="failing", ran=None)
    rest = [replace(exhibit, name=f"rest{index}", ran=None, claims=[]) for index in range(FIGURES)]
    paper = replace(document.papers[1], figures=[*rest, failing, printed])
    assert [shown.name for shown in telling(paper)] == [
        *(f"rest{index}" for index in range(FIGURES - 2)),
        "failing",
        "fig3",
    ]


def test_figures_are_embedded_as_vectors_with_captions_and_alternative_texts(reader, text):
    assert "figure of jrr" in text
    assert text.count("Figure 3. Error.") == 2
    forms = [name for page in reader.pages for name in page["/Resources"].get("/XObject", {})]
    assert forms == ["/Figure0", "/Figure1"]
    assert not any(page.images for page in reader.pages)
    alternatives = [alternative for tag, alternative, _ in leaves(tree(reader)) if tag == "/Figure"]
    numbers = "Its numbers are in figures/{}/fig3.csv.".format
    assert alternatives == [f"Figure 3. Error. {numbers(paper)}" for paper in ("castell", "jrr")]


def test_a_figure_on_stand_in_data_says_so(text):
    assert text.count("It rests on stand-in data.") == 1


def test_everything_drawn_is_tagged_or_marked_as_no_part_of_the_text(reader):
    found = [tag for tag, _, _ in leaves(tree(reader))]
    assert found[0] == "/H1"
    assert {"/H2", "/P", "/TH", "/TD", "/Figure", "/Caption"} <= set(found)
    marks = [mark for _, _, mark in leaves(tree(reader))]
    drawn = []
    for page in reader.pages:
        depth = 0
        for operands, operator in ContentStream(page["/Contents"], reader).operations:
            depth += operator in (b"BDC", b"BMC")
            depth -= operator == b"EMC"
            assert depth in (0, 1)
            assert depth or operator not in (b"Tj", b"TJ", b"Do", b"S", b"f")
            if operator == b"BDC":
                drawn.append(operands[1]["/MCID"])
    assert sorted(drawn) == sorted(marks)


def test_the_parent_tree_leads_from_each_mark_to_its_part(reader):
    numbers = reader.trailer["/Root"]["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    for index, page in enumerate(reader.pages):
        assert numbers[2 * index] == page["/StructParents"]
        parts = [part.get_object() for part in numbers[2 * index + 1]]
        assert [part["/K"] for part in parts] == list(range(len(parts)))
        assert all(part["/Pg"].get_object() == page for part in parts)


def test_all_fonts_of_the_text_are_embedded(reader):
    found = [font.get_object() for page in reader.pages for font in page["/Resources"]["/Font"].values()]
    assert found
    assert [font["/BaseFont"] for font in found if "/FontFile2" not in font.get("/FontDescriptor", {})] == []


def test_file_states_title_and_language(reader):
    root = reader.trailer["/Root"]
    assert reader.metadata.title == TITLE
    assert root["/Lang"] == "en"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert root["/MarkInfo"]["/Marked"]


def test_dates_come_from_the_setting_and_never_from_the_clock(document, reader):
    assert reader.metadata.creation_date == datetime(2026, 1, 2)
    assert reader.metadata.modification_date is None
    assert "2026-01-02 · version 0.1.0 · commit abc1234 Abstract" in " ".join(reader.pages[0].extract_text().split())
    setting = {name: value for name, value in document.setting.items() if name != "source"}
    assert PdfReader(io.BytesIO(pdf.render(replace(document, setting=setting)))).metadata.creation_date is None


def test_local_changes_are_told(document):
    source = {**document.setting["source"], "changed": True}
    text = read_text(replace(document, setting={**document.setting, "source": source}))
    assert "commit abc1234 with local changes" in text


def test_same_document_gives_the_same_bytes(document, monkeypatch):
    content = pdf.render(document)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert pdf.render(document) == content


def sheet(width=100, height=50):
    content = io.BytesIO()
    canvas = Canvas(content, pagesize=(width, height), invariant=1)
    canvas.drawString(1, 1, "drawn")
    canvas.save()
    return content.getvalue()


def test_an_embedded_page_shrinks_to_the_width_and_never_grows():
    assert (EmbeddedPage(sheet(), 50, "").width, EmbeddedPage(sheet(), 50, "").height) == (50, 25)
    assert EmbeddedPage(sheet(), 500, "").width == 100


def test_embed_draws_a_page_where_it_was_placed():
    figure = EmbeddedPage(sheet(), 50, "")
    figure.place, figure.mark = (0, 12.0, 34.0), 7
    writer = PdfWriter(clone_from=io.BytesIO(sheet(400, 400)))
    embed(writer, [figure])
    page = writer.pages[0]
    drawn = b"/Figure <</MCID 7>> BDC q 0.500000 0 0 0.500000 12.0000 34.0000 cm /Figure0 Do Q EMC"
    assert drawn in page.get_contents().get_data()
    assert page.extract_text().split() == ["drawn", "drawn"]


def test_only_wide_columns_of_a_crowded_table_wrap():
    table = grid(["n", *"abcdef"], [["1", *["words " * 20] * 6]], 300, numeric=[0])
    narrow, *wide = table._colWidths
    assert narrow < 15
    assert len(set(wide)) == 1

import io

import pytest
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from corrldp.report import inputs as report_inputs
from corrldp.report import pdf
from corrldp.report.document import assemble
from corrldp.report.pdf_parts import CELL_SIZES, EmbeddedPage, embed, grid


@pytest.fixture
def document(setting, inputs):
    return assemble(setting, report_inputs.read(setting, inputs))


@pytest.fixture
def reader(document):
    return PdfReader(io.BytesIO(pdf.render(document)))


@pytest.fixture
def text(reader):
    return " ".join(" ".join(page.extract_text() for page in reader.pages).split())


def test_every_claim_is_there_with_its_verdict_and_three_columns(document, text):
    for paper in document.papers:
        for claim in paper.claims:
            assert claim.record["id"] in text
            assert " ".join(claim.record["states"].split()) in text
            for view in claim.views.values():
                assert f"{view.heading.capitalize()} {view.answer.name}" in text
    assert text.count("As run holds: ours 0.0579, printed 0.058 [a vanishing step (the printed numbers of Fig") == 2
    assert "≠ contradicted by the paper" in text


def test_scoreboard_has_the_three_columns(text):
    assert "jrr 1 holds, 3 fails, 1 undecided, 1 not tested" in text


def test_what_seems_to_have_been_run_is_told(text):
    assert "Figure 3: not the text as it stands, but 1 other reading." in text
    assert "a vanishing step (p = 0.420)" in text


def test_a_claim_says_what_it_refines_and_why_it_falls(setting, inputs):
    contents = report_inputs.read(setting, inputs)
    first, second, *_ = contents.verdicts["jrr"]["claims"]
    first |= {"origin": "ours", "refines": "undecided", "counted": False, "uncounted": "a check of ours"}
    second |= {"cause": "step"}
    contents.verdicts["jrr"]["causes"] = {"step": {"states": "The step is too small.", "weight": "slip"}}
    reader = PdfReader(io.BytesIO(pdf.render(assemble(setting, contents))))
    text = " ".join(" ".join(page.extract_text() for page in reader.pages).split())
    assert text.count("Not counted: a check of ours. Refines: undecided.") == 1
    assert text.count("Cause: The step is too small.") == 1
    assert text.count("Slips: misprints, rounding, wrong references") == 1
    assert text.count("What we asked beyond the paper holds: statement reproduced Ours 0.0581") == 1


def test_findings_and_scoreboard_come_first(document, text):
    for paper in document.papers:
        assert " ".join(paper.findings.summary.split()) in text
    assert text.index("Scoreboard") < text.index("Findings") < text.index("Claims")


def test_figures_are_embedded_as_vectors_with_their_captions(reader, text):
    assert "figure of jrr" in text
    assert text.count("Error.") == 2
    forms = [name for page in reader.pages for name in page["/Resources"].get("/XObject", {})]
    assert forms == ["/Figure0", "/Figure1"]
    assert not any(page.images for page in reader.pages)


def test_headings_are_the_outline(reader):
    titles = [entry.title for entry in reader.outline if not isinstance(entry, list)]
    assert titles == ["Scoreboard", "Castell (castell)", "Joint Randomized Response (jrr)", "Data and provenance"]


def test_tables_and_stand_ins_are_shown(text):
    assert "adult|x 1,235" in text
    assert "Stand-in data was used for Mushroom" in text
    assert "(rests on stand-in data)" in text


def sheet(width=100, height=50):
    content = io.BytesIO()
    canvas = Canvas(content, pagesize=(width, height), invariant=1)
    canvas.drawString(1, 1, "drawn")
    canvas.save()
    return content.getvalue()


def test_an_embedded_page_shrinks_to_the_width_and_never_grows():
    assert (EmbeddedPage(sheet(), 50).width, EmbeddedPage(sheet(), 50).height) == (50, 25)
    assert EmbeddedPage(sheet(), 500).width == 100


def test_embed_draws_a_page_where_it_was_placed():
    figure = EmbeddedPage(sheet(), 50)
    figure.place = (0, 12.0, 34.0)
    page = PdfReader(io.BytesIO(embed(sheet(400, 400), [figure]))).pages[0]
    assert b"0.500000 0 0 0.500000 12.0000 34.0000 cm /Figure0 Do" in page.get_contents().get_data()
    assert page.extract_text().split() == ["drawn", "drawn"]


@pytest.mark.parametrize(("columns", "size"), [(3, CELL_SIZES[0]), (40, CELL_SIZES[-1])])
def test_a_table_takes_the_largest_type_that_fits(columns, size):
    table = grid([f"name {column}" for column in range(columns)], [["12345.6"] * columns], 480, numeric=[0])
    assert table._cellvalues[1][0].style.fontSize == size
    assert sum(table._colWidths) <= 480.001


def test_only_wide_columns_of_a_crowded_table_wrap():
    table = grid(["n", *"abcdef"], [["1", *["words " * 20] * 6]], 300, numeric=[0])
    narrow, *wide = table._colWidths
    assert narrow < 15
    assert len(set(wide)) == 1

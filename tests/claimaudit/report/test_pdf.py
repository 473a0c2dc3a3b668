import io
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from pypdf import PdfReader
from small_report import assemble, read_pdf, words

from claimaudit.papers.claims import ConclusionEntry
from claimaudit.report.document import FIGURES
from claimaudit.report.page import typeset

pytestmark = pytest.mark.thorough


def render(document):
    return typeset(document)["report.pdf"]


@pytest.fixture(scope="module")
def reader(document):
    return PdfReader(io.BytesIO(render(document)))


def read_text(document):
    return read_pdf(render(document))


@pytest.fixture(scope="module")
def text(reader):
    return words(reader)


def parts(reader):
    """Return the tags of the file's parts with their alternative texts, in order."""
    found = []

    def walk(element):
        element = element.get_object()
        if isinstance(element, list):
            for kid in element:
                walk(kid)
        elif isinstance(element, dict) and "/S" in element:
            found.append((element["/S"], element.get("/Alt")))
            walk(element.get("/K", []))

    walk(reader.trailer["/Root"]["/StructTreeRoot"]["/K"])
    return found


def test_abstract_has_the_totals_and_the_conclusions_with_their_numbers(text):
    abstract = text[text.index("Abstract") : text.index("Method")]
    assert "Of 7 claims, 2 hold as stated, 1 holds only as run, 1 is not reproduced" in abstract
    assert "• JRR has the lower error. Ours 0.05812 ± 0.00023, printed 0.058 at n = 10,000. •" in abstract
    stated, run = (f"ours {value} ± 0.00023, printed 0.058 at n = 10,000" for value in ("0.05812", "0.0579"))
    assert f"JRR runs faster. As stated: {stated}; as run: {run}. This run does not show it." in abstract
    assert "Stand-in data was used for Mushroom" in abstract
    assert "≠" not in abstract


def test_a_paper_without_a_conclusion_has_its_weightiest_finding_in_the_abstract(setting, contents):
    document = assemble(setting, replace(contents, conclusions=[]))
    text = read_text(document)
    abstract = text[text.index("Abstract") : text.index("Method")]
    assert document.papers[1].findings.points[0].verdict == "contradicted by the paper"
    assert f"Joint Randomized Response (JRR). ≠ {document.papers[1].findings.points[0].text}" in abstract


def test_references_are_the_texts_the_methods_and_the_data_each_once(setting, contents):
    known = {"means": "Flip.", "source": "Warner 1965"}
    terms = [{**known, "term": "RR", "reference": "Warner, S. L. (1965). A survey."}, {**known, "term": "GRR"}]
    text = read_text(assemble({**setting, "glossary": terms}, contents))
    references = text[text.rindex("References [1]") : text.rindex("Data and provenance")]
    for source in ("Joint Randomized Response", "Kohavi (1996)", "Warner, S. L. (1965). A survey."):
        assert references.count(source) == 1


def test_no_claim_id_is_in_the_text(setting, contents, change_claims):
    change_claims(*({"id": f"id-of-{claim.id}"} for claim in contents.verdicts["jrr"].claims))
    conclusions = [ConclusionEntry(states="One.", rests_on={"jrr/id-of-reproduced": "not reproduced"})]
    text = read_text(assemble(setting, replace(contents, conclusions=conclusions)))
    assert "One." in text
    assert "id-of-" not in text


def test_the_text_says_the_answers_what_was_run_and_what_is_open(text):
    assert "JRR 1 holds, 3 fails, 1 undecided, 1 not tested" in text
    assert "Figure 3: a vanishing step (the text: a step of 0.0001)." in text
    implied = "Figure 3: The scatter of all numbers that share it fits about 520 runs (95 % interval 430 to 631)"
    assert f"{implied}, not 1,000; all p-values assume 520." in text
    limits = text[text.index("Limits") :]
    assert "What leaves claims undecided: chance (1)." in limits
    assert "1 claim needs data that are not at hand." in limits
    assert "Table R1 counts them by text." in text
    assert "See Figure R2" in text[text.index("Findings") :]
    assert text.count("The paper’s Figure 3") == 2  # noqa: RUF001 (typeset)


def test_exhibits_with_the_same_number_of_runs_are_named_together(setting, contents):
    exhibits = contents.verdicts["jrr"].exhibits
    exhibits["fig4"] = exhibits["fig3"]
    assert "Figures 3 and 4: The scatter of all numbers that share it fits about 520" in read_text(
        assemble(setting, contents)
    )


def test_slips_and_details_are_counted_and_not_listed(setting, contents, change_claims):
    slip, detail = {"weight": "slip", "states": "a misprint"}, {"weight": "detail", "states": "a small thing"}
    change_claims({}, {}, slip, detail)
    text = read_text(assemble(setting, contents))
    results = text[text.index("Scoreboard", text.index("Method") + 100) :]
    counted = "1 finding on a detail and 1 slip (misprint, rounding, wrong reference)"
    assert f"The pages beside this file also list {counted}." in results
    assert "a misprint" not in results
    assert "a small thing" not in results


def test_figures_with_printed_numbers_are_chosen_first_then_those_of_claims_that_fail(document):
    exhibit = document.papers[1].figures[0]
    unknown = replace(exhibit.shown, shows="other")
    printed, failing = exhibit, replace(exhibit, name="failing", shown=unknown)
    rest = [replace(failing, name=f"rest{index}", claims=[]) for index in range(FIGURES)]
    paper = replace(document.papers[1], figures=[*rest, failing, printed])
    assert [shown.name for shown in paper.telling] == [
        *(f"rest{index}" for index in range(FIGURES - 2)),
        "failing",
        "fig3",
    ]


def test_figures_are_drawn_with_one_caption_and_an_alternative_text(reader, text):
    assert text.count("epsilon < 1 & n") == 2
    assert text.count("Error.") == 2
    assert not any(page.images for page in reader.pages)
    alternatives = [alternative for tag, alternative in parts(reader) if tag == "/Figure" and alternative]
    numbers = "Its numbers are in figures/{}/fig3.csv.".format
    assert alternatives == [
        f"Figure 3. Error. {numbers('castell')}",
        f"Figure 3 (stand-in data). Error. {numbers('jrr')}",
    ]


def test_the_file_is_tagged_with_headings_header_cells_captions_and_a_list_of_contents(reader):
    """Typst refuses to write a file that breaks PDF/UA-1; here is that it was asked to, and given the parts."""
    found, root = {tag for tag, _ in parts(reader)}, reader.trailer["/Root"]
    assert {"/Title", "/TOC", "/H1", "/H2", "/P", "/TH", "/TD", "/Figure", "/Caption", "/LI", "/Link"} <= found
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()
    assert reader.metadata.title == "Joint randomised response: a replication report"
    assert root["/Lang"] == "en"


def test_dates_come_from_the_setting_and_never_from_the_clock(document, reader, text):
    assert reader.metadata.creation_date == reader.metadata.modification_date == datetime(2026, 1, 2, tzinfo=UTC)
    assert "2026-01-02 · version 0.1.0 · commit abc1234 Abstract" in text
    undated = replace(document.job, source=replace(document.job.source, date="", changed=True))
    other = PdfReader(io.BytesIO(render(replace(document, job=undated))))
    assert other.metadata.creation_date is None
    assert "commit abc1234 with local changes" in words(other)


def test_same_document_gives_the_same_bytes(document, monkeypatch):
    content = render(document)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert render(document) == content

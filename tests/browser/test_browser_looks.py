"""How the pages look to everyone: accessible at all widths, light and dark, without scripts and on paper."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from waiting import eventually

PAGES = ("index", "jrr", "claims", "certificate_jrr", "data", "provenance")
GROUND = "getComputedStyle(document.body).backgroundColor"


def test_colours_follow_the_system_and_the_readers_choice_on_all_pages(visit):
    page = visit(scheme="dark")
    by_system = page.evaluate(GROUND)
    page.get_by_label("Colours").select_option("light")
    assert page.evaluate(GROUND) != by_system
    page.get_by_role("navigation").get_by_role("link", name="JOINT", exact=True).click()
    expect(page.get_by_role("navigation").locator("[aria-current=page]")).to_have_text("JOINT")
    eventually(page, lambda: carried_over(page, "light"))
    assert page.evaluate(GROUND) != by_system
    page.get_by_label("Colours").select_option("")
    assert page.evaluate(GROUND) == by_system


def carried_over(page, choice):
    """Whether a page has the choice made on the last one; if not, load it again.

    Chromium gives the page a process of its own, which may ask for the choice before the other one has handed it over.
    """
    kept = page.get_by_label("Colours").input_value() == choice
    if not kept:
        page.reload()
    return kept


@pytest.mark.parametrize("name", [*PAGES, "study/index"])
def test_axe_finds_no_violation_and_nothing_overflows(visit, study, name):
    page = visit(name, "#claim-jrr-claim-29" if name == "claims" else "")
    if name == "claims":
        expect(page.locator("#claim-jrr-claim-29 .views")).to_be_visible()
    page.evaluate("for (const box of document.querySelectorAll('details:not(.numbers):not(.claim)')) box.open = true")
    if name == "index":
        page.get_by_label("Search", exact=True).fill("sentence")
        expect(page.locator("#found li")).to_have_count(13)  # twelve results and the button for all
    opened = {"claims": ("claim-jrr-claim-29", "claim-jrr-claim-29-comparisons"), "jrr": ("figure-jrr-fig1",)}
    for sheet in opened.get(name, ()):
        page.locator(f"details[data-sheet={sheet}] > summary").click()
        page.locator(f"details[data-sheet={sheet}] .dt-container").wait_for()
    if name == study:
        page.locator("details[data-sheet=figure-error] > summary").click()
        page.locator("details[data-sheet=figure-error] .dt-container").wait_for()
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(page.locator(".drawing > svg")).to_have_count(7)
    assert_fits_everyone(page)


def assert_fits_everyone(page):
    """Nothing overflows, and axe finds no violation at the smaller widths, one of which is dark."""
    for width, scheme in ((1920, None), (1280, "dark"), (390, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if scheme:
            page.emulate_media(color_scheme=scheme)
            assert violations(page) == []


def violations(page, context=None, **options):
    """Return what axe finds; only that is told in full, which takes less time."""
    found = Axe().run(page, context, {"resultTypes": ["violations"], **options}).response["violations"]
    return [(entry["id"], entry["impact"], entry["nodes"][0]["html"]) for entry in found]


def test_axe_finds_no_violation_in_an_enlarged_figure(visit):
    page = visit("jrr", "#figure-jrr-fig1", width=390)
    page.locator("#figure-jrr-fig1").get_by_role("button", name="Enlarge").click()
    expect(page.locator("dialog")).to_be_visible()
    assert violations(page, "dialog") == []


@pytest.mark.parametrize("name", ["index", "jrr", "claims"])
def test_the_menu_of_a_phone_is_one_line_and_leads_to_all_texts(visit, name):
    page = visit(name, width=390)
    assert page.get_by_role("navigation").bounding_box()["height"] < 60
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for text in ("JOINT", "CASTELL"):
        page.get_by_role("navigation", name="Contents").get_by_role("link", name=text, exact=True).click()
        expect(page.get_by_role("navigation").locator("[aria-current=page]")).to_have_text(text)


def test_a_long_list_of_findings_shows_its_first_three(visit):
    page = visit("jrr")
    expect(page.locator("#findings-jrr > .points").nth(1).locator("> li")).to_have_count(3)
    more = page.locator("#findings-jrr > .group", has_text="more finding").first
    expect(more.locator("> .points > li").first).to_be_hidden()
    more.locator("> summary").click()
    expect(more.locator("> .points > li").first).to_be_visible()


def test_a_table_on_a_phone_is_legible_and_scrolls_beside_its_first_column(visit):
    page = visit("jrr", width=390)
    page.evaluate("for (const one of document.querySelectorAll('#table-jrr-table1 th')) one.style.minWidth = '16rem'")
    page.locator("#table-jrr-table1 .whole > summary").click()
    box = page.locator("#table-jrr-table1 .scroll").first
    cell = box.locator("tbody tr > :first-child").first
    assert cell.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 12
    before = cell.bounding_box()["x"]
    box.evaluate("one => { one.scrollLeft = 100; }")
    assert box.evaluate("one => one.scrollLeft") == 100
    assert cell.bounding_box()["x"] == before


def test_without_scripts_the_claims_are_listed_and_the_page_says_what_is_missing(visit):
    page = visit("claims", java_script_enabled=False)
    assert page.locator("details.claim:visible").count() == 65
    assert page.locator(".scripted:visible").count() == 0
    start = visit(java_script_enabled=False)
    assert start.locator(".scripted:visible").count() == 0
    assert start.locator("noscript").is_visible()


def test_without_scripts_a_number_of_who_beats_whom_shows_its_settings(visit):
    page = visit("jrr", java_script_enabled=False)
    page.get_by_role("link", name="JRR has a lower error than RR").click()
    expect(page.locator(".pair:visible")).to_have_count(1)
    page.locator("#pair-jrr-jrr-rr > summary").click()
    expect(page.locator("#pair-jrr-jrr-rr")).to_contain_text("epsilon = 1 (higher)", use_inner_text=True)


def test_paper_shows_the_claims_chosen_and_no_controls(visit):
    page = visit("claims", "#claims?paper=castell&verdict=undecided", scheme="dark")
    page.emulate_media(media="print")
    assert page.locator("details.claim:visible").count() == 5
    assert page.locator("button:visible, .filter:visible, .layers:visible, nav:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).colorScheme || 'light'") != "dark"

"""What a reader asks on the start page, with the clicks that it takes."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from waiting import expect_address


def test_where_a_mechanism_does_not_beat_another_takes_two_clicks(visit):
    """Does JRR beat RR everywhere? The settings at which it does not, as stated and as run."""
    page = visit()
    page.locator(".strip [data-paper=jrr]").get_by_role("link", name="JOINT").click()
    cell = page.get_by_role(
        "link", name="JRR has a lower error than RR at 5 of 6 settings as stated; at 5 of 6 settings as run"
    )
    cell.scroll_into_view_if_needed()
    expect(cell).to_have_text("5 of 6 (5 of 6)", use_inner_text=True)
    cell.click()
    answer = page.locator("#pair-jrr-jrr-rr li:visible")
    text = "Figure 1: 5 of 6; not at n = 1,000, epsilon = 1 (higher)."
    expect(answer).to_have_text(["At every setting of Figure 1.", text, text], use_inner_text=True)  # printed first
    assert not page.locator("#pair-jrr-rr-jrr").is_visible()


def test_a_claim_is_found_by_words_and_opened_with_one_click(visit):
    page = visit()
    page.get_by_label("Search", exact=True).fill("special")
    expect(page.locator("#search-result")).to_have_text("2 results")
    page.locator("#found").get_by_role("link", name=re.compile("joint, Section 7$", re.IGNORECASE)).click()
    expect(page.locator("#claim-jrr-claim-7 .views")).to_be_visible()
    expect_address(page, "claims.html#claim-jrr-claim-7")


FOUND = {
    "Table VI": [3],
    "Table VII": [4],
    "table vi first": [3],
    "Figure 3": [22, 24],
    "fig. 5": [22, 23],
    "section 3": [23],
    "5 row": [22, 23, 24, 5],
    "fig 3 fif": [24],
    "rs+fd": [18],
    "beats rival": [13, 14, 17],
    "outperforms rival": [13, 14, 17],
    "lower rival": [13, 14, 17],
    "specia": [7],
    "specially strange": [7],
    "what beats the rival": [13, 14, 17],
}
"""The claims of either paper that a search finds."""


def test_search_knows_words_by_meaning_and_numbers_as_a_whole(visit):
    page = visit()
    for query, claims in FOUND.items():
        page.get_by_label("Search", exact=True).fill("")
        expect(page.locator("#search-result")).to_have_text("")
        page.get_by_label("Search", exact=True).fill(query)
        expected = [f"{paper}-claim-{claim}" for paper in ("castell", "jrr") for claim in claims]
        expect(page.locator("#search-result")).not_to_have_text("")
        found = page.locator("#found li a").evaluate_all("all => all.map((one) => one.hash.replace('#claim-', ''))")
        assert sorted(found) == expected, query
        assert page.locator("#found").is_visible()


def test_a_search_with_many_results_says_how_many_and_an_empty_one_none(visit):
    page = visit()
    field = page.get_by_label("Search", exact=True)
    field.fill("sentence")
    expect(page.locator("#found li")).to_have_count(13)
    expect(page.locator("#search-result")).to_have_text(re.compile(r"^\d\d results, the first 12 here$"))
    page.get_by_role("button", name=re.compile(r"^Show all \d\d$")).click()
    expect(page.locator("#found li").nth(40)).to_be_attached()
    field.press("Enter")
    expect_address(page, "index.html#search?q=sentence")
    field.fill("joint special")
    expect(page.locator("#search-result")).to_have_text("1 result")
    field.fill(" ")
    expect(page.locator("#search-result")).to_have_text("")
    assert not page.locator("#found").is_visible()


def test_what_a_search_finds_first(visit):
    page = visit()
    for query, first, text in (
        ("RR beats JRR", "#found li", "has a lower error than"),
        ("sentence", "#found .badge", "✗ not reproduced"),  # claims that fail come first
        ("joint section 8", "#found li", "A sentence with <b> in it."),  # text, no markup
        ("nonsense", "#search-result", "Nothing found"),
        ("RR beats nonsense JRR", "#search-result", "Nothing has all these words. Without one of them: "),
        ("RR beats nonsense JRR", "#found li", "has a lower error than"),
    ):
        page.get_by_label("Search", exact=True).fill(query)
        expect(page.locator(first).first).to_contain_text(text)


def test_facts_and_conclusions_are_found_and_the_way_to_disagree(visit):
    page = visit()
    field = page.get_by_label("Search", exact=True)
    for query, place in (
        ("cite", "provenance.html#cite"),
        ("regenerate figure", "provenance.html#stages"),
        ("good as it says", "index.html#conclusion-1"),
    ):
        field.fill(query)
        expect(page.locator("#found a").first).to_have_attribute("href", place)
    field.fill("Castell is fast")
    expect(page.locator("#found a", has_text="conclusion")).to_have_count(0)  # this run does not show it
    field.fill("How do I disagree with a verdict?")
    page.locator("#found a", has_text="method").first.click()
    expect_address(page, "method.html#disagree")


def test_a_search_starts_on_any_page_and_back_from_a_result_finds_it_again(visit):
    page = visit("jrr")
    page.get_by_label("Search all pages").fill("special")
    page.get_by_label("Search all pages").press("Enter")
    expect(page.locator("#search-result")).to_have_text("2 results")
    page.get_by_label("Search", exact=True).fill("special joint")
    page.locator("#found a").first.click()
    expect(page.locator("#claim-jrr-claim-7 .views")).to_be_visible()
    page.go_back()
    expect(page.locator("#search-result")).to_have_text("1 result")


@pytest.mark.parametrize(("width", "columns"), [(1280, 3), (390, 1)])
def test_an_answer_opens_within_its_card_and_covers_nothing(visit, width, columns):
    page = visit(width=width)
    first = "document.querySelector('.conclusions > li')"
    page.evaluate(f"for (let i = 0; i < 5; i++) {first}.after({first}.cloneNode(true))")
    cards = page.locator(".conclusions > li")
    before = [card.bounding_box() for card in cards.all()]
    assert len({box["x"] for box in before}) == columns
    cards.locator("summary").first.click()
    expect(cards.locator(".answer > div").first).to_be_visible()
    card, text = (place.bounding_box() for place in (cards.first, cards.locator(".answer > div").first))
    beneath = cards.nth(columns).bounding_box()
    assert (card["x"], card["y"]) == (before[0]["x"], before[0]["y"])
    assert text["y"] + text["height"] <= card["y"] + card["height"] <= beneath["y"]
    assert beneath["y"] > before[columns]["y"]


@pytest.mark.parametrize("touch", [False, True])
def test_a_term_shows_its_card_to_the_keyboard_and_to_the_first_tap(visit, touch):
    page = visit("jrr", has_touch=touch)
    term = page.locator("#pairs-jrr a.in-glossary", has_text=re.compile("^as stated$")).first
    term.tap() if touch else term.focus()
    expect(page.locator("#term-card")).to_contain_text("with the settings that the text states")
    expect_address(page, "jrr.html")
    page.keyboard.press("Escape")
    expect(page.locator("#term-card")).to_be_hidden()


@pytest.mark.parametrize(
    ("ways", "place"),
    [
        (["A paper", "JOINT"], "jrr.html"),
        (["A claim"], "claims.html#claims"),
        (["My data"], "ways.html#ways"),
    ],
)
def test_three_buttons_lead_on_from_the_first_screen(visit, ways, place):
    page = visit(width=390)
    for way in ways:
        button = page.locator(".buttons").get_by_text(way).first
        box = button.bounding_box()
        assert box["y"] + box["height"] <= 844
        button.click()
    expect_address(page, place)


def test_who_holds_a_data_file_is_told_how_to_supply_it(visit):
    page = visit("ways")
    page.get_by_role("link", name="how to supply it").click()
    expect_address(page, "data.html#data")
    page.locator('#theirs-jrr a[href="#data-adult"]').first.click()
    expect(page.locator("#data-adult .supply")).to_have_attribute("open", "")


def test_a_thumbnail_opens_to_its_claims_and_its_command(visit):
    page = visit("jrr")
    figure = page.locator("#figure-jrr-fig1")
    expect(figure.locator(".fit text").filter(has_text="fit")).to_have_text(
        [re.compile("0 of 12 .* as stated"), re.compile("0 of 12 .* as run")]
    )
    small = figure.bounding_box()["width"]
    figure.locator(".drawing").click()
    expect(figure.locator(".whole")).to_have_attribute("open", "")
    assert figure.bounding_box()["width"] > 2 * small
    expect(figure.get_by_role("link", name="The first row is right.")).to_have_attribute(
        "href", "claims.html#claim-jrr-claim-3"
    )


def test_the_list_of_papers_opens_above_the_findings_and_covers_nothing(visit):
    page = visit()
    box, findings = page.locator(".buttons details").first, page.locator("#conclusions")
    before = findings.bounding_box()["y"]
    box.locator("summary").click()
    expect(box.get_by_role("link").last).to_be_visible()
    listed = box.bounding_box()
    assert before < listed["y"] + listed["height"] <= findings.bounding_box()["y"]


def test_pieces_of_a_bar_are_as_wide_as_their_shares(visit):
    for bar in visit(width=390).locator(".strip .bar").all():
        pieces = bar.locator("a").all()
        widths = [piece.bounding_box()["width"] for piece in pieces]
        counts = [int(piece.get_attribute("title").split()[0]) for piece in pieces]
        assert np.divide(widths, sum(widths)) == pytest.approx(np.divide(counts, sum(counts)), abs=0.01)

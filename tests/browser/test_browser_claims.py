"""Actions of a reader on the page of a text: filter, open, copy, and follow links between its parts."""

import csv
import io

import pytest
from playwright.sync_api import expect
from waiting import expect_near_top


def shown(page):
    page.evaluate("applyFilter()")
    return page.locator("details.claim:visible").evaluate_all(
        "all => all.map((one) => Number(one.id.split('-').pop()))"
    )


def fragment(page):
    return page.evaluate("location.hash")


def test_words_and_choices_narrow_the_claims_and_the_address_keeps_them(visit):
    page = visit("claims", "#claims?paper=jrr")
    page.get_by_label("Words").fill("JRR rival better")
    assert shown(page) == [13, 14, 17]
    page.get_by_label("Says").select_option("cells")
    assert shown(page) == [14, 17]
    page.get_by_label("About").select_option("fig1")
    assert shown(page) == [17]
    expect(page.locator("#shown")).to_contain_text("1 of 65 claims")
    again = visit("claims", fragment(page))
    assert shown(again) == [17]
    assert again.get_by_label("Words").input_value() == "JRR rival better"
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("#shown")).to_contain_text("65 of 65 claims")
    assert fragment(page) == "#claims"


def test_any_words_survive_the_address(visit):
    page = visit("claims", "#claims?paper=jrr")
    for words in ("RS+FD & SPL", "agree at 50 %", "rs+fd #?/=", "%zz", "ε = 0.5"):
        page.get_by_label("Words").fill(words)
        again = visit("claims", fragment(page))
        assert again.get_by_label("Words").input_value() == words
        assert shown(again) == shown(page)
        assert shown(page) == {"%zz": [], "ε = 0.5": shown(page)}.get(words, [18]), words


def test_the_first_claims_stand_for_all_until_something_is_asked(visit):
    page = visit("claims")
    assert shown(page) == [6, 11, 6, 11, 0, 1, 2, 3, 4, 5]  # the headlines of both papers, and results
    page.get_by_role("button", name="Show all 65 claims").click()
    expect(page.locator("details.claim:visible")).to_have_count(65)
    beyond = visit("claims", "#claim-jrr-claim-33")
    expect(beyond.locator("#claim-jrr-claim-33 .views")).to_be_visible()


def test_words_are_found_in_closed_and_in_open_cards(visit):
    page = visit("claims", "#claims?paper=jrr")
    page.get_by_label("Words").fill("for n of 1,000")
    assert shown(page) == [11]
    page.locator("#claim-jrr-claim-11 > summary").click()
    expect(page.locator("#claim-jrr-claim-11 .views")).to_be_visible()
    page.get_by_label("Words").fill("for n of 1,000 reversed")
    assert shown(page) == [11]


def test_claims_are_chosen_by_each_field(visit):
    page = visit("claims", "#claims?paper=jrr")
    page.get_by_text("More filters").click()
    for field, value, found in (
        ("Origin", "ours", [10]),
        ("Origin", "definition", [15]),
        ("Weight", "headline", [6, 11]),
        ("Weight", "detail", [16]),
        ("Score", "apart", [12]),
        ("Score", "no", [10, 15]),
        ("Verdict", "no-data", [20]),
        ("About", "table1", list(range(0, 40, 2))),
        ("Says", "ordering", list(range(1, 40, 3))),
    ):
        label = page.get_by_label(field, exact=True)
        label.select_option(value)
        expect(page.locator("#shown")).to_contain_text(f"{len(found)} of 65 claims")
        assert sorted(shown(page)) == found
        assert fragment(page) == f"#claims?paper=jrr&{label.get_attribute('name')}={value}"
        label.select_option("")


def test_a_claim_opens_and_closes_and_its_address_is_copied(visit):
    page = visit("claims", "#claims?paper=jrr", permissions=["clipboard-read", "clipboard-write"])
    claim = page.locator("#claim-jrr-claim-9")
    assert claim.locator(".views").count() == 0  # the card is not laid out before
    claim.locator("> summary").click()
    expect(claim.locator(".views")).to_be_visible()
    claim.get_by_role("button", name="Copy link").click()
    expect(claim.locator("button.copy")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{page.url.partition('#')[0]}#claim-jrr-claim-9"
    again = visit("claims", f"#{copied.partition('#')[2]}")
    expect(again.locator("#claim-jrr-claim-9 .views")).to_be_visible()
    claim.locator("> summary").click()
    expect(claim.locator(".views")).not_to_be_visible()


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("claims", "claim-castell-claim-24"),
        *(("castell", "figure-castell-fig1"), ("jrr", "run-jrr-fig1")),
    ],
)
def test_a_deep_link_shows_its_target(visit, name, target):
    page = visit(name, f"#{target}")
    expect_near_top(page.locator(f"#{target}"), most=700)  # the last claim lies at the foot of the page


def test_a_link_to_a_claim_that_is_filtered_out_shows_it(visit):
    page = visit("claims", "#claims?paper=jrr&verdict=undecided")
    assert not page.locator("#claim-jrr-claim-3").is_visible()
    page.evaluate("location.hash = '#claim-jrr-claim-3'")
    expect(page.locator("#shown")).to_contain_text("65 of 65 claims")
    expect(page.locator("#claim-jrr-claim-3 .views")).to_be_visible()


def test_a_back_step_restores_the_filter(visit):
    page = visit("claims", "#claims?paper=jrr&verdict=undecided")
    page.evaluate("location.hash = '#claims?paper=jrr&verdict=reproduced&counts=yes'")
    expect(page.locator("#shown")).to_contain_text("5 of 65 claims")
    expect(page.locator(".more > summary")).to_have_text("More filters: score counted")
    expect(page.get_by_label("Score", exact=True)).to_be_hidden()  # the answer is not pushed down
    page.go_back()
    expect(page.locator(".more > summary")).to_have_text("More filters")
    expect(page.locator("#shown")).to_have_text("8 of 65 claims, 8 counted")


def test_evidence_opens_on_demand_and_is_copied_as_csv(visit):
    page = visit("claims", "#claim-jrr-claim-29", permissions=["clipboard-read", "clipboard-write"])
    claim = page.locator("[data-sheet=claim-jrr-claim-29]")
    claim.locator("summary").wait_for()
    assert claim.locator("table").count() == 0
    claim.locator("summary").click(click_count=3)
    expect(claim.locator("tbody tr")).to_have_count(25)  # a page of 31
    assert claim.locator(".dt-container").count() == 1
    claim.get_by_label("Search").fill("p_step=17")
    expect(claim.locator("tbody tr")).to_have_count(1)
    effect = 'as "said", <b> 0.05263 ± 0.01, printed 0.5'
    assert effect in claim.locator("tbody tr").inner_text()
    assert "none" not in claim.locator("tbody tr").inner_text()
    claim.get_by_role("button", name="Copy as CSV").click()
    page.locator(".dt-button-info").wait_for()
    copied = list(csv.DictReader(io.StringIO(page.evaluate("navigator.clipboard.readText()"))))
    assert [row["reading"] for row in copied] == ["p_step=17"]
    assert copied[0]["estimate"] == f"{1 / 19:.9g}"
    assert copied[0]["effect"] == effect


def test_the_keyboard_reaches_claim_evidence_and_sorting(visit):
    page = visit("claims")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.get_by_label("Text", exact=True).select_option("jrr")
    page.locator("#claim-jrr-claim-9 > summary").focus()
    page.keyboard.press("Enter")
    page.locator("[data-sheet=claim-jrr-claim-9] summary").focus()
    page.keyboard.press("Enter")
    page.locator("#claim-jrr-claim-9 .dt-container").wait_for()
    page.locator("#claim-jrr-claim-9 th [role=button]").first.focus()
    page.keyboard.press("Enter")
    page.locator("#claim-jrr-claim-9 th[aria-sort=ascending]").wait_for()

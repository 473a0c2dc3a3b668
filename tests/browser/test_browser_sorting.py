# ruff: noqa: RUF001 (characters in the report)
"""Tables are sorted by their headings: click, touch and keys; the layer that is shown counts."""

import pytest
from playwright.sync_api import expect

SMALL = """
document.querySelector("#pairs-jrr").insertAdjacentHTML("beforeend", `<table class="grid" id="planted">
  <thead><tr><th scope="col">setting</th><th scope="col">error</th><th scope="col">share</th></tr></thead>
  <tbody>${[["n = 100", "1,234", "5 of 6"], ["n = 20", "8.3×10⁻³", "–"],
    ["n = 3", "−0.5", "1 of 30"], ["n = 4", "9", "2 of 2"]]
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("")}</tbody></table>`);
for (const heading of document.querySelectorAll("#planted th")) {
  heading.addEventListener("click", () => sortBy(heading));
}
"""


def column(table, number=1):
    return [text.strip() for text in table.locator(f"tbody tr > :nth-child({number})").all_inner_texts()]


@pytest.fixture
def page(visit):
    return visit("jrr", "#pairs-jrr")


@pytest.mark.parametrize(
    ("heading", "ascending", "descending"),
    [
        ("setting", [2, 3, 1, 0], [0, 1, 3, 2]),
        ("error", [2, 1, 3, 0], [0, 3, 1, 2]),
        ("share", [2, 0, 3, 1], [3, 0, 2, 1]),
    ],
)
def test_numbers_are_sorted_as_numbers_and_missing_ones_are_last(page, heading, ascending, descending):
    page.evaluate(SMALL)
    table = page.locator("#planted")
    before = column(table)
    # The text of settings is sorted by the numbers in it: n = 3, n = 4, n = 20, n = 100.
    for order in (ascending, descending):
        table.locator("th", has_text=heading).click()
        assert column(table) == [before[place] for place in order]


def test_a_grid_of_winners_is_sorted_by_keys_alone_and_says_so(page):
    grid = page.locator("table.grid").first
    heading = grid.locator("thead th").first
    assert grid.locator("[aria-sort]").count() == 0
    before = column(grid)
    heading.get_by_role("button").focus()
    page.keyboard.press("Enter")
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert sorted(column(grid)) == sorted(before)
    page.keyboard.press("Space")
    expect(heading).to_have_attribute("aria-sort", "descending")
    other = grid.locator("thead th").last
    other.get_by_role("button").click()
    expect(other).to_have_attribute("aria-sort", "ascending")
    assert grid.locator("[aria-sort]").count() == 1


def test_a_table_of_numbers_and_the_pairs_are_sorted_by_a_tap(visit):
    page = visit("jrr", "#pairs-jrr", width=390, has_touch=True)
    for table in (page.locator("table.pairs"), page.locator("div.numbers table.sheet").first):
        heading = table.locator("thead th").last
        heading.get_by_role("button").tap()
        expect(heading).to_have_attribute("aria-sort", "ascending")
        box = heading.get_by_role("button").bounding_box()
        assert min(box["width"], box["height"]) >= 24

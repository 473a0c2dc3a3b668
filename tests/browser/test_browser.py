"""Actions of a reader on the page."""

import csv
import io
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect


def shown(page):
    return page.locator("article.claim:visible").count()


def ids(page):
    return page.locator("article.claim:visible").evaluate_all("all => all.map((one) => one.id)")


def eventually(page, holds, steps=100):
    """Poll every 50 ms from outside, since the page's script policy forbids polling a condition within it."""
    for _ in range(steps):
        if holds():
            return
        page.wait_for_timeout(50)
    assert holds()


def test_the_scoreboard_filters_the_claims(visit):
    page = visit()
    page.get_by_role("link", name="4 not reproduced, castell").click()
    expect(page.locator("#shown")).to_have_text("4 of 65 claims")  # a fifth is a slip
    assert shown(page) == 4
    assert set(page.locator("article.claim:visible").evaluate_all("all => all.map((one) => one.dataset.verdict)")) == {
        "not-reproduced"
    }
    page.get_by_role("button", name="Show all").click()
    expect(page.locator("#shown")).to_have_text("65 of 65 claims")
    assert page.evaluate("location.hash") == "#claims"


def test_words_and_choices_narrow_the_claims_and_the_address_keeps_them(visit):
    page = visit("#claims")
    page.get_by_label("Words").fill("SPECIAL number")
    assert shown(page) == 2
    page.get_by_label("Paper", exact=True).select_option("jrr")
    assert shown(page) == 1
    page.get_by_text("More filters").click()
    page.get_by_label("Check").select_option("value")
    assert shown(page) == 0
    page.get_by_label("Check").select_option("ordering")
    again = visit(page.evaluate("location.hash"))
    assert again.locator("#shown").text_content() == "1 of 65 claims"
    assert again.locator("article.claim:visible").get_attribute("id") == "claim-jrr-claim-7"
    assert again.get_by_label("Words").input_value() == "SPECIAL number"
    assert again.get_by_label("Check").is_visible()


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("Origin", "ours", ["jrr-claim-10", "castell-claim-10"]),
        ("Origin", "definition", ["jrr-claim-15", "castell-claim-15"]),
        ("Weight", "headline", ["jrr-claim-6", "jrr-claim-11", "castell-claim-6", "castell-claim-11"]),
        ("Weight", "detail", ["jrr-claim-16", "castell-claim-16"]),
        ("Score", "slip", ["jrr-claim-12", "castell-claim-12"]),
        ("Score", "no", ["jrr-claim-10", "jrr-claim-15", "castell-claim-10", "castell-claim-15"]),
        ("Verdict", "no-data", ["jrr-claim-20", "castell-claim-20"]),
    ],
)
def test_claims_are_chosen_by_origin_weight_score_and_verdict(visit, field, value, found):
    page = visit("#claims")
    page.get_by_label(field, exact=True).select_option(value)
    expect(page.locator("#shown")).to_have_text(f"{len(found)} of 65 claims")
    assert sorted(ids(page)) == sorted(f"claim-{name}" for name in found)
    assert (
        page.evaluate("location.hash")
        == f"#claims?{page.get_by_label(field, exact=True).get_attribute('name')}={value}"
    )


def test_claims_are_chosen_by_the_answer_of_a_column(visit):
    page = visit()
    page.get_by_role("link", name="23 fails as stated, jrr").click()
    again = visit(page.evaluate("location.hash"))
    for one in (page, again):
        chosen = {
            name: one.locator(f"[name={name}]").input_value() for name in ("paper", "counts", "as_stated", "as_run")
        }
        assert chosen == {"paper": "jrr", "counts": "yes", "as_stated": "fails", "as_run": ""}
        assert one.get_by_label("As stated", exact=True).is_visible()
        assert len(ids(one)) == 23


@pytest.mark.parametrize("width", [390, 1280])
def test_a_claim_shows_its_three_columns(visit, width):
    page = visit("#claim-jrr-claim-8", width=width)
    columns = page.locator("#claim-jrr-claim-8 .views > div")
    assert columns.locator("dt").all_inner_texts() == ["As stated", "As run", "By the paper's own numbers"]
    stated, run, own = (text.split("\n") for text in columns.all_inner_texts())
    assert stated[1:] == ["✗ fails: ours 0.3", "z = -1.5"]
    assert run[1:] == ["✗ fails: ours 0.2", "a step of 2 (the printed numbers of Figure 1)"]
    assert own[1:] == ["✗ fails: printed 0.5"]
    tops = columns.evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert len(set(tops)) == (1 if width > 640 else 3)


def test_a_shared_cause_lists_its_claims_and_a_claim_leads_to_its_cause(visit):
    page = visit("#claim-jrr-claim-11")
    page.locator("#claim-jrr-claim-11").get_by_role("link", name="all claims with this cause").click()
    cause = page.locator("#cause-jrr-sign")
    eventually(page, lambda: -2 < cause.bounding_box()["y"] < 400)
    cause.locator("summary").click()
    assert cause.locator(".beneath li:visible").count() == 2


def test_a_claim_leads_to_what_was_run_for_its_exhibit(visit):
    page = visit("#claim-jrr-claim-8")
    page.locator("#claim-jrr-claim-8").locator(".links").get_by_role("link", name="Figure 1", exact=True).click()
    ran = page.locator("#run-jrr-fig1")
    eventually(page, lambda: -2 < ran.bounding_box()["y"] < 400)
    assert ran.locator("tbody th").inner_text().startswith("a step of 2")


@pytest.mark.parametrize("target", ["claim-castell-claim-24", "figure-castell-fig1", "table-jrr-table1"])
def test_a_deep_link_shows_its_target(visit, target):
    page = visit(f"#{target}")
    eventually(page, lambda: -2 < page.locator(f"#{target}").bounding_box()["y"] < 400)


def test_a_link_to_a_claim_that_is_filtered_out_shows_it(visit):
    page = visit("#claims?paper=castell")
    assert not page.locator("#claim-jrr-claim-3").is_visible()
    page.locator("#figure-jrr-fig1 details.about summary").click()
    page.locator("#figure-jrr-fig1 details.about a").nth(1).click()
    expect(page.locator("#shown")).to_have_text("65 of 65 claims")
    assert page.locator("#claim-jrr-claim-3").is_visible()


def test_a_back_step_restores_the_filter(visit):
    page = visit("#claims?verdict=undecided")
    page.evaluate("location.hash = '#claims?verdict=reproduced&paper=jrr'")
    expect(page.locator("#shown")).to_have_text("7 of 65 claims")
    page.go_back()
    expect(page.locator("#shown")).to_have_text("13 of 65 claims")


def test_layers_of_a_figure_are_switched_one_by_one(visit):
    page = visit("#figure-jrr-fig1")
    figure = page.locator("#figure-jrr-fig1")
    for name, layer in (("published points", "published"), ("theory", "theory"), ("other readings", "readings")):
        parts = figure.locator(f".layer-{layer}")
        assert parts.count() == 4
        figure.get_by_label(name).uncheck()
        assert not parts.first.is_visible()
        assert (
            page.locator(f"#figure-castell-fig1 .layer-{layer}").first.evaluate("one => getComputedStyle(one).display")
            != "none"
        )
        figure.get_by_label(name).check()
        assert parts.first.is_visible()


# The position of a value of RR in pixels of its drawing, after moving the given number of other rows (0 to 23) half a
# unit away from it.
SPOT = """async (others) => {
    const { points, sheets } = await numbersOf("jrr");
    const [sheet, drawn] = [sheets["figure-jrr-fig1"], points["figure-jrr-fig1"]];
    const column = (name) => sheet.columns.findIndex((one) => one.name === name);
    const wanted = { mechanism: "RR", n: "1,000", epsilon: "0.5", reading: "strict" };
    const fits = ([row]) => Object.entries(wanted).every(
        ([name, text]) => textOf(sheet.rows[row][column(name)]) === text);
    const [chosen, x, y] = drawn.find(fits);
    const rows = [...sheet.rows.keys()].filter((row) => row !== chosen).slice(0, others);
    for (const point of drawn) if (rows.includes(point[0])) [point[1], point[2]] = [x + 0.3, y + 0.4];
    const drawing = document.querySelector("#svg-jrr-fig1");
    const place = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM());
    const { left, top } = drawing.getBoundingClientRect();
    return { x: place.x - left, y: place.y - top };
}"""


def point_at_a_value(page, others=0):
    """Show the tip of one value, with which a given number of others coincide."""
    spot = page.evaluate(SPOT, others)
    # Hovering waits until the page stops moving.
    page.locator("#svg-jrr-fig1").hover(position={"x": spot["x"] - 2, "y": spot["y"] - 2})
    page.locator("#tip").wait_for()


def test_pointing_at_a_value_tells_its_numbers(visit):
    page = visit("#figure-jrr-fig1")
    point_at_a_value(page)
    assert page.locator("#tip table").count() == 0
    text = page.locator("#tip").inner_text().split()
    assert {"RR", "1,000", "0.5", "1,731", "34.29", "1,714", "2,251"} <= set(text)
    assert not {"step", "panel"} & set(text)
    page.mouse.move(2, 2)
    page.locator("#tip").wait_for(state="hidden")


@pytest.mark.parametrize(("others", "lines", "rest"), [(1, 2, []), (5, 6, []), (8, 6, ["and 3 more"])])
def test_values_drawn_at_one_place_are_told_together(visit, others, lines, rest):
    page = visit("#figure-jrr-fig1")
    point_at_a_value(page, others)
    told = page.locator("#tip tr").all_inner_texts()
    assert len(told) == 1 + lines
    assert {"1,731", "34.29", "1,714", "2,251"} <= set(told[1].split())  # the nearest one first
    assert len(set(told)) == len(told)
    assert page.locator("#tip p").all_inner_texts() == rest


def test_what_values_at_one_place_share_is_told_once(visit):
    """The first row, moved to the chosen one of RR, is also RR's, at another n and epsilon."""
    page = visit("#figure-jrr-fig1", width=390)
    point_at_a_value(page, 1)
    listed = dict(zip(*(page.locator(f"#tip {name}").all_inner_texts() for name in ("dt", "dd")), strict=True))
    heads = page.locator("#tip th").all_inner_texts()
    assert listed["mechanism"] == "RR"
    assert "mean" in heads
    assert not set(listed) & set(heads)
    box = page.locator("#tip").bounding_box()
    assert 0 <= box["x"] < box["x"] + box["width"] <= 390


def test_numbers_drawn_sort_and_are_saved_whole(visit, report_page):
    page = visit("#figure-jrr-fig1")
    figure = page.locator("#figure-jrr-fig1")
    figure.locator("summary").click()
    figure.get_by_role("button", name=re.compile("^mean")).click()
    figure.locator("th[aria-sort=ascending]").wait_for()
    column = [heading.split("\n")[0] for heading in figure.locator("thead th").all_inner_texts()].index("mean")
    means = [
        float(text.replace(",", "")) for text in figure.locator(f"tbody td:nth-child({column + 1})").all_inner_texts()
    ]
    assert len(means) == 24
    assert means == sorted(means)
    with page.expect_download() as download:
        figure.get_by_role("button", name="Save as CSV").click()
    saved = list(csv.DictReader(download.value.path().open(encoding="utf-8-sig")))
    file = list(csv.DictReader((report_page.parent / "figures/jrr/fig1.csv").open(encoding="utf-8")))
    assert sorted(saved, key=str) == sorted(file, key=str)


def test_evidence_opens_on_demand_and_is_copied_as_csv(visit):
    page = visit("#claim-jrr-claim-29", permissions=["clipboard-read", "clipboard-write"])
    claim = page.locator("[data-sheet=claim-jrr-claim-29]")
    assert claim.locator("table").count() == 0
    claim.locator("summary").click(click_count=3)
    claim.locator("table").wait_for()
    assert claim.locator(".dt-container").count() == 1
    assert claim.locator("tbody tr").count() == 25  # a page of 31
    claim.get_by_label("Search").fill("p_step=17")
    expect(claim.locator("tbody tr")).to_have_count(1)
    assert 'as "said", <b>, 7 %' in claim.locator("tbody tr").inner_text()
    assert "none" not in claim.locator("tbody tr").inner_text()
    claim.get_by_role("button", name="Copy as CSV").click()
    page.locator(".dt-button-info").wait_for()
    copied = list(csv.DictReader(io.StringIO(page.evaluate("navigator.clipboard.readText()"))))
    assert [row["reading"] for row in copied] == ["p_step=17"]
    assert copied[0]["estimate"] == str(1 / 19)
    assert copied[0]["effect"] == 'as "said", <b>, 7 %'


def test_a_table_of_the_paper_becomes_sortable(visit):
    page = visit("#table-jrr-table1")
    table = page.locator("#table-jrr-table1")
    before = table.locator("tbody").inner_text()
    table.get_by_role("button", name="Sort, search or copy as CSV").click()
    table.locator(".dt-container").wait_for()
    assert table.locator("tbody").inner_text() == before
    table.get_by_role("button", name=re.compile("^JRR")).click()
    table.locator("th[aria-sort=ascending]").wait_for()
    values = [float(text) for text in table.locator("tbody td:last-child").all_inner_texts()]
    assert values == sorted(values)


def test_the_keyboard_reaches_filter_evidence_and_sorting(visit):
    page = visit()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.locator("[data-sheet=claim-jrr-claim-9] summary").focus()
    page.keyboard.press("Enter")
    page.locator("#claim-jrr-claim-9 .dt-container").wait_for()
    page.locator("#claim-jrr-claim-9 th [role=button]").first.focus()
    page.keyboard.press("Enter")
    page.locator("#claim-jrr-claim-9 th[aria-sort=ascending]").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_readers_choice(visit, scheme):
    page = visit(scheme=scheme)
    ground = "getComputedStyle(document.body).backgroundColor"
    by_system = page.evaluate(ground)
    other = {"light": "dark", "dark": "light"}[scheme]
    page.get_by_label("Colours").select_option(other)
    assert page.evaluate(ground) != by_system
    page.reload()
    assert page.evaluate(ground) != by_system
    page.get_by_label("Colours").select_option("")
    assert page.evaluate(ground) == by_system


@pytest.mark.parametrize("width", [390, 1280, 1920])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_and_nothing_overflows(visit, width, scheme):
    page = visit("#claim-jrr-claim-29", width=width, scheme=scheme)
    page.evaluate("for (const box of document.querySelectorAll('details:not(.numbers)')) box.open = true")
    for name in ("claim-jrr-claim-29", "claim-jrr-claim-29-comparisons", "figure-jrr-fig1"):
        page.locator(f"[data-sheet={name}] summary").click()
        page.locator(f"[data-sheet={name}] .dt-container").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    assert [(entry["id"], entry["impact"], entry["nodes"][0]["html"]) for entry in found] == []


def test_without_scripts_all_claims_are_there(visit):
    page = visit(java_script_enabled=False)
    assert shown(page) == 65
    assert page.locator(".scripted:visible").count() == 0
    assert page.locator("noscript").is_visible()


def test_paper_shows_claims_and_no_controls(visit):
    page = visit("#claims?paper=castell", scheme="dark")
    page.emulate_media(media="print")
    assert shown(page) == 25
    assert page.locator("button:visible, .filter:visible, .layers:visible, nav:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).colorScheme || 'light'") != "dark"

"""Figures and tables of a text: their values by mouse, touch and keys, layers, enlarging, sorting and saving."""

import csv
import re

import pytest
from playwright.sync_api import expect
from waiting import eventually

# The position of a value of RR in pixels of its drawing, after moving the given number of other rows (0 to 23) half a
# unit away from it.
SPOT = """async (others) => {
    const { points, sheets } = await numbersOf();
    const [sheet, drawn] = [sheets["figure-jrr-fig1"], points["figure-jrr-fig1"]];
    const column = (name) => sheet.columns.findIndex((one) => one.name === name);
    const wanted = { mechanism: "RR", n: "1,000", epsilon: "0.5", reading: "the text as it stands" };
    const fits = ([row]) => Object.entries(wanted).every(
        ([name, text]) => textOf(sheet.rows[row][column(name)]) === text);
    const [chosen, x, y] = drawn.find(fits);
    const rows = [...sheet.rows.keys()].filter((row) => row !== chosen).slice(0, others);
    for (const point of drawn) if (rows.includes(point[0])) [point[1], point[2]] = [x + 0.3, y + 0.4];
    const drawing = document.querySelector("#svg-figure-jrr-fig1");
    const place = new DOMPoint(x, y).matrixTransform(drawing.getScreenCTM());
    const { left, top } = drawing.getBoundingClientRect();
    return { x: place.x - left, y: place.y - top };
}"""
TOLD = {"RR", "1,000", "0.5", "1,731", "34.29", "1,714", "2,251"}


def point_at_a_value(page, others=0):
    """Show the tip of one value, with which a given number of others coincide."""
    page.locator("#svg-figure-jrr-fig1").wait_for()
    spot = page.evaluate(SPOT, others)

    def told():
        """Hover twice, since the first time may scroll the drawing, which hides the tip."""
        for away in (3, 2):
            page.locator("#svg-figure-jrr-fig1").hover(position={"x": spot["x"] - away, "y": spot["y"] - 2})
        return page.locator("#tip").is_visible()

    eventually(page, told)


def ring_at(page):
    return page.locator(".ring").evaluate("one => [Number(one.getAttribute('cx')), Number(one.getAttribute('cy'))]")


def assert_inside(page, locator):
    box, size = page.locator(locator).bounding_box(), page.viewport_size
    assert -1 < box["x"] < box["x"] + box["width"] < size["width"] + 1  # browsers scroll by whole pixels
    assert -1 < box["y"] < box["y"] + box["height"] < size["height"] + 1


def test_pointing_at_a_value_tells_its_numbers(visit):
    page = visit("jrr", "#figure-jrr-fig1")
    point_at_a_value(page)
    assert page.locator("#tip table").count() == 0
    text = set(page.locator("#tip").inner_text().split())
    assert text >= TOLD
    assert not {"step", "panel"} & text
    page.mouse.move(2, 2)
    page.locator("#tip").wait_for(state="hidden")


def test_touching_a_value_tells_its_numbers_until_the_page_scrolls(visit):
    page = visit("jrr", "#figure-jrr-fig1", width=390, has_touch=True)
    page.locator("#svg-figure-jrr-fig1").wait_for()
    spot = page.evaluate(SPOT, 0)

    def told():
        page.locator("#svg-figure-jrr-fig1").tap(position=spot)
        return page.locator("#tip").is_visible()

    eventually(page, told)
    assert set(page.locator("#tip").inner_text().split()) >= TOLD
    assert_inside(page, "#tip")
    page.evaluate("scrollBy(0, 40)")
    page.locator("#tip").wait_for(state="hidden")


def test_arrow_keys_walk_through_all_values_with_the_tip_in_the_window(visit):
    page = visit("jrr", "#figure-jrr-fig1", width=320)
    page.set_viewport_size({"width": 320, "height": 400})
    page.locator("#svg-figure-jrr-fig1").wait_for()
    box = page.locator("#figure-jrr-fig1 .drawing >> nth=0")
    box.focus()
    box.evaluate("box => scrollBy(0, box.getBoundingClientRect().top - innerHeight + 20)")  # only its edge is in view
    tip, told, places = page.locator("#tip"), [], []
    drawn = page.evaluate(
        "numbersOf().then(({ points }) => points['figure-jrr-fig1'].map(([, x, y]) => [x, y]).sort())"
    )
    assert len(drawn) == 36  # 24 rows, of which 12 have a published point as well
    for key in ["ArrowRight"] * 30 + ["ArrowDown"] * 6:
        page.keyboard.press(key)
        eventually(page, lambda: tip.is_visible() and ring_at(page) not in places)
        assert_inside(page, "#tip")
        assert_inside(page, ".ring")
        told.append(tip.inner_text())
        places.append(ring_at(page))
    assert sorted(places) == sorted(drawn)
    assert [x for x, _ in places] == sorted(x for x, _ in drawn)
    assert len(set(told)) == 24
    for key, place in (("ArrowRight", 0), ("ArrowLeft", -1), ("ArrowUp", -2)):
        page.keyboard.press(key)
        eventually(page, lambda place=place: tip.is_visible() and ring_at(page) == places[place])
        assert tip.inner_text() == told[place]
    for key in ("Escape", "ArrowLeft", "Tab"):
        page.keyboard.press(key)
        tip.wait_for(state="visible" if key == "ArrowLeft" else "hidden")


@pytest.mark.parametrize(("others", "lines", "rest"), [(5, 6, []), (8, 6, ["and 3 more"])])
def test_values_drawn_at_one_place_are_told_together(visit, others, lines, rest):
    page = visit("jrr", "#figure-jrr-fig1")
    point_at_a_value(page, others)
    told = page.locator("#tip tr").all_inner_texts()
    assert len(told) == 1 + lines
    assert {"1,731", "34.29", "1,714", "2,251"} <= set(told[1].split())  # the nearest one first
    assert len(set(told)) == len(told)
    assert page.locator("#tip p").all_inner_texts() == rest


def test_layers_of_a_figure_are_switched_one_by_one(visit):
    page = visit("jrr", "#figure-jrr-fig1")
    figure = page.locator("#figure-jrr-fig1")
    for name, layer in (("points (hollow)", "published"), ("theory", "theory"), ("other readings", "readings")):
        parts = figure.locator(f".layer-{layer}")
        expect(parts).to_have_count(4)
        figure.get_by_label(name).uncheck()
        expect(parts.first).to_be_hidden()
        assert [figure.get_by_role("checkbox").nth(place).is_checked() for place in range(3)].count(True) == 2
        figure.get_by_label(name).check()
        expect(parts.first).to_be_visible()


def test_a_figure_is_enlarged_and_comes_back(visit):
    page = visit("jrr", "#figure-jrr-fig1", width=390)
    figure, dialog = page.locator("#figure-jrr-fig1"), page.locator("dialog#large")
    page.locator("#svg-figure-jrr-fig1").wait_for()
    before = page.locator("#svg-figure-jrr-fig1").bounding_box()["width"]
    for close in (lambda: page.keyboard.press("Escape"), lambda: dialog.get_by_role("button", name="Close").click()):
        figure.get_by_role("button", name="Enlarge").click()
        expect(dialog).to_be_visible()
        assert dialog.locator("#svg-figure-jrr-fig1").bounding_box()["width"] >= before
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        point_at_a_value(page)
        assert_inside(page, "#tip")
        assert page.locator("dialog #tip").count() == 1
        close()
        expect(dialog).not_to_be_visible()
        assert not page.locator("#tip").is_visible()
        expect(figure.locator("figure > .drawing")).to_have_count(1)
    assert page.locator("#svg-figure-jrr-fig1").bounding_box()["width"] == before


def test_a_figure_out_of_view_is_drawn_when_it_comes_near_or_is_printed(visit):
    page = visit()
    page.add_init_script(
        "const far = new CSSStyleSheet(); far.replaceSync('body { padding-top: 2000px !important }');"
        "document.adoptedStyleSheets = [far]"
    )
    page.goto(page.url.replace("index", "jrr"))
    box = page.locator("#figure-jrr-fig1 .drawing >> nth=0")
    assert box.locator("svg").count() == 0
    height = box.evaluate("box => { dispatchEvent(new Event('beforeprint')); return box.offsetHeight }")
    expect(box.locator("svg")).to_have_count(1)
    assert box.evaluate("box => box.offsetHeight") == pytest.approx(height, abs=1)  # its place was kept


def test_numbers_drawn_sort_and_are_saved_whole(visit, directory):
    page = visit("jrr", "#figure-jrr-fig1")
    figure = page.locator("#figure-jrr-fig1")
    figure.locator(".numbers > summary").click()
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
    file = list(csv.DictReader((directory / "figures/jrr/fig1.csv").open(encoding="utf-8")))
    assert sorted(saved, key=str) == sorted(file, key=str)


def test_a_thumbnail_of_many_panels_shows_the_first_row_until_it_opens(visit):
    page = visit("jrr")
    page.locator("#svg-figure-jrr-fig1").wait_for()
    shown = """() => {
        const drawing = document.querySelector("#svg-figure-jrr-fig1"), part = whole(drawing);
        for (let copies = 0; copies < 2; copies++)
            drawing.append(...[...drawing.querySelectorAll(".panel")].map((one) => one.cloneNode(true)));
        crop(drawing, part);
        return drawing.viewBox.baseVal.height;
    }"""
    height = "document.querySelector('#svg-figure-jrr-fig1').viewBox.baseVal.height"
    heights = page.evaluate(height), page.evaluate(shown)
    assert heights[1] < 0.85 * heights[0]
    exhibit = page.locator("#figure-jrr-fig1")
    message, keys = (exhibit.locator(f"> figure > figcaption{which}") for which in (":not(.keys)", ".keys"))
    expect(message).to_contain_text("(8 panels)")
    assert {"RR", "JRR"} <= {*keys.locator("text").all_text_contents()}
    exhibit.locator(".whole > summary").click()
    eventually(page, lambda: page.evaluate(height) == heights[0])
    expect(message).not_to_be_visible()
    expect(keys).not_to_be_visible()

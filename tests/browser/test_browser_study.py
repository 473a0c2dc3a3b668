"""The page of a study answers first, and its figures and tables work as those of the papers do."""

import csv
import re

from playwright.sync_api import expect


def test_the_answers_come_before_everything_else(visit, study):
    page = visit(study)
    answers = page.locator("#answers .conclusions > li")
    assert answers.count() == 5
    assert answers.first.inner_text().startswith("From public facts alone: ")
    assert answers.last.bounding_box()["y"] < 1100
    answers.nth(3).get_by_role("link", name="more").click()
    expect(page.locator("#leakage-heading")).to_be_in_viewport()


def test_figures_and_tables_work_as_those_of_papers_do(visit, study, directory):
    """They have the same scripts, which the tests of papers' pages examine."""
    page = visit(study)
    figure, table = page.locator("#figure-error"), page.locator("#table-budget")
    box, line = figure.locator(".drawing"), figure.locator(".layer-theory").first
    box.scroll_into_view_if_needed()
    expect(line).to_be_attached()
    box.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tip")).to_contain_text("SPL")
    figure.get_by_label("closed forms").uncheck()
    expect(line).to_have_css("display", "none")
    table.get_by_role("button", name="Sort, search or copy as CSV").click()
    with page.expect_download() as download:
        table.get_by_role("button", name="Save as CSV").click()
    saved = list(csv.DictReader(download.value.path().open(encoding="utf-8-sig")))
    file = list(csv.DictReader((directory / "study/budget.csv").open(encoding="utf-8")))
    assert [float(row["epsilon"]) for row in saved] == [float(row["epsilon"]) for row in file]


def test_warnings_are_in_view_of_a_telephone(visit, study):
    page = visit(study, width=390)
    warning = page.get_by_text("This page is not private.")
    assert warning.bounding_box()["y"] < 844
    assert re.search("Rare cells: 1 value of illness", page.locator("#leakage").inner_text())
    assert page.locator("#leakage b").count() == 0


def test_without_scripts_the_tables_are_there(visit, study):
    page = visit(study, java_script_enabled=False)
    assert page.locator(".scripted:visible").count() == 0
    assert page.locator("table.sheet:visible").count() >= 7
    assert page.locator("noscript").is_visible()

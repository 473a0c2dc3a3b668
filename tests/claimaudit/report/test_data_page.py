"""The pages on data and on how the report was made: what each text used, what is missing, and stand-ins."""

import re
from dataclasses import replace

import pytest
from outline import words_of

from claimaudit.results import TableRecord

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize(
    ("name", "missing", "told"),
    [
        ("Mushroom", True, "8k records, 2 attributes. A repository [2]. Table 3"),
        ("Mushroom", True, "Two attributes: 8,124 records, 2 attributes As printed."),
        ("Mushroom", True, "no data: no source answered, and a stand-in took its place"),
        ("Mushroom", True, "Nothing known."),
        ("Census", True, "no data: optional, and left out of this run"),
        ("Survey", True, "no data: only a user can supply it"),
        ("Survey", True, "Number of records not stated, number of attributes not stated. No source stated."),
        ("Kosarak", False, "no records are needed: only printed counts are used"),
        ("Kosarak", False, "20,000 records of which 659 hold 1, as printed"),
        ("made up", False, "Made here."),
        ("Adult", False, "original file, from mirror directory"),
        ("Adult", False, "Not in the text; only questions of ours use it."),
        ("Adult", False, "32,561 records less those with “?”, 15 attributes"),
    ],
)
def test_a_row_says_what_the_text_and_we_use_what_differs_and_why_data_are_missing(pages, name, missing, told):
    [(mark, row)] = re.findall(f'<tr data-used="{name}"(.*?)>(.*?)</tr>', pages["data.html"], re.DOTALL)
    assert bool(mark) is missing
    assert told in words_of(row)


def test_the_overview_says_what_this_run_has_and_which_claims_lack_data(pages):
    (overview,) = re.findall('<table id="overview">(.*?)</table>', pages["data.html"], re.DOTALL)
    rows = dict(re.findall('<th scope="row">(.*?)</th>(.*?)</tr>', overview, re.DOTALL))
    assert {extent: re.findall('href="#data-(.*?)"', row) for extent, row in rows.items()} == {
        **{"original": ["adult"], "only counts known": ["clicks"]},
        "missing": ["mushroom", "people", "survey"],
    }
    claims = '<a href="claims.html#claims?paper=jrr&counts=yes&verdict=no-data">1 counted claim without data</a>'
    assert [extent for extent, row in rows.items() if claims in row] == ["missing"]


def test_each_data_set_has_licence_address_and_what_a_user_can_supply(pages, outlines):
    listed = dict(re.findall('<tr id="data-(.*?)"(.*?</tr>)', pages["data.html"], re.DOTALL))
    assert [*listed] == ["adult", "clicks", "mushroom", "people", "survey"]
    assert 'href="https://data.example/mushroom.data"' in listed["mushroom"]
    assert "3,974,305 bytes" in listed["mushroom"]
    assert "CC BY 4.0" in listed["people"]
    assert words_of(listed["survey"]).endswith("Name the file. Lost.")
    assert {"theirs-jrr", "data", "used"} <= set(outlines["data.html"].ids)
    assert "theirs-castell" not in outlines["data.html"].ids


def test_a_claim_without_data_leads_to_the_page(pages):
    assert pages["claims.html"].count('href="data.html#theirs-jrr"') == 1
    (where,) = re.findall(
        'data-verdict="no-data"[^>]*>\\s*<summary>.*?class="where">(.*?)</span>', pages["claims.html"]
    )
    assert where.endswith(" · needs data for which no source answered, so that a stand-in took their place: mushroom")


def test_a_missing_file_says_how_many_claims_it_gives_data_to_and_the_command(pages):
    (told,) = re.findall(r'<p class="unlocks">(.*?)</p>', pages["data.html"])
    assert told.startswith("It gives data to 1 counted claim alone, to 1 with the other missing files.")
    assert "<code>judge jrr</code>" in told


def fact(text, name):
    return re.sub("<.*?>", "", re.search(f"<dt>{name}</dt><dd>(.*?)</dd>", text)[1])


NO_COMMIT = {"commit": "", "changed": False, "repository": ""}


def test_stand_ins_are_announced_only_when_used(contents, pages, render):
    marks = ("<strong>Stand-in data</strong>", 'class="standin"', "(stand-in data)")
    assert all(mark in pages["jrr.html"] for mark in marks)
    contents.data[:] = [replace(record, status="original") for record in contents.data]
    contents.records.update({key: replace(record, standin=()) for key, record in contents.records.items()})
    quiet = "".join(render(source={"version": "", "licence": "", "authors": "", "date": "", **NO_COMMIT}).values())
    assert not any(mark in quiet.replace("This run does not show it:", "") for mark in (marks[0], marks[2]))
    assert "stand-in (synthetic)" not in quiet


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"changed": True}, "abc1234, 2026-01-02 with local changes"),
        ({"commit": ""}, "not under version control"),
    ],
)
def test_provenance_names_commit_seed_and_libraries(setting, render, changes, words):
    text = render(source={**setting["source"], **changes})["provenance.html"]
    assert fact(text, "Commit") == words
    assert (fact(text, "Version"), fact(text, "Seed"), fact(text, "Libraries")) == ("0.1.0", "7", "numpy=2.4.1")
    assert f"note    = {{commit {changes.get('commit', 'abc1234') or 'unknown'}}}" in text
    for line in ("author  = {The authors of corrldp},", "version = {0.1.0},", "year    = {2026},"):
        assert line in text


def test_the_warning_stands_on_the_start_page_and_on_pages_of_texts_that_it_concerns(contents, render):
    contents.data[:] = [replace(record, status="stand-in") for record in contents.data]
    contents.records["castell/fig3"] = TableRecord("", standin=("mushroom_pair",))
    pages = render()
    warnings = {name: re.findall('<p class="warning".*?</p>', page) for name, page in pages.items()}
    found = {name: re.sub("<.*?>", "", warning[0]) for name, warning in warnings.items() if warning}
    says = "Stand-in data in place of {}: what rests on it has no data."
    assert found == {
        "index.html": says.format("adult, mushroom (castell, JRR)"),
        "jrr.html": says.format("adult, mushroom"),
        "certificate_jrr.html": says.format("adult, mushroom"),
        "castell.html": says.format("mushroom"),
        "certificate_castell.html": says.format("mushroom"),
    }


def test_commands_say_how_long_they_take_if_that_is_known(pages, render):
    estimated = render(takes={"figure": "2 s", "table": "1 s"})
    minutes = '<a href="provenance.html#stages">minutes from nothing</a>'
    assert f"fig3.pdf</code> (2 s once its results exist, {minutes}; also .svg, .png, .csv)" in estimated["jrr.html"]
    assert "fig3.pdf</code> (also .svg, .png, .csv)" in pages["jrr.html"]

"""The page on data: what each text used, what is used here, what is missing and how to supply it."""

import re

import pytest

pytestmark = pytest.mark.thorough


def words(markup):
    return " ".join(re.sub("<.*?>", " ", markup).split())


@pytest.fixture
def rows(pages):
    found = re.findall('<tr data-used="(.*?)"(.*?)>(.*?)</tr>', pages["data.html"], re.DOTALL)
    return {name: (bool(missing), words(row)) for name, missing, row in found}


def test_a_row_says_what_the_text_and_we_use_and_what_differs(rows):
    missing, text = rows["Mushroom"]
    assert missing
    for part in ("8k records, 2 attributes. A repository [2]. Table 3", "Two attributes: 8,124 records, 2 attributes"):
        assert part in text
    assert "As printed." in text
    assert text.endswith("Nothing known.")


def test_what_the_text_does_not_state_is_said(rows):
    assert "Number of records not stated, number of attributes not stated. No source stated." in rows["Survey"][1]


@pytest.mark.parametrize(
    ("name", "missing", "state"),
    [
        ("Mushroom", True, "no data: no source answered, and a stand-in took its place"),
        ("Census", True, "no data: optional, and left out of this run"),
        ("Survey", True, "no data: only a user can supply it"),
        ("Kosarak", False, "no records are needed: only printed counts are used"),
        ("Adult", False, "original file, from mirror directory"),
    ],
)
def test_no_data_says_which_of_the_kinds_it_is(rows, name, missing, state):
    assert rows[name][0] is missing
    assert state in rows[name][1]


def test_data_that_only_we_use_are_told_apart_with_the_records_left_out(rows):
    assert "Not in the text; only questions of ours use it." in rows["Adult"][1]
    assert "32,561 records less those with “?”, 15 attributes" in rows["Adult"][1]


def test_counts_stand_for_records(rows):
    assert "20,000 records of which 659 hold 1, as printed" in rows["Kosarak"][1]
    assert "Made here." in rows["made up"][1]


def test_each_data_set_has_licence_address_and_what_a_user_can_supply(pages, outlines):
    listed = dict(re.findall('<tr id="data-(.*?)"(.*?</tr>)', pages["data.html"], re.DOTALL))
    assert [*listed] == ["adult", "clicks", "mushroom", "people", "survey"]
    assert 'href="https://data.example/mushroom.data"' in listed["mushroom"]
    assert "3,974,305 bytes" in listed["mushroom"]
    assert "CC BY 4.0" in listed["people"]
    assert words(listed["survey"]).endswith("Name the file. Lost.")
    assert {"theirs-jrr", "data", "used"} <= set(outlines["data.html"].ids)
    assert "theirs-castell" not in outlines["data.html"].ids


def test_a_claim_without_data_leads_to_the_page(pages):
    assert pages["claims.html"].count('href="data.html#theirs-jrr"') == 1


def test_a_report_without_data_sets_says_so(setting, render):
    for paper in setting["papers"].values():
        paper["data"], paper["experiments"]["fig3"]["views"] = {}, []
    assert "No text names a data set." in render(**{"papers": setting["papers"]})["data.html"]


def test_a_missing_file_says_how_many_claims_it_gives_data_to_and_the_command(pages):
    (told,) = re.findall(r'<p class="unlocks">(.*?)</p>', pages["data.html"])
    assert told.startswith("It gives data to 1 claim alone, to 1 with the other missing files.")
    assert "<code>judge jrr</code>" in told

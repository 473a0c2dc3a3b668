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


@pytest.mark.parametrize(
    ("name", "missing", "told"),
    [
        ("Mushroom", True, "8k records, 2 attributes. A repository [2]. Table 3"),
        ("Mushroom", True, "Two attributes: 8,124 records, 2 attributes As printed."),
        ("Mushroom", True, "no data: no source answered, and a stand-in took its place"),
        ("Mushroom", True, "Nothing known."),
        ("Census", True, "no data: optional, and not asked for"),
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
def test_a_row_says_what_the_text_and_we_use_what_differs_and_why_data_are_missing(rows, name, missing, told):
    assert rows[name][0] is missing
    assert told in rows[name][1]


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

"""The page on how the report was made: commit, stages, data, and stand-ins on all pages."""

import re
from dataclasses import replace

import pytest

from claimaudit.results import TableRecord

pytestmark = pytest.mark.thorough


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
        ({}, "abc1234, 2026-01-02"),
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
    contents.records["castell", "fig3"] = TableRecord("", standin=("mushroom_pair",))
    pages = render()
    warnings = {name: re.findall('<p class="warning".*?</p>', page) for name, page in pages.items()}
    found = {name: re.sub("<.*?>", "", warning[0]) for name, warning in warnings.items() if warning}
    says = "Stand-in data in place of {}: what rests on it has no data."
    assert found == {
        "index.html": says.format("adult, mushroom (JRR, castell)"),
        "jrr.html": says.format("adult, mushroom"),
        "certificate_jrr.html": says.format("adult, mushroom"),
        "castell.html": says.format("mushroom"),
        "certificate_castell.html": says.format("mushroom"),
    }


def test_the_stages_count_what_was_made(pages):
    stages = re.findall(
        r"<li><strong>(.*?)</strong>.*?<span class=\"numbers-line\">(.*?)</span>", pages["provenance.html"]
    )
    assert [stage for stage in stages if stage[1]] == [
        ("Data", "2 files"),
        ("Experiments", "2 result tables"),
        ("Figures and tables", "2 figures, 1 table"),
        ("Verdicts", "7 claims"),
    ]

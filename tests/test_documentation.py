"""Examples on pages of the documentation print what the pages say, in a block below or in comments."""

import re
from pathlib import Path

import pytest

from claimaudit import configuration
from claimaudit.report.about import WaysFile

pytestmark = pytest.mark.thorough

DOCS = Path(__file__).resolve().parents[1] / "docs"
EXAMPLE = re.compile(r"```python\n(.*?)```(?:\n\nprints\n\n```\n(.*?)```)?", re.DOTALL)
PAGES = {"adding-a-mechanism": 1, "collecting": 3, "leakage": 1, "library": 5, "oracles": 1, "study": 1}
EXAMPLES = [
    pytest.param(*found, id=f"{page} {number}")
    for page, count in PAGES.items()
    for number, found in enumerate(EXAMPLE.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))[:count])
]


def unwrapped(text):
    """Join lines that a page continues below, indented."""
    return text.replace("\n  ", " ").splitlines()


@pytest.mark.parametrize(("code", "printed"), EXAMPLES)
def test_an_example_prints_what_the_page_says(code, printed, capsys):
    exec(code, {"__name__": "example"})
    lines = unwrapped(capsys.readouterr().out)
    said = unwrapped(printed) or re.findall(r"^ *print.*  # (?:.*: )?(.*)$", code, re.MULTILINE)
    assert lines == said
    assert lines


WAYS = [
    pytest.param(way, step, id=step.command.splitlines()[0])
    for way in configuration.load(DOCS.parent / "config/ways.yaml", WaysFile).ways
    for step in way.steps
]


@pytest.mark.parametrize(("way", "step"), WAYS)
def test_the_commands_of_the_report_are_those_of_its_pages(way, step):
    pages = "\n".join((DOCS.parent / page).read_text(encoding="utf-8") for page in way.pages)
    for line in step.command.replace("mypaper", "DIR").splitlines():
        assert line.split(" --settings")[0] in pages


def test_all_examples_were_tried():
    assert len(EXAMPLES) == sum(PAGES.values())

"""Examples on pages of the documentation print what the pages say, in a block below or in comments."""

import re
from pathlib import Path

import pytest

from claimaudit import yaml_files
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
    for way in yaml_files.load(DOCS.parent / "config/ways.yaml", WaysFile).ways
    for step in way.steps
]


@pytest.mark.parametrize(("way", "step"), WAYS)
def test_the_commands_of_the_report_are_those_of_its_pages(way, step):
    pages = "\n".join((DOCS.parent / page).read_text(encoding="utf-8") for page in way.pages)
    for line in step.command.replace("mypaper", "DIR").splitlines():
        assert line.split(" --settings")[0] in pages


def test_all_examples_were_tried():
    assert len(EXAMPLES) == sum(PAGES.values())


ROOT = DOCS.parent
SAID = [*ROOT.glob("*.md"), *(path for top in (DOCS, ROOT / "config", ROOT / "papers") for path in top.rglob("*.md"))]
COMMENTED = [path for top in (ROOT / "config", ROOT / "papers") for path in top.rglob("*.yaml")]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)")
NAMED = re.compile(r"(?<![\w/.])((?:config|docs|examples|papers|src|tests|tools|workflow)/[\w/.-]*\w)")


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", SAID, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_of_a_page_lead_somewhere(page):
    for name, anchor in LINK.findall(re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)):
        target = page.parent / name if name else page
        assert target.exists(), name
        assert not anchor or anchor in anchors(target), f"{name}#{anchor}"


@pytest.mark.parametrize("file", COMMENTED, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_comments_name_is_there(file):
    comments = "\n".join(re.findall(r"(?:^|\s)# (.*)$", file.read_text(), flags=re.M))
    named = {name for name in NAMED.findall(comments) if "papers/ID" not in name}
    assert {name for name in named if not (ROOT / name).exists()} == set()

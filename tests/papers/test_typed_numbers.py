"""No note, cause or conclusion types a number that our computation found; those are filled in, or left to the evidence.

A decimal fraction or a percentage in them is a setting, a threshold or a printed number of the paper's files, or its
sentence says that it speaks of the paper's text or points, or of our choice.
"""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from claimaudit.configuration import leaves
from claimaudit.papers.folder import Folder

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
PAPERS = sorted(path.parent.name for path in ROOT.glob("papers/*/paper.yaml"))
PROSE = ("note", "decides", "causes", "unchecked")
MEASURED = re.compile(r"(?<![\w.,])([0-9][0-9,]*\.[0-9]+|[0-9]+(?= ?%))(?!\w|\.\w)")
NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?(?:e-?[0-9]+)?")
SOURCE = re.compile(
    r"points|print|the text|Section [0-9IVX]|Tables? [0-9IVX]|Figures? [0-9]|Appendix|Algorithm|Eq\. |1/sqrt"
    r"|we took|strict|generous|rounded or cut off",
    re.IGNORECASE,
)


def numbers(text):
    """The numbers in a text, as they are, in per cent and as shares."""
    found = [float(number.replace(",", "")) for number in NUMBER.findall(text)]
    return {round(value * scale, 9) for value in found for scale in (1, 100, 0.01)}


def without_prose(content):
    if isinstance(content, dict):
        return {key: without_prose(value) for key, value in content.items() if key not in PROSE}
    return [without_prose(entry) for entry in content] if isinstance(content, list) else content


def prose(content):
    """Yield what the texts of a file of claims say in their notes and causes."""
    if isinstance(content, dict):
        for key, value in content.items():
            yield from map(str, leaves(value)) if key in PROSE else prose(value)
    elif isinstance(content, list):
        for entry in content:
            yield from prose(entry)


@cache
def known(paper):
    """The numbers of a paper's files but those in prose."""
    folder = Folder(ROOT / "papers" / paper)
    claims = without_prose(yaml.safe_load(folder.claims.read_text()))
    texts = [folder.paper.read_text(), " ".join(map(str, leaves(claims)))]
    return set().union(*map(numbers, [*texts, *(path.read_text() for path in folder.published.glob("*.csv"))]))


def typed(text, stated):
    """The numbers in a text that are neither stated nor said to be the paper's or our choice."""
    sentences = re.split(r"(?<=[.;]) +", " ".join(text.split()))
    found = [
        number[1] for sentence in sentences if not SOURCE.search(sentence) for number in MEASURED.finditer(sentence)
    ]
    return [number for number in found if not numbers(number) & stated]


@pytest.mark.parametrize("paper", PAPERS)
def test_notes_and_causes_type_no_number_of_ours(paper):
    texts = [*prose(yaml.safe_load((ROOT / f"papers/{paper}/claims.yaml").read_text()))]
    assert {text: found for text in texts if (found := typed(text, known(paper)))} == {}
    assert typed(f"{' '.join(texts)} The share is 84.7 %.", known(paper)) == ["84.7"]


def test_conclusions_type_no_number_of_ours():
    for entry in yaml.safe_load((ROOT / "config/conclusions.yaml").read_text()):
        stated = set().union(*(known(claim.partition("/")[0]) for claim in entry["rests_on"]))
        told = re.sub(r"\{[^}]*\}", "", f"{entry['states']} {entry.get('numbers', '')}")
        assert typed(told, stated) == []

"""What the audit covers of the texts: each section has a claim, or the claims file says why it is not checked."""

import re
from pathlib import Path

import pytest
import yaml

from claimaudit.audit.claims import load
from claimaudit.papers import validation
from claimaudit.papers.folder import Folder

ROOT = Path(__file__).resolve().parents[2]
TEXTS = ROOT.parent / "shared/papers"
PAPERS = {
    "corr_rr": "corr-rr-pets",
    "corr_rr_preprint": "corr-rr-preprint",
    "jrr": "jrr",
    "cpl": "cpl",
    "castell": "castell",
}
APART = re.compile(r"^(algorithm|references|acknowledg|online|appendix$|limitations and future)", re.IGNORECASE)


def listed_in(paper):
    """Return the places of the claims of a paper and the sections that its claims file lists as not checked."""
    content = validation.load(Folder(ROOT / "papers" / paper))
    claims = load(content.folder.claims, content.context())
    unchecked = yaml.safe_load(content.folder.claims.read_text(encoding="utf-8"))["unchecked"]
    return [*(claim.place for claim in claims if claim.origin == "paper"), *unchecked]


def within(number, section):
    return number == section or number.startswith(f"{section}.")


def letters(text):
    return re.sub(r"[^a-z]", "", text.lower())


def numbered(text):
    """Return the numbers of the sections of a text, in order: each continues the one before."""
    found = []
    last = (0,)
    for match in re.finditer(r"^(\d+(?:\.\d+)*)\.? +[A-Z]", text, flags=re.MULTILINE):
        number = tuple(map(int, match[1].split(".")))
        following = {(*last, 1), *((*last[:depth], last[depth] + 1) for depth in range(len(last)))}
        if number in following:
            found.append(match[1])
            last = number
    return found


@pytest.mark.parametrize("paper", PAPERS)
def test_every_section_of_the_text_is_listed(paper):
    path = TEXTS / f"{PAPERS[paper]}.txt"
    if not path.exists():
        pytest.skip(f"the text {path.name} is not here")
    text = path.read_text(encoding="utf-8")
    listed = listed_in(paper)
    assert any(name.startswith("Abstract") for name in listed)
    headings = [re.sub(r"[#*]", "", line).strip() for line in text.splitlines() if line.startswith("#")][1:]
    if headings:
        known, places, chapter, number = " ".join(map(letters, listed)), " ".join(listed), "", ""
        missing = []
        for heading in headings:
            title = re.sub(r"^([IVX]+|[A-Z])\. |^\(\w+\) ", "", heading)
            if found := re.match(r"([IVX]+)\. |(?i:appendix) ([A-Z])", heading):
                chapter = number = found[1] or f"Appendix {found[2]}"
            elif found := re.match(r"([A-Z])\. ", heading):
                number = {"Appendix": f"Appendix {found[1]}"}.get(chapter, f"{chapter}-{found[1]}")
                number = chapter if chapter.startswith("Appendix ") else number
            elif heading == "APPENDIX":
                chapter = "Appendix"
            listed_by_title = letters(title)[:20] in known or APART.match(title)
            if not listed_by_title and number not in places:
                missing.append(heading)
    else:
        numbers = {number for name in listed for number in re.findall(r"[\d.]*\d", name)}
        missing = [number for number in numbered(text) if not any(within(other, number) for other in numbers)]
        assert len(numbered(text)) > 20
    assert not missing

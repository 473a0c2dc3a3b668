"""What the audit covers of the texts: every section is listed; planning checks that each claim has one."""

import re
from pathlib import Path

import pytest
import yaml

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


def sections(paper):
    content = yaml.safe_load((ROOT / f"papers/{paper}/coverage.yaml").read_text(encoding="utf-8"))
    return content["sections"]


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
    listed = [section["section"] for section in sections(paper)]
    assert listed[0] == "Abstract"
    headings = [re.sub(r"[#*]", "", line).strip() for line in text.splitlines() if line.startswith("#")][1:]
    if headings:
        titles = [re.sub(r"^([IVX]+|[A-Z])\. |^\(\w+\) ", "", heading) for heading in headings]
        known = " ".join(letters(name) for name in listed)
        missing = [title for title in titles if not APART.match(title) and letters(title)[:20] not in known]
    else:
        numbers = {word for name in listed for word in name.replace("Appendix ", "").split()[:1]}
        missing = [number for number in numbered(text) if number not in numbers]
        assert len(numbered(text)) > 20
    assert not missing

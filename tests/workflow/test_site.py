"""The documentation site: it builds strictly, and loads nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
PARTS = ["Home", "Tutorial", "How to", "Reference", "Explanation"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Directory of the pages, built without --quiet, which would also hide the warnings that strict builds count."""
    target = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--config-file", ROOT / "mkdocs.yml", "--site-dir", target]
    built = subprocess.run(command, check=False, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    return target


def test_every_page_is_built_and_in_the_menu(site):
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html").as_posix() for path in ROOT.glob("docs/**/*.md")}
    pages = {path.relative_to(site).as_posix() for path in site.glob("**/*.html")}
    assert pages == {*sources, "404.html"}
    home = (site / "index.html").read_text(encoding="utf-8")
    menu = home[home.index("md-nav__list") :]
    assert [page for page in sources - {"index.html"} if f'href="{page}"' not in menu] == []
    places = [menu.index(f"{part}\n") for part in PARTS]
    assert places == sorted(places)


def test_no_page_loads_anything_from_elsewhere(site):
    loading = re.compile(
        r'<(?:script|img|iframe|source)\b[^>]*\bsrc="(?:https?:)?//|<link\b[^>]*\bhref="(?:https?:)?//'
    )
    imported = re.compile(r"""@import|url\(["']?(?:https?:)?//""")
    pages, styles = list(site.glob("**/*.html")), list(site.glob("**/*.css"))
    assert pages
    assert styles
    assert [page.name for page in pages if loading.search(page.read_text(encoding="utf-8"))] == []
    assert [style.name for style in styles if imported.search(style.read_text(encoding="utf-8"))] == []


def test_docstrings_are_in_the_reference(site):
    page = (site / "api/mechanisms.html").read_text(encoding="utf-8")
    assert 'id="corrldp.mechanisms.grr.GRR"' in page
    assert "Generalized randomized response" in page

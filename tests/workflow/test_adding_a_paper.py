"""Follow docs/adding-a-paper.md literally in a copy of the project."""

import json
import re
from pathlib import Path

import pytest

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("small")]

PAGE = Path(__file__).resolve().parents[2] / "docs/adding-a-paper.md"


def files():
    """Return the files that the page writes, by path."""
    blocks = re.findall(r"^`([\w/.]+)`\n\n```\w+\n(.*?)^```$", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
    return dict(blocks)


@pytest.fixture(scope="module")
def extended(project):
    extended = project("extended")
    for name, text in files().items():
        (extended.root / name).parent.mkdir(parents=True, exist_ok=True)
        (extended.root / name).write_text(text)
    config = extended.root / "config/config.yaml"
    config.write_text(config.read_text().replace("- jrr", "- jrr\n- toy"))
    extended.run("toy")
    return extended


def test_page_needs_configuration_and_one_runner_only():
    written = [name for name in files() if not name.endswith("__init__.py")]
    assert [name for name in written if name.endswith(".py")] == ["src/corrldp/experiments/toy/accuracy.py"]
    assert all(name.startswith("config/") for name in written if not name.endswith(".py"))


def test_claims_of_the_new_paper_get_the_verdicts_that_the_page_tells(extended):
    verdicts = {entry["id"]: entry for entry in json.loads((extended.root / "report/verdicts/toy.json").read_text())}
    assert {name: entry["verdict"] for name, entry in verdicts.items()} == {
        "error-falls": "reproduced",
        "closed-form": "reproduced",
        "printed-points": "reproduced",
        "small-error": "reproduced under another reading",
    }
    small_error = verdicts["small-error"]
    assert small_error["reading"] == "clipped"
    assert small_error["reading"] in PAGE.read_text()
    assert f"{small_error['evidence'][0]['estimate'] + 0.025:.4f}" in PAGE.read_text()


def test_its_figure_is_drawn_and_the_other_paper_is_left_alone(extended):
    assert (extended.root / "figures/toy/fig1.pdf").exists()
    assert not (extended.root / "results/jrr").exists()

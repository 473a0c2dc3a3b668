"""Follow docs/adding-a-paper.md literally in a copy of the project."""

import json

import pytest

pytestmark = pytest.mark.end_to_end

PAGE = "adding-a-paper.md"


@pytest.fixture(scope="module")
def extended(follow):
    extended = follow(PAGE, "toy")
    extended.run("toy")
    return extended


def test_page_needs_one_folder_with_one_runner(files_of):
    written = [*files_of(PAGE)]
    assert [name for name in written if name.endswith(".py")] == ["papers/toy/runners/errors.py"]
    assert all(name.startswith("papers/toy/") for name in written)


def test_claims_of_the_new_paper_get_the_verdicts_that_the_page_tells(extended):
    content = json.loads((extended.root / "report/verdicts/toy.json").read_text())
    verdicts = {entry["id"]: entry for entry in content["claims"]}
    assert {name: entry["verdict"] for name, entry in verdicts.items()} == {
        "error-falls": "reproduced",
        "closed-form": "reproduced",
        "printed-points": "undecided",
        "small-error": "reproduced as run",
    }
    small_error, page = verdicts["small-error"], (extended.root / "docs" / PAGE).read_text()
    assert small_error["as_run"]["readings"] == ["clipped"]
    assert "leave only `clipped`" in page
    assert f"{small_error['evidence'][0]['estimate'] + 0.025:.4f}" in page


def test_its_figure_is_drawn_and_the_other_paper_is_left_alone(extended):
    assert (extended.root / "figures/toy/fig1.pdf").exists()
    assert not (extended.root / "results/jrr").exists()

"""Another workflow uses this one as a module: files under a prefix, rules under other names, settings of its own."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

pytestmark = pytest.mark.end_to_end

PAGE = Path(__file__).resolve().parents[2] / "docs/module.md"
[OTHER] = re.findall(r"```\n(module corrldp:.*?)```", PAGE.read_text(), flags=re.DOTALL)
"""The Snakefile on the page."""


@pytest.fixture(scope="module")
def other(project, tmp_path_factory):
    """Function (settings of the module) -> a workflow in a directory of its own that uses the project."""
    used = project("used")

    def make(**config):
        root = tmp_path_factory.mktemp("other")
        text = OTHER.replace("corrldp/workflow/Snakefile", str(used.root / "workflow/Snakefile"))
        text = re.sub(r"(?<=config: ){.*}", repr(config), text) if config else text
        (root / "Snakefile").write_text(text)
        return replace(used, root=root)

    return make


def test_every_file_is_planned_below_the_prefix(other):
    workflow = other(papers=["jrr"])
    text = workflow.snakemake("--dry-run", "corrldp_all")
    missing = re.findall(r"Missing output files: (.*?)(?:;|$)", text, flags=re.MULTILINE)
    files = [name for names in missing for name in names.split(", ")]
    assert "replication/report/index.html" in files
    assert [name for name in files if not name.startswith("replication/")] == []


def test_its_results_feed_rules_of_the_other_workflow(other):
    workflow = other()
    assert "4 of 4 steps (100%) done" in workflow.run()
    record = json.loads((workflow.root / "replication/results/jrr/fig6.json").read_text())
    assert (record["seed"], record["runs"]) == (3, 50)
    assert (workflow.root / "rows.txt").read_text().count("replication/") == 2
    assert {path.name for path in workflow.root.iterdir()} == {".snakemake", "Snakefile", "replication", "rows.txt"}
    assert workflow.plan() == set()


def test_a_mistake_in_its_settings_is_one_line(other):
    with pytest.raises(AssertionError, match="config of the module: runs_factr: unknown key; did you mean runs_factor"):
        other(papers=["jrr"], runs_factr=2).plan()

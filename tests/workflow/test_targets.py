"""The jobs that each target plans in a directory without results."""

import json
import re
import shutil

import pytest
from test_rerun import AUDIT, PREDICTIONS, REPORT, SEARCH, experiments

pytestmark = pytest.mark.end_to_end

DATA = {"Fetching womens_clothing", "Aligning womens_clothing"}


@pytest.fixture(scope="module")
def fresh(project):
    return project("fresh", small=False)


def test_a_figure_needs_its_experiment_and_a_table_on_data_only_these(fresh):
    assert fresh.plan("figures/jrr/fig2.pdf") == {"Experiment jrr/fig2", "jrr: fig2"}
    assert fresh.plan("tables/jrr/table3.md") == DATA | {"Experiment jrr/datasets", "jrr: table3"}


def test_everything_is_every_entry_of_the_configuration(fresh):
    assert fresh.plan("data") == DATA
    shown = {f"jrr: {name}" for name in fresh.drawn()}
    judged = SEARCH | AUDIT | PREDICTIONS | REPORT | {"Page example"}
    assert fresh.plan() == DATA | experiments(fresh.paper()["experiments"]) | shown | judged


def test_the_audit_needs_experiments_and_no_figure(fresh):
    judged = {"jrr: checking the claims", "Collecting the verdicts of all papers"}
    judged |= {"Verdicts (also in report/claims.csv)"}
    assert fresh.plan("audit") == DATA | experiments(fresh.paper()["experiments"]) | SEARCH | judged


def test_a_misspelt_figure_is_one_line_that_names_the_nearest(fresh):
    text = fresh.snakemake("--dry-run", "figures/jrr/fgi6.pdf", fails=True)
    assert re.search(r"^no figure 'fgi6' of jrr; did you mean fig6\?", text, flags=re.MULTILINE)
    assert "Traceback" not in text
    assert "Exception" not in text


def test_a_configuration_in_another_encoding_is_one_line(fresh):
    path = fresh.root / "config/config.yaml"
    before = path.read_bytes()
    path.write_bytes(before + "# café\n".encode("latin-1"))
    text = fresh.snakemake("--dry-run", "--quiet", fails=True)
    path.write_bytes(before)
    line = before.count(b"\n") + 1
    assert f"config/config.yaml, line {line}: is not UTF-8; save the file as UTF-8" in text
    assert "Traceback" not in text
    assert "UnicodeDecodeError" not in text


def test_precision_multiplies_the_runs_of_simulations_and_gives_each_point_a_job(fresh):
    paper, targets = fresh.paper(), [f"results/jrr/{name}.csv" for name in ("fig2", "integration", "laws")]
    precision = ("--configfile", "config/precision.yaml")
    text = fresh.snakemake(*precision, "--dry-run", "--printshellcmds", "--", *targets)
    for name, factor, points in (("fig2", 1, 16), ("integration", 1, 36)):
        runs = 100 * factor * paper["experiments"][name]["runs"]
        files = re.findall(rf"claimaudit.task (\S+) .*results/jrr/parts/{name}\.\S+ >", text)
        tasks = [json.loads((fresh.root / path).read_text()) for path in files]
        told = [setting for task in tasks for setting in task["settings"].values()]
        assert {(part["part"], part["parts"]) for part in told} == {(part, points) for part in range(points)}
        assert {part["job"]["runs"] for part in told} == {runs}
    assert "Experiment jrr/laws" in text


def test_a_folder_with_the_name_of_a_rule_is_refused(fresh, tmp_path):
    shutil.copytree(fresh.root / "examples/sorting", tmp_path / "study")
    said = fresh.snakemake("--dry-run", "--config", f"papers=[{tmp_path / 'study'}]", fails=True)
    assert "papers: 'study' is the name of a rule, and so no target of its own; rename the folder" in said


def test_list_of_targets_reads_as_a_table_of_contents(fresh):
    entries = dict(re.findall(r"^(\w+)(?: \((.+)\))?$", fresh.snakemake("--list-target-rules"), flags=re.MULTILINE))
    assert {"jrr", "all", "data", "audit", "report", "smoke"} <= set(entries)
    assert all(entries.values())

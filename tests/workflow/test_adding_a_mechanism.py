"""Follow docs/adding-a-mechanism.md and docs/adding-an-axis.md literally in a copy of the project."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from claimaudit.task import Task, keep

pytestmark = pytest.mark.end_to_end

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def extended(follow):
    extended = follow("adding-a-mechanism.md", "own")
    extended.run("own")
    return extended


def test_the_page_needs_a_file_outside_the_package_and_configuration(files_of):
    written = ["own/spl_oue.py", "papers/own/paper.yaml"]
    assert list(files_of("adding-a-mechanism.md")) == written


def test_the_new_protocol_stands_beside_the_others(extended):
    """OUE beats GRR for many values by a factor that cannot be noise in 100 runs with a standard error of 2 %."""
    table = pd.read_csv(extended.root / "results/own/oracles.csv").pivot(
        index="dataset", columns="mechanism", values="mean"
    )
    assert list(table) == ["SMP[OLH]", "SPL", "SPLOUE"]
    assert table.loc["large", "SPL"] > 1.5 * table.loc["large", "SPLOUE"]


def test_an_edit_of_its_module_runs_what_it_touches(extended):
    with extended.edited("own/spl_oue.py", lambda text: text + "\n\nX = 1\n"):
        assert extended.plan("tables/own/oracles.md") == {"Experiment own/oracles", "own: oracles"}


def test_its_module_is_relative_to_the_project_wherever_results_are_made(extended):
    quick = "--directory", "quick", "--", "tables/own/oracles.md"
    assert extended.plan(*quick) == {"Experiment own/oracles", "own: oracles"}


@pytest.fixture
def with_axis(project):
    """A copy of the project in which the page on axes has been followed, and the axes of its paper."""
    root, page = project("axis").root, (DOCS / "adding-an-axis.md").read_text()
    place = r"^`([\w/.]+)`, (after|in place of) `([^`]+)`\n\n```python\n(.*?)\n```$"
    places = re.findall(place, page, flags=re.M | re.S)
    assert len(places) == 2
    for name, how, old, new in places:
        text = (root / name).read_text()
        assert text.count(old) == 1, old
        (root / name).write_text(text.replace(old, f"{old}\n    {new}," if how == "after" else new))
    [entry] = re.findall(r"```yaml\n(axes:.*?)```", page, flags=re.S)
    return root, yaml.safe_load(entry)


def test_an_axis_needs_its_declaration_and_its_use(with_axis, tmp_path):
    """OUE and GRR with three values differ by far more than rounding."""
    root, axes = with_axis
    setting = {"dataset": ["syn_a"], "n": [1000], "d": [2], "k": [3], "rho": [0.5], "epsilon": [1]}
    experiment = {"runs": 2, "setting": {**setting, "mechanisms": ["SPL", "Corr-RR"]}, "axes": ["spl_oracle"]}
    source = {"source": "../shared/runners/errors.py:mse"}
    paper = {"title": "An oracle", "authors": "N. N.", "venue": "Nowhere", **axes}
    (root / "papers/oracle").mkdir()
    (root / "papers/oracle/paper.yaml").write_text(
        yaml.safe_dump({**paper, "experiments": {"spl": experiment | source}}, sort_keys=False)
    )
    does, folder = "claimaudit.papers.validation:describe_files", {"oracle": "papers/oracle"}
    description = Task(does, folder, (("file", 1),), ("description",))
    run(root, description, root / "papers/oracle/paper.yaml", tmp_path / "described.json")
    described = json.loads((tmp_path / "described.json").read_text())["experiments"]["spl"]
    assert described["readings"]["spl_by_oue"] == "OUE on each attribute of SPL"
    job = {"paper": "oracle", "experiment": "spl", "seed": 1, **experiment, "strict": {"spl_oracle": "GRR"}}
    job |= {"runner": "shared.runners.errors:mse", "readings": {"spl_by_oue": {"spl_oracle": "OUE"}}}
    computed = Task("claimaudit.experiments.engine:compute", {"spl": job}, (("views", 0),), ("table",))
    run(root, computed, tmp_path / "spl.csv")
    means = pd.read_csv(tmp_path / "spl.csv").pivot(index="reading", columns="mechanism", values="mean")
    assert means["Corr-RR"].nunique() == 1
    assert not np.isclose(*means["SPL"])


def run(root, task, *files):
    arguments = keep(task.to_json(), root / "tasks"), *files
    environment = {"PYTHONPATH": f"{root / 'src'}:{root / 'papers'}", "PATH": ""}
    subprocess.run([sys.executable, "-m", "claimaudit.task", *map(str, arguments)], check=True, env=environment)

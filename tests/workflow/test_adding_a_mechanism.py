"""Follow docs/adding-a-mechanism.md and docs/adding-an-axis.md literally in a copy of the project."""

import json
import re
import subprocess
import sys
from pathlib import Path
from textwrap import indent

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


@pytest.fixture
def with_axis(tmp_path, project):
    """A copy of the project in which the page on axes has been followed, and its paper."""
    root = project("axis").root
    block = r"^`(papers[\w/.]+)`, (?:in|before) `([^`]+)`\n\n```python\n(.*?)^```$"
    blocks = re.findall(block, axis_page(), flags=re.M | re.S)
    for name, anchor, text in blocks:
        source = (root / name).read_text()
        assert source.count(anchor) == 1, anchor
        text = indent(text, "    ")
        new = f"{anchor}\n{text.rstrip()},\n" if anchor.endswith("(") else f"{text}{anchor}"
        (root / name).write_text(source.replace(anchor, new))
    [entry] = re.findall(r"```yaml\n(axes:.*?)```", axis_page(), flags=re.S)
    return root, yaml.safe_load(entry), len(blocks)


def axis_page():
    return (DOCS / "adding-an-axis.md").read_text()


def test_an_axis_needs_its_declaration_and_its_use(with_axis, tmp_path):
    root, axes, places = with_axis
    assert places == 2
    setting = {"dataset": ["syn_a"], "n": [1000], "d": [2], "k": [3], "rho": [0.5], "epsilon": [1]}
    experiment = {
        "runs": 2,
        "setting": {**setting, "mechanisms": ["SPL", "Corr-RR"]},
        "axes": ["py_floor"],
    }
    source = {"source": "../shared/runners/errors.py:mse"}
    paper = {"title": "A floor", "authors": "N. N.", "venue": "Nowhere", **axes}
    (root / "papers/floor").mkdir()
    (root / "papers/floor/paper.yaml").write_text(
        yaml.safe_dump({**paper, "experiments": {"floor": experiment | source}}, sort_keys=False)
    )
    description = Task(
        "floor", "claimaudit.papers.validation:describe_files", "papers/floor", (("file", 1),), ("description",)
    )
    run(root, description, root / "papers/floor/paper.yaml", tmp_path / "floor.json")
    described = json.loads((tmp_path / "floor.json").read_text())["experiments"]["floor"]
    assert described["readings"]["py_at_least_half"] == "p_y of 0.5 or more"
    job = {"paper": "floor", "experiment": "floor", "seed": 1, **experiment, "strict": {"py_floor": 0}}
    job |= {"runner": "shared.runners.errors:mse", "readings": {"py_at_least_half": {"py_floor": 0.5}}}
    run(
        root,
        Task("floor", "claimaudit.experiments.jobs:compute", job, (("views", 0),), ("table",)),
        tmp_path / "floor.csv",
    )
    means = pd.read_csv(tmp_path / "floor.csv").pivot(index="reading", columns="mechanism", values="mean")
    assert means["SPL"].nunique() == 1
    assert not np.isclose(*means["Corr-RR"])


def run(root, task, *files):
    """Run a task in a copy of the project."""
    arguments = keep(task.to_json(), root / "tasks"), *files
    environment = {"PYTHONPATH": f"{root / 'src'}:{root / 'papers'}", "PATH": ""}
    subprocess.run([sys.executable, "-m", "claimaudit.task", *map(str, arguments)], check=True, env=environment)

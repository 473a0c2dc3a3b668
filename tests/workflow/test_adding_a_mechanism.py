"""Follow docs/adding-a-mechanism.md and docs/adding-an-axis.md literally in a copy of the project."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

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


def test_an_axis_needs_its_declaration_and_its_use(project):
    """In a copy of the project in which the page on axes has been followed.

    OUE and GRR with three values differ by far more than rounding.
    """
    copy, page = project("axis", papers="[oracle]"), (DOCS / "adding-an-axis.md").read_text()
    place = r"^`([\w/.]+)`, (after|in place of) `([^`]+)`\n\n```python\n(.*?)\n```$"
    places = re.findall(place, page, flags=re.M | re.S)
    assert len(places) == 2
    for name, how, old, new in places:
        text = (copy.root / name).read_text()
        assert text.count(old) == 1, old
        (copy.root / name).write_text(text.replace(old, f"{old}\n    {new}," if how == "after" else new))
    [entry] = re.findall(r"```yaml\n(axes:.*?)```", page, flags=re.S)
    setting = {"dataset": ["syn_a"], "n": [1000], "d": [2], "k": [3], "rho": [0.5], "epsilon": [1]}
    experiment = {"runs": 2, "setting": {**setting, "mechanisms": ["SPL", "SMP"]}, "axes": ["spl_oracle"]}
    experiment["source"] = "../shared/runners/errors.py:mse"
    paper = {"title": "An oracle", "authors": "N. N.", "venue": "Nowhere", **yaml.safe_load(entry)}
    (copy.root / "papers/oracle").mkdir()
    (copy.root / "papers/oracle/paper.yaml").write_text(
        yaml.safe_dump({**paper, "experiments": {"spl": experiment}}, sort_keys=False)
    )
    copy.run("results/oracle/spl.csv")
    means = pd.read_csv(copy.root / "results/oracle/spl.csv").pivot(index="reading", columns="mechanism", values="mean")
    assert list(means.index) == ["spl_by_oue", "strict"]
    assert means["SMP"].nunique() == 1
    assert not np.isclose(*means["SPL"])

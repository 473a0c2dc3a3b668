"""Every runner yields what it declares, and numbers that depend on nothing else that is run."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from shorter import job

from claimaudit import yaml_files
from claimaudit.audit.arrays import Arrays
from claimaudit.experiments.engine import Experiment, join, run
from claimaudit.papers.folder import Folder
from claimaudit.papers.validation import load
from claimaudit.planning.claims import TableNames
from claimaudit.results import axes_of, write_sealed
from corrldp.runners import read_table
from replication.data.align import AlignJob, align_files, standin_bytes
from replication.data.registry import Registry
from replication.reference import all_runners

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = yaml_files.load(ROOT / "config/datasets.yaml", Registry)
PAPERS = [load(Folder(path.parent)) for path in sorted(ROOT.glob("papers/*/paper.yaml"))]
ROWS, POINTS = 10_800, 5


@cache
def view_of(name):
    known = [one.model_copy(update={"rows": min(one.rows, ROWS)}) for one in REGISTRY.read_by(name)]
    with TemporaryDirectory() as place:
        files = {one.name: (Path(place) / f"{one.name}.data", Path(place) / f"{one.name}.json") for one in known}
        for one in known:
            raw, record = files[one.name]
            raw.write_bytes(standin_bytes(one))
            write_sealed(record, {"status": "stand-in"})
        contents = align_files(AlignJob(name, REGISTRY.views[name], tuple(known)), *zip(*files.values(), strict=True))
        stem = Path(place) / name
        for part, suffix in (("codes", ".npy"), ("domain", ".json")):
            stem.with_suffix(suffix).write_bytes(contents[part])
        return read_table(stem.with_suffix(".npy"))


def smallest(name):
    """Return the experiment of a runner with the fewest cells, at most `POINTS` of its points, with two runs.

    And what planning knows of the names in its table.
    """
    found = []
    for paper in PAPERS:
        for experiment in paper.entry.experiments:
            if paper.runner_of(experiment).name == name:
                loaded = Experiment.load(replace(job(paper, experiment), seed=1, runs=2, strict_factor=1), {})
                found.append(
                    (paper.most_parts(experiment) * len(loaded.readings), len(found), loaded, paper, experiment)
                )
    _, _, chosen, *named = min(found)
    points = [*chosen.setting.points(chosen.readings["strict"])]
    kept = [points[round(place)] for place in np.linspace(0, len(points) - 1, POINTS)]
    views = {view: view_of(view) for view in chosen.setting.view_names()}
    return replace(chosen, views=views, only=kept.__contains__), TableNames.of(*named)


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("name", sorted({runner.name for runner in all_runners().values()}))
def test_a_runner_yields_what_it_declares_whatever_else_is_run(name):
    """The engine refuses what is not declared. Of fewer points and readings, the last first, each row is the same."""
    experiment, known = smallest(name)
    found = run(experiment)
    rows, declared = pd.DataFrame(join(experiment, [found])), experiment.runner.declared(experiment.setting)
    assert {*rows["metric"]} == declared["metric"]
    assert {*rows["mechanism"]} == declared["mechanism"]
    assert {*rows.columns} >= declared["column"]
    assert {*rows.columns} <= {*known.columns}
    assert {*axes_of(rows)[0]} <= {*known.settings}
    assert all({*rows[column]} <= {*texts} for column, texts in known.values.items())
    assert {*Arrays.of(rows).spread.names} <= known.variables
    strict, *others = experiment.readings.items()
    points = [*filter(experiment.only, experiment.setting.points(strict[1]))]
    few = replace(experiment, readings=dict([*others[-1:], strict]), only=points[-1:].__contains__)
    alone, another = (untimed(run(replace(few, job=replace(few.job, seed=seed)))) for seed in (1, 2))
    for rows, part in zip([*found.rows[1:][-1:], found.rows[0]], alone, strict=True):
        assert {*map(str, part)} <= {*map(str, rows)}
    assert alone != another or not any(row["se"] for part in alone for row in part)


def untimed(part):
    return [[row for row in rows if row["metric"] != "seconds"] for rows in part.rows]

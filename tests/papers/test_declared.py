"""Every runner yields the mechanisms and metrics that it declares, no others and none too few."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from shorter import job

from claimaudit.experiments.engine import Experiment, join, run
from claimaudit.papers.folder import Folder
from claimaudit.papers.validation import load
from claimaudit.results import write_sealed
from corrldp.runners import read_table
from replication.data.align import AlignJob, align_files, standin_bytes
from replication.data.registry import load_registry
from replication.reference import all_runners

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
REGISTRY = load_registry(ROOT / "config/datasets.yaml")
PAPERS = [load(Folder(path.parent)) for path in sorted(ROOT.glob("papers/*/paper.yaml"))]
ROWS, POINTS = 10_800, 5


@cache
def view_of(name):
    """Return a view of short stand-ins."""
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
    """Return the experiment of a runner with the fewest cells, at most `POINTS` of its points, with two runs."""
    found = []
    for paper in PAPERS:
        for experiment in paper.entry.experiments:
            if paper.runner_of(experiment).name == name:
                loaded = Experiment.load(replace(job(paper, experiment), seed=1, runs=2, strict_factor=1), {})
                found.append((paper.most_parts(experiment) * len(loaded.readings), len(found), loaded))
    _, _, chosen = min(found)
    points = [*chosen.setting.points(chosen.readings[0].values)]
    kept = [points[round(place)] for place in np.linspace(0, len(points) - 1, POINTS)]
    views = {view: view_of(view) for view in chosen.setting.view_names()}
    return replace(chosen, views=views, only=kept.__contains__)


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("name", sorted({runner.name for runner in all_runners().values()}))
def test_what_a_runner_declares_is_what_it_yields(name):
    """The engine refuses what is not declared."""
    experiment = smallest(name)
    rows, declared = join(experiment, [run(experiment)]), experiment.runner.declared(experiment.setting)
    assert {*rows["metric"]} == declared.metrics
    assert {*rows["mechanism"]} == declared.mechanisms
    assert {*rows.columns} >= declared.columns

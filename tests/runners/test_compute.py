"""Jobs of experiments: table, record, parts and errors."""

import hashlib
from dataclasses import asdict, replace

import numpy as np
import pytest
from written import write_beside, write_view

from claimaudit import results
from claimaudit.experiments.engine import ExperimentJob, compute, compute_part, join_parts
from claimaudit.fingerprint import numeric_versions

JOB = ExperimentJob(
    paper="corr_rr",
    experiment="counts",
    runner="shared.runners.datasets:facts",
    seed=3,
    runs=10,
    setting={"views": {"real": "real", "made_up": "made_up"}},
    strict={"encoding": "recipe"},
    axes=("encoding",),
    readings={"alphabetical": {"encoding": "alphabetical"}},
)
CURVE = {"pivot": "f_s", "sides": True, "pivot_frequency": [0.2, 0.7], "steps": 5, "n2": 500, "epsilon": 1}
COPYING = ExperimentJob("corr_rr", "counts", "shared.runners.copying:grid", CURVE, seed=3, runs=10)
CODES = {"real": np.array([[0, 1], [1, 0], [1, 1], [0, 0], [1, 1]]), "made_up": np.array([[0, 1], [1, 0], [1, 1]])}


@pytest.fixture
def views(tmp_path):
    files, attributes = [], [{"name": column, "values": ["no", "yes"]} for column in "ab"]
    for name, codes in CODES.items():
        files += write_view(codes, tmp_path / f"{name}.npy", standin=name == "made_up", attributes=attributes)
    return files


def test_table_and_record_of_a_run(views, tmp_path):
    table = write_beside(compute(JOB, views), tmp_path / "counts.csv")
    found = results.read(table).query("metric == 'users' and reading == 'strict'")
    assert found[["dataset", "mean", "standin"]].to_dict("list") == {
        "dataset": ["real", "made_up"],
        "mean": [5.0, 3.0],
        "standin": [False, True],
    }
    assert results.read_record(table) == {
        **asdict(JOB),
        "axes": ["encoding"],
        "versions": numeric_versions(),
        "standin": ["made_up"],
        "sha256": hashlib.sha256(table.read_bytes()).hexdigest(),
    }


def write_parts(views, directory, parts):
    paths = [directory / f"part{number}.json" for number in range(parts)]
    for number, path in enumerate(paths):
        path.write_bytes(compute_part(JOB, number, parts, views)["rows"])
    return paths


def test_an_edited_part_is_refused(views, tmp_path):
    [part] = write_parts(views, tmp_path, 1)
    part.write_text(part.read_text().replace('"mean": 5', '"mean": 6', 1))
    with pytest.raises(ValueError, match=r"part0.json .* edited or damaged; delete .* and re-run"):
        join_parts(JOB, [part])


def test_parts_and_their_join_leave_the_same_files(views, tmp_path):
    assert join_parts(JOB, write_parts(views, tmp_path, 2)) == compute(JOB, views)


def test_changed_codes_are_refused(views):
    """Two codes that trade places are codes of the same domain: only the checksum can tell."""
    np.save(views[0], CODES["real"][[1, 0, 2, 3, 4]])
    with pytest.raises(ValueError, match=r"real\.npy has SHA-256 .*; delete .* and re-run"):
        compute(JOB, views)


@pytest.mark.parametrize(
    ("job", "message"),
    [
        (replace(COPYING, setting={**CURVE, "pivot_frequency": [0.2, 0.2]}), "two rows"),
        (replace(COPYING, setting={**CURVE, "pivot_frequency": []}), "the setting has no point"),
    ],
)
def test_what_is_refused(views, job, message):
    with pytest.raises(ValueError, match=message):
        compute(job, views)

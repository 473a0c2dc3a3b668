"""The command line of experiments: table, record, parts and errors."""

import hashlib
import json

import numpy as np
import pytest

from claimaudit import results
from claimaudit.experiments.__main__ import main
from claimaudit.fingerprint import numeric_versions
from replication.data.align import write_view

SETTING = {
    "paper": "corr_rr",
    "experiment": "counts",
    "runner": "shared.runners.datasets:facts",
    "seed": 3,
    "runs": 10,
    "strict_factor": 1,
    "setting": {"views": {"real": "real", "made_up": "made_up"}},
    "strict": {"encoding": "recipe"},
    "axes": ["encoding"],
    "readings": {"alphabetical": {"encoding": "alphabetical"}},
}
CURVE = {"pivot": "f_s", "sides": True, "pivot_frequency": [0.2, 0.7], "steps": 5, "n2": 500, "epsilon": 1}
COPYING = {
    **SETTING,
    "runner": "shared.runners.copying:grid",
    "setting": CURVE,
    "strict": {},
    "axes": [],
    "readings": {},
}
CODES = {"real": np.array([[0, 1], [1, 0], [1, 1], [0, 0], [1, 1]]), "made_up": np.array([[0, 1], [1, 0], [1, 1]])}


@pytest.fixture
def call(tmp_path):
    """Function (command, setting, numbers of a part) -> run it, with two views as files."""
    files = []
    for name, codes in CODES.items():
        files += [tmp_path / f"{name}.npy", tmp_path / f"{name}.json"]
        attributes = [{"name": column, "values": ["no", "yes"]} for column in "ab"]
        write_view(codes, {"standin": name == "made_up", "attributes": attributes}, files[-2], files[-1])

    def run(command, setting, *arguments, inputs=files):
        main([command, json.dumps(setting), *map(str, [*arguments, *inputs])])

    return run


def test_table_and_record_of_a_run(call, tmp_path):
    table, record = tmp_path / "out" / "counts.csv", tmp_path / "out" / "counts.json"
    call("run", SETTING, table, record)
    found = results.read(table).query("metric == 'users' and reading == 'strict'")
    assert found[["dataset", "mean", "standin"]].to_dict("list") == {
        "dataset": ["real", "made_up"],
        "mean": [5.0, 3.0],
        "standin": [False, True],
    }
    assert results.read_record(table) == {
        **SETTING,
        "versions": numeric_versions(),
        "standin": ["made_up"],
        "sha256": hashlib.sha256(table.read_bytes()).hexdigest(),
    }


def test_an_edited_part_is_refused(call, tmp_path):
    part, joined = tmp_path / "part.json", [tmp_path / f"counts.{kind}" for kind in ("csv", "json")]
    call("part", SETTING, 0, 1, part)
    part.write_text(part.read_text().replace('"mean": 5', '"mean": 6', 1))
    with pytest.raises(SystemExit, match=r"experiment counts: .*part.json .* edited or damaged; delete .* and re-run"):
        call("join", SETTING, *joined, inputs=[part])
    assert not any(path.exists() for path in joined)


def test_parts_and_their_join_leave_the_same_files(call, tmp_path):
    whole, joined = ([tmp_path / name / f"counts.{kind}" for kind in ("csv", "json")] for name in ("whole", "joined"))
    call("run", SETTING, *whole)
    parts = [tmp_path / f"part{number}.json" for number in range(2)]
    for number, part in enumerate(parts):
        call("part", SETTING, number, 2, part)
    call("join", SETTING, *joined, inputs=parts)
    assert [path.read_bytes() for path in joined] == [path.read_bytes() for path in whole]


def test_changed_codes_are_refused(call, tmp_path):
    """Two codes that trade places are codes of the same domain: only the checksum can tell."""
    np.save(tmp_path / "real.npy", CODES["real"][[1, 0, 2, 3, 4]])
    with pytest.raises(SystemExit, match=r"real\.npy has SHA-256 .*; delete .* and re-run"):
        call("run", SETTING, tmp_path / "counts.csv", tmp_path / "counts.json")
    assert not (tmp_path / "counts.csv").exists()


def test_view_carries_codes_and_domain(call, tmp_path):
    table = tmp_path / "counts.csv"
    call("run", {**SETTING, "setting": {**SETTING["setting"], "matrix": True}}, table, tmp_path / "counts.json")
    rows = results.read(table).query("dataset == 'real' and reading == 'strict'")
    matrix = rows.pivot(index="first", columns="second", values="mean")
    np.testing.assert_allclose(matrix, np.corrcoef(CODES["real"], rowvar=False))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({**COPYING, "setting": {**CURVE, "pivot_frequency": [0.2, 0.2]}}, "two rows"),
        ({**SETTING, "setting": {"views": {}}}, "no cell reads the axis encoding"),
        ({**COPYING, "setting": {**CURVE, "pivot_frequency": []}}, "the setting has no point"),
        ({**COPYING, "setting": {**CURVE, "steep": 1}}, "Extra inputs are not permitted"),
    ],
)
def test_what_is_refused_names_the_experiment_and_leaves_nothing_behind(call, tmp_path, setting, message):
    with pytest.raises(SystemExit, match=f"^corr_rr, experiment counts: (.|\n)*{message}"):
        call("run", setting, tmp_path / "out" / "counts.csv", tmp_path / "out" / "counts.json")
    assert not list((tmp_path / "out").glob("*"))
    assert not list((tmp_path / "out").glob(".*"))

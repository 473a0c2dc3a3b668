import hashlib
import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrldp import results
from corrldp.experiments.command import main
from corrldp.experiments.rows import STRICT, row
from corrldp.fingerprint import numeric_versions

SETTING = {
    "paper": "jrr",
    "experiment": "counts",
    "seed": 3,
    "runs": 10,
    "setting": {"n": [4, 6]},
    "readings": {"choice": {"strict": "a", "others": ["b"], "why": "two texts"}},
}


def table_of(experiment):
    """Count the records of every view."""
    return pd.DataFrame(
        row({"dataset": name}, STRICT, "data", "users", len(view.codes), standin=view.standin)
        for name, view in experiment.views.items()
    )


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Function (run, views {name: (codes, standin)}) -> paths of the table and of the record."""

    def run_main(run, views):
        files = []
        for name, (codes, standin) in views.items():
            files += [tmp_path / f"{name}.npy", tmp_path / f"{name}.json"]
            np.save(files[-2], codes)
            files[-1].write_text(json.dumps({"standin": standin, "attributes": {"a": ["no", "yes"]}}))
        table, record = tmp_path / "out" / "counts.csv", tmp_path / "out" / "counts.json"
        arguments = [json.dumps(SETTING), table, record, *files]
        monkeypatch.setattr("sys.argv", ["experiment", *map(str, arguments)])
        main(run)
        return table, record

    return run_main


def test_readings_are_strict_and_then_one_axis_at_a_time(experiment):
    small = experiment({}, {"step": [1, 2, 3], "rule": ["x", "y"]})
    assert small.all_readings() == [
        ("strict", {"step": 1, "rule": "x"}),
        ("step=2", {"step": 2, "rule": "x"}),
        ("step=3", {"step": 3, "rule": "x"}),
        ("rule=y", {"step": 1, "rule": "y"}),
    ]
    assert experiment({}).all_readings() == [("strict", {})]


@given(st.dictionaries(st.text("abc", min_size=1), st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True)))
def test_every_reading_leaves_strict_in_one_axis(experiment, axes):
    (_, strict), *others = experiment({}, axes).all_readings()
    assert len(others) == sum(len(values) - 1 for values in axes.values())
    assert len({label for label, _ in others}) == len(others)
    for label, chosen in others:
        changed = [axis for axis in axes if chosen[axis] != strict[axis]]
        assert label == f"{changed[0]}={chosen[changed[0]]}"
        assert len(changed) == 1


def test_stream_depends_on_seed_and_key_alone(experiment):
    def draw(rng):
        return rng.random(3).tolist()

    base = experiment({"n": [1]})
    same = experiment({"n": [1, 2]}, {"axis": [1, 2]}, runs=9)
    other = replace(base, experiment="other")
    assert draw(base.rng(n=4)) != draw(other.rng(n=4))
    assert draw(base.rng(mechanism="RR", n=4)) == draw(same.rng(n=4, mechanism="RR"))
    assert draw(base.rng(mechanism="RR", n=4)) != draw(base.rng(mechanism="RR", n=5))
    assert draw(base.rng(n=4)) != draw(experiment({}, seed=2).rng(n=4))


def test_table_and_record_of_a_run(call):
    table, record = call(table_of, {"real": (np.zeros((5, 2), int), False), "made_up": (np.zeros((3, 1), int), True)})
    found = results.read(table)
    assert found[["dataset", "mean", "standin"]].to_dict("list") == {
        "dataset": ["real", "made_up"],
        "mean": [5.0, 3.0],
        "standin": [False, True],
    }
    assert json.loads(record.read_text()) == {
        **{key: SETTING[key] for key in ("paper", "experiment", "seed", "runs", "setting")},
        "readings": ["strict", "choice=b"],
        "versions": numeric_versions(),
        "standin": ["made_up"],
        "sha256": hashlib.sha256(table.read_bytes()).hexdigest(),
    }


def test_a_setting_that_a_runner_refuses_is_one_line_that_names_the_experiment(call, tmp_path):
    def run(experiment):
        raise ValueError("choice='c' is none of a, b")

    with pytest.raises(SystemExit, match=r"^jrr, experiment counts: choice='c' is none of a, b$"):
        call(run, {})
    assert not (tmp_path / "out").exists()


def test_view_carries_codes_and_domain(call):
    codes = np.array([[1, 0], [0, 1], [1, 1]])

    def run(experiment):
        view = experiment.views["real"]
        np.testing.assert_array_equal(view.codes, codes)
        assert view.domain["attributes"] == {"a": ["no", "yes"]}
        return table_of(experiment)

    call(run, {"real": (codes, False)})


def _repeated(experiment):
    return pd.concat([table_of(experiment)] * 2)


def _incomplete(experiment):
    return table_of(experiment).drop(columns="se")


@pytest.mark.parametrize(("run", "message"), [(_repeated, "two rows"), (_incomplete, "it needs")])
def test_a_run_that_fails_leaves_nothing_behind(call, tmp_path, run, message):
    with pytest.raises(ValueError, match=message):
        call(run, {"real": (np.zeros((5, 2), int), False)})
    assert not list((tmp_path / "out").glob("*"))
    assert not list((tmp_path / "out").glob(".*"))

"""Tasks: what runs a job of any stage as a process of its own."""

import contextlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from claimaudit.experiments.engine import ExperimentJob
from claimaudit.papers.folder import Folder
from claimaudit.report.about import Options
from claimaudit.stages import STAGES
from claimaudit.task import Task, keep, main, plain
from claimaudit.tool import planned, read

pytestmark = pytest.mark.thorough

ALL = "import json, sys; from claimaudit.task import main; [main(task) for task in json.load(sys.stdin)]"
JOB = ExperimentJob("jrr", "fig3", "jrr.runners.errors:means", {"n": [1]})


def test_every_stage_makes_the_same_bytes_in_another_process(audited):
    """`claimaudit run` calls functions; tasks are files, here run where sets have another order."""
    out, tasks = audited()[2], []
    with contextlib.chdir(out.parent):
        plan = replace(
            planned(read(Folder(Path("sorting").resolve(), "sorting")), Path("audit"), Options()), out="again"
        )
        for stage in STAGES:
            for jobs in stage.jobs(plan):
                task = keep(stage.task(plan, jobs).to_json(), out.parent / "tasks")
                tasks.append([task, *(file for files in next(iter(jobs.values())).reads.values() for file in files)])
                tasks[-1] += [file for item in jobs for file in stage.outputs(plan, item)]
        environment = {**os.environ, "PYTHONHASHSEED": "7"}
        subprocess.run([sys.executable, "-c", ALL], input=json.dumps(tasks), text=True, check=True, env=environment)
    first, second = (
        {path.relative_to(place): path.read_bytes() for path in place.rglob("*") if path.is_file()}
        for place in (out, out.parent / "again")
    )
    assert first == second


def parted(job, files):
    """Return what a job makes, unless an input is missing or empty."""
    (path,) = files
    if not path.read_text():
        raise ValueError(f"{path.name} is empty")
    return {"one": b"1", "two": job.runner.encode()}


parted.__annotations__ = {"job": ExperimentJob}


def call(tmp_path, changes=(), does="test_task:parted", text="a"):
    """Run the task of `parted` for two settings, the second one changed; its outputs are in out/."""
    (tmp_path / "in.txt").write_text(text)
    jobs = {"jrr, fig1": plain(replace(JOB, runner="first")), "jrr, fig3": {**plain(JOB), **dict(changes)}}
    settings = {name: {"job": job} for name, job in jobs.items()}
    task = Task(does, settings, (("files", 1),), ("one", "two"))
    outputs = [str(tmp_path / "out" / name) for name in ("one", "two", "three", "four")]
    main([keep(task.to_json(), tmp_path / "tasks"), str(tmp_path / "in.txt"), *outputs])


def test_outputs_are_in_the_order_of_the_settings_and_of_what_each_makes(tmp_path):
    call(tmp_path)
    made = [(tmp_path / "out" / name).read_text() for name in ("one", "two", "three", "four")]
    assert made == ["1", "first", "1", JOB.runner]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"text": ""}, "jrr, fig1: in.txt is empty"),
        ({"changes": {"seed": "one"}}, r"jrr, fig3: (.|\n)*seed(.|\n)*valid integer"),
        ({"does": "claimaudit.experiments.given:convert_file", "changes": {}}, "jrr, fig1: "),
    ],
)
def test_an_error_names_the_job_and_leaves_no_file(tmp_path, options, words):
    with pytest.raises(SystemExit, match=f"^{words}"):
        call(tmp_path, **options)
    assert not (tmp_path / "out").exists()


def test_an_input_that_is_missing_is_one_line(tmp_path):
    task = Task("test_task:parted", {"jrr": {"job": plain(JOB)}}, (("files", 1),), ("one", "two"))
    with pytest.raises(SystemExit, match=r"\Ajrr: .*No such file or directory: .*missing.txt'\Z"):
        main([keep(task.to_json(), tmp_path), str(tmp_path / "missing.txt"), *"ab"])


def test_a_setting_survives_its_file_and_its_name_changes_with_it(tmp_path):
    first, second = (keep(json.dumps(plain(job)).encode(), tmp_path) for job in (JOB, replace(JOB, seed=2)))
    assert first != second
    assert keep(json.dumps(plain(JOB)).encode(), tmp_path) == first

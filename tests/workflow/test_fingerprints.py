"""What a command really imports, and reads of the package besides, is in the fingerprint of its rule."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from claimaudit import yaml_files
from claimaudit.fingerprint import local_modules
from replication import validation
from replication.jobs import FETCHES, READ, Jobs, modules_of
from replication.reference import all_runners

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
TASK = "claimaudit.task"


@cache
def reached(entry):
    return set(local_modules(entry))


@pytest.fixture(scope="module")
def notes(complete):
    return [json.loads(path.read_text()) for path in (complete.root.parent / "notes").glob("*.json")]


@pytest.fixture(scope="module")
def planned(complete):
    """The name of the stage of each task, its modules and its runner, if it has one, by its file."""
    config = yaml_files.read(complete.root / "config/config.yaml")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(complete.root)
        jobs = Jobs(complete.root, config, *validation.read(complete.root, config))
        tasks = [(stage, some) for stage in jobs.stages for some in stage.jobs(jobs.plan)]
        first = {jobs.task(stage, some): (stage, next(iter(some.values()))) for stage, some in tasks}
        fetched = {jobs.fetch(name, "0")["task"]: ("fetch", FETCHES, None) for name in jobs.datasets}
        return fetched | {
            file: (stage.name, modules_of(stage, job), getattr(job.settings.get("job"), "runner", None))
            for file, (stage, job) in first.items()
        }


def test_commands_import_nothing_that_their_fingerprints_miss(notes, planned):
    untouched = {"corrldp", "replication.times"}
    rules = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    assert {note["command"] for note in notes} >= {*re.findall(r"python -m ([\w.]+)", rules)} - untouched
    tasks = [planned[note["arguments"][0]] for note in notes if note["command"] == TASK]
    assert {stage for stage, _, _ in tasks} == {stage for stage, _, _ in planned.values()}
    run = {runner for _, _, runner in tasks}
    assert run >= {runner.name for runner in all_runners().values()} - {"claimaudit.experiments.given:results"}
    for note in notes:
        command = note["command"]
        modules = planned[note["arguments"][0]][1] if command == TASK else [command]
        assert not set(note["modules"]) - set().union(*map(reached, modules)), (command, note["arguments"][:1])


def test_files_of_the_package_that_a_command_opens_are_in_its_fingerprint(notes, planned):
    below = re.compile(".*/((?:src|workflow)/.+)")
    opened = {(note["arguments"][0], below.match(name)[1]) for note in notes for name in note["files"]}
    assert opened
    for task, name in opened:
        assert ROOT / name in READ[planned[task][0]], name

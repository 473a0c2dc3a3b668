"""What a command really imports, and reads of the package besides, is in the fingerprint of its rule."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from shorter import job

from claimaudit.experiments.runner import Runner
from claimaudit.fingerprint import local_modules
from claimaudit.papers.folder import Folder
from claimaudit.papers.validation import load
from corrldp.data.align import RawRecords, align, read_raw, write_view
from corrldp.data.entries import load_registry
from corrldp.data.registry import Dataset
from corrldp.data.standin import standin_bytes
from corrldp.reference import all_runners

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
PAPERS = {path.parent.name: load(Folder(path.parent)) for path in sorted(ROOT.glob("papers/*/paper.yaml"))}
REGISTRY = load_registry(ROOT / "config/datasets.yaml")
RUNNER = "claimaudit.experiments"
MOST_ROWS = 10_800


def rules():
    """Return the text of each rule that runs a command of the package, by the command."""
    texts = [path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk")]
    found = {}
    for block in (block for text in texts for block in re.split(r"^(?=\w.*:$)", text, flags=re.MULTILINE)):
        for command in re.findall(r"python -m ((?:claimaudit|corrldp)[\w.]*)", block):
            found.setdefault(command, []).append(block)
    return found


def module_of(runner):
    return Runner.load(runner).module


def behind(command, arguments):
    """Return the modules from which a rule takes the fingerprint of a command."""
    match command:
        case "claimaudit.experiments":
            runner = json.loads(arguments[1]).get("runner")  # results that are given have none
            return [command, module_of(runner)] if runner else [command]
        case "claimaudit.audit.search":
            return [command, module_of(json.loads(arguments[0])["job"]["runner"])]
        case "claimaudit.papers":
            paper = PAPERS[Path(arguments[0]).name]
            return [command, *(paper.runner_of(name).module for name in paper.entry.experiments)]
    return [command]


@cache
def reached(entry):
    return set(local_modules(entry))


def test_commands_import_nothing_that_their_fingerprints_miss(complete):
    notes = [json.loads(path.read_text()) for path in (complete.root.parent / "notes").glob("*.json")]
    untouched = {"corrldp.study.reading", "corrldp.study.numbers", "corrldp.study.page", "claimaudit.report.times"}
    assert {note["command"] for note in notes} >= rules().keys() - untouched
    for note in notes:
        expected = set().union(*map(reached, behind(note["command"], note["arguments"])))
        assert not set(note["modules"]) - expected, note["command"]


def test_files_of_the_package_that_a_command_opens_are_in_its_fingerprint(complete):
    notes = [json.loads(path.read_text()) for path in (complete.root.parent / "notes").glob("*.json")]
    opened = {(note["command"], Path(name)) for note in notes for name in note["files"]}
    assert "templates" in {path.parent.name for _, path in opened}
    for command, path in opened:
        assert path.parent.name == "templates", (command, path)
        assert all("data=TEMPLATES" in block for block in rules()[command]), (command, path)


@cache
def view_of(name, place):
    """Return the files of a view of stand-ins."""
    recipe, tables = REGISTRY["views"][name], []
    for dataset in recipe["datasets"]:
        known, raw = Dataset.from_entry(dataset, REGISTRY["datasets"][dataset]), place / f"{dataset}.data"
        known = replace(known, rows=min(known.rows, MOST_ROWS))
        if not raw.exists():
            raw.write_bytes(standin_bytes(known))
        tables.append(RawRecords(known, read_raw(raw, known), standin=True))
    codes, domain = align(tables, recipe)
    files = place / f"{name}.npy", place / f"{name}.json"
    write_view(codes, {"view": name, **domain}, *files)
    return files


def first_point(paper, experiment, place):
    """Return the arguments of the job of the first point of an experiment, with two runs."""
    setting = json.dumps({**job(PAPERS[paper], experiment), "seed": 0, "runs": 2})
    views = [str(path) for name in PAPERS[paper].view_names(experiment) for path in view_of(name, place)]
    return ["part", setting, "0", str(PAPERS[paper].most_parts(experiment)), str(place / "rows.json"), *views]


def test_every_kind_of_experiment_imports_only_what_its_fingerprint_covers(tmp_path):
    kinds = {}
    for paper, content in PAPERS.items():
        for experiment in content.entry.experiments:
            kinds.setdefault(content.runner_of(experiment).name, (paper, experiment))
    kinds.pop("claimaudit.experiments.given:results")  # no experiment of ours, but a file of numbers
    assert kinds.keys() == {runner.name for runner in all_runners().values()}
    jobs = {kind: first_point(*place, tmp_path) for kind, place in kinds.items()}
    recorder = [sys.executable, Path(__file__).with_name("recorder") / "first_points.py", tmp_path]
    places = os.pathsep.join([str(ROOT / "papers"), str(ROOT / "src")])
    environment = os.environ | {"PYTHONPATH": places}
    done = subprocess.run(
        recorder, input=json.dumps(jobs), capture_output=True, text=True, check=False, env=environment
    )
    assert not done.returncode, done.stderr
    for kind, modules in json.loads(done.stdout).items():
        missing = set(modules) - reached(RUNNER) - reached(module_of(kind))
        assert not missing, kind

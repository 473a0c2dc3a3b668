"""What a command really imports, and reads of the package besides, is in the fingerprint of its rule."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from claimaudit.experiments.runner import Runner
from claimaudit.fingerprint import local_modules
from claimaudit.papers.folder import Folder
from claimaudit.papers.validation import load
from replication.reference import all_runners

pytestmark = [pytest.mark.end_to_end, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
PAPERS = {path.parent.name: load(Folder(path.parent)) for path in sorted(ROOT.glob("papers/*/paper.yaml"))}
RUNNER = "claimaudit.experiments"


def rules():
    """Return the text of each rule that runs a command of the package, by the command."""
    texts = [path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk")]
    found = {}
    for block in (block for text in texts for block in re.split(r"^(?=\w.*:$)", text, flags=re.MULTILINE)):
        for command in re.findall(r"python -m ((?:claimaudit|corrldp|replication)[\w.]*)", block):
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
    run = {json.loads(note["arguments"][1]).get("runner") for note in notes if note["command"] == RUNNER}
    assert run >= {runner.name for runner in all_runners().values()} - {"claimaudit.experiments.given:results"}
    untouched = {"corrldp.study.reading", "corrldp.study.numbers", "corrldp.study.page"}
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

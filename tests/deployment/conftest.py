"""Fixtures of the tests of commands, and the client in JavaScript, asked from Python."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from corrldp.__main__ import main

ASKED = Path(__file__).parent / "vectors/client.mjs"


@pytest.fixture(scope="session")
def ask():
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: install the extra dev, or Node.js 20 or newer")

    def answer(**questions):
        done = subprocess.run([node, ASKED], input=json.dumps(questions), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return answer


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def refused(capsys):
    """Run a command that refuses something; return the only line that it prints."""

    def run(*arguments):
        capsys.readouterr()
        assert main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.err.count("\n") == 1
        assert printed.out == ""
        return printed.err

    return run

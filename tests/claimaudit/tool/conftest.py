"""A paper's folder that tests may change, and how to run the command on it."""

import shutil
from pathlib import Path

import pytest

from claimaudit.__main__ import main

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def claimaudit(tmp_path, monkeypatch, capsys):
    """Function (arguments) -> exit status, output and errors, in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        status = main([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


@pytest.fixture
def sorting(tmp_path):
    """A copy of the example on sorting."""
    shutil.copytree(ROOT / "examples/sorting", tmp_path / "sorting")
    return tmp_path / "sorting"

"""A paper's folder that tests may change, and how to run the command on it."""

import contextlib
import functools
import io
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
    shutil.copytree(ROOT / "examples/sorting", tmp_path / "sorting")
    return tmp_path / "sorting"


@pytest.fixture(scope="session")
def audited(tmp_path_factory):
    """Function (text of replies.yaml, or None) -> status, output and directory of the example's audit; to be read."""

    @functools.cache
    def audit(replies=None):
        place, said, errors = tmp_path_factory.mktemp("audited"), io.StringIO(), io.StringIO()
        shutil.copytree(ROOT / "examples/sorting", place / "sorting")
        if replies is not None:
            (place / "sorting/replies.yaml").write_text(replies, encoding="utf-8")
        with contextlib.chdir(place), contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
            status = main(["run", "sorting", "--out", "audit"])
        assert errors.getvalue() == ""
        return status, said.getvalue(), place / "audit"

    return audit

"""Fixtures of the tests of commands."""

import pytest

from corrldp.__main__ import main


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty directory, in which the test runs."""
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

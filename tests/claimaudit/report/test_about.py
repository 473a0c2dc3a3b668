"""What the report says of its code, in repositories made for the test."""

import os
import subprocess
from dataclasses import replace

import pytest

from claimaudit.report.about import Source, source_of_project

CITATION = """\
version: "1.10"
date-released: "2025-12-31"
license: MIT
authors:
  - name: The developers
"""
RELEASED = Source("1.10", "MIT", "The developers", "2025-12-31")


def git(root, *arguments):
    date = "2026-02-03T04:05:06+00:00"
    environment = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(root), *identity, *arguments]
    return subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout


@pytest.fixture
def root(tmp_path):
    (tmp_path / "CITATION.cff").write_text(CITATION, encoding="utf-8")
    return tmp_path


@pytest.fixture
def repository(root):
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "Start")
    return root


def test_a_clean_repository_has_its_commit_and_date(repository):
    commit = git(repository, "rev-parse", "--short", "HEAD").strip()
    assert source_of_project(repository) == replace(RELEASED, date="2026-02-03", commit=commit)


def test_a_change_to_a_file_is_noticed_staged_or_not_and_an_unknown_file_is_none(repository):
    (repository / "notes.txt").write_text("x", encoding="utf-8")
    assert not source_of_project(repository).changed
    git(repository, "add", "notes.txt")
    assert source_of_project(repository).changed
    git(repository, "commit", "--quiet", "--message", "Notes")
    assert not source_of_project(repository).changed
    (repository / "notes.txt").write_text("y", encoding="utf-8")
    assert source_of_project(repository).changed


def test_without_version_control_or_a_commit_the_release_is_cited(root):
    assert source_of_project(root) == RELEASED
    git(root, "init", "--quiet")
    assert source_of_project(root) == RELEASED


def test_the_commit_of_a_repository_around_an_unpacked_release_is_not_its_own(repository):
    inner = repository / "release"
    inner.mkdir()
    (inner / "CITATION.cff").write_text(CITATION, encoding="utf-8")
    assert source_of_project(inner) == RELEASED

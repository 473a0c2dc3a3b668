"""The project's own files agree with each other."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


def test_conda_environment_names_the_same_dependencies_as_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    conda = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    assert sorted(conda) == sorted([f"python{project['requires-python']}", *project["dependencies"]])


def test_lock_pins_every_dependency_with_hashes_and_names_no_address():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (ROOT / "requirements.txt").read_text()
    pinned = set(re.findall(r"^([a-z0-9-]+)==\S+.*\\\n\s+--hash=sha256:", lock, flags=re.MULTILINE))
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    assert {re.split(r"[<>=]", name)[0] for name in wanted} <= pinned
    assert "://" not in lock

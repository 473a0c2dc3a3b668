"""The project's files are consistent with each other."""

import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml

from claimaudit.audit.claims import load
from claimaudit.papers import validation
from claimaudit.papers.folder import SHARED, Folder
from replication import reference
from replication.report import RESULTS

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
PAPERS = sorted(path.parent.name for path in ROOT.glob("papers/*/paper.yaml"))


def read(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


ASKED_FOR = {"snakemake", "numpy", "pandas", "matplotlib", "seaborn", "jupyter"}
"""Packages that users of the environment count on, whatever the workflow itself needs."""


def projects():
    return [tomllib.loads((ROOT / path / "pyproject.toml").read_text())["project"] for path in (".", "src")]


def others(names):
    """Return the requirements that are not packages of this project."""
    return {name for name in names if not name.startswith(("corrldp", "claimaudit"))}


def test_conda_environment_names_the_same_dependencies_as_pyproject():
    (ours, audit), conda = projects(), yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    extras = ours["optional-dependencies"]
    wanted = [*ours["dependencies"], *extras["report"], *extras["lopub"], *extras["workflow"]]
    wanted += [*audit["dependencies"], *audit["optional-dependencies"]["workflow"]]
    named = {name.replace("typst", "typst-py") for name in others(wanted)}
    assert sorted(conda) == sorted([f"python{ours['requires-python']}", *named])
    assert {re.split("[<>=]", name)[0] for name in conda} >= ASKED_FOR


def test_locks_pin_every_dependency_with_hashes_and_name_no_address():
    files = [ROOT / name for name in ("requirements.txt", "requirements-dev.txt", "tools/uv.txt")]
    users, developers, tool = (file.read_text() for file in files)
    of_users, of_developers = (
        {*re.findall(r"^([a-z0-9-]+)==(\S+).*\\\n\s+--hash=sha256:", lock, flags=re.MULTILINE)}
        for lock in (users, developers)
    )
    for project in projects():
        wanted = chain(project["dependencies"], *project["optional-dependencies"].values())
        assert {re.split(r"[<>=]", name)[0] for name in others(wanted)} <= {name for name, _ in of_developers}
    assert of_users < of_developers
    assert {name for name, _ in of_users} >= ASKED_FOR
    assert not {name for name, _ in of_users} & {"mypy", "playwright", "pytest", "snakemake-executor-plugin-slurm"}
    assert "://" not in users + developers + tool


def test_make_installs_nothing_without_a_hash_but_this_project():
    commands = re.findall(r"^\t(?:uv )?pip install .*$", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert [line for line in commands if "--require-hashes" not in line and "--no-deps --editable ." not in line] == []
    assert len(commands) == 4


def test_citation_follows_the_schema_of_its_format():
    """The schema is part of the package, so no network is needed."""
    program = Path(sys.executable).with_name("check-jsonschema")
    command = [program, "--builtin-schema", "vendor.citation-file-format", ROOT / "CITATION.cff"]
    checked = subprocess.run(command, check=False, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def test_configured_papers_have_their_files_and_nothing_else_lies_there():
    assert set(read("config/config.yaml")["papers"]) <= set(PAPERS)
    assert {path.name for path in (ROOT / "papers").iterdir() if path.is_dir()} == {*PAPERS, SHARED}


@pytest.mark.parametrize("folder", [*PAPERS, SHARED])
def test_a_paper_s_folder_needs_no_other_paper_s(folder):
    others = "|".join({*PAPERS} - {folder, "corrldp"})
    files = [path for path in (ROOT / "papers" / folder).rglob("*") if path.suffix in (".py", ".yaml")]
    needed = [re.findall(rf"^from (?:{others})\b.*|[.][.]/(?:{others})/.*", path.read_text(), re.M) for path in files]
    assert files
    assert not any(needed), needed


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_uses_what_it_has(paper):
    """Its views are made for it; experiments and printed numbers are drawn, shown, judged or evidence."""
    views, folder = read("config/datasets.yaml")["views"], Folder(ROOT / "papers" / paper)
    content = validation.load(folder, views)
    for name in content.entry.experiments:
        assert all(paper in views[view]["papers"] for view in content.view_names(name)), name
    claims, exhibits = load(folder.claims, content.context()), content.entry.exhibits
    used = {content.entry.experiment_of(name) for name in exhibits}
    used |= {meaning.table for claim in claims for _, meaning in claim.meanings}
    beside = RESULTS if paper == "corrldp" else ()
    assert used | {*beside} >= set(content.entry.experiments)
    printed = {name for exhibit in exhibits for name in content.published(exhibit)}
    printed |= {getattr(claim.check, "published", "") for claim in claims}
    assert {path.stem for path in folder.published.glob("*.csv")} <= printed


def test_the_reference_is_current():
    assert (ROOT / "docs/reference.md").read_text(encoding="utf-8") == reference.document()
    assert (ROOT / "src/corrldp/__init__.pyi").read_text(encoding="utf-8") == reference.stub()


def test_no_file_names_a_machine_or_a_registry():
    # Written in parts so that this file does not contain the names either.
    words = "/wo_rk/ /ho_me/ /ro_ot/ /tm_p/ py_pi python_hosted conda-_forge/".replace("_", "").split()
    pattern = re.compile("|".join(map(re.escape, words)), flags=re.IGNORECASE)
    listed = ["git", "ls-files", "-co", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in names
        if (ROOT / name).is_file()
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []

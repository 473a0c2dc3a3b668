"""A release holds what it must and nothing that may not be shared; what stands in its way is one line."""

import hashlib
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import release
import yaml

import corrldp

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
SHARED = ("CC BY 4.0", "CC0")


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory):
    """Directory of a dry run, and its output."""
    out = tmp_path_factory.mktemp("release")
    command = [sys.executable, ROOT / "tools/release.py", "--dry-run", "--out", out.name]
    return out, subprocess.run(command, check=True, capture_output=True, text=True, cwd=out.parent)


@pytest.fixture(scope="module")
def contents(rehearsed):
    [path] = rehearsed[0].glob("*-archive.zip")
    with zipfile.ZipFile(path) as file:
        return {name.partition("/")[2]: file.read(name) for name in file.namelist()}


def test_packages_and_archive_have_the_version(rehearsed):
    number = release.version()
    assert number == corrldp.__version__
    names = {path.name for path in rehearsed[0].iterdir()}
    packages = {f"{name}-{number}{end}" for name in release.PROJECTS for end in (".tar.gz", "-py3-none-any.whl")}
    assert names == packages | {f"corrldp-{number}-archive.zip"}
    assert all(line.startswith("release: ") for line in rehearsed[1].stderr.splitlines())


def test_wheels_hold_every_file_of_their_packages(rehearsed):
    packed = {name for path in rehearsed[0].glob("*.whl") for name in zipfile.ZipFile(path).namelist()}
    listed = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert {name.removeprefix("src/") for name in listed.split()} - {"pyproject.toml"} <= packed


def test_the_library_s_tests_are_where_the_release_takes_them_from():
    assert all((ROOT / "tests" / name).exists() for name in release.LIBRARY_TESTS)


def test_the_archive_is_complete_and_its_checksums_are_right(contents):
    assert {"README.md", "LICENSE", "requirements.txt", "CITATION.cff", ".zenodo.json"} <= contents.keys()
    sums = dict(reversed(line.split("  ", 1)) for line in contents["SHA256SUMS"].decode().splitlines())
    assert sums.keys() == contents.keys() - {"SHA256SUMS"}
    assert all(hashlib.sha256(contents[name]).hexdigest() == digest for name, digest in sums.items())


def test_only_data_whose_licences_allow_it_are_in_the_archive(contents):
    datasets = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())["datasets"].values()
    free = {entry["file"] for entry in datasets if "file" in entry and entry["licence"].startswith(SHARED)}
    data = [Path(name).name.removesuffix(".xz") for name in contents if name.startswith("data/shipped/")]
    assert set(data) - {"README.md"} <= free
    assert not [name for name in contents if name.startswith(("data/raw", "data/aligned", "report/study"))]
    rows = contents["LICENCES-OF-DATA.csv"].decode().splitlines()
    assert len(rows) == len(datasets) + 1


def test_metadata_agree_with_the_citation(contents):
    citation, deposit = yaml.safe_load(contents["CITATION.cff"]), json.loads(contents[".zenodo.json"])
    assert (deposit["title"], deposit["version"]) == (citation["title"], citation["version"])
    components = json.loads(contents["COMPONENTS.json"])["components"]
    assert {"numpy", "scipy", "snakemake"} <= {one["name"] for one in components}
    assert all(one["externalReferences"][0]["hashes"] for one in components)


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("CITATION.cff", "\nversion: ", "\nversion: 9", "versions differ: .*CITATION.cff has 9"),
        ("CHANGELOG.md", "\n## 0", "\n## 9", "versions differ: .*CHANGELOG.md has 9"),
        ("CITATION.cff", 'date-released: "2', 'date-released: "3', "same date"),
        ("pyproject.toml", '"claimaudit==', '"claimaudit==9', "versions differ: .*the extra report has 9"),
    ],
)
def test_versions_that_differ_are_one_line(tmp_path, monkeypatch, name, old, new, words):
    for one in ("CITATION.cff", "CHANGELOG.md", "pyproject.toml"):
        text = (ROOT / one).read_text()
        (tmp_path / one).write_text(text.replace(old, new, 1) if one == name else text)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setitem(release.PROJECTS, "corrldp", tmp_path)
    with pytest.raises(ValueError, match=f"^[^\n]*{words}[^\n]*$"):
        release.version()

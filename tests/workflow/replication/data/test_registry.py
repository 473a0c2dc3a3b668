"""The registry: sorted, valid, and in agreement with the documentation of the data sets."""

import copy
from pathlib import Path

import pytest

from claimaudit.configuration import faults_in
from claimaudit.names import ConfigurationError
from replication.data.entries import RegistryFile, faults, load_registry
from replication.data.registry import Dataset, RegistryError

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[4]
CONFIG = ROOT / "config/datasets.yaml"
COLUMNS = {
    "adult_test": 15,
    "adult_train": 15,
    "cardiovascular": 13,
    "celeba_attributes": 41,
    "clave": 20,
    "german_credit": 21,
    "lfw_attributes": 74,
    "mushroom": 23,
    "nursery": 9,
    "us_census_1990": 69,
    "womens_clothing": 1,
}


@pytest.fixture(scope="module")
def registry():
    return load_registry(CONFIG)


def test_every_data_set_has_its_documented_number_of_columns(registry):
    files = {name: entry for name, entry in registry["datasets"].items() if entry["kind"] == "file"}
    found = {name: len(Dataset.from_entry(name, entry).columns) for name, entry in files.items()}
    assert found == COLUMNS


def test_no_two_data_sets_share_a_checksum(registry):
    sums = [entry["sha256"] for entry in registry["datasets"].values() if entry["kind"] == "file"]
    assert len(set(sums)) == len(sums)


def test_counts_are_those_of_the_paper(registry):
    counts = {
        name: (entry["n"], entry["n1"]) for name, entry in registry["datasets"].items() if entry["kind"] == "counts"
    }
    assert counts == {"amazon": (10_000, 762), "census": (10_000, 9_528), "kosarak": (20_000, 659)}


@pytest.mark.parametrize("part", ["datasets", "views"])
def test_unsorted_registry_is_refused(registry, part):
    shuffled = {**registry, part: dict(reversed(registry[part].items()))}
    [(place, words)] = faults(shuffled)
    assert place[0] == part
    assert f"{part} must be sorted by name" in words


def changed(registry, path, value):
    broken = copy.deepcopy(registry)
    place = broken
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return broken


@pytest.mark.parametrize(
    ("path", "value", "place", "message"),
    [
        (["views", "nursery", "datasets"], ["kosarak"], ("views", "nursery", "datasets", 0), "'nursery' reads 'kosara"),
        (["views", "nursery", "attributes"], ["parent"], ("views", "nursery", "attributes"), "has no column 'parent'"),
        (["views", "nursery", "rows"], 10**6, ("views", "nursery", "rows"), "more than the records"),
        (
            ["datasets", "nursery", "columns", 1, "name"],
            "parents",
            ("datasets", "nursery", "columns"),
            "2 columns named 'parents'",
        ),
        (
            ["datasets", "nursery", "columns", 1, "absent"],
            ["usually"],
            ("datasets", "nursery", "columns"),
            "absent: usually is none of its values",
        ),
        (
            ["datasets", "nursery", "format", "preamble"],
            ["{row}"],
            ("datasets", "nursery", "columns"),
            "no stand-in can be made",
        ),
        (["datasets", "kosarak", "n1"], 10**6, ("datasets", "kosarak", "n1"), "1000000 is more than n, 20000"),
    ],
)
def test_what_the_form_does_not_show_is_refused(registry, path, value, place, message):
    assert list(faults(registry)) == []
    [(found, _)] = [fault for fault in faults(changed(registry, path, value)) if message in fault[1]]
    assert found == place


@pytest.mark.parametrize(
    ("path", "value", "place", "message"),
    [
        (["datasets", "nursery", "sha256"], "abc", ("sha256",), "'abc' must match"),
        (
            ["datasets", "nursery", "columns", 0, "values"],
            ["usual", 1],
            ("columns", 0, "values", 1),
            "1 must be a va",
        ),
        (["datasets", "nursery", "surprise"], 1, ("surprise",), "unknown key"),
        (["datasets", "nursery", "kind"], "files", ("kind",), "did you mean file?"),
        (["datasets", "nursery", "bytes"], float("inf"), ("bytes",), "inf"),
        (["datasets", "kosarak", "n1"], -1, ("n1",), "-1 must be greater than or equal to 0"),
        (
            ["datasets", "lfw_attributes", "transformation"],
            "",
            ("transformation",),
            "'' must have at",
        ),
        (
            ["views", "nursery", "attributes"],
            [{"column": "parents", "why": "no"}],
            ("attributes", 0),
            "give one of exclude, cuts and merge",
        ),
        (
            ["views", "nursery", "attributes"],
            [{"column": "parents", "merge": []}],
            ("attributes", 0, "why"),
            "the key is miss",
        ),
    ],
)
def test_a_fault_of_the_form_names_the_key_and_not_the_whole_entry(registry, path, value, place, message):
    found = faults_in(changed(registry, path, value), RegistryFile)
    assert (*path[:2], *place) in [where for where, _ in found]
    assert any(message in words for _, words in found)
    assert all(len(words) < 300 for _, words in found)


def test_data_set_without_a_file_cannot_be_fetched(registry):
    with pytest.raises(RegistryError, match="'dss_2016' is of kind 'user_file'"):
        Dataset.from_entry("dss_2016", registry["datasets"]["dss_2016"])


def test_a_repeated_name_is_refused(tmp_path):
    path = tmp_path / "datasets.yaml"
    path.write_text(CONFIG.read_text().replace("\nviews:\n", "\ndatasets: {}\nviews:\n"))
    with pytest.raises(ConfigurationError, match=r"datasets\.yaml, line \d+: the key datasets appears twice"):
        load_registry(path)


def test_a_fault_is_one_line_with_file_line_and_key(tmp_path):
    path = tmp_path / "datasets.yaml"
    lines = CONFIG.read_text().splitlines()
    number = next(number for number, line in enumerate(lines, start=1) if line.startswith("    bytes: "))
    path.write_text("\n".join([*lines[: number - 1], "    bytes: many", *lines[number:]]))
    with pytest.raises(
        ConfigurationError, match=rf"^datasets\.yaml, line {number}: datasets\.adult_test\.bytes: 'many'"
    ):
        load_registry(path)

"""The registry: sorted, valid, and in agreement with the documentation of the data sets."""

import copy
from pathlib import Path

import jsonschema
import pytest
import yaml

from corrldp.data.checks import check_registry, load_registry
from corrldp.data.registry import Dataset, RegistryError
from corrldp.names import ConfigurationError

ROOT = Path(__file__).resolve().parents[2]
CONFIG, SCHEMA = ROOT / "config/datasets.yaml", ROOT / "src/corrldp/schemas/datasets.schema.yaml"
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
    with pytest.raises(RegistryError, match=f"{part} must be sorted by name"):
        check_registry(shuffled)


def test_view_of_a_data_set_without_a_file_is_refused(registry):
    broken = copy.deepcopy(registry)
    broken["views"]["nursery"]["datasets"] = ["kosarak"]
    with pytest.raises(RegistryError, match="'nursery' reads 'kosarak'"):
        check_registry(broken)


def test_repeated_column_is_refused(registry):
    broken = copy.deepcopy(registry)
    broken["datasets"]["nursery"]["columns"][1]["name"] = "parents"
    with pytest.raises(RegistryError, match="2 columns named 'parents'"):
        check_registry(broken)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["datasets", "nursery", "sha256"], "abc"),
        (["datasets", "nursery", "columns", 0, "values"], ["usual", 1]),
        (["datasets", "nursery", "surprise"], 1),
        (["datasets", "kosarak", "n1"], -1),
        (["datasets", "lfw_attributes", "transformation"], ""),
        (["views", "nursery", "attributes"], [{"column": "parents", "why": "no change"}]),
        (["views", "nursery", "attributes"], [{"column": "parents", "merge": []}]),
    ],
)
def test_schema_refuses(registry, path, value):
    broken = copy.deepcopy(registry)
    place = broken
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, yaml.safe_load(SCHEMA.read_text()))


def test_data_set_without_a_file_cannot_be_fetched(registry):
    with pytest.raises(RegistryError, match="'dss_2016' is of kind 'user_file'"):
        Dataset.from_entry("dss_2016", registry["datasets"]["dss_2016"])


def test_a_repeated_name_is_refused(tmp_path):
    path = tmp_path / "datasets.yaml"
    path.write_text(CONFIG.read_text().replace("\nviews:\n", "\ndatasets: {}\nviews:\n"))
    with pytest.raises(ConfigurationError, match=r"datasets\.yaml, line \d+: the key datasets appears twice"):
        load_registry(path)

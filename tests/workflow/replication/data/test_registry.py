"""The registry: sorted, valid, and in agreement with the documentation of the data sets."""

import copy
import io
import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from claimaudit import yaml_files
from claimaudit.configuration import faults_in, parse
from claimaudit.names import ConfigurationError
from claimaudit.results import write_sealed
from replication.data.align import AlignJob, align_files
from replication.data.registry import Registry
from replication.validation import faults

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[4]
CONFIG = ROOT / "config/datasets.yaml"
PAGE = ROOT / "docs/adding-a-dataset.md"


@pytest.fixture(scope="module")
def registry():
    return yaml_files.load(CONFIG, Registry)


@pytest.fixture(scope="module")
def written():
    return yaml_files.read(CONFIG)


@pytest.mark.parametrize("part", ["datasets", "views"])
def test_both_lists_are_sorted_by_name(written, part):
    assert [*written[part]] == sorted(written[part])


def changed(registry, path, value):
    """Return the registry with another value at a place, such as ``datasets.nursery.columns.1.name``."""
    broken = place = copy.deepcopy(registry)
    *above, last = (int(key) if key.isdecimal() else key for key in path.split("."))
    for key in above:
        place = place[key]
    place[last] = value
    return broken


@pytest.mark.parametrize(
    ("path", "value", "place", "message"),
    [
        ("views.nursery.datasets", ["kosarak"], "views.nursery.datasets.0", "'nursery' reads 'kosara"),
        ("views.nursery.attributes", ["parent"], "views.nursery.attributes", "has no column 'parent'"),
        ("views.nursery.rows", 10**6, "views.nursery.rows", "more than the records"),
        ("datasets.nursery.format.preamble", ["{row}"], "datasets.nursery.columns", "no stand-in can be made"),
    ],
)
def test_what_the_form_does_not_show_is_refused(registry, written, path, value, place, message):
    assert list(faults(registry)) == []
    broken = parse(changed(written, path, value), Registry)
    [(found, _)] = [fault for fault in faults(broken) if message in fault[1]]
    assert ".".join(map(str, found)) == place


@pytest.mark.parametrize(
    ("path", "value", "place", "message"),
    [
        ("datasets.nursery.columns.0.values", ["usual", 1], "columns.0.values.1", "1 must be a va"),
        ("datasets.nursery.columns.1.name", "parents", "columns", "'parents' is listed twice"),
        ("datasets.nursery.columns.1.absent", ["usually"], "columns.1", "absent: usually is none of its values"),
        ("datasets.adult_train.columns.0.typical", [80, 17], "columns.0", "range and typical must increase"),
        ("datasets.kosarak.n1", 10**6, "", "n1, 1000000, is more than n, 20000"),
        ("views.nursery.attributes", ["parents", 1], "attributes.1", "1 must be the name of a column"),
        ("datasets.nursery.kind", "files", "kind", "did you mean file?"),
        ("views.nursery.attributes", [{"column": "parents", "why": "no"}], "attributes.0", "give one of exclude, cuts"),
        ("views.nursery.attributes", [{"column": "parents", "merge": []}], "attributes.0.why", "the key is miss"),
    ],
)
def test_a_fault_of_the_form_names_the_key_and_not_the_whole_entry(written, path, value, place, message):
    found = faults_in(changed(written, path, value), Registry)
    assert ".".join(filter(None, [*path.split(".")[:2], place])) in [".".join(map(str, where)) for where, _ in found]
    assert any(message in words for _, words in found)
    assert all(len(words) < 300 for _, words in found)


def test_a_name_is_only_a_key(written):
    [(place, words)] = faults_in(changed(written, "datasets.nursery.name", "nursery"), Registry)
    assert (place, words) == (("datasets",), "nursery has a name besides its key; leave it out")


@pytest.mark.parametrize(
    ("name", "message"),
    [("dss_2016", "'dss_2016' is of kind 'user_file' and has no file; The CPL"), ("dss", "no data set 'dss'.*amazon")],
)
def test_data_set_without_a_file_cannot_be_fetched(registry, name, message):
    with pytest.raises(ConfigurationError, match=message):
        registry.file(name)


def test_the_page_on_adding_a_data_set(written, tmp_path):
    """Its entries join the registry, and its file is aligned by them."""
    parts = re.findall(r"^```(csv|yaml)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    added = yaml.safe_load("".join(body for kind, body in parts if kind == "yaml"))
    merged = {part: dict(sorted((written[part] | added[part]).items())) for part in written}
    registry = parse(merged, Registry)
    assert list(faults(registry)) == []
    raw, record = tmp_path / "survey.data", tmp_path / "survey.json"
    raw.write_text(next(body for kind, body in parts if kind == "csv"))
    write_sealed(record, {"status": "original"})
    job = AlignJob("survey", registry.views["survey"], tuple(registry.read_by("survey")))
    assert np.load(io.BytesIO(align_files(job, [raw], [record])["codes"])).tolist() == [[0, 1], [1, 2], [0, 0]]

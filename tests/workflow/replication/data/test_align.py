"""Raw files are read in each format and aligned: by hand, then every view of the real data if a copy is available."""

import gzip
import hashlib
import io
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pydantic import TypeAdapter
from toys import COMMAS, toy

from claimaudit import yaml_files
from claimaudit.storage import sealed
from claimaudit.task import plain
from replication.data.align import (
    AlignJob,
    RawRecords,
    align,
    align_files,
    read_raw,
    standin_bytes,
)
from replication.data.registry import AlignedView, FileColumn, Format, Registry
from replication.data.store import SHARED_MIRROR

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[4]
REGISTRY = yaml_files.load(ROOT / "config/datasets.yaml", Registry)
MIRROR = ROOT / SHARED_MIRROR
real_views = [name for name in REGISTRY.views if name != "us_census_1990"]

COLOUR = FileColumn(name="colour", kind="categorical", values=("red", "green", "blue"))
AGE = FileColumn(name="age", kind="integer", range=(0, None), typical=(0, 99))


LETTERS = FileColumn(name="letter", kind="categorical", values=("a", "b"))
DIGITS = FileColumn(name="digit", kind="categorical", values=("1", "2", "?"))


def number_of_cells(domain):
    return math.prod(len(attribute["values"]) for attribute in domain["attributes"])


def table(colours, ages, columns=(COLOUR, AGE), standin=False):
    records = pd.DataFrame({"colour": colours, "age": ages}, dtype=str)
    return RawRecords(toy(len(colours), columns), records, standin)


def read(tmp_path, body, form, rows=2):
    path = tmp_path / "toy.data"
    path.write_bytes(body.encode())
    return read_raw(path, toy(rows, (LETTERS, DIGITS), form)).to_numpy().tolist()


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ("a,1\nb,?\n", COMMAS),
        ("a, 1\nb, ?\n\n", Format(separator=", ", ending="\n")),
        (
            "|1x3 Cross validator\na, 1.\nb, ?.\n\n",
            Format(separator=", ", preamble=("|1x3 Cross validator",), suffix="."),
        ),
        ("a 1\nb ?\terror fixed\n", Format(separator=" ", remark_fields=2)),
        (
            "2\r\ndigit \r\na  1\r\nb ?\r\n",
            Format(separator=" ", preamble=("{rows}", "{attributes} "), line_end="\r\n"),
        ),
        ("letter;digit\na;1\nb;?\n", Format(separator=";", preamble=("{columns}",))),
    ],
)
def test_reads_each_way_of_writing(tmp_path, body, form):
    assert read(tmp_path, body, form) == [["a", "1"], ["b", "?"]]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("a,1\nb\n", "record 2 has no 'digit'"),
        ("a,1\nb,2,3\n", "Expected 2 fields in line 2, saw 3"),
        ("a,1,3\nb,2,3\n", "more than 2 fields"),
        ("a,1\n", "has 1 records, but 2 are documented"),
        ("", "has 0 records"),
        ('"a,b",1\nb,2\n', "more than 2 fields|saw 3"),
    ],
)
def test_malformed_file_is_refused(tmp_path, body, reason):
    with pytest.raises(ValueError, match=reason) as error:
        read(tmp_path, body, COMMAS)
    assert "fields in quotes are not read" in str(error.value)
    assert str(error.value).startswith(str(tmp_path))


def recipe(attributes, **extra):
    content = {"title": "Toy", "datasets": ["toy"], "papers": ["jrr"], "why": "test", "attributes": attributes, **extra}
    return AlignedView.model_validate_json(json.dumps(content))


def merged(*groups):
    merge = [{"value": f"group {number}", "of": of} for number, of in enumerate(groups)]
    return [{"column": "colour", "merge": merge, "why": "x"}]


@pytest.mark.parametrize(
    ("drop", "codes", "values", "dropped"),
    [({}, [[2], [0], [2]], ["red", "green", "blue"], 0), ({"drop": ["?", "red"]}, [[1]], ["green", "blue"], 2)],
)
def test_codes_follow_the_documented_order_and_records_with_a_dropped_value_are_left_out(drop, codes, values, dropped):
    found, domain = align([table(["blue", "red", "blue"], ["?", "2", "3"])], recipe(["colour"], **drop))
    assert found.tolist() == codes
    assert domain["attributes"] == [{"name": "colour", "values": values}]
    assert (domain["n"], domain["dropped"]) == (len(codes), dropped)


def test_merge_cuts_and_order_of_attributes():
    merge = [{"value": "warm", "of": ["red"]}, {"value": "cold", "of": ["green", "blue"]}]
    steps = [
        {"column": "age", "cuts": [18, 65], "why": "law"},
        {"column": "colour", "merge": merge, "why": "optics"},
    ]
    codes, domain = align([table(["blue", "red", "green"], ["17", "18", "65"])], recipe(steps))
    assert codes.tolist() == [[0, 1], [1, 0], [2, 1]]
    age, colour = domain["attributes"]
    assert age["values"] == ["(-inf, 18)", "[18, 65)", "[65, inf)"]
    assert colour == {"name": "colour", "values": ["warm", "cold"], "merge": merge}
    assert number_of_cells(domain) == 6


def test_data_sets_stand_one_below_the_other_and_rows_limit_them():
    first, second = table(["red"], ["1"]), table(["blue", "green"], ["1", "2"], standin=True)
    codes, domain = align([first, second], recipe(["colour"], rows=2))
    assert codes.tolist() == [[0], [2]]
    assert domain["n"] == 2
    assert domain["standin"]


NO_BLUE = [{"column": "colour", "exclude": ["blue"], "why": "x"}]
CUT = [{"column": "age", "cuts": [9], "why": "x"}]


@pytest.mark.parametrize(
    ("colours", "ages", "steps", "message"),
    [
        (["red", "pink"], ["1", "2"], ["colour"], r"'colour' of toy holds 'pink' in record 2: its domain is red"),
        (["red", "blue"], ["1", "2"], NO_BLUE, "holds 'blue' in record 2"),
        (["red"], ["-1"], CUT, "holds '-1' in record 1: it must be integer"),
        (["red"], ["1.5"], CUT, "holds '1.5' in record 1"),
        (["red"], ["?"], CUT, r"holds '\?' in record 1"),
        (["red"], ["1"], merged(["red"], ["blue"]), "each documented value"),
        (["red"], ["1"], merged(["red"], COLOUR.values), "each documented value"),
        (["red"], ["1"], [{"column": "colour", "cuts": [1], "why": "x"}], "is categorical"),
        (["red"], ["1"], [{"column": "age", "cuts": [2, 1], "why": "x"}], "cuts must increase"),
        (["red"], ["1"], ["age"], "give it cuts if numeric"),
        (["red"], ["1"], ["size"], "has no column 'size'"),
    ],
)
def test_a_value_outside_the_domain_is_named_and_a_recipe_that_contradicts_the_documentation_is_refused(
    colours, ages, steps, message
):
    with pytest.raises(ValueError, match=message):
        align([table(colours, ages)], recipe(steps))


def test_data_sets_that_document_other_domains_are_not_mixed():
    other = FileColumn(name="colour", kind="categorical", values=("red", "green"))
    with pytest.raises(ValueError, match="differ in their documented domains"):
        align([table(["red"], ["1"]), table(["red"], ["1"], (other, AGE))], recipe(["colour"]))


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """All data sets of the copy beside the project, unpacked."""
    if not MIRROR.is_dir():
        pytest.skip("no copy of the data beside the project")
    directory, tables = tmp_path_factory.mktemp("raw"), {}
    for name, dataset in REGISTRY.files.items():
        if dataset.optional:
            continue
        path = MIRROR / dataset.file
        if not path.is_file():
            path = directory / dataset.file
            path.write_bytes(gzip.decompress((MIRROR / f"{dataset.file}.gz").read_bytes()))
        tables[name] = RawRecords(dataset, read_raw(path, dataset))
    return tables


@pytest.fixture(scope="module")
def aligned(real):
    return {
        view: align([real[name] for name in REGISTRY.views[view].datasets], REGISTRY.views[view]) for view in real_views
    }


SHAPES = {  # records, attributes, cells
    "clave_columns": (10_800, 20, 2**20),
    "adult_categorical": (32_561, 8, 1_814_400),
    "adult_corr_rr": (10_000, 3, 8),
    "adult_corr_rr_all": (32_561, 3, 8),
    "adult_complete": (45_222, 9, 8 * 16 * 7 * 14 * 6 * 5 * 2 * 41 * 2),
    "adult_cpl": (48_842, 14, 87_787_929_600),
    "adult_age_sex": (32_561, 2, 10),
    "adult_cpl_quartiles": (48_842, 14, 58_525_286_400),
    "adult_cpl_width": (48_842, 14, 762_048_000_000),
    "cardiovascular": (70_000, 12, 806_400),
    "cardiovascular_quartiles": (70_000, 12, 165_888),
    "cardiovascular_width": (70_000, 12, 900_000),
    "celeba": (202_599, 40, 2**40),
    "celeba_shared": (202_599, 38, 2**38),
    "clave": (10_800, 16, 2**16),
    "clave_corr_rr": (10_800, 2, 4),
    "clave_corr_rr_onsets": (10_800, 2, 4),
    "german_credit": (1_000, 13, 34_560_000),
    "lfw": (13_143, 73, 2**73),
    "lfw_shared": (13_143, 38, 2**38),
    "mushroom": (8_124, 23, None),
    "mushroom_corr_rr": (8_124, 2, 25),
    "mushroom_preprint": (8_124, 9, 6**9),
    "nursery": (12_960, 9, 64_800),
    "nursery_preprint": (12_960, 8, 3**8),
    "womens_clothing": (23_486, 1, 2),
}


@pytest.mark.parametrize("view", real_views)
def test_shape_of_every_real_view(aligned, view):
    codes, domain = aligned[view]
    records, attributes, cells = SHAPES[view]
    assert codes.shape == (records, attributes)
    assert domain["n"] == records
    assert not domain["standin"]
    assert cells is None or number_of_cells(domain) == cells
    assert codes.min() >= 0
    assert (codes.max(axis=0) < [len(attribute["values"]) for attribute in domain["attributes"]]).all()


def test_correlations_that_the_recipes_quote(aligned):
    def largest(view):
        correlations = np.corrcoef(aligned[view][0].T)
        return np.abs(correlations[np.triu_indices(len(correlations), 1)]).max()

    assert largest("clave") == pytest.approx(0.0717, abs=5e-5)
    assert largest("clave_corr_rr") == pytest.approx(0.2993, abs=5e-5)
    assert largest("mushroom_corr_rr") == pytest.approx(0.2102, abs=5e-5)
    assert largest("adult_corr_rr") == pytest.approx(0.9613, abs=5e-5)


def test_mushroom_preprint_lists_the_five_most_frequent_values(real, aligned):
    for attribute in aligned["mushroom_preprint"][1]["attributes"]:
        frequencies = real["mushroom"].records[attribute["name"]].value_counts()
        kept = attribute["values"][:5]
        assert sorted(frequencies[kept], reverse=True) == frequencies.iloc[:5].tolist()
        assert attribute["values"][5] == "Other"


def test_files_of_a_view(tmp_path):
    """As a job that was written and read again: the same bytes every time, of the registry's file or its stand-in."""
    content, edited = b"red,17\nblue,18\n", b"red,17\nblue,19\n"
    dataset = toy(2, (COLOUR, AGE)).model_copy(update={"sha256": hashlib.sha256(content).hexdigest()})
    steps = [{"column": "colour", "exclude": ["green"], "why": "x"}, {"column": "age", "cuts": [18], "why": "x"}]
    told = json.dumps(plain(AlignJob("mine", recipe(steps), (dataset,))))
    assert "why" not in told  # prose makes no view stale
    job = TypeAdapter(AlignJob).validate_json(told)
    raw, record = tmp_path / "toy.data", tmp_path / "toy.json"

    def files(content, status):
        raw.write_bytes(content)
        record.write_text(json.dumps(sealed({"status": status})))
        return align_files(job, [raw], [record])

    found = files(content, "original")
    codes, domain = np.load(io.BytesIO(found["codes"])), json.loads(found["domain"])
    assert (codes.tolist(), codes.dtype) == ([[0, 0], [1, 1]], np.int32)
    assert (domain["view"], domain["standin"], number_of_cells(domain)) == ("mine", False, 4)
    assert domain["attributes"][1] == {"name": "age", "values": ["(-inf, 18)", "[18, inf)"], "cuts": [18]}
    assert found == files(content, "original")
    for status, said in (("original", "config/datasets.yaml"), ("stand-in", "the recipe of its stand-in")):
        with pytest.raises(ValueError, match=f".* has SHA-256 .*, but {said} says .*; delete .* and re-run"):
            files(edited, status)
    dataset = dataset.model_copy(update={"columns": (COLOUR.model_copy(update={"absent": ("green",)}), AGE)})
    job = AlignJob("mine", recipe(steps), (dataset,))
    assert json.loads(files(standin_bytes(dataset), "stand-in")["domain"])["standin"]

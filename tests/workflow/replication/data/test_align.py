"""Raw files are read in each format and aligned: by hand, then every view of the real data if a copy is available."""

import gzip
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from claimaudit.checksums import sealed
from replication.data.align import DomainError, RawFormatError, RawRecords, align, domain_size, read_raw, write_view
from replication.data.entries import load_registry
from replication.data.registry import Column, Dataset, Format, RegistryError
from replication.data.store import SHARED_MIRROR

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[4]
REGISTRY = load_registry(ROOT / "config/datasets.yaml")
MIRROR = ROOT / SHARED_MIRROR
needs_data = pytest.mark.skipif(not MIRROR.is_dir(), reason="no copy of the data beside the project")
real_views = [name for name in REGISTRY["views"] if name != "us_census_1990"]

COLOUR = Column("colour", "categorical", values=("red", "green", "blue"))
AGE = Column("age", "integer", bounds=(0, float("inf")), typical=(0, 99))


LETTERS = Column("letter", "categorical", values=("a", "b"))
DIGITS = Column("digit", "categorical", values=("1", "2", "?"))


COMMAS = Format(",")


def toy(rows, columns, form=COMMAS):
    return Dataset(
        name="toy",
        title="Toy",
        citation="none",
        licence="none",
        doi=None,
        status="original",
        file="toy.data",
        sha256="0" * 64,
        size=1,
        rows=rows,
        sources=(),
        format=form,
        columns=columns,
    )


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
        ("a, 1\nb, ?\n\n", Format(", ", ending="\n")),
        ("|1x3 Cross validator\na, 1.\nb, ?.\n\n", Format(", ", ("|1x3 Cross validator",), suffix=".")),
        ("a 1\nb ?\terror fixed\n", Format(" ", remark_fields=2)),
        ("2\r\ndigit \r\na  1\r\nb ?\r\n", Format(" ", ("{rows}", "{attributes} "), line_end="\r\n")),
        ("letter;digit\na;1\nb;?\n", Format(";", ("{columns}",))),
    ],
)
def test_reads_each_way_of_writing(tmp_path, body, form):
    assert read(tmp_path, body, form) == [["a", "1"], ["b", "?"]]


def test_text_that_looks_missing_is_kept(tmp_path):
    assert read(tmp_path, "NA,1\nnan,?\n", COMMAS) == [["NA", "1"], ["nan", "?"]]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("a,1\nb\n", "record 2 has no 'digit'"),
        ("a,1\nb,2,3\n", "Expected 2 fields in line 2, saw 3"),
        ("a,1,3\nb,2,3\n", "more than 2 fields"),
        ("a,1\n", "has 1 records, but 2 are documented"),
        ("", "has 0 records"),
    ],
)
def test_malformed_file_is_refused(tmp_path, body, reason):
    with pytest.raises(RawFormatError, match=reason):
        read(tmp_path, body, COMMAS)


def test_number_of_records_is_checked_against_the_documented_one(tmp_path):
    path = tmp_path / "toy.data"
    path.write_text("a,1\nb,2\n")
    with pytest.raises(RawFormatError, match="has 2 records, but 3 are documented"):
        read_raw(path, toy(3, (LETTERS, DIGITS)))


def recipe(attributes, **extra):
    return {"title": "Toy", "datasets": ["toy"], "why": "test", "attributes": attributes, **extra}


def test_codes_follow_the_documented_order_not_the_records():
    codes, domain = align([table(["blue", "red", "blue"], ["1", "2", "3"])], recipe(["colour"]))
    assert codes.tolist() == [[2], [0], [2]]
    assert domain["attributes"] == [{"name": "colour", "values": ["red", "green", "blue"]}]
    assert domain["n"] == 3


def test_records_with_a_dropped_value_in_any_column_are_left_out_and_counted():
    codes, domain = align([table(["blue", "red", "blue"], ["?", "2", "3"])], recipe(["colour"], drop=["?", "red"]))
    assert codes.tolist() == [[1]]
    assert domain["attributes"] == [{"name": "colour", "values": ["green", "blue"]}]
    assert (domain["n"], domain["dropped"]) == (1, 2)


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
    assert colour == {"name": "colour", "values": ["warm", "cold"], "merge": merge, "why": "optics"}
    assert domain_size(domain) == 6


def test_data_sets_stand_one_below_the_other_and_rows_limit_them():
    first, second = table(["red"], ["1"]), table(["blue", "green"], ["1", "2"], standin=True)
    codes, domain = align([first, second], recipe(["colour"], rows=2))
    assert codes.tolist() == [[0], [2]]
    assert domain["n"] == 2
    assert domain["standin"]


def test_frequencies_do_not_matter():
    """The same records in any number and order yield the same domain."""
    few, many = table(["red", "blue"], ["1", "2"]), table(["blue"] * 9 + ["red"], ["1"] * 10)
    assert align([few], recipe(["colour"]))[1]["attributes"] == align([many], recipe(["colour"]))[1]["attributes"]


@pytest.mark.parametrize(
    ("colours", "ages", "steps", "message"),
    [
        (["red", "pink"], ["1", "2"], ["colour"], r"'colour' of toy holds 'pink' in record 2: its domain is red"),
        (
            ["red", "blue"],
            ["1", "2"],
            [{"column": "colour", "exclude": ["blue"], "why": "x"}],
            "holds 'blue' in record 2",
        ),
        (["red"], ["-1"], [{"column": "age", "cuts": [9], "why": "x"}], "holds '-1' in record 1: it must be integer"),
        (["red"], ["1.5"], [{"column": "age", "cuts": [9], "why": "x"}], "holds '1.5' in record 1"),
        (["red"], ["?"], [{"column": "age", "cuts": [9], "why": "x"}], r"holds '\?' in record 1"),
    ],
)
def test_value_outside_the_domain_is_named(colours, ages, steps, message):
    with pytest.raises(DomainError, match=message):
        align([table(colours, ages)], recipe(steps))


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([{"column": "colour", "merge": [{"value": "x", "of": ["red", "blue"]}], "why": "x"}], "each documented value"),
        ([{"column": "colour", "merge": [{"value": "x", "of": ["red"] * 3}], "why": "x"}], "each documented value"),
        ([{"column": "colour", "cuts": [1], "why": "x"}], "is categorical"),
        ([{"column": "age", "cuts": [2, 1], "why": "x"}], "cuts must increase"),
        (["age"], "give it cuts if numeric"),
        (["size"], "has no column 'size'"),
    ],
)
def test_recipe_that_contradicts_the_documentation_is_refused(steps, message):
    with pytest.raises(RegistryError, match=message):
        align([table(["red"], ["1"])], recipe(steps))


def test_data_sets_that_document_other_domains_are_not_mixed():
    other = Column("colour", "categorical", values=("red", "green"))
    with pytest.raises(RegistryError, match="differ in their documented domains"):
        align([table(["red"], ["1"]), table(["red"], ["1"], (other, AGE))], recipe(["colour"]))


def test_written_view_has_the_same_bytes_every_time(tmp_path):
    codes, domain = align([table(["red", "blue"], ["1", "2"])], recipe(["colour"]))
    for name in ("a", "b"):
        write_view(codes.copy(), domain, tmp_path / f"{name}.npy", tmp_path / f"{name}.json")
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert np.load(tmp_path / "a.npy").dtype == np.int32


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """All data sets of the copy beside the project, unpacked."""
    if not MIRROR.is_dir():
        pytest.skip("no copy of the data beside the project")
    directory, tables = tmp_path_factory.mktemp("raw"), {}
    for name, entry in REGISTRY["datasets"].items():
        if entry["kind"] != "file" or entry.get("optional"):
            continue
        dataset = Dataset.from_entry(name, entry)
        path = MIRROR / dataset.file
        if not path.is_file():
            path = directory / dataset.file
            path.write_bytes(gzip.decompress((MIRROR / f"{dataset.file}.gz").read_bytes()))
        tables[name] = RawRecords(dataset, read_raw(path, dataset))
    return tables


@pytest.fixture(scope="module")
def aligned(real):
    return {
        view: align([real[name] for name in REGISTRY["views"][view]["datasets"]], REGISTRY["views"][view])
        for view in real_views
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
    assert cells is None or domain_size(domain) == cells
    assert codes.min() >= 0
    assert (codes.max(axis=0) < [len(attribute["values"]) for attribute in domain["attributes"]]).all()


def counts(aligned, view, attribute):
    codes, domain = aligned[view]
    index = [a["name"] for a in domain["attributes"]].index(attribute)
    values = domain["attributes"][index]["values"]
    return dict(zip(values, np.bincount(codes[:, index], minlength=len(values)).tolist(), strict=True))


@pytest.mark.parametrize(
    ("view", "attribute", "expected"),
    [
        ("adult_categorical", "income", {"<=50K": 24_720, ">50K": 7_841}),
        ("adult_cpl", "income", {"<=50K": 24_720 + 12_435, ">50K": 7_841 + 3_846}),
        ("mushroom", "class", {"e": 4_208, "p": 3_916}),
        (
            "nursery",
            "class",
            {"not_recom": 4_320, "recommend": 2, "very_recom": 328, "priority": 4_266, "spec_prior": 4_044},
        ),
        ("cardiovascular", "cardio", {"0": 35_021, "1": 34_979}),
        ("womens_clothing", "Recommended IND", {"0": 4_172, "1": 19_314}),
    ],
)
def test_class_counts_are_those_that_are_published(aligned, view, attribute, expected):
    assert counts(aligned, view, attribute) == expected


def test_records_outside_the_views_have_the_published_class_counts(real):
    assert real["german_credit"].records["class"].value_counts().to_dict() == {"1": 700, "2": 300}
    assert real["mushroom"].records["stalk-root"].eq("?").sum() == 2_480
    classes = real["clave"].records[[f"class_{i}" for i in range(1, 5)]].agg("".join, axis=1)
    assert classes.value_counts().to_dict() == {
        "0010": 4_306,
        "0100": 4_300,
        "0001": 1_783,
        "1000": 407,
        "0000": 2,
        "0011": 1,
        "0101": 1,
    }


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


@needs_data
def test_command_line(tmp_path):
    setting = {
        "name": "nursery",
        "view": REGISTRY["views"]["nursery"],
        "datasets": {"nursery": REGISTRY["datasets"]["nursery"]},
    }
    record = tmp_path / "nursery.record.json"
    digest = hashlib.sha256((MIRROR / "nursery.data").read_bytes()).hexdigest()
    record.write_text(json.dumps(sealed({"status": "original", "sha256": digest})))
    (tmp_path / "setting.json").write_text(json.dumps(setting))
    command = [sys.executable, "-m", "replication.data.align", str(tmp_path / "setting.json")]
    command += ["--raw", str(MIRROR / "nursery.data"), "--record", str(record)]
    command += ["--codes", str(tmp_path / "nursery.npy"), "--domain", str(tmp_path / "nursery.json")]
    subprocess.run(command, check=True)
    domain = json.loads((tmp_path / "nursery.json").read_text())
    assert np.load(tmp_path / "nursery.npy").shape == (12_960, 9)
    assert (domain["view"], domain["standin"], domain_size(domain)) == ("nursery", False, 64_800)
    edited = tmp_path / "nursery.data"
    edited.write_bytes((MIRROR / "nursery.data").read_bytes().replace(b"usual", b"great", 1))
    digest = hashlib.sha256(edited.read_bytes()).hexdigest()
    command = [str(edited) if part == str(MIRROR / "nursery.data") else part for part in command]
    for status, said in (("original", "config/datasets.yaml"), ("stand-in", "the recipe of its stand-in")):
        record.write_text(json.dumps(sealed({"status": status, "sha256": digest})))
        changed = subprocess.run(command, check=False, capture_output=True, text=True)
        assert changed.returncode == 1
        assert re.fullmatch(
            f"align nursery: .* has SHA-256 .*, but {said} says .*; delete .* and re-run\n", changed.stderr
        )

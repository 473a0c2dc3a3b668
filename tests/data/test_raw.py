"""The reader of raw files: formats of the real files, and errors for malformed ones."""

import dataclasses

import pytest

from corrldp.data.raw import RawFormatError, read_raw
from corrldp.data.registry import Column, Dataset, Format

LETTERS = Column("letter", "categorical", values=("a", "b"))
DIGITS = Column("digit", "categorical", values=("1", "2", "?"))


def dataset(rows, form, columns=(LETTERS, DIGITS)):
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


def read(tmp_path, body, form, rows=2):
    path = tmp_path / "toy.data"
    path.write_bytes(body.encode())
    return read_raw(path, dataset(rows, form)).to_numpy().tolist()


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ("a,1\nb,?\n", Format(",")),
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
    assert read(tmp_path, "NA,1\nnan,?\n", Format(",")) == [["NA", "1"], ["nan", "?"]]


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
        read(tmp_path, body, Format(","))


def test_number_of_records_is_checked_against_the_documented_one(tmp_path):
    path = tmp_path / "toy.data"
    path.write_text("a,1\nb,2\n")
    with pytest.raises(RawFormatError, match="has 2 records, but 3 are documented"):
        read_raw(path, dataclasses.replace(dataset(2, Format(",")), rows=3))

"""Files as people have them are read right, or refused in one line that says where and what to do."""

import hashlib
import tracemalloc
from datetime import date
from importlib.metadata import distribution
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow
import pytest

from claimaudit.names import ConfigurationError
from corrldp import extras
from corrldp.study import columns, reading, words
from corrldp.study.settings import parse

DOMAINS = {"a": {"values": ["x", "y"]}, "b": {"values": ["1", "2", "3"]}}
TEXT = 'a,b\nx,1\ny,3\n"x",2\n'
CODES = [[0, 0], [1, 2], [0, 1]]


def read(path, content, **settings):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_as_it_is(path, **{"columns": DOMAINS, **settings})


def read_as_it_is(path, **settings):
    table, facts = reading.read(path, parse(settings))
    return SimpleNamespace(table=table, facts=facts)


@pytest.fixture
def file(tmp_path):
    return tmp_path / "table.csv"


@pytest.mark.parametrize(
    "content",
    [
        TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.replace(",", ";"),
        TEXT.replace(",", "\t"),
        TEXT.replace(",", " , "),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.encode("utf-16"),
        TEXT.removesuffix("\n"),
    ],
)
def test_one_table_in_many_dialects_is_read_alike(file, content):
    found = read(file, content)
    assert found.table.codes.tolist() == CODES
    assert found.table.names == ("a", "b")
    assert found.facts.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()


LATIN = "a,b\nä,1\nx,2\n".encode("latin-1")
UMLAUTS = {"columns": {"a": {"values": ["ä", "x"]}}}
MERGED = {"values": {"north": ["x", "y"], "south": ["z"]}, "other": "elsewhere"}
TENS, BINS = {"bins": [0, 10, 20.5, 30]}, ("[0, 10)", "[10, 20.5)", "[20.5, 30]")


@pytest.mark.parametrize(
    ("content", "settings", "values", "codes"),
    [
        ('a,b\n"one, ""two""\nthree",1\nx,2\n', {}, ('one, "two"\nthree', "x"), [0, 1]),
        (LATIN, {"encoding": "latin-1", **UMLAUTS}, ("ä", "x"), [0, 1]),
        ("a,b\nx,1\nz,2\nq,3\ny,1\n", {"columns": {"a": MERGED}}, ("north", "south", "elsewhere"), [0, 1, 2, 0]),
        # The last bound belongs to the last bin.
        ("a,b\n0,1\n9.99,2\n10,3\n2e1,1\n20.5,2\n30,3\n", {"columns": {"a": TENS}}, BINS, [0, 0, 1, 1, 2, 2]),
        ("a,b\n-5,1\n99,2\n", {"columns": {"a": {**TENS, "outside": "clip"}}}, BINS, [0, 2]),
        ("a,b\n007,1\n07,2\n007,3\n", {}, ("007", "07"), [0, 1, 0]),
        ("a,b\n2.50,1\n1,2\n", {}, ("1", "2.50"), [1, 0]),
        ("a;b\n10,5;1\n9,5;2\n", {}, ("9,5", "10,5"), [1, 0]),
    ],
)
def test_a_column_gets_its_values(file, content, settings, values, codes):
    found = read(file, content, **{"columns": {}, **settings}).table
    assert found.values[0] == values
    assert found.codes[:, 0].tolist() == codes


@pytest.mark.parametrize("encoding", ["auto", "utf-8", "UTF8", "utf-8-sig"])
def test_a_byte_order_mark_is_no_part_of_the_first_name(file, encoding):
    assert read(file, TEXT.encode("utf-8-sig"), encoding=encoding).table.names == ("a", "b")


def test_records_without_a_value_are_dropped_and_counted_by_column(file):
    """A short row lacks its last values; in one column they may be a value."""
    found = read(file, "a,b,c\nx,1,u\n,2,v\ny,?,u\nNA,,v\ny,3,u\nx,1\nx,1,v\n")
    assert found.table.codes.tolist() == [[0, 0, 0], [1, 2, 0], [0, 0, 1]]
    assert (found.facts.rows, found.facts.dropped) == (7, 4)
    assert [column.missing for column in found.facts.columns] == [2, 2, 1]
    found = read(file, "a,b\nx,1\n,2\ny,\n", columns={**DOMAINS, "a": {**DOMAINS["a"], "missing": "keep"}})
    assert found.table.values[0] == ("x", "y", "missing")
    assert found.table.codes.tolist() == [[0, 0], [2, 1]]


def test_domains_from_the_data_are_sorted_and_announced(file):
    found = read(file, "a,b,c\nx,10,u\ny,9,v\nx,100,u\n", columns={"a": DOMAINS["a"]})
    assert found.table.values == (("x", "y"), ("9", "10", "100"), ("u", "v"))
    [announcement] = words.of_reading(found.facts)
    assert announcement.startswith("The domains of b (9; 10; 100) and c (u; v) were taken from the data.")
    assert words.of_reading(read(file, TEXT).facts) == []


def test_columns_left_out_are_named_with_the_reason_those_with_one_together(file):
    rows = "".join(f"{'xy'[i % 2]},{1 + i % 3},{i},p{i},shop {i},same,q\n" for i in range(9))
    content = f"a,b,number,product,place,constant,unwanted\n{rows}"
    found = read(file, content, most_values=5, leave_out=["unwanted"])
    assert found.table.names == ("a", "b")
    assert words.of_columns(found.facts) == [
        "5 of 7 columns are left out: unwanted (named in leave_out); number (it numbers the records: give bins if it "
        "means something); product and place (more than most_values = 5 different values: give public values, or raise "
        "most_values); constant (only one value, 'same')."
    ]


AGES = [18 + number * 7 % 60 for number in range(300)]


def test_numbers_without_bounds_get_round_bins_and_a_loud_note(file):
    rows = "".join(f"{'xy'[i % 2]},{1 + i % 3},{age},{1000 * age + i}\n" for i, age in enumerate(AGES))
    found = read(file, f"a,b,age,income\n{rows}")
    by_name = {column.name: column for column in found.facts.columns}
    origins = [column.origin for column in found.facts.columns]
    assert origins == ["public", "public", *["bins proposed from the data"] * 2]
    bounds = by_name["age"].domain.bins
    assert all(bound % 2 == 0 for bound in bounds)
    assert bounds[0] <= 18
    assert bounds[-1] >= 77
    counts = np.bincount(found.table.codes[:, 2], minlength=len(bounds) - 1) / 300
    assert counts.min() > 0.05
    assert len(found.table.values[3]) >= 4
    [announcement, *_] = words.of_reading(found.facts)
    assert announcement.startswith(
        "Round bins for age and income were made from the data. BOUNDS FROM DATA ARE NOT PRIVATE"
    )
    assert f"--bins age={','.join(f'{bound:g}' for bound in bounds)} --bins income=0," in announcement
    again = read(file, f"a,b,age,income\n{rows}", columns={**DOMAINS, "age": by_name["age"].domain})
    assert (again.table.codes == found.table.codes).all()


def test_a_few_numbers_stay_values_and_a_text_among_many_is_named(file):
    rows = "".join(f"x,{1 + i % 3},{i % 9},{age if i else 'unknown'}\n" for i, age in enumerate(AGES * 2))
    found = read(file, f"a,b,rating,age\n{rows}", most_values=30)
    assert found.table.values[found.table.names.index("rating")] == tuple("012345678")
    reasons = found.facts.left_out
    assert "give public bins, and say what is no value: --missing-text unknown (missing_texts" in reasons["age"]


@pytest.mark.parametrize("numbers", [[1, 1, 1, 2], [1e-9, 2e-9, 5e-9] * 9, [-5, -1, 0, 3, 1e6] * 20, range(1980, 2020)])
def test_proposed_bounds_hold_all_numbers_and_increase(numbers):
    numbers = np.array(numbers, dtype=float)
    bounds = columns.propose_bins(numbers)
    if bounds is not None:
        assert list(bounds) == sorted(set(bounds))
        assert bounds[0] <= numbers.min()
        assert numbers.max() <= bounds[-1]
    assert columns.propose_bins(np.ones(9)) is None


COMMAS = "a;b;income\nx;1;1.234,5\ny;3;12,25\nx;2;99\n"


@pytest.mark.parametrize(
    ("content", "settings"),
    [
        (COMMAS, {}),
        (COMMAS.replace(";", "\t"), {}),
        (COMMAS.replace(";", ",").replace("1.234,5", '"1.234,5"').replace("12,25", '"12,25"'), {}),
        (COMMAS.replace("1.234,5", "1,234.5").replace("12,25", "12.25"), {}),
        (COMMAS.replace("1.234,5", "1234,500").replace("12,25", "12,250"), {"decimal": ","}),
        (COMMAS.replace("1.234,5", "1234.500").replace("12,25", "12.250"), {"decimal": "."}),
    ],
)
def test_numbers_are_read_as_people_write_them(file, content, settings):
    income = {"bins": [0, 12.2, 100, 1234.4, 2000]}
    found = read(file, content, columns={**DOMAINS, "income": income}, **settings)
    assert found.table.codes[:, 2].tolist() == [3, 1, 1]


@pytest.mark.parametrize(
    ("suffix", "kind"), [(".xlsx", "Excel, sheet 'Sheet'"), (".xlsm", "Excel, sheet 'Sheet'"), (".parquet", "Parquet")]
)
def test_excel_and_parquet_are_read_like_csv(tmp_path, suffix, kind):
    rows, path = [["x", 1, date(2024, 5, 1)], ["y", 3, date(2024, 5, 2)], ["x", 2, None]], tmp_path / f"table{suffix}"
    if kind == "Parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.table(dict(zip(("a", "b", "when"), zip(*rows, strict=True), strict=True))), path)
    else:
        book = pytest.importorskip("openpyxl").Workbook()
        for row in (["a", "b", "when"], rows[0], [None] * 3, *rows[1:]):
            book.active.append(row)
        book.save(path)
    found = read_as_it_is(path, columns=DOMAINS, missing="keep")
    assert found.table.codes[:, :2].tolist() == CODES
    assert found.table.values[2] == ("2024-05-01", "2024-05-02", "missing")
    assert found.facts.format == kind
    path.write_bytes(b"nothing at all")
    with pytest.raises(ConfigurationError, match=rf"table\{suffix}: not an? {kind.partition(',')[0]} file"):
        read_as_it_is(path, columns=DOMAINS)


def test_what_cannot_be_read_is_refused_by_name(tmp_path, monkeypatch):
    known = {"openpyxl": "none such", "pyarrow": "none such"}
    monkeypatch.setattr(extras, "distribution", lambda name: distribution(known.get(name, name)))
    needs = r"a\.%s: an? %s file needs %s: in a clone, pip install ./src '\.\[%s\]'"
    for name, error, message in (
        ("a.xlsx", extras.MissingExtraError, needs % ("xlsx", "Excel", "openpyxl", "excel")),
        ("a.parquet", extras.MissingExtraError, needs % ("parquet", "Parquet", "pyarrow", "parquet")),
        ("a.xls", ConfigurationError, r"a\.xls is an old Excel file: save it as CSV or \.xlsx"),
        ("a.ods", ConfigurationError, "is an OpenDocument table"),
    ):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(error, match=message):
            read_as_it_is(tmp_path / name)


def test_marks_of_missing_values_are_no_values_and_are_named(file):
    found = read(file, "a,b,c\nx,1,u\n-,2,v\ny,.,u\ny,--,v\nx,,u\ny,3,v\n", columns={})
    assert found.table.values == (("x", "y"), ("1", "2", "3"), ("u", "v"))
    assert found.table.n == 2
    assert words.of_records(found.facts) == [
        "4 of 6 records are dropped, as a value is missing: a 1 time ('-') and b 3 times (empty, '--' and '.'). "
        "Keep them with the value 'missing': --missing keep (missing: keep in settings)."
    ]


def test_a_mark_is_a_value_where_the_domain_says_so(file):
    text = "a,b,rhesus\nx,1,+\ny,2,-\nx,3,-\n"
    found = read(file, text)
    assert found.facts.left_out == {"rhesus": "only one value, '+', as '-' in missing_texts counts as none"}
    assert found.table.n == 3
    public = read(file, text, columns={**DOMAINS, "rhesus": {"values": ["+", "-"]}})
    assert public.table.codes[:, 2].tolist() == [0, 1, 1]
    assert read(file, text, missing_texts=["", "?"]).table.values[2] == ("+", "-")


@pytest.mark.parametrize(
    ("content", "settings", "message"),
    [
        ("a,b\nx,1\ny,7\n", {}, r"table\.csv: row 2, column b: '7' is not in its domain \(1, 2, 3\): list it in"),
        ("a,b\nx,1\nx,old\n", {"columns": {"b": TENS}}, r"row 2, column b: 'old' is not a number"),
        ("a,b\nx,1\nx,31\n", {"columns": {"b": TENS}}, r"row 2, column b: '31' is outside its bins, 0 to 30"),
        ("a,b\nx,1\ny,2,3\n", {}, r"table\.csv: line 3 has 3 values for 2 columns: put values that contain"),
        ("a,b\nx,1,2\ny,2\n", {}, r"table\.csv: the first row has more values than the 2 columns: put values"),
        ("", {}, r"table\.csv: the first line is empty"),
        ("a,b\n", {}, r"table\.csv: there is no row below"),
        ("a,a\nx,1\n", {}, r"table\.csv: two columns are called 'a': rename one"),
        ("a,\nx,1\n", {}, r"table\.csv: column 2 has no name"),
        (TEXT, {"columns": {"aa": TENS}}, r"columns: table\.csv has no column 'aa'.*did you mean a\?"),
        (TEXT, {"sensitive": ["c"]}, r"sensitive: table\.csv has no column 'c'"),
        (TEXT, {"leave_out": ["a", "b"]}, r"table\.csv: no column to study: a is left out: named in leave_out; b"),
        ("a,b\n,1\nx,\n", {}, r"no record is complete; a is missing most often"),
        ("a,b\nx,1\ny\0,2\n", {}, r"row 2, column a: 'y\\x00' has a NUL byte"),
        (LATIN, UMLAUTS, r"^table\.csv: not utf-8.*: set encoding, for example latin-1 \(--encoding latin-1\)$"),
        (TEXT.encode("utf-8-sig"), {"encoding": "latin-1"}, "its byte order mark is that of utf-8-sig"),
    ],
)
def test_a_fault_is_one_line_with_its_place_and_the_fix(file, content, settings, message):
    with pytest.raises(ConfigurationError, match=rf"\A.*(?:{message}).*\Z"):
        read(file, content, **settings)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.csv", r"none\.csv: no such file; a study reads only its own data"),
        (".", "is a folder: name the file in it that has the table"),
        ("-", r"^-: .*not the standard input: save it to a file first"),
    ],
)
def test_a_missing_file_is_an_error(tmp_path, monkeypatch, name, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=message):
        read_as_it_is(Path(name))


def test_chunks_are_joined_and_rows_counted_through(file, monkeypatch):
    monkeypatch.setattr(reading, "ROWS", 2)
    assert read(file, TEXT).table.codes.tolist() == CODES
    with pytest.raises(ConfigurationError, match="row 3, column a: 'q'"):
        read(file, "a,b\nx,1\ny,2\nq,3\n")
    found = read(file, "a,b\nv,1\nu,2\nw,3\nu,1\n", columns={"b": DOMAINS["b"]})
    assert found.table.values[0] == ("u", "v", "w")
    assert found.table.codes[:, 0].tolist() == [1, 0, 2, 0]


def test_memory_is_bounded_by_the_codes(file, monkeypatch):
    """Rows of two bytes of codes, read in chunks, in a fraction of the memory that their text takes."""
    monkeypatch.setattr(reading, "ROWS", 5000)
    rows = 100_000
    file.write_text("a,b\n" + "x,1\ny,2\n" * (rows // 2))
    tracemalloc.start()
    found = read_as_it_is(file, columns=DOMAINS)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.table.codes.dtype == np.uint8
    assert found.table.n == rows
    assert peak < 12 * rows  # records, their parts, and a chunk

"""Printed numbers, their digits and files; each fault is one line with file, line, column, value and fix."""

import numpy as np
import pytest

from claimaudit.digits import ERROR, Printed, interval, prints_as
from claimaudit.names import ConfigurationError
from claimaudit.published import MOST_ROWS, read_published


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("0.50", 0.5, 0.01),
        ("1.4340", 1.434, 1e-4),
        ("5.0e-1", 0.5, 0.01),
        ("3.853E+02", 385.3, 0.1),
        ("50 %", 0.5, 0.01),
        ("5.8%", 0.058, 0.001),
        ("10e3", 1e4, 1e3),
        ("10000", 1e4, 1),
        ("-0.07", -0.07, 0.01),
        ("0.", 0, 1),
        (".5", 0.5, 0.1),
    ],
)
def test_the_last_digit_is_the_last_one_printed(text, value, unit):
    number = Printed.read(text)
    assert (number.value, number.unit) == (pytest.approx(value), pytest.approx(unit))


@pytest.mark.parametrize(
    "text", ["", "nan", "inf", "1,000", "0.5 ", "1e", "e5", "½", "1_000", "0x1", "1e400", "1e-400"]
)
def test_what_is_no_printed_number_is_refused_in_one_line(text):
    with pytest.raises(ValueError, match=r"\A.*write its digits, such as 0.*\Z"):
        Printed.read(text)


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("0.50", (0.495, 0.5, 0.5099), (0.4949, 0.51)),
        ("-0.07", (-0.0799, -0.065), (-0.08, -0.0649)),
        ("0.0", (-0.099, 0.099), (-0.1, 0.1)),
        ("12.9e3", (12_850, 12_999), (12_849, 13_000)),
        ("66 %", (2 / 3, 0.655), (0.654, 0.67)),
    ],
)
def test_the_interval_is_that_of_rounding_and_of_cutting_off(text, inside, outside):
    number = Printed.read(text)
    assert prints_as(inside, number.value, number.unit).all()
    assert not prints_as(outside, number.value, number.unit).any()
    low, high = number.interval
    assert low < number.value < high


def test_every_number_prints_as_its_digits():
    """Rounded or cut off to 0 to 5 decimals."""
    rng = np.random.default_rng(20251122)
    numbers, units = rng.normal(scale=3, size=600), 10.0 ** -np.repeat(np.arange(6), 100)
    for printed in (np.round(numbers / units) * units, np.trunc(numbers / units) * units):
        assert prints_as(numbers, printed, units).all()


def test_the_error_is_that_of_a_uniform_number_in_the_interval():
    (low, high), inside = interval(2.0, 0.1), np.linspace(-0.5, 1, 300_001)
    assert (float(low), float(high)) == pytest.approx((1.95, 2.1))
    assert pytest.approx(np.sqrt((inside**2).mean()), rel=1e-4) == ERROR


def test_a_number_in_percent_keeps_its_digits():
    assert Printed.read("0.50").shown() == "0.50"
    assert Printed.read("0.050").shown(percent=True) == "5.0 %"
    assert Printed.read("1e-2").shown(percent=True) == "1 %"
    assert Printed.read("5.0 %").shown(percent=True) == "5.0 %"


HEADER = "n,dataset,mechanism,metric,value,runs"
ROWS = ("100,adult,RR,mse,0.50,1000", "1e3,adult,RR,mse,1.4340,", "100,3,RR,mse,7 %,1")


def write(tmp_path, *rows, header=HEADER):
    path = tmp_path / "jrr" / "fig1.csv"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_numbers_keep_their_digits(tmp_path):
    found = read_published(write(tmp_path, *ROWS))
    assert list(found) == [*HEADER.split(","), "unit"]
    assert found["value"].tolist() == pytest.approx([0.5, 1.434, 0.07])
    assert found["unit"].tolist() == pytest.approx([0.01, 1e-4, 0.01])
    assert found["n"].tolist() == [100, 1000, 100]
    assert found["dataset"].tolist() == ["adult", "adult", "3"]
    assert found["runs"].tolist() == pytest.approx([1000, np.nan, 1], nan_ok=True)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("n,dataset,mechanism,metric,number,runs", "column value: the column is missing; add it"),
        ("n,unit,mechanism,metric,value,runs", "column unit: the column is made by the reader; rename or remove it"),
        ("n,n,mechanism,metric,value,runs", "column n: the column appears twice; rename or remove it"),
        ("n,,mechanism,metric,value,runs", "column 2: the column has no name; rename or remove it"),
        ("100,a,RR,mse,0.5", "5 cells under 6 columns; give one for each$"),
        ("100,a,RR,mse,1e400,1", "column value: '1e400' is too large or too small for a number; write its digits"),
        ("100,a,RR,mse,,1", "column value: '' is not a printed number; write its digits, such as 0.50"),
        ("100,a,RR,mse,nan,1", "column value: 'nan' is not a printed number; write its digits"),
        ("100,a,RR,mse,0.5,0", "column runs: '0' is not a number of runs; write a whole number of 1 or more"),
        ("100,a,RR,mse,0.5,nan", "column runs: 'nan' is not a number of runs; write"),
        ("100,,RR,mse,0.5,1", "column dataset: '' is empty or has spaces around it; write the setting"),
        ("100,a, RR,mse,0.5,1", "column mechanism: ' RR' is empty or has spaces around it; write"),
        (ROWS[0], "column value: a second number for n 100, dataset adult, mechanism RR, metric mse, as in line 2; "),
        ("1e2,adult,RR,mse,0.7,9", "column value: a second number for n 1e2, .* as in line 2; keep one"),
    ],
)
def test_a_fault_names_its_line_and_the_fix(tmp_path, row, words):
    """A row that begins with a name is a header."""
    line, text = (1, {"header": row}) if row.startswith("n") else (3, {})
    with pytest.raises(ConfigurationError, match=rf"\Ajrr/fig1.csv, line {line}[,:] {words}.*\Z"):
        read_published(write(tmp_path, ROWS[0], row, **text))


def test_a_file_of_too_many_rows_is_refused_before_the_others_are_read(tmp_path):
    path = write(tmp_path, *ROWS[:1] * (MOST_ROWS + 1), '"no end of a cell')
    with pytest.raises(ConfigurationError, match=r"^jrr/fig1.csv, line 10002, column value: more than 10,000 rows"):
        read_published(path)


def test_what_is_no_file_of_numbers_is_one_line(tmp_path):
    with pytest.raises(ConfigurationError, match=r"fig1\.csv, line 1: the columns are separated by ';'; write commas"):
        read_published(write(tmp_path, header="n;value"))
    with pytest.raises(ConfigurationError, match="line 1: there is no row of numbers; add one"):
        read_published(write(tmp_path))
    with pytest.raises(ConfigurationError, match=r"none.csv: cannot be read: No such file"):
        read_published(tmp_path / "none.csv")
    path = write(tmp_path, *ROWS)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="is not a CSV file in UTF-8"):
        read_published(path)

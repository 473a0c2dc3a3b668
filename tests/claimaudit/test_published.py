"""Files of printed numbers: what is read, and that each fault is one line with file, line, column, value and fix."""

import numpy as np
import pytest

from claimaudit.names import ConfigurationError
from claimaudit.published import MOST_ROWS, read_published

HEADER = "n,dataset,mechanism,metric,value,runs"
ROWS = ("100,adult,RR,mse,0.50,1000", "1e3,adult,RR,mse,1.4340,", "100,3,RR,mse,7 %,1")


@pytest.fixture
def write(tmp_path):
    def write(*rows, header=HEADER):
        path = tmp_path / "jrr" / "fig1.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        return path

    return write


def test_numbers_keep_their_digits(write):
    found = read_published(write(*ROWS))
    assert list(found) == [*HEADER.split(","), "unit"]
    assert found["value"].tolist() == pytest.approx([0.5, 1.434, 0.07])
    assert found["unit"].tolist() == pytest.approx([0.01, 1e-4, 0.01])
    assert found["n"].tolist() == [100, 1000, 100]
    assert found["dataset"].tolist() == ["adult", "adult", "3"]
    assert found["runs"].tolist() == pytest.approx([1000, np.nan, 1], nan_ok=True)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("100,a,RR,mse,1e400,1", "column value: '1e400' is too large or too small for a number; write its digits"),
        ("100,a,RR,mse,,1", "column value: '' is not a printed number; write its digits, such as 0.50"),
        ("100,a,RR,mse,nan,1", "column value: 'nan' is not a printed number; write its digits"),
        ("100,a,RR,mse,0.5,0", "column runs: '0' is not a number of runs; write a whole number of 1 or more"),
        ("100,a,RR,mse,0.5,nan", "column runs: 'nan' is not a number of runs; write"),
        ("100,,RR,mse,0.5,1", "column dataset: '' is empty or has spaces around it; write the setting"),
        ("100,a, RR,mse,0.5,1", "column mechanism: ' RR' is empty or has spaces around it; write"),
        (
            ROWS[0],
            "column value: a second number for n 100, dataset adult, mechanism RR, metric mse, as in line 2; keep",
        ),
        ("1e2,adult,RR,mse,0.7,9", "column value: a second number for n 1e2, .* as in line 2; keep one"),
    ],
)
def test_a_fault_names_its_line_and_the_fix(write, row, words):
    with pytest.raises(ConfigurationError, match=rf"^jrr/fig1.csv, line 3, {words}") as refused:
        read_published(write(ROWS[0], row))
    assert len(str(refused.value).splitlines()) == 1


def test_a_file_of_too_many_rows_is_refused_before_the_others_are_read(write):
    path = write(*ROWS[:1] * (MOST_ROWS + 1), '"no end of a cell')
    with pytest.raises(ConfigurationError, match=r"^jrr/fig1.csv, line 10002, column value: more than 10,000 rows"):
        read_published(path)


def test_five_copies_of_a_row_are_four_faults(write):
    with pytest.raises(ConfigurationError) as refused:
        read_published(write(*ROWS[:1] * 5))
    assert len(str(refused.value).splitlines()) == 4


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("n,dataset,mechanism,metric,number,runs", "column value: the column is missing; add it"),
        ("n,unit,mechanism,metric,value,runs", "column unit: the column is made by the reader; rename or remove it"),
        ("n,n,mechanism,metric,value,runs", "column n: the column appears twice; rename or remove it"),
        ("n,,mechanism,metric,value,runs", "column 2: the column has no name; rename or remove it"),
    ],
)
def test_a_header_is_checked(write, header, words):
    with pytest.raises(ConfigurationError, match=f"jrr/fig1.csv, line 1, {words}"):
        read_published(write(ROWS[0], header=header))


def test_what_is_no_file_of_numbers_is_one_line(write, tmp_path):
    with pytest.raises(ConfigurationError, match="line 1: there is no row of numbers; add one"):
        read_published(write())
    with pytest.raises(ConfigurationError, match=r"none.csv: cannot be read: No such file"):
        read_published(tmp_path / "none.csv")
    with pytest.raises(ConfigurationError, match=r"^jrr/fig1.csv, line 3: 5 cells under 6 columns; give one for each$"):
        read_published(write(ROWS[0], "100,a,RR,mse,0.5"))
    with pytest.raises(ConfigurationError, match="line 1: the columns are separated by ';'; write commas"):
        read_published(write("1;2", header="n;value"))
    path = write(*ROWS)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="is not a CSV file in UTF-8"):
        read_published(path)

import pandas as pd
import pytest

from claimaudit.report.sheets import pivot, sheet
from claimaudit.styles import TableStyle

ROWS = [
    ("kosarak", 20000, "strict", "RR", "mse_counts", 18250.25, 5.0, 1000),
    ("kosarak", 20000, "strict", "JRR", "mse_counts", 13090.5, 4.0, 1000),
    ("a|b", 500, "strict", "RR", "mse_counts", 0.1 + 0.2, 0.5, 1000),
    ("a|b", 500, "strict", "RR", "are", 0.25, 0.01, 1000),
]
STYLE = TableStyle(index=("dataset", "n"), columns=("mechanism",), formats={"mean": ".3g", "JRR": ",.1f"})


@pytest.fixture
def numbers():
    columns = ["dataset", "n", "reading", "mechanism", "metric", "mean", "se", "runs"]
    return pd.DataFrame(ROWS, columns=columns).assign(theory=float("nan"), standin=False)


@pytest.fixture
def errors(numbers):
    return numbers[numbers["metric"] == "mse_counts"]


def markdown(body, style, marks=None):
    return sheet(body, style, marks).to_markdown("T")


def lines(body, marks=None, **style):
    return markdown(body, TableStyle(index=(), **style), marks).splitlines()[4:]


def test_several_values_are_named_in_the_heads(errors):
    style = TableStyle(index=STYLE.index, columns="mechanism", values=("mean", "se"))
    assert list(pivot(errors, style).columns) == [
        "dataset",
        "n",
        ("RR", "mean"),
        ("RR", "se"),
        ("JRR", "mean"),
        ("JRR", "se"),
    ]


def test_without_columns_the_table_stays_long(numbers):
    body = pivot(numbers, TableStyle(index=("dataset", "mechanism", "metric"), values=("mean", "runs")))
    assert list(body.columns) == ["dataset", "mechanism", "metric", "mean", "runs"]
    assert body["mean"].tolist() == [18250.25, 13090.5, 0.1 + 0.2, 0.25]


def test_rows_and_columns_follow_the_order_of_the_style(errors):
    style = TableStyle(
        index="dataset", columns="mechanism", show={"dataset": ["a|b", "absent"], "mechanism": ["JRR", "RR"]}
    )
    body = pivot(errors, style)
    assert body["dataset"].tolist() == ["a|b", "kosarak"]
    assert list(body.columns) == ["dataset", ("JRR",), ("RR",)]


def test_rows_are_sorted_by_each_name_in_turn(numbers):
    body = pivot(numbers.iloc[[0, 3, 1]], TableStyle(index=("mechanism", "dataset")))
    assert body[["mechanism", "dataset"]].to_numpy().tolist() == [["RR", "kosarak"], ["RR", "a|b"], ["JRR", "kosarak"]]


def test_rows_that_rest_on_stand_in_data_say_so(errors):
    body = pivot(errors.assign(standin=errors["dataset"] == "kosarak"), STYLE)
    assert body["standin"].tolist() == [True, False]
    assert "yes" in markdown(body, STYLE)
    assert "standin" not in pivot(errors, STYLE)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (23486.0, "23,486"),
        (999167.08, "999,167"),
        (5.131, "5.131"),
        (0.0005888, "0.0005888"),
        (0.1 + 0.2, "0.3"),
        (float("nan"), "–"),  # noqa: RUF001
        (1.711505e44, "1.711505×10⁴⁴"),  # noqa: RUF001
    ],
)
def test_without_a_format_counts_are_whole_and_numbers_plain(value, text):
    assert lines(pd.DataFrame({"users": [value]}))[-1].strip("| ") == text


def test_a_format_is_found_by_heading_part_of_it_name_of_the_row_or_of_the_values():
    body = pd.DataFrame([["share", 0.5, 0.5, 0.5], ["count", 0.5, 0.5, 0.5]], columns=["metric", "RR", "x", "all"])
    body.columns = pd.Index(["metric", "RR", ("JRR", "ours"), "all"], tupleize_cols=False)
    style = TableStyle(index="metric", formats={"RR": ".1f", "ours": ".2f", "share": ".3f", "mean": ".4f"})
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in markdown(body, style).splitlines()[4:]]
    assert rows == [["share", "0.5", "0.50", "0.500"], ["count", "0.5", "0.50", "0.5000"]]


def test_a_sign_stands_before_a_marked_number_and_the_csv_names_its_column():
    body = pd.DataFrame({"RR": [1.5, 2.5], "JRR": [3.5, 4.5]})
    marks = pd.DataFrame({"RR": [True, False], "JRR": [True, False]})
    assert sheet(body, TableStyle(index=()), marks).to_csv() == "RR,JRR,misfit\n1.5,3.5,RR; JRR\n2.5,4.5,\n"
    assert lines(body, marks) == ["| † 1.5 | † 3.5 |", "|   2.5 |   4.5 |"]


def test_a_bar_in_a_heading_or_a_cell_is_no_column():
    text = markdown(pd.DataFrame({"size": ["a|b"]}), TableStyle(index="size", labels={"size": "|D|"}))
    assert r"| \|D\|   |" in text
    assert r"| a\|b    |" in text


def test_a_style_needs_an_index():
    with pytest.raises(ValueError, match=r"index\n  Field required"):
        TableStyle.model_validate({}, strict=False)

"""Tables: their cells, rows and columns, as Markdown, CSV and JSON."""

import json
from dataclasses import asdict

import pandas as pd
import pytest
from small_report import texts

from claimaudit.report import sheets
from claimaudit.report.sheets import pivot, sheet
from claimaudit.storage import adapter
from claimaudit.styles import TableStyle
from claimaudit.words.numbers import DASH


def test_constant_columns_are_said_once():
    sheet = sheets.of_texts(line.split(",") for line in ["n,epsilon,standin", "10000,0.1,False", "10000,1.0,False"])
    assert sheet.constants == [("users n", "10,000"), ("stand-in data", "no")]
    assert [(column.name, column.constant) for column in sheet.columns] == [
        *(("n", True), ("epsilon", False), ("standin", True)),
    ]
    assert texts(sheet) == [["10,000", "0.1", "no"], ["10,000", "1", "no"]]


def test_cells_keep_the_unrounded_value_for_sorting():
    sheet = sheets.of_texts(line.split(",") for line in ["mechanism,mean", "RR,98765.4321", "JRR,"])
    assert [column.numeric for column in sheet.columns] == [False, True]
    assert sheet.rows[0][1] == sheets.Cell("98,765", "98765.4321")
    assert sheet.rows[1][1] == sheets.Cell(DASH, "")


def test_a_file_without_rows_is_an_empty_table():
    sheet = sheets.of_texts(line.split(",") for line in ["n,mean"])
    assert sheet == sheets.Sheet([sheets.Column("n", "users n", True), sheets.Column("mean", "mean", True)], [])
    assert sheet.constants == []


def test_a_table_with_marks_lists_them_in_its_csv_and_survives_as_json():
    columns = [sheets.Column("dataset", "set", False), sheets.Column("RR", "RR | R", True)]
    rows = [
        [sheets.Cell("a|b", "a|b"), sheets.Cell("† 1.2", "1.23", True)],
        [sheets.Cell("c", "c"), sheets.Cell("", "")],
    ]
    sheet = sheets.Sheet(columns, rows, ("As run: b.", "† Far off."), True)
    assert sheet.to_csv() == "dataset,RR,misfit\na|b,1.23,RR\nc,,\n"
    assert "| a\\|b  |     † 1.2 |" in sheet.to_markdown("T")
    assert adapter(sheets.Sheet).validate_json(json.dumps(asdict(sheet))) == sheet


def test_packed_tables_keep_value_and_text_where_they_differ():
    packed = sheets.of_texts(line.split(",") for line in ["mechanism,mean,n", "RR,98765.4321,5", "JRR,1,5"]).packed()
    assert packed["rows"] == [["RR", ["98765.4321", "98,765"], "5"], ["JRR", "1", "5"]]
    assert [column["hidden"] for column in packed["columns"]] == [False, False, True]


STYLE = TableStyle(index=("dataset", "n"), columns=("mechanism",), formats={"mean": ".3g", "JRR": ",.1f"})


@pytest.fixture
def errors(numbers):
    return numbers[numbers["metric"] == "mse_counts"]


def markdown(body, style):
    return sheet(body, style).to_markdown("T")


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


def test_a_format_is_found_by_heading_part_of_it_name_of_the_row_or_of_the_values():
    body = pd.DataFrame([["share", 0.5, 0.5, 0.5], ["count", 0.5, 0.5, 0.5]], columns=["metric", "RR", "x", "all"])
    body.columns = pd.Index(["metric", "RR", ("JRR", "ours"), "all"], tupleize_cols=False)
    style = TableStyle(index="metric", formats={"RR": ".1f", "ours": ".2f", "share": ".3f", "mean": ".4f"})
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in markdown(body, style).splitlines()[4:]]
    assert rows == [["share", "0.5", "0.50", "0.500"], ["count", "0.5", "0.50", "0.5000"]]


def test_a_sign_stands_before_a_marked_number_and_the_csv_names_its_column():
    body = pd.DataFrame({"RR": [1.5, 2.5], "JRR": [3.5, 4.5]})
    marks = pd.DataFrame({"RR": [True, False], "JRR": [True, False]})
    marked = sheet(body, TableStyle(index=()), marks)
    assert marked.to_csv() == "RR,JRR,misfit\n1.5,3.5,RR; JRR\n2.5,4.5,\n"
    assert marked.to_markdown("T").splitlines()[4:] == ["| † 1.5 | † 3.5 |", "|   2.5 |   4.5 |"]

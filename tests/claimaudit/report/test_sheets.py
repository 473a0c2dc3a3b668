import json
from dataclasses import asdict

from claimaudit.report import sheets
from claimaudit.words.numbers import DASH


def texts(sheet):
    return [[cell.text for cell in row] for row in sheet.rows]


def test_constant_columns_are_said_once():
    sheet = sheets.from_csv("n,epsilon,standin\n10000,0.1,False\n10000,1.0,False\n")
    assert sheet.constants == [("users n", "10,000"), ("stand-in data", "no")]
    assert [(column.name, column.constant) for column in sheet.columns] == [
        *(("n", True), ("epsilon", False), ("standin", True)),
    ]
    assert texts(sheet) == [["10,000", "0.1", "no"], ["10,000", "1", "no"]]


def test_cells_keep_the_unrounded_value_for_sorting():
    sheet = sheets.from_csv("mechanism,mean\nRR,98765.4321\nJRR,\n")
    assert [column.numeric for column in sheet.columns] == [False, True]
    assert sheet.rows[0][1] == sheets.Cell("98,765", "98765.4321")
    assert sheet.rows[1][1] == sheets.Cell(DASH, "")


def test_a_file_without_rows_is_an_empty_table():
    sheet = sheets.from_csv("n,mean\n")
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
    assert sheets.Sheet.from_dict(json.loads(json.dumps(asdict(sheet)))) == sheet


def test_packed_tables_keep_value_and_text_where_they_differ():
    packed = sheets.from_csv("mechanism,mean,n\nRR,98765.4321,5\nJRR,1,5\n").packed()
    assert packed["rows"] == [["RR", ["98765.4321", "98,765"], "5"], ["JRR", "1", "5"]]
    assert [column["hidden"] for column in packed["columns"]] == [False, False, True]


def test_texts_have_the_names_that_the_paper_gives_them_and_keep_their_values():
    called = {("reading", "clipped"): "clipped to [0, 1]", ("dataset", "kosarak"): "Kosarak"}
    text = "dataset,reading,metric,mean\nkosarak,clipped,are,1\namazon,clipped,mse_counts,2\n"
    labels = {"dataset": "data set", "are": "relative error"}
    sheet = sheets.from_csv(text, labels, lambda *pair: called.get(pair, pair[1]))
    assert [column.heading for column in sheet.columns[:2]] == ["data set", "reading"]
    assert texts(sheet)[0] == ["Kosarak", "clipped to [0, 1]", "relative error", "1"]
    assert [row[0].value for row in sheet.rows] == ["kosarak", "amazon"]

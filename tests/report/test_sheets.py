import pytest

from corrldp.report import sheets
from corrldp.words.numbers import DASH


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


def test_metrics_are_named_as_in_the_figure():
    sheet = sheets.from_csv("metric,mean\nare,1\nmse_counts,2\n", {"are": "relative error"})
    assert [row[0].text for row in sheet.rows] == ["relative error", "mean squared error of counts"]


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
    assert sheets.Sheet.from_json(sheet.to_json()) == sheet


def test_packed_tables_keep_value_and_text_where_they_differ():
    packed = sheets.from_csv("mechanism,mean,n\nRR,98765.4321,5\nJRR,1,5\n").packed()
    assert packed["rows"] == [["RR", ["98765.4321", "98,765"], "5"], ["JRR", "1", "5"]]
    assert [column["hidden"] for column in packed["columns"]] == [False, False, True]


EVIDENCE = {
    "reading": "strict",
    "estimate": 0.0581234567,
    "se": 0.00023,
    "low": 0.0576,
    "high": 0.0586,
    "statistic": -0.49,
    "p_value": 0.00002,
    "holds": None,
    "rows": 63,
    "worst": {"n": 10000},
}


def test_evidence_shows_numbers_and_keeps_their_values():
    sheet = sheets.of_evidence({"printed": {"value": "0.058"}, "evidence": [EVIDENCE]})
    row = {column.name: cell for column, cell in zip(sheet.columns, sheet.rows[0], strict=True)}
    assert row["estimate"] == sheets.Cell("0.05812", "0.0581234567")
    assert row["p_value"] == sheets.Cell("< 0.001", "2e-05")
    assert row["interval"].text == "0.0576 to 0.0586"
    assert row["printed"].text == "0.058"
    assert row["holds"].text == "cannot tell"
    assert row["worst"].text == "n = 10000"
    assert "effect" not in row


def test_exact_evidence_has_no_interval():
    exact = {**EVIDENCE, "se": 0, "low": 0.05, "high": 0.05}
    sheet = sheets.of_evidence({"printed": None, "evidence": [exact]})
    assert not {"interval", "printed"} & {column.name for column in sheet.columns}


def compared(**outcomes):
    items = [
        {"reading": name, "words": "", "comparisons": {"n": list(range(len(given))), "outcome": given}}
        for name, given in outcomes.items()
    ]
    return {"evidence": [*items, {"reading": "other", "words": "", "comparisons": {}}]}


def test_comparisons_keep_their_order_if_all_are_shown():
    sheet, total = sheets.of_comparisons(compared(strict=["satisfied", "violated"], step=["violated"]))
    assert total == 3
    assert texts(sheet) == [["strict", "0", "satisfied"], ["strict", "1", "violated"], ["step", "0", "violated"]]


def test_of_many_comparisons_the_strict_and_violated_ones_come_first():
    sheet, total = sheets.of_comparisons(compared(strict=["satisfied", "violated"], step=["violated"]), longest=2)
    assert total == 3
    assert texts(sheet) == [["strict", "1", "violated"], ["strict", "0", "satisfied"]]


def test_comparisons_may_have_different_columns_and_missing_values():
    evidence = [{"reading": "strict", "words": "the text", "comparisons": {"epsilon": ["0.1 -> 1"], "left": [None]}}]
    sheet, _ = sheets.of_comparisons({"evidence": evidence})
    assert texts(sheet) == [["the text", "0.1 -> 1", DASH]]


def test_no_evidence_has_no_comparisons():
    assert sheets.of_comparisons({"evidence": []}) == (sheets.Sheet([], []), 0)


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        (None, None),
        (0.97, "0.97"),
        ({"value": "9411"}, "9411"),
        ({"interval": [0.1, 0.2]}, "0.1 to 0.2"),
        ({"reduction": 0.97, "share": 0.03}, None),
    ],
)
def test_single_number(printed, text):
    assert sheets.single_number(printed) == text

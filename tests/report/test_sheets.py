import pytest

from corrldp.report import sheets
from corrldp.report.markup import DASH


def texts(sheet):
    return [[cell.text for cell in row] for row in sheet.rows]


def test_constant_columns_are_said_once():
    sheet = sheets.from_csv("n,epsilon,standin\n10000,0.1,False\n10000,1.0,False\n")
    assert sheet.constants == [("users n", "10,000"), ("stand-in data", "no")]
    assert [column.name for column in sheet.columns] == ["epsilon"]
    assert texts(sheet) == [["0.1"], ["1"]]


def test_cells_keep_the_unrounded_value_for_sorting():
    sheet = sheets.from_csv("mechanism,mean\nRR,98765.4321\nJRR,\n")
    assert [column.numeric for column in sheet.columns] == [False, True]
    assert sheet.rows[0][1] == sheets.Cell("98,765", "98765.4321")
    assert sheet.rows[1][1] == sheets.Cell(DASH, "")


def test_metrics_are_named_as_in_the_figure():
    sheet = sheets.from_csv("metric,mean\nare,1\nmse_counts,2\n", {"are": "relative error"})
    assert [row[0].text for row in sheet.rows] == ["relative error", "mean squared error of counts"]


def test_long_tables_are_cut_and_say_so():
    count = sheets.SHOWN_ROWS + 5
    sheet = sheets.from_csv("n\n" + "".join(f"{row}\n" for row in range(count)))
    assert (len(sheet.rows), sheet.total) == (sheets.SHOWN_ROWS, count)


def test_a_file_without_rows_is_an_empty_table():
    assert sheets.from_csv("n,mean\n") == sheets.Sheet(
        columns=[sheets.Column("n", "users n", True), sheets.Column("mean", "mean", True)], rows=[], total=0
    )


def test_markdown_keeps_the_format_and_the_alignment():
    sheet = sheets.from_markdown("**Title**\n\n| set   |    RR |\n|:------|------:|\n| a\\|b  | 1,235 |\n| c | |\n")
    assert [(column.heading, column.numeric) for column in sheet.columns] == [("set", False), ("RR", True)]
    assert texts(sheet) == [["a|b", "1,235"], ["c", ""]]


def test_markdown_without_a_table_is_an_error():
    with pytest.raises(ValueError, match="no table in the Markdown text"):
        sheets.from_markdown("**Title**\n")


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
    sheet = sheets.of_evidence({"printed": {"value": 0.058, "resolution": 0.001}, "evidence": [EVIDENCE]})
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


@pytest.mark.parametrize(
    ("printed", "text"),
    [
        (None, None),
        (0.97, "0.97"),
        ({"value": 9411, "resolution": 1}, "9411"),
        ({"interval": [0.1, 0.2]}, "0.1 to 0.2"),
        ({"reduction": 0.97, "share": 0.03}, None),
    ],
)
def test_single_number(printed, text):
    assert sheets.single_number(printed) == text

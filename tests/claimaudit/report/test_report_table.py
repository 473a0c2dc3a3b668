import io
import json

import pandas as pd
import pytest
from written import write_table

from claimaudit.papers.jobs import TableJob
from claimaudit.report.sheets import Cell, Column, Sheet
from claimaudit.report.table import table_files
from claimaudit.storage import adapter, read_sealed
from claimaudit.styles import TableStyle

STYLE = {
    "index": ["dataset", "n"],
    "columns": "mechanism",
    "where": "metric == 'mse_counts'",
    "formats": {"mean": ".3g", "JRR": ",.1f"},
    "labels": {"kosarak": "Kosarak", "n": "users"},
}


def files(tmp_path, numbers, style, printed=""):
    """Return the contents of a table's files by suffix, for a style and the text of printed numbers."""
    numbers = pd.concat([numbers, numbers.iloc[[2]].assign(reading="p_step=1", mean=99.0)])
    (tmp_path / "published.csv").write_text(printed)
    job = TableJob("errors", "Table 3", "Errors.", TableStyle.model_validate(style, strict=False), ())
    result = write_table(numbers, tmp_path / "errors.csv")
    return table_files(job, [result], [tmp_path / "published.csv"] if printed else [])


def test_csv_has_raw_numbers_markdown_formatted_ones_and_json_both(numbers, tmp_path):
    made = files(tmp_path, numbers, STYLE)
    (tmp_path / "table.json").write_bytes(made["json"])
    assert made["csv"].decode() == ("dataset,n,RR,JRR\nkosarak,20000,18250.25,13090.5\na|b,500,0.30000000000000004,\n")
    assert made["md"].decode() == (
        "**Table 3**\n"
        "\n"
        "Errors.\n"
        "\n"
        "| dataset   |   users |       RR |      JRR |\n"
        "|:----------|--------:|---------:|---------:|\n"
        "| Kosarak   |  20,000 | 1.83×10⁴ | 13,090.5 |\n"  # noqa: RUF001
        "| a\\|b      |     500 |      0.3 |        – |\n"  # noqa: RUF001
    )
    sheet = adapter(Sheet).validate_json(json.dumps(read_sealed(tmp_path / "table.json")))
    assert sheet.columns[1] == Column("n", "users", True)
    assert sheet.rows[1] == [Cell("a|b", "a|b"), Cell("500", "500"), Cell("0.3", "0.30000000000000004"), Cell("–", "")]  # noqa: RUF001
    shown = sheet.to_csv(), sheet.to_markdown("Table 3", "Errors.")
    assert [text.encode() for text in shown] == [made["csv"], made["md"]]


def test_printed_numbers_stand_beside_ours(tmp_path, numbers):
    printed = "dataset,n,mechanism,metric,value,runs\nkosarak,20000,RR,mse_counts,18270,100\n"
    made = files(tmp_path, numbers, {**STYLE, "formats": {"mean": ",.0f"}}, printed)
    body = pd.read_csv(io.BytesIO(made["csv"])).set_index(["dataset", "numbers"])
    assert list(body.columns) == ["n", "RR", "JRR", "misfit"]
    assert body.loc[("kosarak", "printed"), "RR"] == 18270
    assert body["misfit"].isna().all()
    assert "| Kosarak   |  20,000 | as stated | 18,250 | 13,090 |\n" in made["md"].decode()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"index": ["data"]}, "unknown column in the style: 'data'; available: dataset, n"),
        ({"index": ["n"], "columns": "reading"}, r"2 rows for n=20000, reading=strict"),
        ({"columns": [], "where": None}, r"rows for dataset=kosarak, n=20000"),
        ({"where": "rho > 1"}, "where 'rho > 1'"),
        ({"formats": {"mean": ".q"}}, "format '.q' for 18250.25"),
    ],
)
def test_an_error_is_one_clear_line(tmp_path, numbers, changes, message):
    with pytest.raises(ValueError, match=r"\A.*\Z") as error:
        files(tmp_path, numbers, {**STYLE, **changes})
    assert message in str(error.value)


def test_printed_numbers_without_a_column_of_the_table_are_an_error(tmp_path, numbers):
    with pytest.raises(ValueError, match=r"^the printed numbers lack the column 'dataset'"):
        files(tmp_path, numbers, STYLE, "n,mechanism,metric,value,runs\n20000,RR,mse_counts,18270,100\n")

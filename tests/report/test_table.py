import json

import pandas as pd
import pytest

from corrldp import results
from corrldp.plots.setting import SettingError
from corrldp.report import table as module
from corrldp.report.table import TableStyle, markdown, pivot

STYLE = {
    "index": ["dataset", "n"],
    "columns": "mechanism",
    "where": "metric == 'mse_counts'",
    "formats": {"mean": ".3g", "JRR": ",.1f"},
    "rename": {"kosarak": "Kosarak", "n": "users"},
}


@pytest.fixture
def numbers():
    rows = [
        ("kosarak", 20000, "strict", "RR", "mse_counts", 18250.25, 5.0, 1000),
        ("kosarak", 20000, "strict", "JRR", "mse_counts", 13090.5, 4.0, 1000),
        ("a|b", 500, "strict", "RR", "mse_counts", 0.1 + 0.2, 0.5, 1000),
        ("a|b", 500, "p_step=1", "RR", "mse_counts", 99.0, 0.5, 1000),
        ("a|b", 500, "strict", "RR", "are", 0.25, 0.01, 1000),
    ]
    columns = ["dataset", "n", "reading", "mechanism", "metric", "mean", "se", "runs"]
    return pd.DataFrame(rows, columns=columns).assign(theory=float("nan"), standin=False)


def command(tmp_path, numbers, style):
    result = tmp_path / "results" / "table.csv"
    results.write(numbers, result, result.with_suffix(".json"), {})
    setting = json.dumps({"paper": "jrr", "table": "table3", "title": "Table 3", "style": style})
    outputs = [tmp_path / "out" / "table3.csv", tmp_path / "out" / "table3.md"]
    return [setting, str(result), *map(str, outputs)], outputs


def test_csv_has_raw_numbers_and_markdown_formatted_ones(tmp_path, numbers):
    arguments, (raw, formatted) = command(tmp_path, numbers, STYLE)
    module.main(arguments)
    assert raw.read_text() == ("dataset,n,RR,JRR\nkosarak,20000,18250.25,13090.5\na|b,500,0.30000000000000004,\n")
    assert formatted.read_text() == (
        "**Table 3**\n"
        "\n"
        "| dataset   |   users |       RR |      JRR |\n"
        "|:----------|--------:|---------:|---------:|\n"
        "| Kosarak   |  20,000 | 1.83e+04 | 13,090.5 |\n"
        "| a\\|b      |     500 |      0.3 |        – |\n"  # noqa: RUF001
    )


def test_several_values_are_named_in_the_heads(numbers):
    style = TableStyle.from_dict({**STYLE, "values": ["mean", "se"]})
    assert list(pivot(numbers, style).columns) == ["dataset", "n", "RR mean", "RR se", "JRR mean", "JRR se"]
    assert "JRR se" in markdown(pivot(numbers, style), "", style)


def test_published_numbers_stand_beside_ours_where_they_are_printed(tmp_path, numbers):
    style = {**STYLE, "index": ["n"], "values": ["mean", "published"], "reading": ["strict", "p_step=1"]}
    style["where"] += " and (reading == 'strict' or n == 20000)"
    printed = tmp_path / "published.csv"
    printed.write_text("n,mechanism,metric,value,runs\n20000,RR,mse_counts,18000,100\n500,RR,are,7,100\n")
    (setting, result, *outputs), (raw, _) = command(tmp_path, numbers, style)
    module.main([setting, result, str(printed), *outputs])
    body = pd.read_csv(raw).set_index("n")
    assert list(body.columns) == ["RR mean", "RR published", "JRR mean", "JRR published"]
    assert body.loc[20000, "RR published"] == 18000
    assert body.loc[500, ["RR published", "JRR published"]].isna().all()


def test_without_columns_the_table_stays_long(numbers):
    style = TableStyle.from_dict({"index": ["dataset", "mechanism", "metric"], "values": ["mean", "runs"]})
    body = pivot(numbers, style)
    assert list(body.columns) == ["dataset", "mechanism", "metric", "mean", "runs"]
    assert body["mean"].tolist() == [18250.25, 13090.5, 0.1 + 0.2, 0.25]


def test_rows_that_rest_on_stand_in_data_say_so(numbers):
    style = TableStyle.from_dict(STYLE)
    body = pivot(numbers.assign(standin=numbers["dataset"] == "kosarak"), style)
    assert body["standin"].tolist() == [True, False]
    assert "standin" in markdown(body, "", style)
    assert "standin" not in pivot(numbers, style)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"index": ["data"]}, "unknown column in the style: 'data'; available: dataset, n"),
        ({"index": ["n"], "columns": "reading"}, r"2 rows for n=20000, reading=strict"),
        ({"columns": [], "where": None}, r"rows for dataset=kosarak, n=20000"),
        ({"where": "rho > 1"}, "where 'rho > 1'"),
        ({"formats": {"mean": ".q"}}, "format '.q' for 18250.25"),
        ({"column": "mechanism"}, "style: unknown key: 'column'"),
    ],
)
def test_an_error_is_one_clear_line_and_leaves_no_file(tmp_path, numbers, capsys, changes, message):
    arguments, outputs = command(tmp_path, numbers, {**STYLE, **changes})
    with pytest.raises(SystemExit):
        module.main(arguments)
    error = capsys.readouterr().err
    assert error.startswith("jrr table3: ")
    assert message in error
    assert error.count("\n") == 1
    assert not outputs[0].parent.exists()


def test_a_style_needs_an_index():
    with pytest.raises(SettingError, match="'index' is missing"):
        TableStyle.from_dict({})

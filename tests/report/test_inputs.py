import json
from dataclasses import replace

import pytest

from corrldp.report import inputs as report_inputs


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("verdicts", "verdicts lack jrr.json"),
        ("figures", "figures lack jrr/fig3.svg"),
        ("figure_tables", "figure tables lack jrr/fig3.csv"),
        ("figure_pages", "figures lack jrr/fig3.pdf"),
        ("tables", "tables lack jrr/table3.csv"),
        ("tables_markdown", "tables markdown lack jrr/table3.md"),
        ("records", "records lack jrr/fig3.json"),
    ],
)
def test_a_missing_file_is_named(setting, without, option, message):
    with pytest.raises(ValueError, match=message):
        report_inputs.read(setting, without(option))


def test_a_file_that_belongs_to_nothing_is_named(setting, inputs, tmp_path):
    stray = tmp_path / "figures" / "jrr" / "fig9.svg"
    with pytest.raises(ValueError, match=r"figures have .*jrr/fig9\.svg, which the setting does not name"):
        report_inputs.read(setting, replace(inputs, figures=[*inputs.figures, stray]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "probably fine"}, "verdict 'probably fine' is not one of reproduced"),
        ({"figure": "fig33"}, "figure 'fig33' is neither a figure nor a table"),
        ({"table": "fig33"}, "table 'fig33' is not an experiment"),
        ({"cause": "sign"}, "cause 'sign' is not in the causes"),
        ({"as_run": {"exhibits": ["fig33"]}}, "nothing is said of its exhibit 'fig33'"),
    ],
)
def test_a_claim_that_cannot_be_shown_is_named(setting, inputs, change, message):
    path = inputs.verdicts[0]
    content = json.loads(path.read_text(encoding="utf-8"))
    content["claims"][0] |= change
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=f"claim 'reproduced' of jrr: {message}"):
        report_inputs.read(setting, inputs)


def test_data_records_are_sorted_by_name(setting, inputs):
    assert [record["dataset"] for record in report_inputs.read(setting, inputs).data] == ["adult", "mushroom"]

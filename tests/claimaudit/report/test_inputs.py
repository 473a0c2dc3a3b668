import re
from functools import partial

import pytest
from small_report import job_of

from claimaudit.report import inputs as report_inputs


@pytest.fixture
def read_inputs(setting):
    return partial(report_inputs.read, papers=job_of(setting).papers)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("verdicts", "verdicts lack jrr.json"),
        ("predictions", "predictions lack jrr.csv"),
        ("figures", "figures lack jrr/fig3.svg"),
        ("figure_tables", "figure tables lack jrr/fig3.csv"),
        ("drawings", "drawings lack jrr/fig3.json"),
        ("tables", "tables lack jrr/table3.json"),
        ("records", "records lack jrr/fig3.json"),
    ],
)
def test_a_missing_file_is_named(inputs, option, message, read_inputs):
    with pytest.raises(ValueError, match=message):
        read_inputs({**inputs, option: []})


def test_a_file_that_belongs_to_nothing_is_named(inputs, tmp_path, read_inputs):
    stray = tmp_path / "figures" / "jrr" / "fig9.svg"
    with pytest.raises(ValueError, match=r"figures have .*jrr/fig9\.svg, which the setting does not name"):
        read_inputs({**inputs, "figures": [*inputs["figures"], stray]})


def test_data_records_are_sorted_by_name(inputs, read_inputs):
    assert [record.dataset for record in read_inputs(inputs).data] == ["adult", "mushroom"]


def test_predictions_are_numbers_and_an_empty_field_is_missing(contents):
    predictions = contents.predictions["jrr"]
    assert predictions.loc[predictions["exhibit"] == "fig4", "printed"].isna().all()
    assert predictions["value"].max() == 159000
    assert contents.predictions["castell"].empty


def test_conclusions_are_read_and_may_be_missing(inputs, contents, read_inputs):
    assert [entry.states for entry in contents.conclusions][:2] == ["JRR has the lower error.", "JRR runs faster."]
    assert read_inputs({**inputs, "conclusions": []}).conclusions == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- states: a\n  rests_on: {jrr/a: holds, jrr/a: fails}\n", "line 2: the key jrr/a appears twice"),
        ("- states: [\n", "line 2: "),
        ("states: a\n", "conclusions.yaml, line 1: .* must be a"),
        ("# nothing\n", "conclusions.yaml, line 1: None must be a"),
    ],
)
def test_faults_of_the_conclusions_are_named_in_one_line(inputs, text, message, read_inputs):
    inputs["conclusions"][0].write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"\A.*{message}.*\Z"):
        read_inputs(inputs)


def test_files_are_sorted_by_their_place(inputs):
    given = [path for paths in inputs.values() for path in paths]
    assert report_inputs.sort(given) == inputs
    assert report_inputs.sort(reversed(given))["tables"] == inputs["tables"]


SEALED = ("verdicts", "predictions", "data", "records", "drawings", "figures", "figure_tables", "tables")


@pytest.mark.parametrize("kind", SEALED)
def test_an_edited_product_is_refused_in_one_line_that_names_it(inputs, kind, read_inputs):
    path = inputs[kind][0]
    path.write_text(path.read_text(encoding="utf-8").replace("5", "6", 1).replace("jrr", "cpl", 1), encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))} .*; delete .* and re-run$"):
        read_inputs(inputs)

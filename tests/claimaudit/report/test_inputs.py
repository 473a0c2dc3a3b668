import re

import pytest
from small_report import paths_of

from claimaudit.report.inputs import read


def test_data_records_are_sorted_by_name(inputs):
    assert [record.dataset for record in read(paths_of(inputs)).data] == ["adult", "mushroom"]


def test_predictions_are_numbers_and_an_empty_field_is_missing(contents):
    predictions = contents.predictions["jrr"]
    assert predictions.loc[predictions["exhibit"] == "fig4", "printed"].isna().all()
    assert predictions["value"].max() == 159000
    assert contents.predictions["castell"].empty


def test_conclusions_are_read_and_may_be_missing(inputs, contents):
    assert [entry.states for entry in contents.conclusions][:2] == ["JRR has the lower error.", "JRR runs faster."]
    assert read(paths_of({**inputs, "conclusions": []})).conclusions == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- states: a\n  rests_on: {jrr/a: holds, jrr/a: fails}\n", "line 2: the key jrr/a appears twice"),
        ("- states: [\n", "line 2: "),
        ("states: a\n", "conclusions.yaml, line 1: .* must be a"),
        ("# nothing\n", "conclusions.yaml, line 1: None must be a"),
    ],
)
def test_faults_of_the_conclusions_are_named_in_one_line(inputs, text, message):
    inputs["conclusions"][0].write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"\A.*{message}.*\Z"):
        read(paths_of(inputs))


SEALED = ("verdicts", "predictions", "data", "records", "drawings", "figures", "figure_tables", "tables")


@pytest.mark.parametrize("kind", SEALED)
def test_an_edited_product_is_refused_in_one_line_that_names_it(inputs, kind):
    path = inputs[kind][0]
    path.write_text(path.read_text(encoding="utf-8").replace("5", "6", 1).replace("jrr", "cpl", 1), encoding="utf-8")
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))} .*; delete .* and re-run$"):
        read(paths_of(inputs))

import hashlib
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import write_table

from claimaudit.results import (
    PLANNED_VARIABLE,
    axes_of,
    identity,
    mean_and_se,
    read,
    read_record,
    shared_digits,
)

COLUMNS = ["n", "choice", "reading", "p_step", "mechanism", "metric", "mean", "se", "runs", "theory", "standin"]
RECORD = {"paper": "jrr", "experiment": "fig3", "seed": 1, "standin": []}


def table(mean=0.1, theory=np.nan):
    return pd.DataFrame(
        [
            (100, "None", "strict", 1e-4, "RR", "mse", mean, 0.0, 0, theory, False),
            (100, "None", "strict", 1e-4, "k-JRR", "mse", 1 / 3, 0.01, 1000, 0.3, True),
        ],
        columns=COLUMNS,
    )


def save(content, directory):
    return write_table(content, directory / "fig3.csv", **RECORD)


def test_round_trip_keeps_values_types_and_strings_that_look_missing(tmp_path):
    with pd.option_context("mode.string_storage", "python"):
        expected = table()
    pd.testing.assert_frame_equal(read(save(table(), tmp_path)), expected, check_dtype=True)


@given(st.floats(allow_nan=False))
def test_round_trip_is_exact_for_every_float(tmp_path_factory, mean):
    back = read(save(table(mean), tmp_path_factory.mktemp("t")))["mean"][0]
    assert back == mean


def test_bytes_are_the_same_and_the_record_has_their_digest(tmp_path):
    csv = save(table(), tmp_path)
    first = csv.read_bytes(), csv.with_suffix(".json").read_bytes()
    save(table(), tmp_path)
    assert (csv.read_bytes(), csv.with_suffix(".json").read_bytes()) == first
    assert read_record(csv) == {**RECORD, "sha256": hashlib.sha256(first[0]).hexdigest()}
    assert b"\r" not in first[0]
    assert b"0.3333333333333333," in first[0]


def test_changed_table_is_refused_with_both_sums_and_the_fix(tmp_path):
    csv = save(table(), tmp_path)
    expected = json.loads(csv.with_suffix(".json").read_text())["sha256"]
    csv.write_bytes(csv.read_bytes().replace(b"0.3", b"0.4"))
    found = hashlib.sha256(csv.read_bytes()).hexdigest()
    with pytest.raises(ValueError, match=rf"\A.*{found}.*{expected}.*re-run.*\Z"):
        read(csv)


@pytest.mark.parametrize("columns", [COLUMNS[:-1], [*COLUMNS[:-2], "standin", "theory"]])
def test_missing_or_misplaced_columns_are_refused(columns):
    with pytest.raises(ValueError, match="it needs settings"):
        axes_of(table()[columns])
    assert axes_of(table()) == (["n", "choice"], ["p_step"])


def test_two_rows_for_one_number_are_refused_and_what_cannot_be_written_leaves_no_table(tmp_path):
    with pytest.raises(ValueError, match=r"two rows for .*'mechanism': 'RR'"):
        save(pd.concat([table(), table(2.0)]), tmp_path)
    with pytest.raises(TypeError):
        write_table(table(), tmp_path / "a.csv", setting=object())
    assert not list(tmp_path.iterdir())


def test_a_table_of_another_seed_is_refused_although_its_sum_is_right(tmp_path, monkeypatch):
    (tmp_path / "jrr").mkdir()
    csv = save(table(), tmp_path / "jrr")
    planned = {name: value for name, value in RECORD.items() if name != "standin"}
    monkeypatch.setenv(PLANNED_VARIABLE, json.dumps({"jrr/fig3": identity(planned)}))
    assert len(read(csv)) == 2
    monkeypatch.setenv(PLANNED_VARIABLE, json.dumps({"jrr/fig3": identity({**planned, "seed": 2})}))
    with pytest.raises(
        ValueError, match=r"fig3.csv rests on another setting, seed .*; delete .*fig3.csv and .*fig3.json"
    ):
        read(csv)


def test_shared_digits_are_those_of_neighbouring_floats():
    numbers = np.array([0.1 + 0.2, 1 / 3, 1e-300, 2.0**60, 1 - 2.0**-53, -0.7, np.nan])
    shared = shared_digits(numbers)
    np.testing.assert_array_equal(shared, shared_digits(np.nextafter(numbers, -1.0)))
    np.testing.assert_allclose(shared, numbers, rtol=1e-12)
    exact = np.array([0.0, np.inf, -np.inf, 0.5, 3.0, 23486.0, 1e12 + 1])
    np.testing.assert_array_equal(shared_digits(exact), exact)


def test_runs_that_agree_have_no_error():
    """In floating point the mean of three 0.1s is not 0.1."""
    assert np.mean([0.1] * 3) != 0.1
    assert mean_and_se([0.1] * 3) == (0.1, 0.0)
    assert mean_and_se([0.3, 0.1 + 0.2]) == (0.3, 0.0)


def test_mean_and_se_by_hand():
    mean, se = mean_and_se([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0]])
    assert mean.tolist() == [3.0, 5.0]
    assert se == pytest.approx([2 / np.sqrt(3), 0.0])
    with pytest.raises(ValueError, match="at least 2 runs"):
        mean_and_se([[1.0, 2.0]])

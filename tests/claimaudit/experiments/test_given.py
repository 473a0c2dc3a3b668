import numpy as np
import pytest

from claimaudit.configuration import parse
from claimaudit.experiments.given import Columns, call, convert, inputs_of
from claimaudit.names import ConfigurationError


def converted(tmp_path, text, **columns):
    path = tmp_path / "mine.csv"
    path.write_text(text)
    return convert(path, parse(columns, Columns), "times")


def records(table):
    return table.drop(columns=["reading", "theory", "standin"]).to_dict("records")


def test_columns_with_the_names_of_their_roles_need_no_mapping(tmp_path):
    table = converted(tmp_path, "n,mechanism,metric,mean,se,runs\n10,quick,time,2.5,0.5,20\n")
    assert list(table.columns) == ["n", "reading", "mechanism", "metric", "mean", "se", "runs", "theory", "standin"]
    assert records(table) == [{"n": 10, "mechanism": "quick", "metric": "time", "mean": 2.5, "se": 0.5, "runs": 20}]


def test_rows_that_differ_in_the_run_alone_become_a_mean_with_its_standard_error(tmp_path):
    table = converted(
        tmp_path, "n,who,trial,time\n1,a,1,2\n1,a,2,4\n1,b,1,7\n", mechanism="who", mean="time", run="trial"
    )
    first, second = records(table)
    assert first == {"n": 1, "mechanism": "a", "metric": "time", "mean": 3.0, "se": 1.0, "runs": 2}
    assert second["mean"] == 7
    assert second["runs"] == 1
    assert np.isnan(second["se"])  # one run has no standard error


def test_each_of_several_columns_is_a_metric_and_an_empty_cell_a_number_that_is_lacking(tmp_path):
    table = converted(tmp_path, "mechanism,time,memory\na,1,2\nb,3,\n", mean=["time", "memory"], se=0)
    found = {(row["mechanism"], row["metric"]): row["mean"] for row in records(table)}
    assert found == {("a", "time"): 1, ("b", "time"): 3, ("a", "memory"): 2}
    assert (table[["se", "runs"]] == 0).all(axis=None)


def test_numbers_without_errors_are_neither_exact_nor_measured(tmp_path):
    """Without a column of mechanisms the experiment names the only one; a spreadsheet's mark is no part of a name."""
    table = converted(tmp_path, "\ufeffn,mean\n1,3\n")
    assert table[["se", "runs"]].isna().all(axis=None)
    assert table[["n", "mechanism"]].to_numpy().tolist() == [[1, "times"]]


def test_errors_of_several_columns_and_a_common_number_of_runs(tmp_path):
    table = converted(tmp_path, "mechanism,t,te,m,me\na,1,.1,2,.2\n", mean=["t", "m"], se=["te", "me"], runs=5)
    assert list(table["se"]) == [0.1, 0.2]
    assert list(table["runs"]) == [5, 5]


@pytest.mark.parametrize(
    ("text", "mean", "runs"),
    [("n,host,mean\n1,a,2\n1,b,4\n", 3, 2), ("n,seed,run,mean\n1,1,1,2\n1,1,2,3\n1,2,1,4\n", 3, 3)],
)
def test_columns_that_are_no_settings_tell_runs_apart(tmp_path, text, mean, runs):
    table = converted(tmp_path, text, settings=["n"])
    assert not {"host", "seed"} & {*table}
    assert (list(table["mean"]), list(table["runs"])) == ([mean], [runs])


@pytest.mark.parametrize(
    ("text", "columns", "words"),
    [
        ("n,mean\n1,two\n", {}, "line 2, column mean: 'two' is no number"),
        ("n,mean\n", {}, "line 1: there is no row"),
        ("n,mean,se,runs\n1,2,1,3\n1,3,1,3\n", {}, "line 3: a second number for n 1, mechanism times"),
        ("n,mean,se,runs\n1,2,-1,3\n", {}, "line 2: an error is 0 or more"),
        ("n,mean,runs\n1,2,2.5\n", {}, "line 2: an error is 0 or more, and runs are a whole number"),
        (
            "n,mean\n1,2\n2,3\n1,3\n2,4\n",
            {"se": 0},
            "line 4: a second number for n 1, mechanism times, metric mean, as",
        ),
        ("n,mean,run\n1,2,1\n1,3,2\n1,3,2\n", {}, "line 4: a second number for metric mean, n 1, run 2, as in line 3"),
        ("n,mean,runs\n1,2,3\n", {"se": 0}, "with standard errors or runs are not exact"),
        ("n,metric,mean\n1,time,\n", {}, "line 2, column mean: the number is missing"),
        ("n,metric,a,b\n1,time,1,2\n", {"mean": ["a", "b"]}, "names metrics, so mean is one column"),
        ("n,a,b,c\n1,2,3,4\n", {"mean": ["a", "b"], "se": "c"}, "se names 1 columns and mean 2"),
        ("theory,mean\n1,2\n", {}, "a setting cannot be called 'theory'"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(tmp_path, text, columns, words):
    with pytest.raises(ConfigurationError) as error:
        converted(tmp_path, text, **columns)
    assert words in str(error.value)
    assert len(str(error.value).splitlines()) == 1
    assert str(error.value).startswith("mine.csv, line ")


def test_a_command_runs_in_its_folder_and_what_it_writes_is_returned(tmp_path):
    (tmp_path / "numbers.txt").write_text("n,mean\n1,2\n")
    assert call("cat numbers.txt > {out}", str(tmp_path), [])["file"] == b"n,mean\n1,2\n"
    with pytest.raises(ValueError, match=r"fails with status 3: no luck"):
        call("echo half > {out}; echo no luck >&2; exit 3", str(tmp_path), [])
    with pytest.raises(ValueError, match=r"fails with status 1: .*x$"):
        call(r"printf '\377\000x' >&2; : {out}; exit 1", str(tmp_path), [])
    with pytest.raises(ValueError, match="does not write"):
        call("true", str(tmp_path), [])
    assert [path.name for path in tmp_path.iterdir()] == ["numbers.txt"]


def test_a_command_reads_the_files_that_it_names_and_those_behind_a_hash(tmp_path):
    for name in ("measure.py", "sizes.csv", "library.py"):
        (tmp_path / name).touch()
    command = "python3 measure.py <sizes.csv > {out}  # library.py"
    assert inputs_of(command, tmp_path) == ("measure.py", "sizes.csv", "library.py")
    assert inputs_of(command.replace("library", "lbrary"), tmp_path) == ("measure.py", "sizes.csv", "lbrary.py")
    with pytest.raises(ConfigurationError, match="cannot be read: No closing quotation"):
        inputs_of("awk 'BEGIN > {out}", tmp_path)

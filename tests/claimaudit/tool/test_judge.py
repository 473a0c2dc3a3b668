"""Claims judged by one CSV file: exact numbers, single runs, and numbers that lack their errors."""

CLAIMS = """\
sections:
  - title: All
    defaults: {place: README, of: times}
    claims:
      - id: faster
        states: New is faster than old.
        check: seconds_new < seconds_old
      - id: ten-times
        states: New is ten times as fast as old.
        check: seconds_new * 10 < seconds_old
"""
SINGLE = "n,program,run,seconds\n" + "".join(
    f"{n},{name},{run},{n * factor * (1 + 0.01 * run)}\n"
    for n in (10, 100)
    for name, factor in (("new", 0.5), ("old", 2))
    for run in range(5)
)


def judged(claimaudit, tmp_path, text, *options):
    (tmp_path / "claims.yaml").write_text(CLAIMS)
    (tmp_path / "times.csv").write_text(text)
    columns = ["--column", "mechanism=program", "--column", "mean=seconds"]
    return claimaudit("judge", "claims.yaml", "times.csv", *columns, *options)


def test_single_runs_tell_their_errors(claimaudit, tmp_path):
    status, said, _ = judged(claimaudit, tmp_path, SINGLE)
    assert status == 1
    assert "1 reproduced, 1 not reproduced" in said
    assert "✗ ten-times (README): not reproduced" in said


BARE = "n,program,seconds\n10,new,5\n10,old,20\n"


def test_numbers_without_errors_decide_nothing_unless_they_are_exact(claimaudit, tmp_path):
    status, said, _ = judged(claimaudit, tmp_path, BARE)
    assert (status, "2 undecided" in said) == (0, True)
    assert "the standard error and the number of runs of each result, or that the results are exact" in said
    status, said, _ = judged(claimaudit, tmp_path, BARE, "--exact")
    assert (status, "1 reproduced, 1 not reproduced" in said) == (1, True)


def test_a_mistake_names_the_files_that_the_user_named(claimaudit, tmp_path):
    status, said, errors = judged(claimaudit, tmp_path, "n,program,secs\n10,new,5\n")
    assert (status, said) == (2, "")
    assert errors.startswith("times.csv, line 1: no column 'seconds'")
    status, _, errors = judged(claimaudit, tmp_path, "n,program,seconds\n10,new,5\n")
    assert status == 2
    assert [line.split(":")[0] for line in errors.splitlines()] == ["claims.yaml, line 7", "claims.yaml, line 10"]


def test_a_missing_file_is_named(claimaudit):
    assert claimaudit("judge", "claims.yaml", "times.csv") == (2, "", "there is no file claims.yaml\n")

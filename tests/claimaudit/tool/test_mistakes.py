"""Each of twenty mistakes in the folder that ``claimaudit init`` makes is one line with file and line."""

import os
import subprocess
import sys

import pytest

PAPER, CLAIMS, RESULTS, PRINTED = "paper.yaml", "claims.yaml", "results.csv", "published/table1.csv"
MISTAKES = [
    (PAPER, "authors: A. Author\n", "", "line 1: authors: the key is missing"),
    (PAPER, "venue: a workshop, 2026", "venue: 2026", "line 4: venue: 2026"),
    (PAPER, "source: results.csv", "source: result.csv", "source: there is no file result.csv"),
    (PAPER, "source: results.csv", "source: python3 measure.py", "says with {out} where to write"),
    (
        PAPER,
        "mechanism: program",
        "mechanism: programme",
        "line 1: no column 'programme'",
    ),
    (PAPER, "mean: [seconds, megabytes]", "means: [seconds, megabytes]", "unknown key"),
    (PAPER, "x: words", "x: word", "no column 'word'"),
    (PAPER, "plot: curves", "plot: curve", "plot: 'curve' is not one of the allowed values"),
    (PAPER, "scale: {x: log", "scal: {x: log", "style.scal: unknown key; did you mean scale?"),
    (PAPER, "published: table1", "published: table2", "table2"),
    (PAPER, 'title: "Figure 1: time"', "title: Figure 1: time", "line 21"),
    (
        CLAIMS,
        "check: seconds_hash < seconds_list",
        "check: seconds_hash < seconds_lists",
        "no variable 'seconds_lists'",
    ),
    (CLAIMS, "check: seconds_hash < seconds_list", "check: seconds_hash below seconds_list", "line 8"),
    (CLAIMS, "where words == 100000", "where word == 100000", "no column 'word'"),
    (CLAIMS, "grows along words", "grows along size", "no setting column 'size'"),
    (CLAIMS, "states: The memory", "origin: theirs\n        states: The memory", "origin: 'theirs' is not one of"),
    (CLAIMS, "id: table-1\n", "id: time-grows\n", "the id is used 2 times"),
    (CLAIMS, "weight: headline", "wait: headline", "wait"),
    (CLAIMS, "states: The memory of both programs.", "note: The memory of both programs.", "states"),
    (RESULTS, "hash,1000,2,0.000", "hash,1000,2,0.o00", "line 3, column seconds"),
    (RESULTS, "program,words,run,", "program,words,words,", "line 1, column words: the column appears twice"),
    (PRINTED, "1000,hash,megabytes,2.1,10", "1000,hash,megabytes,2.1x,10", "line 2, column value"),
    (
        PRINTED,
        "1000,hash,megabytes,2.1,10",
        "1000,hashes,megabytes,2.1,10",
        "line 2, column mechanism: no mechanism 'hashes'",
    ),
    (PRINTED, "1000,hash,megabytes,2.1,10", "1000,hash,megabytes,2.1,", "line 2, column runs"),
    (PRINTED, "1000,hash,megabytes,2.1,10", "2000,hash,megabytes,2.1,10", "line 2, column words: 2000 is no words"),
]


@pytest.mark.parametrize(("file", "old", "new", "words"), MISTAKES)
def test_a_mistake_is_one_line_with_file_and_line(claimaudit, tmp_path, file, old, new, words):
    assert claimaudit("init", "words")[0] == 0
    path = tmp_path / "words" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    status, said, errors = claimaudit("check", "words")
    assert (status, said) == (2, "")
    [line] = errors.splitlines()
    assert words in line
    named = RESULTS if "results.csv, line" in line else file
    assert line.startswith(f"words/{named}, line ")


@pytest.mark.parametrize(
    ("file", "old", "new", "words"), [each for each in MISTAKES if "source: " not in each[1] and each[0] != RESULTS]
)
def test_what_a_command_writes_is_checked_when_asked(claimaudit, tmp_path, file, old, new, words):
    """The same results, but made by a command: what only they can show is a mistake when the command has run."""
    claimaudit("init", "words")
    paper, path = tmp_path / "words/paper.yaml", tmp_path / "words" / file
    paper.write_text(paper.read_text().replace("source: results.csv", 'source: "cat results.csv > {out}"'))
    path.write_text(path.read_text().replace(old, new, 1))
    status, said, errors = claimaudit("check", "words")
    assert (status == 0) == ("mechanisms, metrics, columns and values of times" in said)
    status, said, errors = claimaudit("check", "--run", "words")
    assert (status, said) == (2, "")
    assert words in errors.partition("\n")[0]


@pytest.mark.parametrize("command", ["init", "check"])
def test_a_name_that_is_no_id_is_one_line(claimaudit, tmp_path, command):
    _, said, errors = claimaudit(command, "2026")
    assert said == ""
    assert errors.startswith("the name '2026' of a paper's folder becomes its id: choose one other than ")
    assert not any(tmp_path.iterdir())


def test_a_closed_pipe_ends_the_output_and_nothing_else(claimaudit, tmp_path):
    claimaudit("init", "words")
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "claimaudit", "check", "words"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_there_are_twenty_mistakes_or_more():
    assert len(MISTAKES) >= 20

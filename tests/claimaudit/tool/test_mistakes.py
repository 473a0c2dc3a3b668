"""Each of many mistakes in the folder that ``claimaudit init`` makes is one line with file and line."""

import os
import subprocess
import sys

import pytest
from mistakes import mistaken

SHOWN = r"""
authors: A. Author\n ->  | paper.yaml | line 1: authors: the key is missing
venue: a workshop, 2026 -> venue: 2026 | paper.yaml | line 4: venue: 2026
plot: curves -> plot: curve | paper.yaml | plot: 'curve' is not one of the allowed values
published: table1 -> published: table2 | paper.yaml | table2
title: "Figure 1: time" -> title: Figure 1: time | paper.yaml | line 21
check: seconds_hash < seconds_list -> check: seconds_hash below seconds_list | claims.yaml | line 8
mechanism: program -> mechanism: programme | paper.yaml | line 1: no column 'programme'
x: words -> x: word | paper.yaml | no column 'word'
check: seconds_hash < seconds_list -> check: seconds_hash < seconds_lists | claims.yaml | no variable 'seconds_lists'
1000,hash,megabytes,2.1,10 -> 1000,hashes,megabytes,2.1,10 | published/table1.csv | column mechanism: no mechanism
1000,hash,megabytes,2.1,10 -> 2000,hash,megabytes,2.1,10 | published/table1.csv | column words: 2000 is no words
source: results.csv -> source: result.csv | paper.yaml | source: there is no file result.csv
source: results.csv -> source: python3 measure.py | paper.yaml | says with {out} where to write
hash,1000,2,0.000 -> hash,1000,2,0.o00 | results.csv | line 3, column seconds
program,words,run, -> program,words,words, | results.csv | line 1, column words: the column appears twice
"""


@mistaken(("old", "new", "file", "words"), SHOWN)
def test_a_mistake_is_one_line_with_file_and_line(claimaudit, tmp_path, old, new, file, words):
    assert claimaudit("init", "words")[0] == 0
    path = tmp_path / "words" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    status, said, errors = claimaudit("check", "words")
    assert (status, said) == (2, "")
    [line] = errors.splitlines()
    assert words in line
    named = "results.csv" if "results.csv, line" in line else file
    assert line.startswith(f"words/{named}, line ")


@pytest.mark.parametrize("command", ["init", "check"])
def test_a_name_that_is_no_id_is_one_line(claimaudit, tmp_path, command):
    _, said, errors = claimaudit(command, "2026")
    assert said == ""
    assert errors.startswith("the name '2026' of a paper's folder becomes its id: choose one other than ")
    assert not any(tmp_path.iterdir())


@pytest.mark.thorough
def test_a_closed_pipe_ends_the_output_and_nothing_else(claimaudit, tmp_path):
    claimaudit("init", "words")
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "claimaudit", "check", "words"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")

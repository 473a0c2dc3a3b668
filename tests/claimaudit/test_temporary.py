import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from claimaudit import temporary
from claimaudit.results import write_bytes

KILLED = """
import os, signal, sys
from pathlib import Path
from claimaudit import temporary
target = Path(sys.argv[1])
temporary.beside(target).write_bytes(b"half")
with temporary.directory(target) as made:
    (made / "download").write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def hidden(directory):
    return [path for path in directory.iterdir() if path.name.startswith(".")]


def test_what_a_killed_writer_left_goes_with_the_next_one(tmp_path):
    target = tmp_path / "a [table].csv"
    subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    assert len(hidden(tmp_path)) == 2
    write_bytes(tmp_path / "another.csv", b"whole")
    assert len(hidden(tmp_path)) == 2
    write_bytes(target, b"whole")
    assert hidden(tmp_path) == []
    assert target.read_bytes() == b"whole"


def test_a_writer_at_work_is_left_alone(tmp_path):
    target = tmp_path / "table.csv"
    with temporary.directory(target) as made:
        write_bytes(target, b"whole")
        assert made.is_dir()
    assert hidden(tmp_path) == []


def test_many_writers_of_one_file_leave_one_of_their_contents(tmp_path):
    target, contents = tmp_path / "table.csv", [bytes([65 + number]) * 100_000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda content: write_bytes(target, content), contents * 10))
    assert target.read_bytes() in contents
    assert hidden(tmp_path) == []


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "table.csv"
    target.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_bytes(target, "text")
    assert target.read_bytes() == b"old"
    assert hidden(tmp_path) == []

"""A file is written whole or not at all; who reads one that was edited or damaged refuses it in one line."""

import json
import math
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from claimaudit.results import write_sealed
from claimaudit.storage import read_sealed, remembered, sealed, temporary_file, to_json, write_bytes

CONTENT = {"rows": [[{"mean": 0.1, "theory": None}], []], "read": ["p_step"], "standin": []}


@pytest.fixture
def path(tmp_path):
    write_sealed(tmp_path / "part.json", CONTENT)
    return tmp_path / "part.json"


def refusal(path):
    return f"^{re.escape(str(path))} .*; delete {re.escape(str(path.resolve()))} and re-run$"


def test_what_was_written_is_read_without_the_checksum_whatever_its_layout(path):
    assert read_sealed(path) == CONTENT
    assert list(json.loads(path.read_text()))[-1] == "checksum"
    path.write_text(json.dumps(json.loads(path.read_text()), sort_keys=True))
    assert read_sealed(path) == CONTENT


def test_a_second_checksum_replaces_the_first():
    assert sealed(sealed(CONTENT)) == sealed(CONTENT)
    assert sealed({1: (2, float("nan"))})["checksum"] == sealed({"1": [2, float("nan")]})["checksum"]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("0.1", "0.2"),
        lambda text: text.replace('"standin": []', '"standin": ["adult"]'),
        lambda text: text.replace("checksum", "sum"),
        lambda text: text[:-9],
        lambda text: "[]",
        lambda text: "",
    ],
)
def test_an_edited_file_is_refused(path, change):
    path.write_text(change(path.read_text()))
    with pytest.raises(ValueError, match=refusal(path)):
        read_sealed(path)


def test_what_json_has_not_is_refused_and_not_a_text_of_that_name():
    assert json.loads(to_json({"NaN": ["NaN", 1e-5, (True, None)]})) == {"NaN": ["NaN", 1e-5, [True, None]]}
    with pytest.raises(ValueError, match="Infinity is no number of JSON"):
        to_json({"a": [1.0, -math.inf]})


def test_a_link_is_named_with_the_file_behind_it(path):
    link = path.with_name("link.json")
    link.symlink_to(path)
    path.write_text("{}")
    with pytest.raises(
        ValueError, match=f"delete {re.escape(str(link))} and {re.escape(str(path.resolve()))} and re-run"
    ):
        read_sealed(link)


KILLED = """
import os, signal, sys
from pathlib import Path
from claimaudit.storage import temporary_file
with temporary_file(Path(sys.argv[1])) as part:
    part.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def hidden(directory):
    return [path for path in directory.iterdir() if path.name.startswith(".")]


def test_what_a_killed_writer_left_goes_with_the_next_one(tmp_path):
    target = tmp_path / "a [table].csv"
    subprocess.run([sys.executable, "-c", KILLED, str(target)], check=False)
    assert len(hidden(tmp_path)) == 1
    write_bytes(tmp_path / "another.csv", b"whole")
    assert len(hidden(tmp_path)) == 1
    write_bytes(target, b"whole")
    assert hidden(tmp_path) == []
    assert target.read_bytes() == b"whole"


def test_a_writer_at_work_is_left_alone(tmp_path):
    target = tmp_path / "table.csv"
    with temporary_file(target) as part:
        part.write_bytes(b"mine")
        write_bytes(target, b"whole")
        assert part.is_file()
    assert hidden(tmp_path) == []


def test_many_writers_of_one_file_leave_one_of_their_contents(tmp_path):
    target, contents = tmp_path / "table.csv", [bytes([65 + number]) * 100_000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda content: write_bytes(target, content), contents * 10))
    assert target.read_bytes() in contents
    assert hidden(tmp_path) == []


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "table.csv"
    target.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_bytes(target, "text")
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError("disk")))
    with pytest.raises(OSError, match="disk"):
        write_bytes(target, b"new")
    assert target.read_bytes() == b"old"
    assert hidden(tmp_path) == []


def test_a_file_is_read_again_only_if_another_took_its_place(tmp_path):
    seen, path = [], tmp_path / "table.csv"

    def read(path):
        seen.append(path.read_bytes())
        return seen[-1]

    reading = remembered(read)
    write_bytes(path, b"1")
    assert [reading(path), reading(path)] == [b"1", b"1"]
    write_bytes(path, b"2")
    assert reading(path) == b"2"
    assert seen == [b"1", b"2"]

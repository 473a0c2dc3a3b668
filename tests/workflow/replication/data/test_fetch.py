"""Fetching: the order of sources, the checksum, atomicity, stand-ins; against a local server and local directories."""

import gzip
import hashlib
import io
import json
import lzma
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import toys

from claimaudit.storage import read_sealed
from claimaudit.task import Task, plain
from replication.data.fetch import fetch
from replication.data.registry import CanonicalSource, FetchJob, FileColumn
from replication.data.store import Limits, Places, Policy, attempt

pytestmark = pytest.mark.thorough

BODY = b"a,1\nb,2\n"
OTHER = b"<html>quota exceeded</html>"
MADE = ("raw", "record")
# No test waits for these times; on a busy machine an honest answer may take seconds.
LIMITS = Limits(connect_timeout=10, read_timeout=10, retries=1, budget_seconds=60)


COLUMNS = (
    FileColumn(name="letter", kind="categorical", values=("a", "b")),
    FileColumn(name="digit", kind="categorical", values=("1", "2")),
)


def toy(*sources, body=BODY):
    digest = hashlib.sha256(body).hexdigest()
    return toys.toy(2, COLUMNS, sources=sources, file="toy set.data", sha256=digest, bytes=len(body))


def run(dataset, mirrors=(), on_unavailable="error", attempt=0, store=None, shipped=None):
    """Return the file and the record of its origin."""
    policy = Policy(mirrors=(), on_unavailable=on_unavailable, fetch=LIMITS)
    with TemporaryDirectory() as own:
        places = Places(store or Path(own) / "store", tuple(mirrors), shipped or Path(own) / "shipped")
        return fetch(FetchJob(dataset=dataset, attempt=attempt), policy, places)


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


def test_canonical_address(server):
    server.answers["/x"] = [(200, BODY)]
    content, record = run(toy(CanonicalSource(url=f"{server.url}/x")))
    assert content == BODY
    about = {"dataset": "toy", "title": "Toy", "licence": "none", "citation": "none", "doi": None}
    found = {"source": f"{server.url}/x", "status": "original", "tried": [], "attempt": 0}
    assert record == {**about, **found, "sha256": hashlib.sha256(BODY).hexdigest(), "bytes": len(BODY)}


def test_wrong_content_names_both_sums_and_the_next_source_is_tried(server, capsys):
    server.answers |= {"/bad": [(200, OTHER)], "/good": [(200, BODY)]}
    content, record = run(toy(CanonicalSource(url=f"{server.url}/bad"), CanonicalSource(url=f"{server.url}/good")))
    assert content == BODY
    (failure,) = record["tried"]
    assert failure["source"] == f"{server.url}/bad"
    for text in (failure["outcome"], capsys.readouterr().err):
        assert hashlib.sha256(OTHER).hexdigest() in text
        assert hashlib.sha256(BODY).hexdigest() in text


def damaged(content):
    changed = bytearray(content)
    changed[changed.index(BODY)] ^= 1
    return bytes(changed)


@pytest.mark.parametrize(
    ("content", "reason", "taken"),
    [
        (OTHER, "wrong content: SHA-256 is", {}),
        (BODY, "not a complete zip archive", {"member": "toy.data"}),
        (zipped(other="x"), "does not hold 'toy.data'", {"member": "toy.data"}),
        (damaged(zipped(toy_data=BODY)), "not a complete zip archive", {"member": "toy.data"}),
        (b"text\na\n", "no CSV file with a column 'flag'", {"extract": "flag"}),
        (bytes(2**21), "larger than 1,048,736 bytes", {}),
    ],
)
def test_what_is_wrong_with_a_source_is_said_in_one_line(server, content, reason, taken):
    server.answers["/x"] = [(200, content)]
    with pytest.raises(ValueError, match=rf"\A.*the data set is not available.*{reason}.*\Z"):
        run(toy(CanonicalSource(url=f"{server.url}/x", **taken)))


@pytest.mark.parametrize(
    ("content", "taken", "body"),
    [
        (zipped(toy_data=BODY, readme="x"), {"member": "toy.data"}, BODY),
        (b'text,flag\n"a, ""b""\nc",1\n,0\n', {"extract": "flag"}, b"flag\n1\n0\n"),
    ],
    ids=["member of an archive", "column of a CSV file"],
)
def test_a_part_of_what_an_address_has(server, content, taken, body):
    server.answers["/x"] = [(200, content)]
    assert run(toy(CanonicalSource(url=f"{server.url}/x", **taken), body=body))[0] == body


@pytest.mark.parametrize(("end", "content"), [("", BODY), (".gz", gzip.compress(BODY))], ids=["plain", "packed"])
@pytest.mark.parametrize("kind", ["directory", "address"])
def test_mirrors_come_before_canonical_addresses(server, tmp_path, kind, end, content):
    (tmp_path / "mirror").mkdir()
    if kind == "directory":
        (tmp_path / f"mirror/toy set.data{end}").write_bytes(content)
    else:
        server.answers[f"/mirror/toy%20set.data{end}"] = [(200, content)]
    places = {"directory": str(tmp_path / "mirror"), "address": f"{server.url}/mirror/"}
    found, record = run(toy(CanonicalSource(url=f"{server.url}/x")), [str(tmp_path / "empty"), places[kind]])
    assert found == BODY
    assert record["source"] == f"mirror ({kind})"
    assert record["tried"] == [{"source": "mirror (directory)", "outcome": "does not hold toy set.data"}]
    assert not [place for place in (str(tmp_path), server.url) if place in str(record)]
    assert "/x" not in server.requests


@pytest.mark.parametrize(
    ("packed", "reason"),
    [
        (gzip.compress(BODY)[:-4], "toy set.data.gz is not a complete gzip file"),
        (gzip.compress(bytes(2**26)), "larger than 1,048,736 bytes"),
    ],
    ids=["cut off", "bomb"],
)
def test_packed_files_in_a_mirror_are_whole_and_of_their_size(tmp_path, packed, reason):
    (tmp_path / "toy set.data.gz").write_bytes(packed)
    with pytest.raises(ValueError, match=reason):
        run(toy(), [str(tmp_path)])


def test_standin_is_loud_labelled_and_deterministic(server, capsys):
    dataset = toy(CanonicalSource(url=f"{server.url}/gone"))
    content, record = run(dataset, on_unavailable="standin")
    warning = capsys.readouterr().err
    assert "STAND-IN: data set 'toy' is SYNTHETIC (2 records)" in warning
    assert f"{server.url}/gone: HTTP 404" in warning
    assert run(dataset, on_unavailable="standin") == (content, record)
    assert (record["status"], record["source"]) == ("stand-in", "stand-in")
    assert record["sha256"] == hashlib.sha256(content).hexdigest() != dataset.sha256
    assert record["tried"] == [{"source": f"{server.url}/gone", "outcome": "HTTP 404"}]


def test_data_set_without_any_source_is_an_error_that_says_what_to_do():
    with pytest.raises(ValueError, match=r"sources tried: none is known\. Put toy set\.data into a directory"):
        run(toy())


def test_order_of_mirrors(tmp_path, monkeypatch):
    root, shared = tmp_path / "project", tmp_path / "shared/datasets"
    root.mkdir()
    configured = ["copies", "http://example.org/data"]
    expected = (str(root / "copies"), "http://example.org/data")
    monkeypatch.setenv("CORRLDP_DATA_STORE", str(tmp_path / "store"))
    monkeypatch.delenv("CORRLDP_DATA_MIRROR", raising=False)
    assert Places.of(configured, root) == Places(tmp_path / "store", expected, root / "data/shipped")
    shared.mkdir(parents=True)
    monkeypatch.setenv("CORRLDP_DATA_MIRROR", "https://example.org/m")
    *others, last = Places.of(configured, root).mirrors
    assert others == ["https://example.org/m", *expected]
    assert Path(last).resolve() == shared


def test_a_shipped_copy_comes_after_every_source_and_before_a_stand_in(server, tmp_path):
    (tmp_path / "toy set.data.xz").write_bytes(lzma.compress(BODY))
    dataset = toy(CanonicalSource(url=f"{server.url}/x"))
    content, record = run(dataset, (), "standin", shipped=tmp_path)
    assert (content, record["status"], record["source"]) == (BODY, "original", "shipped copy")
    assert record["tried"] == [{"source": f"{server.url}/x", "outcome": "HTTP 404"}]
    server.answers["/x"] = [(200, BODY)]
    assert run(dataset, (), "standin", shipped=tmp_path)[1]["source"] == f"{server.url}/x"


@pytest.mark.parametrize("content", [lzma.compress(OTHER), lzma.compress(BODY)[:-5], b"no xz file"])
def test_a_damaged_shipped_copy_is_no_data(tmp_path, content):
    (tmp_path / "toy set.data.xz").write_bytes(content)
    _, record = run(toy(), (), "standin", shipped=tmp_path)
    assert record["status"] == "stand-in"
    assert record["tried"][0]["source"] == "shipped copy"


def test_a_stand_in_is_not_stored_and_replaced_once_there_is_a_copy(tmp_path):
    places, record = Places(tmp_path / "store", (), tmp_path), tmp_path / "toy.json"
    policy = Policy(mirrors=(), on_unavailable="standin", fetch=LIMITS)

    def next_attempt():
        return attempt(record, toy().file, toy().sha256, places)

    def status_of_next():
        _, made = fetch(FetchJob(dataset=toy(), attempt=next_attempt()), policy, places)
        record.write_text(json.dumps(made))
        return made["status"]

    assert (status_of_next(), next_attempt()) == ("stand-in", 0)
    assert not places.store.exists()
    (tmp_path / "toy set.data.xz").write_bytes(lzma.compress(BODY))
    assert next_attempt() == 1
    assert (status_of_next(), next_attempt()) == ("original", 1)
    record.write_text(json.dumps({"attempt": 1, "status": "stand-in"}))
    (tmp_path / "toy set.data.xz").unlink()
    assert next_attempt() == 2, "the store has it"


@pytest.mark.parametrize("there", [True, False])
def test_the_job_finds_policy_mirrors_and_store_in_the_environment(tmp_path, monkeypatch, there):
    mirror, store = tmp_path / "copies", tmp_path / "store"
    mirror.mkdir()
    (mirror / ("toy set.data" if there else "other")).write_bytes(BODY)
    policy = Policy(mirrors=("copies",), on_unavailable="error", fetch=LIMITS)
    environment = {"CORRLDP_FETCH_POLICY": policy.model_dump_json(), "CORRLDP_DATA_STORE": str(store)}
    for name, value in {**environment, "CLAIMAUDIT_PROJECT": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    task = Task(
        "replication.data.fetch:fetch_files", {"toy": {"job": plain(FetchJob(dataset=toy(), attempt=0))}}, (), MADE
    )
    outputs = [tmp_path / name for name in MADE]
    if not there:
        with pytest.raises(ValueError, match="the data set is not available; sources tried: ") as error:
            task.run([], outputs)
        assert (error.value.__notes__, [path.exists() for path in outputs]) == (["toy"], [False, False])
        return
    task.run([], outputs)
    assert (outputs[0].read_bytes(), read_sealed(outputs[1])["source"]) == (BODY, "mirror (directory)")
    assert (store / toy().sha256).read_bytes() == BODY


def test_a_full_disk_is_fatal_and_makes_no_stand_in(tmp_path):
    """A limit on the size of files stands for a disk without room."""
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "toy set.data").write_bytes(BODY * 1000)
    code = (
        "import resource, sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "import test_fetch; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        "test_fetch.run(test_fetch.toy(body=test_fetch.BODY * 1000), [sys.argv[2]], 'standin',"
        " store=Path(sys.argv[3]))"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parent), str(mirror), str(tmp_path / "store")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "OSError" in done.stderr.splitlines()[-1], done.stderr


@pytest.mark.parametrize("steps", range(2))
def test_a_kill_loses_no_source(tmp_path, monkeypatch, steps):
    """Bytes in the store have the record of where they came from."""
    store, replace, left = tmp_path / "store", os.replace, [*range(steps)]

    def killed(*names):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        replace(*names)

    (tmp_path / "toy set.data.xz").write_bytes(lzma.compress(BODY))
    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        run(toy(), store=store, shipped=tmp_path)
    monkeypatch.undo()
    for _ in range(2):
        assert run(toy(), store=store, shipped=tmp_path)[1]["source"] == "shipped copy"


def test_a_damaged_stored_file_is_replaced_from_the_next_source(server, tmp_path):
    server.answers["/x"] = [(200, BODY)]
    store, dataset = tmp_path / "store", toy(CanonicalSource(url=f"{server.url}/x"))
    store.mkdir()
    (store / dataset.sha256).write_bytes(OTHER)
    content, record = run(dataset, store=store)
    assert (content, record["source"], record["tried"]) == (BODY, f"{server.url}/x", [])
    assert (store / dataset.sha256).read_bytes() == BODY
    assert {path.stat().st_mode & 0o077 for path in store.iterdir()} == {0}

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

import pytest
import toys

from claimaudit.storage import read_sealed
from claimaudit.task import plain
from replication.data.fetch import fetch
from replication.data.registry import CanonicalSource, FetchJob, FileColumn
from replication.data.store import Limits, Policy, Store, attempt, mirror_locations

pytestmark = pytest.mark.thorough

BODY = b"a,1\nb,2\n"
OTHER = b"<html>quota exceeded</html>"
# No test waits for these times; on a busy machine an honest answer may take seconds.
LIMITS = Limits(connect_timeout=10, read_timeout=10, retries=1, budget_seconds=60)


COLUMNS = (
    FileColumn(name="letter", kind="categorical", values=("a", "b")),
    FileColumn(name="digit", kind="categorical", values=("1", "2")),
)


def toy(*sources, body=BODY):
    digest = hashlib.sha256(body).hexdigest()
    return toys.toy(2, COLUMNS, sources=sources, file="toy set.data", sha256=digest, bytes=len(body))


@pytest.fixture
def paths(tmp_path):
    return tmp_path / "raw" / "toy.data", tmp_path / "raw" / "toy.json"


def run(dataset, paths, mirrors=(), on_unavailable="error", attempt=0, **places):
    policy = Policy(mirrors=tuple(mirrors), on_unavailable=on_unavailable, fetch=LIMITS)
    return fetch(FetchJob(dataset=dataset, attempt=attempt), policy, *paths, **places)


def left_behind(paths):
    return sorted(path.name for path in paths[0].parent.iterdir())


def zipped(**members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "."), content)
    return buffer.getvalue()


def test_canonical_address(server, paths):
    server.answers["/x"] = [(200, BODY)]
    record = run(toy(CanonicalSource(url=f"{server.url}/x")), paths)
    assert paths[0].read_bytes() == BODY
    about = {"dataset": "toy", "title": "Toy", "licence": "none", "citation": "none", "doi": None}
    found = {"source": f"{server.url}/x", "status": "original", "tried": [], "attempt": 0}
    assert record == {**about, **found, "sha256": hashlib.sha256(BODY).hexdigest(), "bytes": len(BODY)}
    assert read_sealed(paths[1]) == record
    assert left_behind(paths) == ["toy.data", "toy.json"]


def test_wrong_content_names_both_sums_and_the_next_source_is_tried(server, paths, capsys):
    server.answers |= {"/bad": [(200, OTHER)], "/good": [(200, BODY)]}
    record = run(toy(CanonicalSource(url=f"{server.url}/bad"), CanonicalSource(url=f"{server.url}/good")), paths)
    assert paths[0].read_bytes() == BODY
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
def test_nothing_is_left_behind_after_a_failure(server, paths, content, reason, taken):
    server.answers["/x"] = [(200, content)]
    with pytest.raises(ValueError, match=rf"\A.*data set 'toy' is not available.*{reason}.*\Z"):
        run(toy(CanonicalSource(url=f"{server.url}/x", **taken)), paths)
    assert left_behind(paths) == []


@pytest.mark.parametrize(
    ("content", "taken", "body"),
    [
        (zipped(toy_data=BODY, readme="x"), {"member": "toy.data"}, BODY),
        (b'text,flag\n"a, ""b""\nc",1\n,0\n', {"extract": "flag"}, b"flag\n1\n0\n"),
    ],
    ids=["member of an archive", "column of a CSV file"],
)
def test_a_part_of_what_an_address_has(server, paths, content, taken, body):
    server.answers["/x"] = [(200, content)]
    run(toy(CanonicalSource(url=f"{server.url}/x", **taken), body=body), paths)
    assert paths[0].read_bytes() == body


@pytest.mark.parametrize(("end", "content"), [("", BODY), (".gz", gzip.compress(BODY))], ids=["plain", "packed"])
@pytest.mark.parametrize("kind", ["directory", "address"])
def test_mirrors_come_before_canonical_addresses(server, tmp_path, paths, kind, end, content):
    (tmp_path / "mirror").mkdir()
    if kind == "directory":
        (tmp_path / f"mirror/toy set.data{end}").write_bytes(content)
    else:
        server.answers[f"/mirror/toy%20set.data{end}"] = [(200, content)]
    places = {"directory": str(tmp_path / "mirror"), "address": f"{server.url}/mirror/"}
    record = run(toy(CanonicalSource(url=f"{server.url}/x")), paths, [str(tmp_path / "empty"), places[kind]])
    assert paths[0].read_bytes() == BODY
    assert record["source"] == f"mirror ({kind})"
    assert record["tried"] == [{"source": "mirror (directory)", "outcome": "does not hold toy set.data"}]
    assert not [place for place in (str(tmp_path), server.url) if place in paths[1].read_text()]
    assert "/x" not in server.requests


@pytest.mark.parametrize(
    ("packed", "reason"),
    [
        (gzip.compress(BODY)[:-4], "toy set.data.gz is not a complete gzip file"),
        (gzip.compress(bytes(2**26)), "larger than 1,048,736 bytes"),
    ],
    ids=["cut off", "bomb"],
)
def test_packed_files_in_a_mirror_are_whole_and_of_their_size(tmp_path, paths, packed, reason):
    (tmp_path / "toy set.data.gz").write_bytes(packed)
    with pytest.raises(ValueError, match=reason):
        run(toy(), paths, [str(tmp_path)])
    assert left_behind(paths) == []


@pytest.mark.parametrize(("copy", "requests"), [(BODY, ["/x"]), (BODY[:-1], ["/x", "/x"])], ids=["whole", "damaged"])
def test_a_local_copy_is_kept_with_its_record_unless_it_is_damaged(server, paths, copy, requests):
    server.answers["/x"] = [(200, BODY)]
    dataset = toy(CanonicalSource(url=f"{server.url}/x"))
    before = run(dataset, paths)
    paths[0].write_bytes(copy)
    assert run(dataset, paths) == before == read_sealed(paths[1])
    assert (server.requests, paths[0].read_bytes()) == (requests, BODY)


def test_standin_is_loud_labelled_and_deterministic(server, tmp_path, capsys):
    dataset = toy(CanonicalSource(url=f"{server.url}/gone"))
    written = []
    for name in ("first", "second"):
        raw, record = tmp_path / name / "toy.data", tmp_path / name / "toy.json"
        assert run(dataset, (raw, record), on_unavailable="standin")["status"] == "stand-in"
        written.append((raw.read_bytes(), record.read_bytes()))
        warning = capsys.readouterr().err
        assert "STAND-IN: data set 'toy' is SYNTHETIC (2 records)" in warning
        assert f"{server.url}/gone: HTTP 404" in warning
    assert written[0] == written[1]
    record = json.loads(written[0][1])
    assert record["source"] == "stand-in"
    assert record["sha256"] == hashlib.sha256(written[0][0]).hexdigest() != dataset.sha256
    assert record["tried"] == [{"source": f"{server.url}/gone", "outcome": "HTTP 404"}]


def test_data_set_without_any_source_is_an_error_that_says_what_to_do(paths):
    with pytest.raises(ValueError, match=r"sources tried: none is known\. Put toy set\.data into a directory"):
        run(toy(), paths)


def test_order_of_mirrors(tmp_path):
    root = tmp_path / "project"
    shared = tmp_path / "shared/datasets"
    root.mkdir()
    configured = ["copies", "http://example.org/data"]
    places = [str(root / "copies"), "http://example.org/data"]
    assert mirror_locations(configured, {}, root) == places
    shared.mkdir(parents=True)
    found = mirror_locations(configured, {"CORRLDP_DATA_MIRROR": "https://example.org/m"}, root)
    assert found[:-1] == ["https://example.org/m", *places]
    assert Path(found[-1]).resolve() == shared


def test_a_shipped_copy_comes_after_every_source_and_before_a_stand_in(server, tmp_path, paths):
    (tmp_path / "toy set.data.xz").write_bytes(lzma.compress(BODY))
    dataset = toy(CanonicalSource(url=f"{server.url}/x"))
    record = run(dataset, paths, (), "standin", shipped=tmp_path)
    assert (record["status"], record["source"]) == ("original", "shipped copy")
    assert record["tried"] == [{"source": f"{server.url}/x", "outcome": "HTTP 404"}]
    assert paths[0].read_bytes() == BODY
    paths[0].unlink()
    server.answers["/x"] = [(200, BODY)]
    assert run(dataset, paths, (), "standin", shipped=tmp_path)["source"] == f"{server.url}/x"


@pytest.mark.parametrize("content", [lzma.compress(OTHER), lzma.compress(BODY)[:-5], b"no xz file"])
def test_a_damaged_shipped_copy_is_no_data(tmp_path, paths, content):
    (tmp_path / "toy set.data.xz").write_bytes(content)
    record = run(toy(), paths, (), "standin", shipped=tmp_path)
    assert record["status"] == "stand-in"
    assert record["tried"][0]["source"] == "shipped copy"


def test_a_stand_in_is_not_stored_and_replaced_once_there_is_a_copy(tmp_path, paths):
    store = Store(tmp_path / "store")
    assert run(toy(), paths, (), "standin", store=store)["status"] == "stand-in"
    assert not store.directory.exists()
    assert attempt(paths[1], toy().file, toy().sha256, [str(tmp_path)], None) == 0
    (tmp_path / "toy set.data.xz").write_bytes(lzma.compress(BODY))
    assert attempt(paths[1], toy().file, toy().sha256, [str(tmp_path)], None) == 1
    run(toy(), paths, (), "standin", attempt=1, shipped=tmp_path)
    assert attempt(paths[1], toy().file, toy().sha256, [str(tmp_path)], None) == 1


@pytest.mark.parametrize(("path", "status"), [("/x", 0), ("/gone", 1)])
def test_command_line(server, tmp_path, paths, path, status):
    server.answers["/x"] = [(200, BODY)]
    setting = tmp_path / "setting.json"
    job = FetchJob(dataset=toy(CanonicalSource(url=f"{server.url}{path}")), attempt=0)
    setting.write_text(json.dumps(plain(job)))
    policy = Policy(mirrors=("copies",), on_unavailable="error", fetch=LIMITS)
    parameters = [str(setting), policy.model_dump_json(), *map(str, paths)]
    command = [sys.executable, "-m", "replication.data.fetch", *parameters]
    project = tmp_path / "project"
    project.mkdir()
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == status
    if status:
        assert done.stderr.splitlines()[-1].startswith("error: data set 'toy' is not available; sources tried: ")
        assert left_behind(paths) == []
    else:
        assert paths[0].read_bytes() == BODY


def test_a_full_disk_is_fatal_and_makes_no_stand_in(tmp_path, paths):
    """A limit on the size of files stands for a disk without room."""
    body = BODY * 1000
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "toy set.data").write_bytes(body)
    code = (
        "import resource, sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
        "import test_fetch; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000));"
        "test_fetch.run(test_fetch.toy(body=test_fetch.BODY * 1000), (Path(sys.argv[2]), Path(sys.argv[3])),"
        " [sys.argv[4]], 'standin')"
    )
    command = [sys.executable, "-c", code, str(Path(__file__).parent), *map(str, paths), str(mirror)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert "OSError" in done.stderr.splitlines()[-1], done.stderr
    assert left_behind(paths) == []


@pytest.mark.parametrize("deleted", [False, True], ids=["file stays", "file is deleted"])
@pytest.mark.parametrize("steps", range(4))
def test_a_kill_loses_no_source(tmp_path, paths, monkeypatch, steps, deleted):
    """Bytes that are in their place, or in the store, have the record of where they came from."""
    shipped, store, replace, left = tmp_path / "shipped", Store(tmp_path / "store"), os.replace, [*range(steps)]

    def killed(*names):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        replace(*names)

    shipped.mkdir()
    (shipped / "toy set.data.xz").write_bytes(lzma.compress(BODY))
    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        run(toy(), paths, store=store, shipped=shipped)
    monkeypatch.undo()
    for path in paths if deleted else ():
        path.unlink(missing_ok=True)
    assert run(toy(), paths, store=store, shipped=shipped)["source"] == "shipped copy"


def test_a_damaged_stored_file_is_replaced_from_the_next_source(server, tmp_path, paths):
    server.answers["/x"] = [(200, BODY)]
    store, dataset = Store(tmp_path / "store"), toy(CanonicalSource(url=f"{server.url}/x"))
    store.directory.mkdir()
    store.file(dataset.sha256).write_bytes(OTHER)
    record = run(dataset, paths, store=store)
    assert (paths[0].read_bytes(), record["source"], record["tried"]) == (BODY, f"{server.url}/x", [])
    assert store.file(dataset.sha256).read_bytes() == BODY
    assert {path.stat().st_mode & 0o077 for path in store.directory.iterdir()} == {0}

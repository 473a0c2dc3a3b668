"""From records to estimates by commands alone, on several servers, with everything that others may send."""

import csv
import io
import json
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import corrldp
from corrldp.__main__ import main
from corrldp.collection import Aggregator, Collection
from corrldp.deployment import collect
from corrldp.deployment.collect import aggregate
from corrldp.deployment.lines import LARGEST_STATE, LONGEST_LINE, Records, SkippedLines, locked
from corrldp.domain import Domain

pytestmark = pytest.mark.thorough

SIZES = (2, 4)
WRITER = """
import sys
from contextlib import redirect_stdout
from corrldp.__main__ import main
for line in sys.stdin:  # which releases all writers at once
    with open(f"{line.strip()}-{sys.argv[1]}.out", "w") as out, redirect_stdout(out):
        status = main(["report", "protocol.json", "one.csv", *(part.format(line.strip()) for part in sys.argv[2:])])
    print(status, flush=True)
"""
SIX, LONG = corrldp.protocol("SPL", 1.0, (2,) * 6), corrldp.protocol("L-SMP", 0.5, (2,) * 6, permanent=1.0)


def prepare(name="SMP[SS]", n=300, sizes=SIZES, epsilon=4.0):
    one, rng = corrldp.protocol(name, epsilon, sizes), np.random.default_rng(1)
    Path("protocol.json").write_text(one.to_json())
    np.savetxt("records.csv", np.column_stack([rng.integers(k, size=n) for k in sizes]), fmt="%d", delimiter=",")
    return one


def out(capsys, *arguments):
    assert main(arguments) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["SMP[OLH]", "RS+FD[OUE-z]", "LoPub"])
def test_servers_together_estimate_what_one_aggregator_would(place, capsys, name):
    one = prepare(name)
    reports = out(capsys, "report", "protocol.json", "records.csv").splitlines()
    assert len(reports) == 300
    for part in range(3):
        (place / f"{part}.jsonl").write_text("\n".join(reports[100 * part : 100 * part + 100]))
    expected = corrldp.Aggregator(one).add(map(json.loads, reports))
    estimate = expected.estimate().raw
    whole = out(capsys, "aggregate", "protocol.json", "0.jsonl", "1.jsonl", "2.jsonl")
    for j, v, *numbers in list(csv.reader(io.StringIO(whole)))[1:]:
        parts = (estimate.frequencies, estimate.standard_errors, *estimate.interval())
        assert list(map(float, numbers)) == [float(part[int(j), int(v)]) for part in parts]
    for part in range(3):
        out(capsys, "aggregate", "protocol.json", f"{part}.jsonl", "--state", f"{part}.json")
    assert main(["aggregate", "protocol.json", "0.json", "2.json", "1.jsonl", "--state", "all.json"]) == 0
    printed = capsys.readouterr()
    assert printed.out == whole
    assert printed.err.startswith("corrldp aggregate: WARNING: reports beside a state")
    assert out(capsys, "estimate", "2.json", "0.json", "1.json") == whole
    assert Aggregator.from_json((place / "all.json").read_text()) == expected
    assert {path.name for path in place.glob("*")} == {
        "protocol.json", "records.csv", "all.json", *(f"{i}.{end}" for i in range(3) for end in ("json", "jsonl"))
    }  # fmt: skip


@pytest.mark.parametrize("how", ["norm_sub", "base_cut", "clip"])
def test_estimates_are_repaired_and_have_intervals_of_the_level(place, capsys, how):
    prepare("SPL", n=50, epsilon=0.5)
    (place / "a.jsonl").write_text(out(capsys, "report", "protocol.json", "records.csv"))
    options = ("--postprocess", how, "--level", "0.5")
    printed = out(capsys, "aggregate", "protocol.json", "a.jsonl", "--state", "a.json", *options)
    found = Aggregator.from_json((place / "a.json").read_text()).estimate().postprocess(how)
    columns = {"frequency": found.frequencies, "low": found.interval(0.5)[0], "high": found.interval(0.5)[1]}
    for row in csv.DictReader(io.StringIO(printed)):
        j, v = int(row["attribute"]), int(row["value"])
        assert [float(row[name]) for name in columns] == [float(part[j][v]) for part in columns.values()]
    assert out(capsys, "estimate", "a.json", *options) == printed


RECORDS = {
    "a header": ("x,y\n", "line 1: 'x' must be a code 0..1 of attribute 0; names need --header"),
    "a value too many": ("0,1\n0,1,2\n", "line 2: 3 values must be 2"),
    "an empty cell": ("0,\n", "line 1: '' must be a code 0..3"),
    "a code too large": ("0,1\n\n1,4\n", "line 3: '4' must be a code 0..3 of attribute 1"),
    "a negative code": ("-1,0\n", "line 1: '-1'"),
    "another alphabet": ("0,\u0663\n", "must be a code"),
    "a huge number": ("0," + "9" * 5000 + "\n", "must be a code"),
    "other bytes": (b"\xff,0\n", "name another --encoding, such as latin-1"),
    "an Excel file": (b"PK\x03\x04\x14\x00\n", "line 1: this is an Excel file: save it as CSV"),
    "an endless line": (b"0," + b" " * LONGEST_LINE, "line 1: it has more than"),
}


@pytest.mark.parametrize(("content", "words"), RECORDS.values(), ids=RECORDS)
def test_wrong_records_are_refused_with_their_line(place, capsys, content, words):
    prepare()
    (place / "records.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["report", "protocol.json", "records.csv"]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("corrldp report: records.csv, line ")
    assert words in printed
    assert printed.count("\n") == 1


NUMBERS = {
    "strict": ("1.5", None, 0),
    "thousands": ("1,234.5", ".", 1),
    "the name of a value": ("high", ",", 1),
    "a comma": ("1,5", None, "'1,5' must be a number, or one of 'low, high': --decimal , reads decimal commas"),
    "thousands that are not named": ("1,234.5", None, "'1,234.5' must be a number, or one of 'low, high'$"),
}


@pytest.mark.parametrize(("text", "decimal", "found"), NUMBERS.values(), ids=NUMBERS)
def test_numbers_are_read_as_people_write_them(text, decimal, found):
    domain = Domain(("x", "y"), (("low", "high"), ("a", "b")), ((0, 10, 20), ()))
    reading = Records(Collection(corrldp.protocol("SPL", 1.0, (2, 2)), domain=domain), decimal=decimal).read(
        "f", io.BufferedReader(io.BytesIO(f"x;y\n{text};b".encode()))
    )
    if isinstance(found, int):
        assert list(reading) == [[found, 1]]
    else:
        with pytest.raises(ValueError, match=f"f, line 2: x: {found}"):
            list(reading)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_the_mark_before_the_first_line_is_no_part_of_a_name(encoding):
    domain = Domain(("ä", "y"), (("a", "b"), ("a", "b")))
    stream = io.BufferedReader(io.BytesIO("\ufeffä,y\na,b\n".encode()))
    records = Records(Collection(corrldp.protocol("SPL", 1.0, (2, 2)), domain=domain), encoding=encoding)
    assert list(records.read("f", stream)) == [[0, 1]]


def test_records_that_do_not_fit_are_left_out_if_asked_and_counted(place, capsys):
    prepare()
    (place / "records.csv").write_bytes("0,1\n0,\n1,ä\n1,2\n".encode("latin-1"))
    assert main(["report", "protocol.json", "records.csv", "--skip", "--encoding", "latin-1"]) == 0
    captured = capsys.readouterr()
    assert captured.out.count("\n") == 2
    assert captured.err.startswith("corrldp report: records left out: 2, first records.csv, line 2: ''")
    assert main(["report", "protocol.json", "records.csv", "--skip"]) == 2  # not read at all, and so not left out
    assert "line 3: 'utf-8' codec" in capsys.readouterr().err
    assert main(["report", "protocol.json", "records.csv", "--encoding", "utf-16"]) == 2
    assert "--encoding 'utf-16' must be one such as latin-1" in capsys.readouterr().err


REPORTS = {
    "half a report": b"[0,",
    "NaN": b"[NaN,[1]]",
    "a value twice": b"[1,[1,1]]",
    "a deep list": b"[" * 100_000,
    "a deep and closed list": b"[" * 100_000 + b"]" * 100_000,
    "a huge number": b"[" + b"9" * 5000 + b",[0]]",
    "other bytes": b"\xff\xfe",
    "a null byte": b"[0,[0]]\x00",
    "two reports": b"[0,[0]] [0,[0]]",
    "an object later": b'{"corrldp": "aggregator"}',
    "an endless line": b" " * LONGEST_LINE + b"[0,[0]]",
}


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_hostile_reports_are_refused_with_file_and_line_or_left_out(place, capsys, report, refused):
    prepare()
    (place / "good.jsonl").write_bytes(b"[0,[1]]\n[1,[2]]\n")
    (place / "bad.jsonl").write_bytes(b"[0,[0]]\n" + report + b"\n[1,[3]]\n")
    line = refused("aggregate", "protocol.json", "good.jsonl", "bad.jsonl", "--state", "state.json")
    assert line.startswith("corrldp aggregate: bad.jsonl, line 2: ")
    assert not (place / "state.json").exists()
    if len(report) <= LONGEST_LINE:
        assert main(["aggregate", "protocol.json", "good.jsonl", "bad.jsonl", "--state", "state.json", "--skip"]) == 0
        assert capsys.readouterr().err == "corrldp aggregate: reports left out: 1, first" + line.partition(":")[2]
        assert Aggregator.from_json((place / "state.json").read_text()).n == 4


def test_other_mistakes_are_one_line(place, capsys, refused):
    prepare()
    (place / "a.jsonl").write_text("[0,[1]]\n[1,[1]]\n")
    (place / "empty.jsonl").write_text("\n\n")
    out(capsys, "aggregate", "protocol.json", "a.jsonl", "--state", "a.json")
    state = (place / "a.json").read_text()
    (place / "other.json").write_text(corrldp.Aggregator(corrldp.protocol("SPL", 1.0, SIZES)).add([[0, 1]]).to_json())
    (place / "more.json").write_text(state + state)
    (place / "lies.json").write_text(state.replace('"n": 2', '"n": 3'))
    with (place / "huge.json").open("wb") as file:
        file.write(b"{")
        file.truncate(LARGEST_STATE + 2)  # takes no place on the disk
    assert "more than" in refused("aggregate", "protocol.json", "huge.json")
    assert "no reports" in refused("aggregate", "protocol.json", "empty.jsonl")
    assert "a.jsonl is named twice" in refused("aggregate", "protocol.json", "a.jsonl", "./a.jsonl")
    assert "other.json: " in refused("aggregate", "protocol.json", "other.json")
    assert "other.json: aggregators of different" in refused("estimate", "a.json", "other.json")
    assert "more.json: no JSON" in refused("aggregate", "protocol.json", "more.json")
    assert "lies.json: counts do not add up" in refused("aggregate", "protocol.json", "lies.json")
    assert "a.json: the document is no corrldp protocol" in refused("aggregate", "a.json", "a.jsonl")
    assert "no.json" in refused("aggregate", "no.json", "a.jsonl")
    assert "no.jsonl" in refused("aggregate", "protocol.json", "no.jsonl")
    assert "must be one of none" in refused("estimate", "a.json", "--postprocess", "magic")
    assert "level=95.0" in refused("estimate", "a.json", "--level", "95")
    assert "--level" in refused("estimate", "a.json", "--level", "x")


def test_memory_does_not_grow_with_the_reports(place, monkeypatch):
    monkeypatch.setattr(collect, "LINES", 1000)
    one = prepare("RS+FD[OUE-z]")
    rng = np.random.default_rng(2)
    lines = [
        json.dumps(report) + "\n" for report in one.encode(one.privatize(rng.integers([2, 4], size=(1000, 2)), rng))
    ]
    peaks = []
    for times in (2, 5):
        with (place / "many.jsonl").open("w") as file:
            for _ in range(times):
                file.writelines(lines)
        tracemalloc.start()
        left_out = SkippedLines()
        total, state = aggregate(Aggregator(one), "many.jsonl", left_out)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert (total.n, left_out.count, state) == (times * 1000, 0, False)
    assert peaks[1] < 1.1 * peaks[0]


def test_the_files_of_one_user(place, capsys, refused):
    one = prepare(n=1)
    ledger = ("report", "protocol.json", "records.csv", "--ledger", "ledger.json")
    assert "--ceiling says how much" in refused(*ledger)
    assert "above the user's ceiling 3" in refused("report", "--ceiling", "3", "protocol.json", "records.csv")
    out(capsys, *ledger, "--ceiling", "9")
    out(capsys, *ledger)
    assert corrldp.Ledger.from_json((place / "ledger.json").read_text()).spent == 8.0
    (place / "long.json").write_text(corrldp.protocol("L-SPL", 1.0, one.sizes, permanent=2.0).to_json())
    assert "--memory names a file" in refused("report", "long.json", "records.csv")
    keeping = ("report", "long.json", "--memory", "memory.json")
    out(capsys, *keeping, "records.csv")
    kept = (place / "memory.json").read_text()
    out(capsys, *keeping, "records.csv")
    assert (place / "memory.json").read_text() == kept
    record = (place / "records.csv").read_text().strip().split(",")
    (place / "changed.csv").write_text(f"{1 - int(record[0])},{record[1]}\n")
    assert "nothing is reported" in refused(*keeping, "changed.csv")
    assert (place / "memory.json").read_text() == kept
    assert "keeps no responses" in refused("report", "protocol.json", "records.csv", "--memory", "memory.json")
    (place / "link.json").symlink_to("ledger.json")
    assert "name two files" in refused(*ledger, "--memory", "link.json")
    assert "left of the ceiling 9" in refused("report", "protocol.json", "records.csv", "--ledger", "link.json")


@pytest.mark.parametrize("options", ["--ledger", "--ledger --memory"])
def test_six_commands_at_once_spend_what_one_user_allows(place, options):
    """In each of 20 rounds one report is printed, or six that are of one attribute."""
    (place / "protocol.json").write_text((LONG if "--memory" in options else SIX).to_json())
    (place / "one.csv").write_text("0,1,0,1,0,1\n")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    files = [part for option in options.split() for part in (option, f"{{}}{option}.json")]
    command = [sys.executable, "-c", WRITER]
    writers = [subprocess.Popen([*command, str(number), "--ceiling", "1", *files], **pipes) for number in range(6)]
    for number in range(20):
        for writer in writers:
            writer.stdin.write(f"{number}\n")
            writer.stdin.flush()
        statuses = sorted(writer.stdout.readline().strip() for writer in writers)
        reports = [json.loads(line) for path in place.glob(f"{number}-*.out") for line in path.open()]
        if "--memory" in options:
            assert (statuses, len(reports), len({j for j, _ in reports})) == ([*"000000"], 6, 1)
        else:
            assert (statuses, len(reports)) == (["0", *"22222"], 1)
        assert corrldp.Ledger.from_json((place / f"{number}--ledger.json").read_text()).spent == 1.0
    for writer in writers:
        writer.communicate()


def test_a_file_in_use_is_said(place, refused, monkeypatch):
    prepare(n=1)
    monkeypatch.setattr("corrldp.deployment.lines.PATIENCE", 0.01)
    with locked(place / "ledger.json"):
        line = refused("report", "protocol.json", "records.csv", "--ledger", "ledger.json", "--ceiling", "9")
    assert "ledger.json is in use, or cannot be locked" in line
    assert not (place / "ledger.json").exists()


@pytest.mark.parametrize("arguments", [["report", "--help"], ["report", "protocol.json", "records.csv"]])
def test_a_reader_that_has_read_enough_is_no_error(place, arguments):
    prepare()
    reader, writer = os.pipe()
    os.close(reader)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    command = [sys.executable, "-m", "corrldp", *arguments]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


def test_columns_are_found_by_their_names(place, capsys, refused):
    """More is on docs/collecting.md, whose session test_collecting_page.py runs."""
    prepare("SPL", epsilon=36.0)
    named = ("--attribute", "smokes=no,yes", "--attribute", 'age="18, 19",20-,30-,"70, more"')
    (place / "named.json").write_text(out(capsys, "collection", "protocol.json", *named))
    (place / "people.csv").write_text('id,age,smokes\n7,"70, more",yes\n8,"18, 19", no\n')
    (place / "r.jsonl").write_text(out(capsys, "report", "named.json", "people.csv"))
    printed = csv.DictReader(io.StringIO(out(capsys, "aggregate", "named.json", "r.jsonl")))
    found = {(row["attribute"], row["value"]): round(float(row["frequency"]), 3) for row in printed}
    held = {("smokes", "no"), ("smokes", "yes"), ("age", "18, 19"), ("age", "70, more")}
    assert found == {**dict.fromkeys(held, 0.5), ("age", "20-"): 0, ("age", "30-"): 0}
    for content, words in {
        "smokes,age,age\nno,20-,30-\n": "must have 'age' once",
        "smokes,age\nno\n": "line 2: 1 values must be 2",
    }.items():
        (place / "wrong.csv").write_text(content)
        assert words in refused("report", "named.json", "wrong.csv")
    assert "must be NAME=VALUE" in refused("collection", "protocol.json", "--attribute", "smokes")
    assert "sizes are (2, 4)" in refused("collection", "protocol.json", "--attribute", "smokes=no,yes")


def test_the_client_in_javascript_comes_with_the_package(capsys):
    printed = out(capsys, "javascript")
    assert "export class Client" in printed
    assert "Math.random" not in printed
    assert printed == (Path(corrldp.__file__).parent / "deployment/corrldp.mjs").read_text(encoding="utf-8")

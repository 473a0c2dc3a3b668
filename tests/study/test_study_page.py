"""The page of a study: complete, alone in its file, the same bytes for the same records, and honest about privacy."""

import csv
import html
import json
import os
import re
import subprocess
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
import yaml

import corrldp
from corrldp import __main__ as command
from corrldp.study.reading import Facts
from corrldp.study.settings import StudySettings, load
from corrldp.study.study import Progress, Study
from corrldp.study.tables import TABLES, StudyFacts, write_tables

pytestmark = pytest.mark.thorough

PLACES = ("Dover, Kent", "Ely", "York")
ANSWERS = ("no", "yes")


def records(n, seed=1):
    """Draw records whose columns depend on each other: (number, age, place, answer, illness)."""
    rng = np.random.default_rng(seed)
    place = rng.choice(3, size=n, p=[0.5, 0.3, 0.2])
    answer = (rng.random(n) < 0.2 + 0.3 * place).astype(int)
    illness = (rng.random(n) < 0.1 + 0.6 * answer).astype(int)
    age = np.clip(rng.normal(40 + 10 * answer, 12, size=n), 18, 89).round(1)
    rows = zip(range(n), age, place, answer, illness, strict=True)
    return [[number, years, PLACES[p], ANSWERS[a], ANSWERS[i]] for number, years, p, a, i in rows]


def write_csv(path, rows, names=("number", "age", "place", "answer", "illness"), **options):
    with path.open("w", newline=options.pop("newline", ""), encoding=options.pop("encoding", "utf-8")) as file:
        csv.writer(file, **options).writerows([names, *rows])
    return path


SETTINGS = {
    "columns": {
        "age": {"bins": [18, 30, 45, 60, 90]},
        "place": {"values": list(PLACES)},
        "answer": {"values": list(ANSWERS)},
        "illness": {"values": list(ANSWERS)},
    },
    "leave_out": ["number"],
    "sensitive": ["illness"],
}
FEW = {"epsilons": [1, 2], "protocols": ["SPL", "SMP[adaptive]", "Corr-RR"], "runs": 20, "tables": {"sets": 1}}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """PDF and PNG of figures, which the page does not show, are empty; they are tested where all files are."""
    monkeypatch.setattr("typst.compile", lambda *arguments, **options: b"")


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """A CSV of 2,000 people with quoted commas, missing values and a number to bin."""
    rows = records(2000)
    for row in rows[::100]:
        row[2] = ""
    return write_csv(tmp_path_factory.mktemp("people") / "people.csv", rows)


@pytest.fixture(scope="module")
def written(people, tmp_path_factory):
    directory = tmp_path_factory.mktemp("study")
    Study(people, **SETTINGS, **FEW).write(directory)
    return directory


def test_the_page_answers_first_and_warns(written):
    text = (written / "index.html").read_text(encoding="utf-8")
    plain = re.sub(r"<[^>]+>", "", text)
    starts = ("This page is not private.", "From public facts alone:", "From the table,")
    assert sorted(starts, key=plain.index) == list(starts)
    assert "illness is not collected" in plain
    assert "people.csv" in plain
    assert "were taken from the data" not in plain
    assert json.loads((written / "study.json").read_text())["facts"]["sha256"] in text


def test_the_page_is_one_file_without_a_network_whose_links_lead_somewhere(written):
    text = (written / "index.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    links = re.findall(r"(?:src|href)=\"(?!#|data:)([^\"]+)\"", text)
    assert len(links) > 30
    assert [link for link in links if not (written / link).is_file()] == []
    ids = re.findall(r"\sid=\"([^\"]+)\"", text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"href=\"#([^\"]+)\"", text)) <= set(ids)


def test_no_text_of_a_table_is_a_formula_of_a_spreadsheet(tmp_path):
    texts = ["=1+1", "'=1", "@sum", "-x", "+", "\tx", "'-5", "-5", "+1e3", "'a", "", "a=b"]
    tables = {"error": pd.DataFrame({"value": texts, "mse": -1.0})}
    facts = Facts("", "", "", {}, 0, 0, [], {})
    write_tables(tables, StudyFacts(facts, 0, 0, {}, {}, {}, StudySettings(), ""), tmp_path)
    with (tmp_path / "error.csv").open(newline="") as file:
        written = [row[0] for row in csv.reader(file)][1:]
    assert [text for text in written if re.match(r"[=@\t]|[+-](?!\d)", text)] == []
    assert [text.removeprefix("'") if text != raw else text for text, raw in zip(written, texts, strict=True)] == texts


def test_every_table_and_figure_is_a_file(written):
    assert {path.stem for path in written.glob("*.csv")} == set(TABLES)
    names = {"error", "columns", "postprocess", "joint", "leakage", "neighbours", "dependence"}
    assert {path.name for path in (written / "figures").iterdir()} == {
        f"{name}.{suffix}" for name in names for suffix in ("pdf", "svg", "png", "csv", "json")
    }
    assert set(pd.read_csv(written / "privacy.csv")["holds"]) == {"yes"}


def test_the_same_records_give_the_same_bytes_by_the_command(people, written, tmp_path, monkeypatch):
    """From the settings that the study has written, which name the encoding of the file that it has found."""
    monkeypatch.undo()  # all files of figures
    page_of(people, tmp_path, yaml.safe_load((written / "settings.yaml").read_text()))
    made, again = (
        {path.relative_to(place): path.read_bytes() for path in place.rglob("*.*") if path.name != "study.json"}
        for place in (written, tmp_path / "out")
    )
    assert again == made


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv"], r"^corrldp study: nowhere\.csv: no such file.*\n$"),
        ([], r"^corrldp study: name the table: corrldp study my\.csv.*\n$"),
        (["my.csv", "--bins", "age:0,1,2"], "bins: '?age"),
        (["my.csv", "--epsilons", "abc"], "epsilons: 'abc' must be numbers"),
        (["my.csv", "--epsilons", "1000"], r"^corrldp study: epsilons\.0: "),
        (["my.csv", "--decimal", ";"], "^corrldp study: decimal: "),
        (["my.csv", "--delimiter", "||"], "^corrldp study: delimiter: '\\|\\|' must be one character, tab or auto"),
    ],
)
def test_a_mistake_is_one_line(arguments, message, capsys):
    try:
        status = command.main(["study", *arguments])
    except SystemExit as stopped:  # by the parser
        status = stopped.code
    assert status == 2
    error = capsys.readouterr().err
    assert re.search(message, error)
    assert "_numbers" not in error


def words_of(page):
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page)))


def page_of(table, directory, settings, *arguments):
    (directory / "settings.yaml").write_text(json.dumps(settings))
    out = directory / "out"
    named = ["study", str(table), "--settings", str(directory / "settings.yaml"), "--out", str(out), *arguments]
    assert command.main(named) == 0
    return (out / "index.html").read_text(encoding="utf-8")


QUICK = {"epsilons": [1.0], "runs": 20, "tables": {"ways": [2], "sets": 1}, "protocols": ["SPL", "SMP"]}


@pytest.mark.parametrize(
    ("protocols", "settings"),
    [
        (["SPL"], {"postprocess": ["none"]}),
        (["Corr-RR"], {"postprocess": ["clip"]}),
        (["SPL", "JRR"], {}),
    ],
)
def test_the_page_is_complete_however_clear_the_choice(people, tmp_path, protocols, settings):
    text = words_of(page_of(people, tmp_path, {**SETTINGS, **QUICK, "protocols": protocols, **settings}))
    assert "From the table, a choice that is not private: " in text
    assert ("JRR is left out: " in text) == ("JRR" in protocols)


def test_a_protocol_over_its_budget_is_named_on_top_and_in_the_terminal(people, tmp_path, capsys):
    """What it spends is seen of 2^19 users."""
    name = "planted_faults:TooTruthful"
    text = words_of(page_of(people, tmp_path, {**SETTINGS, **QUICK, "protocols": [name]}))
    stated = f"{name} is over its budget and does not compete: a record spends epsilon = "
    error = capsys.readouterr().err
    [warning] = re.findall(rf"^corrldp study: WARNING: ({stated}(?:1\.9|2\.0)\d* where it states 1.)$", error, re.M)
    assert text.index(warning) < text.index("This page is not private")
    assert "From the table, a choice" not in text
    empty = [(tmp_path / f"out/{table}.csv").read_text() for table in ("recommendation", "candidates", "error")]
    assert [text.count("\n") for text in empty] == [1, 1, 1]


def test_what_is_left_out_or_taken_from_the_data_is_announced_in_the_terminal_and_on_the_page(tmp_path, capsys):
    rows = [[number % 97, f"p{number % 80}", *row[2:]] for number, row in enumerate(records(400))]
    for row in rows[::4]:
        row[2] = "-"
    table = write_csv(tmp_path / "shop.csv", rows, names=("age", "product", "place", "answer", "illness"))
    page = page_of(table, tmp_path, {**QUICK, "columns": {"age": {"bins": [0, 50, 97]}}})
    printed = capsys.readouterr()
    answers = html.unescape(page.partition('class="conclusions"')[2].partition("</ol>")[0])
    for text in (
        "1 of 5 columns is left out: product (more than most_values = 64 different values: ",
        "100 of 400 records are dropped, as a value is missing: place 100 times ('-'). Keep them with the value ",
        "The domains of place (Dover, Kent; Ely; York), answer (no; yes) and illness (no; yes) were taken from",
    ):
        assert f"corrldp study: WARNING: {text}" in printed.err
        assert text in answers or "domains" in text
    assert "not private" in printed.out
    assert "<strong>Many records are dropped.</strong> 100 of 400" in page.partition('class="lede"')[0]
    assert "Domains were taken from the data." in page
    assert "No column is set as sensitive" in page


def test_what_comes_next_can_be_run_as_it_is_written(written, tmp_path):
    """Client and server run in an empty directory with the collection that the first command makes."""
    (tmp_path / "protocol.json").write_bytes((written / "protocol.json").read_bytes())
    page = (written / "collect.html").read_text(encoding="utf-8")
    client, server = (html.unescape(code) for code in re.findall(r"<code>(import .*?)</code>", page, re.DOTALL))
    run = partial(subprocess.run, cwd=tmp_path, check=True, capture_output=True, text=True, env=os.environ)
    [first] = re.findall(r"<code>.*?\ncorrldp (collection .*?)\n", page, re.DOTALL)
    made = run([sys.executable, "-m", "corrldp", *html.unescape(first).partition(" >")[0].split()]).stdout
    (tmp_path / "collection.json").write_text(made)
    collection = corrldp.Collection.from_json(made)
    sent = json.loads(run([sys.executable, "-c", client]).stdout)
    reports = [sent, *(collection.seal(sent["report"]) for _ in range(999))]
    (tmp_path / "reports.jsonl").write_text("".join(json.dumps(report) + "\n" for report in reports))
    lines = run([sys.executable, "-c", server]).stdout.splitlines()
    (tmp_path / "reports.jsonl").write_text(2 * (json.dumps(sent) + "\n"))
    with pytest.raises(subprocess.CalledProcessError) as refused:
        run([sys.executable, "-c", server])
    assert f"report {sent['id']} has been counted already" in refused.value.stderr
    assert len(lines) == sum(collection.protocol.sizes)
    assert collection.domain.names == ("age", "place", "answer")
    assert re.fullmatch(r"age = \[18, 30\): -?[\d.]+%, -?[\d.]+% to -?[\d.]+%", lines[0])
    assert collection.protocol.guarantee().record <= 1 + 1e-9
    notice = re.sub(r"<[^>]+>", "", page.partition('id="notice-heading"')[2])
    assert "differs by a factor of at most 2.72" in notice
    assert "likely with 12 % can be convinced by your report up to 28 %" in notice  # 12 e / (88 + 12 e) = 27.04 %
    assert max(map(len, client.splitlines())) <= 100
    assert max(len(code.split("\n")) - code.count("\n\n") for code in (client, server)) <= 14


def test_the_table_that_was_studied_can_be_reported(people, written, tmp_path, capsys):
    """Numbers fall into the bins of the study, and other columns are left out."""
    collection = corrldp.Collection.from_json((written / "protocol.json").read_text())
    table = Study(people, **SETTINGS).collected
    with people.open(encoding="utf-8") as file:
        named = [record for record in csv.DictReader(file) if all(record.values())][:40]
    assert [collection.codes(record) for record in named] == table.codes[:40].tolist()
    write_csv(tmp_path / "some.csv", [list(record.values()) for record in named], delimiter=";")
    assert command.main(["report", str(written / "protocol.json"), str(tmp_path / "some.csv")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 40


def test_values_with_new_names_are_announced_to_those_who_collect(tmp_path):
    rows = [(place, answer) for place in ("Kent", "Bath", "Ely", "") for answer in ("yes", "no", "perhaps")] * 40
    write_csv(tmp_path / "a.csv", [(*row, "ab"[number % 2]) for number, row in enumerate(rows)], names=("x", "y", "z"))
    columns = {
        "x": {"values": {"south": ["Kent", "Bath"], "north": ["Ely"]}, "missing": "keep"},
        "y": {"values": ["yes", "no"], "other": "something else"},
        "z": {"values": ["a", "b"]},
    }
    Study(tmp_path / "a.csv", **QUICK, columns=columns).write(tmp_path / "out")
    text = (tmp_path / "out/collect.html").read_text(encoding="utf-8")
    assert "In x, y the study merged values, or named what is missing." in text
    assert '["south", "north", "missing"]' in (tmp_path / "out/protocol.json").read_text()


def test_the_command_takes_a_messy_file_and_answers_in_the_terminal(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        [str(age).replace(".", ","), place, answer.replace("yes", "jä")] for _, age, place, answer, _ in records(900)
    ]
    rows[5][0] = rows[7][2] = "k. A."
    write_csv(tmp_path / "a.csv", rows, names=("Größe", "Ort", "Raucher"), delimiter=";", encoding="latin-1")
    arguments = ["--encoding", "latin-1", "--bins", "Größe=0,30,60,90", "--epsilons", "1", "--protocols", "SPL,SMP"]
    arguments += ["--leave-out", "Ort"]
    assert command.main(["study", "a.csv", *arguments]) == 2
    assert "say what is no value: --missing-text 'k. A.'" in capsys.readouterr().err
    assert command.main(["study", "a.csv", *arguments, "--missing-text", "k. A."]) == 0
    captured = capsys.readouterr()
    assert "The domain of Raucher (jä; no) was taken from the data." in captured.err
    printed = captured.out
    assert "From public facts alone: SMP at ε = 1." in printed
    assert re.search(r"Größe: \d+ % is read as \d+ % ± [\d.]+", printed)
    assert re.search(r"raise that from \d+ % to at most \d+ %", printed.replace("\n ", ""))
    assert "To collect with it: study/collect.html" in printed
    text = html.unescape((tmp_path / "study/index.html").read_text(encoding="utf-8"))
    assert "3: [0, 30), [30, 60), [60, 90]" in text
    assert "decimal commas" in text
    page = (tmp_path / "study/collect.html").read_text(encoding="utf-8")
    options = re.search(r"corrldp report collection.json(.*) &lt; records.csv", page)[1].split()
    assert command.main(["report", "study/protocol.json", "a.csv", *options]) == 0
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 898
    assert "records left out: 2, first a.csv, line 7: Größe: 'k. A.' must be a number" in captured.err
    assert Study("a.csv", load(tmp_path / "study/settings.yaml")).table.n == 898


def test_progress_tells_the_time_left(monkeypatch, capsys):
    now = iter(range(0, 1000, 7))
    monkeypatch.setattr("time.monotonic", lambda: next(now))
    assert list(Progress("corrldp study").track("errors", range(10))) == list(range(10))
    told = capsys.readouterr().err.splitlines()
    assert told[2].startswith("corrldp study: errors: 4 of 10, ")
    assert all(line.endswith((" s left", " min left")) for line in told[1:])


def test_odd_names_are_texts_everywhere(tmp_path):
    names = ('=HYPERLINK("x")', "a, b & c", "<script>", "2019", "007")
    rows = [[f"<b>{place}</b>", answer, place[0], len(place), illness] for _, _, place, answer, illness in records(300)]
    page = page_of(write_csv(tmp_path / "a<i>.csv", rows, names=names), tmp_path, {**QUICK, "sensitive": ["007"]})
    [through] = re.findall(r"\(through (.*?) alone, exactly", words_of(page))
    assert all(name in through for name in names[:4])
    assert "<b>Dover" not in page
    assert page.count("<script>") == len(re.findall(r"<script>\n", page))
    texts = [path.read_text(encoding="utf-8") for path in (tmp_path / "out/figures").glob("*.csv")]
    cells = [cell for text in texts for row in csv.reader(text.splitlines()) for cell in row]
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    assert [cell for cell in cells if cell.startswith("=")] == []

"""The page of a study: complete, alone in its file, the same bytes for the same records, and honest about privacy."""

import json
import re

import pytest
from study_tables import SETTINGS, records, write_csv

from corrldp import __main__ as command
from corrldp.results import read_numbers
from corrldp.study import numbers, page, reading
from corrldp.study.names import TABLES
from corrldp.study.study import Study

FEW = {"epsilons": [1, 2], "protocols": ["SPL", "SMP[adaptive]", "Corr-RR"], "runs": 20, "tables": {"sets": 1}}


@pytest.fixture(scope="module")
def written(people, tmp_path_factory):
    """Directory of a study with public domains."""
    directory = tmp_path_factory.mktemp("study")
    Study(people, **SETTINGS, **FEW).write(directory)
    return directory


def test_the_page_answers_first_and_warns(written):
    text = (written / "index.html").read_text(encoding="utf-8")
    plain = re.sub(r"<[^>]+>", "", text)
    places = [
        plain.index(start) for start in ("This page is not private.", "From public facts alone:", "From the table,")
    ]
    assert places == sorted(places)
    assert "illness is not collected" in plain
    assert "people.csv" in plain
    assert "were taken from the data" not in plain
    sha = json.loads((written / "study.json").read_text())["facts"]["sha256"]
    assert sha in text


def test_the_page_is_one_file_without_a_network(written):
    text = (written / "index.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    links = re.findall(r"(?:src|href)=\"(?!#|data:)([^\"]+)\"", text)
    assert len(links) > 30
    for link in links:
        assert (written / link).is_file(), link


def test_links_within_the_page_lead_somewhere(written):
    text = (written / "index.html").read_text(encoding="utf-8")
    ids = re.findall(r"\sid=\"([^\"]+)\"", text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"href=\"#([^\"]+)\"", text)) <= set(ids)


def test_every_table_and_figure_is_a_file(written):
    assert {path.stem for path in written.glob("*.csv")} == set(TABLES)
    names = {"error", "columns", "postprocess", "joint", "leakage", "neighbours", "dependence"}
    assert {path.name for path in (written / "figures").iterdir()} == {
        f"{name}.{suffix}" for name in names for suffix in ("pdf", "svg", "png", "csv")
    }
    assert (read_numbers(written / "privacy.csv")["holds"] == "yes").all()


def test_the_same_records_give_the_same_bytes_by_the_command_and_by_its_parts(people, written, tmp_path):
    codes, domain, directory = tmp_path / "table.npy", tmp_path / "table.json", tmp_path / "parts"
    settings = json.dumps({**SETTINGS, **FEW})
    reading.main([settings, str(people), str(codes), str(domain)])
    numbers.main([settings, str(codes), str(directory)])
    page.main([str(directory / "study.json")])
    files = sorted(path.relative_to(written) for path in written.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(directory) for path in directory.rglob("*") if path.is_file())
    for name in files:
        assert (directory / name).read_bytes() == (written / name).read_bytes(), name


def test_the_command_takes_a_file_and_domains_and_announces_those_from_the_data(people, tmp_path, capsys):
    domains = tmp_path / "domains.yaml"
    domains.write_text(
        "columns: {age: {bins: [18, 45, 90]}}\nleave_out: [number]\nepsilons: [1]\nprotocols: [SPL, SMP]\nruns: 20\n"
        "tables: {ways: [2], sets: 1}\n"
    )
    status = command.main(["study", str(people), "--domains", str(domains), "--out", str(tmp_path / "out")])
    captured = capsys.readouterr()
    assert status == 0
    assert "WARNING: The domains of place, answer and illness were taken from the data." in captured.err
    assert "not private" in captured.out
    text = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    assert "Domains were taken from the data." in text
    assert "No column is set as sensitive" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["study", "nowhere.csv"], "corrldp study: nowhere.csv: no such file"),
        (["study"], "corrldp study: name the table: corrldp study my.csv"),
    ],
)
def test_a_mistake_is_one_line(arguments, message, capsys):
    assert command.main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(message)
    assert error.count("\n") == 1


def test_a_table_that_was_changed_by_hand_is_refused(written, tmp_path):
    for path in [*written.glob("*.csv"), written / "study.json"]:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "budget.csv").write_text("column,measure,limit,epsilon\n")
    with pytest.raises(SystemExit, match=r"budget\.csv has SHA-256 .*, but its record says .* and re-run"):
        page.main([str(tmp_path / "study.json")])


def test_a_name_with_markup_is_text(tmp_path):
    rows = [[f"<b>{place}</b>", answer, illness] for _, _, place, answer, illness in records(300)]
    table = write_csv(tmp_path / "a<i>.csv", rows, names=("<script>", "a & b", "c"))
    study = Study(table, epsilons=[1], protocols=["SPL", "SMP"], runs=10, tables={"ways": [2], "sets": 1})
    text = study.write(tmp_path / "out").read_text(encoding="utf-8")
    assert "<b>Dover" not in text
    assert text.count("<script>") == len(re.findall(r"<script>\n", text))

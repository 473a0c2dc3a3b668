import json
import os
import subprocess
import sys

import pytest
from claimaudit.report.__main__ import main

from claimaudit.checksums import sealed
from claimaudit.report import __main__ as command

pytestmark = pytest.mark.thorough

KINDS = (
    "verdicts",
    "predictions",
    "figures",
    "figure_tables",
    "drawings",
    "tables",
    "data",
    "records",
    "conclusions",
)
FILES = (
    "castell.html",
    "certificate_castell.html",
    "certificate_castell.pdf",
    "certificate_jrr.html",
    "certificate_jrr.pdf",
    "data.html",
    "glossary.html",
    "index.html",
    "jrr.html",
    "method.html",
    "provenance.html",
    "report.pdf",
)


def arguments(setting, inputs, output):
    files = [path for kind in KINDS for path in getattr(inputs, kind)]
    for name, paper in setting["papers"].items():
        files.append(output.parent / "papers" / f"{name}.json")
        files[-1].parent.mkdir(parents=True, exist_ok=True)
        files[-1].write_text(json.dumps(sealed(paper)), encoding="utf-8")
    others = {key: value for key, value in setting.items() if key != "papers"}
    return [json.dumps(others), str(output), *map(str, files)]


def test_two_processes_write_the_same_bytes(setting, inputs, tmp_path):
    directories = [tmp_path / "a", tmp_path / "b"]
    for hash_seed, directory in zip("12", directories, strict=True):
        subprocess.run(
            [sys.executable, "-m", "claimaudit.report", *arguments(setting, inputs, directory / "index.html")],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
        )
    for directory in directories:
        assert sorted(path.name for path in directory.iterdir() if path.is_file()) == sorted(FILES)
    for name in FILES:
        one, other = (directory / name for directory in directories)
        assert one.read_bytes() == other.read_bytes()
        assert one.read_bytes().startswith(b"%PDF" if name.endswith("pdf") else b"<!DOCTYPE html>")


def test_a_missing_figure_ends_with_one_clear_line_and_no_file(setting, without, tmp_path):
    output = tmp_path / "out" / "index.html"
    with pytest.raises(SystemExit) as stop:
        main(arguments(setting, without("figures"), output))
    assert stop.value.code == (
        "report: figures lack jrr/fig3.svg, which the setting names; pass it or remove the entry"
    )
    assert [path for path in output.parent.iterdir() if path.is_file()] == []


def test_a_file_in_an_unknown_place_is_named(setting, inputs, tmp_path):
    stray = tmp_path / "elsewhere" / "fig3.txt"
    with pytest.raises(SystemExit, match=r"elsewhere/fig3\.txt is not part of the report"):
        main([*arguments(setting, inputs, tmp_path / "out.html"), str(stray)])


def test_each_page_is_named_with_its_size_and_a_heavy_one_is_noted(setting, inputs, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "HEAVY", 200_000)
    main(arguments(setting, inputs, tmp_path / "out" / "index.html"))
    lines = capsys.readouterr().err.splitlines()
    assert sorted(line.split(",")[0].rpartition("/")[2] for line in lines) == list(FILES)
    heavy = {line.split(",")[0].rpartition("/")[2] for line in lines if "above 0 MB; simplify figures" in line}
    assert heavy == {"castell.html", "jrr.html"}  # the library of tables alone has more


def test_without_claims_there_is_a_report(setting, inputs, tmp_path):
    for path in inputs.verdicts:
        path.write_text(json.dumps(sealed({**json.loads(path.read_text()), "claims": []})))
    for path in inputs.conclusions:
        path.write_text("[]")
    main(arguments(setting, inputs, tmp_path / "out" / "index.html"))
    assert all((tmp_path / "out" / name).stat().st_size > 10_000 for name in FILES)

import json
import os
import subprocess
import sys

import pytest

from corrldp.report import pdf
from corrldp.report.__main__ import main

KINDS = (
    "verdicts",
    "predictions",
    "figures",
    "figure_tables",
    "figure_pages",
    "tables",
    "tables_markdown",
    "data",
    "records",
)


def arguments(setting, inputs, output):
    files = [path for kind in KINDS for path in getattr(inputs, kind)]
    for name, paper in setting["papers"].items():
        files.append(output.parent / "papers" / f"{name}.json")
        files[-1].parent.mkdir(exist_ok=True)
        files[-1].write_text(json.dumps(paper), encoding="utf-8")
    others = {key: value for key, value in setting.items() if key != "papers"}
    return [json.dumps(others), str(output), *map(str, files)]


@pytest.mark.parametrize(("module", "start"), [("report", b"<!DOCTYPE html>"), ("report.pdf", b"%PDF")])
def test_two_processes_write_the_same_bytes(setting, inputs, tmp_path, module, start):
    outputs = [tmp_path / "a", tmp_path / "b"]
    for hash_seed, output in zip("12", outputs, strict=True):
        subprocess.run(
            [sys.executable, "-m", f"corrldp.{module}", *arguments(setting, inputs, output)],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
        )
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert outputs[0].read_bytes().startswith(start)


@pytest.mark.parametrize("main", [main, pdf.main])
def test_a_missing_figure_ends_with_one_clear_line_and_no_file(setting, without, tmp_path, main):
    output = tmp_path / "out"
    with pytest.raises(SystemExit) as stop:
        main(arguments(setting, without("figures"), output))
    assert stop.value.code == (
        "report: figures lack jrr/fig3.svg, which the setting names; pass it or remove the entry"
    )
    assert not output.exists()


def test_a_file_in_an_unknown_place_is_named(setting, inputs, tmp_path):
    stray = tmp_path / "elsewhere" / "fig3.txt"
    with pytest.raises(SystemExit, match=r"elsewhere/fig3\.txt is not part of the report"):
        main([*arguments(setting, inputs, tmp_path / "out.html"), str(stray)])

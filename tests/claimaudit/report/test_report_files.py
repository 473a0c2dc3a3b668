import json

import pytest
from small_report import job_of, paths_of

from claimaudit.report import page
from claimaudit.report.page import report_files
from claimaudit.storage import sealed

pytestmark = pytest.mark.thorough


def test_each_page_is_named_with_its_size_and_a_heavy_one_is_noted(setting, inputs, pages, caplog, monkeypatch):
    files = sorted([*pages, *(f"{name}.pdf" for name in ("report", "certificate_castell", "certificate_jrr"))])
    caplog.set_level("INFO", "claimaudit.report")
    monkeypatch.setattr(page, "HEAVY", 200_000)
    made = report_files(job_of(setting), paths_of(inputs))
    assert sorted(made) == files
    for name, content in made.items():
        assert content.startswith(b"%PDF" if name.endswith("pdf") else b"<!DOCTYPE html>")
    lines = caplog.messages
    assert sorted(line.split(",")[0] for line in lines) == files
    heavy = {line.split(",")[0] for line in lines if "above 0 MB; simplify figures" in line}
    assert heavy == {"castell.html", "claims.html", "jrr.html"}  # the library of tables alone has more


def test_without_claims_there_is_a_report(setting, inputs):
    for path in inputs["verdicts"]:
        path.write_text(json.dumps(sealed({**json.loads(path.read_text()), "claims": []})))
    for path in inputs["conclusions"]:
        path.write_text("[]")
    assert all(len(content) > 10_000 for content in report_files(job_of(setting), paths_of(inputs)).values())

"""Outputs of a run besides results: terminal and log messages, verdicts, metadata, snakemake's own report."""

import json
import re
from pathlib import Path

import pytest

from replication import times

pytestmark = pytest.mark.end_to_end

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_terminal_names_jobs_and_what_changed(small):
    text = small.snakemake("--dry-run", "--config", "seed=1")
    [reason] = re.findall(r"Experiment jrr/fig6\n *Reason: (.*)", text)
    before, now = (
        json.loads((small.root / path).read_text()) for path in re.findall(r"\.snakemake/\S+?\.json", reason)
    )
    assert [task["settings"]["jrr, fig6"]["job"].pop("seed") for task in (before, now)] == [20250711, 1]
    assert before == now


def test_the_seconds_of_every_job_can_be_listed(small):
    found = times.seconds(small.root / ".snakemake/metadata")
    assert {("experiment", "jrr/laws.experiment"), ("figure", "jrr/fig6.figure")} <= set(found)
    assert {rule for rule, _ in found} >= {"fetch", "align", "experiment_on_data", "table", "verdicts", "archive"}
    assert 0 < found["report", "report"] < 600


@pytest.mark.parametrize(
    "products",
    [
        {
            "results/jrr/laws.json": "Experiment jrr/laws",
            "data/aligned/womens_clothing.npy": "Aligning womens_clothing",
        },
        {"figures/jrr/fig6.png": "jrr: fig6", "tables/jrr/table1.csv": "jrr: table1"},
        {"report/claims.txt": "Collecting the verdicts of all papers"},
    ],
    ids=str,
)
def test_deleted_products_are_made_again(small, products):
    """None of those that are deleted together is made because the other one is."""
    paths = [small.root / product for product in products]
    for path in paths:
        path.rename(path.with_name(f"kept {path.name}"))
    try:
        assert small.plan() >= {*products.values()}
    finally:
        for path in paths:
            path.with_name(f"kept {path.name}").rename(path)


def test_snakemakes_report_shows_figures_under_their_titles(small, tmp_path):
    small.run("--report", str(tmp_path / "report.html"), cores=None)
    page = (tmp_path / "report.html").read_text()
    assert small.paper()["title"] in page
    assert small.paper()["exhibits"]["fig6"]["title"] in page
    assert "Hollow markers are published points" in page


def followed(page, capsys):
    """Run the Python examples of a page of the documentation; return what each prints."""
    for code in re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL):
        exec(code, {})
        yield capsys.readouterr().out


def test_the_tutorial_finds_the_numbers_and_the_verdict_that_it_promises(small, capsys, monkeypatch):
    monkeypatch.chdir(small.root)
    numbers, verdict = followed("tutorial.md", capsys)
    assert [line.split()[0::3] for line in numbers.splitlines()[1:]] == [["RR", "9206.7"], ["JRR", "9210.8"]]
    assert "not reproduced" in verdict
    assert "14 of 16 satisfied; fails most clearly: JRR 9,211, RR 9,207 at n₁ = 4,750" in verdict


def test_a_claim_is_found_by_its_place(small, capsys, monkeypatch):
    monkeypatch.chdir(small.root)
    (found,) = followed("one-claim.md", capsys)
    assert "Section 5.4, item 1" in found
    assert "not reproduced" in found

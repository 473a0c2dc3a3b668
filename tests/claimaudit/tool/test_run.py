"""The audit of a folder in one process: the example on sorting, whose one wrong number is found."""

import json

import pytest
from outline import unfolded

from claimaudit.verdicts import read

pytestmark = pytest.mark.thorough


def test_the_wrong_number_is_found_and_nothing_else(audited):
    status, said, out = audited()
    verdicts = read(out / "report/verdicts/sorting.json")
    found = {claim.id: claim.verdict for claim in verdicts.claims}
    assert found.pop("table-1-insertion") == "not reproduced"
    assert set(found.values()) == {"reproduced"}
    assert len(found) == 7
    assert status == 1
    assert "✗ table-1-insertion (Table 1): not reproduced: 3 of 4 cells" in said
    assert "printed 56,897" in said


def test_it_writes_pages_certificate_csv_and_json_like_the_workflow(audited):
    _, _, out = audited()
    pages = {name: (out / f"report/{name}.html").read_text() for name in ("index", "sorting", "claims", "provenance")}
    assert "Audit of Sorting by comparison" in pages["index"]
    assert "All results were made here by commands of the paper" in pages["sorting"]
    assert "Made here by a command: awk -f sort.awk" in pages["sorting"]
    assert "claimaudit run sorting --out audit" in unfolded(pages["claims"])
    foreign = ("snakemake", "ro-crate", "times.txt", "privacy")
    assert not any(word in page for page in pages.values() for word in foreign)
    assert len(json.loads((out / "report/claims.json").read_text())["claims"]) == 8
    assert len((out / "report/claims.csv").read_text().splitlines()) == 9
    for name in ("figures/sorting/fig1.svg", "tables/sorting/table1.md", "results/sorting/counts.csv"):
        assert (out / name).is_file(), name


def test_a_command_that_fails_is_a_mistake_in_one_line(claimaudit, sorting):
    (sorting / "sort.awk").write_text('BEGIN { print "no luck" > "/dev/stderr"; exit 4 }\n')
    status, said, errors = claimaudit("run", "sorting")
    assert (status, said) == (2, "")
    assert errors.splitlines() == ["the command 'awk -f sort.awk > {out}' fails with status 4: no luck"]


def test_names_in_claims_are_checked_against_what_the_command_writes(claimaudit, sorting):
    assert claimaudit("check", "--run", "sorting") == (0, "sorting: no mistake found\n", "")
    script = sorting / "sort.awk"
    script.write_text(script.read_text().replace("n,trial,comparisons,exchanges", "n,trial,comparisons,swaps"))
    status, said, _ = claimaudit("check", "sorting")  # nobody knows before it runs
    assert status == 0
    assert "columns and values of counts" in said
    for command in (("check", "--run"), ("run",)):
        status, said, errors = claimaudit(*command, "sorting")
        assert (status, said) == (2, "")
        assert "no column 'exchanges'" in errors

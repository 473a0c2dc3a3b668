"""The command that computes the evidence of one claim: what it makes again, how long that takes, what it prints."""

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from test_jobs import jobs_of

import claim as command
from claim import NamedClaim
from claimaudit.names import ConfigurationError

ROOT = Path(__file__).resolve().parents[3]
POINTS = "jrr/fig3-mse-cells-10000"
TIMES = {
    ("experiment", "jrr/fig3.experiment"): 4.0,
    ("part", "jrr/fig3.0.2.part"): 2.0,
    ("experiment", "jrr/fig3b.experiment"): 100.0,
    ("figure", "jrr/fig3.figure"): 100.0,
    ("verdicts", "jrr/verdicts"): 1.5,
    ("verdicts", "cpl/verdicts"): 100.0,
}


@pytest.fixture(scope="module")
def jobs():
    return jobs_of()


def test_only_the_claims_own_table_and_the_verdicts_are_made_again(jobs):
    claim = NamedClaim.of(jobs, POINTS)
    assert claim == NamedClaim("jrr", "fig3-mse-cells-10000", "fig3")
    assert claim.targets(jobs) == ["results/jrr/fig3.csv", "report/verdicts/jrr.json"]
    divided = jobs_of(parts=3)
    parts = divided.plan.parts("jrr", "fig3")
    assert len(parts) > 1
    assert claim.targets(divided) == [*parts, *claim.targets(jobs)]
    assert NamedClaim("jrr", "x", "").targets(jobs) == ["report/verdicts/jrr.json"]  # on printed numbers alone


def test_the_expected_time_is_that_of_its_own_jobs(jobs):
    claim = NamedClaim.of(jobs, POINTS)
    assert claim.expected(TIMES) == 7.5
    without = {job: value for job, value in TIMES.items() if not job[1].startswith("jrr/fig3")}
    assert claim.expected(without) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jr/x", "no paper 'jr'; .*did you mean jrr"),
        ("jrr/fig3-mse-cells-1000", "jrr has no claim 'fig3-mse-cells-1000'; did you mean fig3-mse-cells-1"),
    ],
)
def test_an_unknown_claim_is_refused_in_one_line(jobs, text, words):
    with pytest.raises(ConfigurationError, match=rf"\A.*{words}.*\Z"):
        NamedClaim.of(jobs, text)


@pytest.mark.thorough
def test_nothing_to_show_is_one_line_that_says_what_to_do(monkeypatch, capsys, tmp_path):
    for name in ("config", "papers"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        command.main([POINTS, "--show"])
    assert capsys.readouterr().err == "report/verdicts/jrr.json is not there yet: leave out --show, and it is made\n"


def test_a_run_that_fails_ends_in_one_line(monkeypatch, capsys):
    asked = []

    def run(arguments, check):
        asked.append(arguments)
        return subprocess.CompletedProcess(arguments, 3)

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(command, "subprocess", SimpleNamespace(run=run))
    monkeypatch.setattr(command, "RECORDS", Path("no such directory"))
    with pytest.raises(SystemExit) as end:
        command.main([POINTS, "--cores", "2"])
    said = capsys.readouterr()
    assert end.value.code == 2
    assert said.err == "snakemake ended with status 3; its messages are above\n"
    assert "results/jrr/fig3.csv, report/verdicts/jrr.json (2 files). Expected time: not known" in said.out
    assert asked[0][2:] == ["snakemake", "--cores", "2", "--force", "results/jrr/fig3.csv", "report/verdicts/jrr.json"]

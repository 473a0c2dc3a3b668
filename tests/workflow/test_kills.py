"""A run that is killed repeatedly ends in the bytes of an undisturbed one; its path has blanks and an ampersand."""

import os
import signal
import subprocess
import time

import pytest

pytestmark = [pytest.mark.end_to_end, pytest.mark.xdist_group("small")]

KILLS = [
    ("figures/jrr/fig6.pdf", "jrr: fig6"),
    ("report/verdicts/jrr.json", "jrr: checking the claims"),
    ("report/index.html", "Assembling the pages of the report"),
    ("report/report.pdf", "Rendering the report as PDF"),
]
AFTER = 0.7  # seconds into the job: it has begun and not ended


def kill(project, target, message):
    """Run the workflow up to a target and kill all its processes while a job runs."""
    started = subprocess.Popen(
        ["snakemake", "--configfile", "config/smoke.yaml", "--cores", "2", "--", target],
        cwd=project.root,
        env=project.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with started:
        assert any(message in line for line in started.stdout), f"{target} was made without {message!r}"
        time.sleep(AFTER)
        os.killpg(started.pid, signal.SIGKILL)
    assert started.returncode == -signal.SIGKILL
    project.run("--unlock", cores=None)


def products(project):
    """Return the bytes of all files that a run makes, by path; the times of its jobs are its own."""
    places = ("results", "figures", "tables", "report", "data")
    files = [path for place in places for path in (project.root / place).rglob("*") if path.is_file()]
    return {str(path.relative_to(project.root)): path.read_bytes() for path in files if path.name != "times.txt"}


def test_kills_during_figures_audit_and_report_leave_no_trace(project, small):
    killed = project("killed", cache=small.environment["SNAKEMAKE_OUTPUT_CACHE"])
    assert "&" in str(killed.root)
    for target, message in KILLS:
        kill(killed, target, message)
    killed.run()
    expected, found = products(small), products(killed)
    assert found.keys() == expected.keys()
    assert [name for name in expected if found[name] != expected[name]] == []

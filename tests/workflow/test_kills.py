"""A run that is killed repeatedly ends in the bytes of an undisturbed one; its path has blanks and an ampersand."""

import os
import signal
import subprocess
import time

import pytest

pytestmark = pytest.mark.end_to_end

TARGETS = ("figures/jrr/fig6.pdf", "report/verdicts/jrr.json", "report/report.pdf")
# Python imports it as it starts: whoever is about to put a target in its place reports that and waits to be killed.
SITECUSTOMIZE = """
import os, time
from pathlib import Path

replace = os.replace

def wait(source, target):
    if os.path.abspath(target) == os.environ["TARGET"]:
        Path(os.environ["REACHED"]).write_text(str(os.getpid()))
        time.sleep(3600)
    replace(source, target)

os.replace = wait
"""


def stopped(project, target, folder, rule=None, cores=2, **environment):
    """Run the workflow up to a target or rule.

    Return it, the process that has written the target and not yet put it in place, and the log.
    """
    reached, log, path = folder / "reached", folder / "log", project.root / target
    (folder / "sitecustomize.py").write_text(SITECUSTOMIZE)
    stopping = {"PYTHONPATH": str(folder), "TARGET": str(path), "REACHED": str(reached)}
    with log.open("w") as output:
        started = subprocess.Popen(
            ["snakemake", "--cores", str(cores), "--", rule or target],
            cwd=project.root,
            env=project.environment | stopping | environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    while not (reached.exists() and (process := reached.read_text())):
        assert started.poll() is None, log.read_text()
        time.sleep(0.05)
    reached.unlink()
    return started, int(process), log


def kill(project, target, folder, rule=None):
    """Kill all processes of a run that is stopped at a target: the only job, which began warm, is not of its group."""
    started, job, _ = stopped(project, target, folder, rule, cores=1, PATH=project.warm)
    path = project.root / target
    os.killpg(started.pid, signal.SIGKILL)
    os.kill(job, signal.SIGKILL)
    assert started.wait() == -signal.SIGKILL
    assert not path.exists()
    assert list(path.parent.glob(f".{path.name}.*")), "nothing was half done"
    project.run("--unlock", cores=None)


def test_an_interrupted_run_ends_in_one_line_and_leaves_no_job(project, tmp_path):
    copy, target = project("interrupted"), "results/jrr/laws.csv"
    started, _, log = stopped(copy, target, tmp_path)
    said = len(log.read_text())
    os.killpg(started.pid, signal.SIGINT)
    assert started.wait(timeout=60) == 1
    assert log.read_text()[said:] == "Interrupted: 0 of 1 jobs are done; the same command goes on from there\n"
    with pytest.raises(ProcessLookupError):
        os.killpg(started.pid, 0)
    copy.run(target)


def test_a_smoke_run_goes_on_after_a_kill(project, tmp_path):
    copy = project("smoke")
    with copy.edited("config/smoke.yaml", lambda text: text.replace(", rs_fd", "")):
        for _ in range(2):
            kill(copy, "smoke/results/jrr/laws.csv", tmp_path, "smoke")


def products(project):
    """Return the bytes of all files that a run makes, by path; the times of its jobs are its own."""
    places = ("results", "figures", "tables", "report", "data")
    files = [path for place in places for path in (project.root / place).rglob("*") if path.is_file()]
    return {str(path.relative_to(project.root)): path.read_bytes() for path in files if path.name != "times.txt"}


def test_kills_during_figures_audit_and_report_leave_no_trace(project, small, tmp_path):
    """Nor does the number of cores, of which the runs that are killed have one."""
    killed = project("killed")
    assert "&" in str(killed.root)
    for target in TARGETS:
        kill(killed, target, tmp_path)
    killed.run()
    expected, found = products(small), products(killed)
    assert found.keys() == expected.keys()
    assert [name for name in expected if found[name] != expected[name]] == []

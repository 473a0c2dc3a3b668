"""The workflow on a real Slurm with two nodes: see slurm.py and docs/cluster.md."""

import re
import subprocess

import pytest
import slurm

pytestmark = [pytest.mark.end_to_end, pytest.mark.slurm, pytest.mark.xdist_group("small")]

# This cluster has no accounting, and polls often because its jobs are short.
HERE = [
    "--slurm-no-account",
    "--slurm-status-command",
    "squeue",
    "--slurm-init-seconds-before-status-checks",
    "1",
    "--seconds-between-status-checks",
    "1",
    "--latency-wait",
    "5",
]
WHOLE = ("--profile", "profiles/slurm", *HERE)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if why := slurm.missing():
        pytest.skip(why)
    cluster = slurm.Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="module")
def submitted(project, cluster):
    """The shrunken project after its whole workflow on the cluster."""
    submitted = project("submitted")
    submitted.log = submitted.run(*WHOLE, cores=None)
    return submitted


def products(project):
    """Return the bytes of what a run yields, by file; the report names the commit and the time."""
    files = (path for kind in ("results", "tables", "figures") for path in (project.root / kind).rglob("*"))
    files = (*files, project.root / "report/claims.json", project.root / "report/predictions.csv")
    return {str(path.relative_to(project.root)): path.read_bytes() for path in files if path.is_file()}


def test_a_run_on_the_cluster_gives_the_same_bytes(small, submitted):
    assert products(submitted) == products(small)


def test_short_jobs_share_a_submission_and_fetching_needs_none(submitted):
    count = submitted.log.count("has been submitted with SLURM jobid")
    assert 0 < count <= 8
    assert "rule_fetch" not in submitted.log


def test_a_run_that_loses_a_node_ends_complete_after_a_restart(small, project, cluster):
    lost = project("lost")
    command = ["snakemake", "--configfile", "config/smoke.yaml", *WHOLE]
    run = subprocess.Popen(
        command, cwd=lost.root, env=lost.environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    cluster.wait(lambda: cluster.busy() and any((lost.root / "logs").rglob("*.log")), "a job to start", seconds=90)
    node = min(cluster.busy())
    cluster.kill(node)
    assert run.wait() != 0
    cluster.boot(node)
    cluster.wait(lambda: cluster.states() == {"idle"}, "the nodes to become idle", seconds=60)
    lost.run(*WHOLE, cores=None)
    assert products(lost) == products(small)


def test_a_job_over_its_memory_says_so(project, cluster):
    tight = project("tight")
    log = tight.run(
        *WHOLE, "--set-resources", "experiment:mem_mb=40", "--", "results/jrr/laws.csv", cores=None, fails=True
    )
    assert re.search(r"exceeded memory limit \(\d+ > \d+\), being killed", log)

"""The workflow on a real Slurm with two nodes: see slurm.py and docs/cluster.md."""

import re
import subprocess

import pytest
import slurm

pytestmark = [pytest.mark.end_to_end, pytest.mark.slurm]

# This cluster has no accounting, and polls often because its jobs are short.
ON_CLUSTER = (
    *("--profile", "profiles/slurm", "--slurm-no-account", "--slurm-status-command", "squeue"),
    *("--slurm-init-seconds-before-status-checks", "1", "--seconds-between-status-checks", "1", "--latency-wait", "5"),
)


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
def restarted(project, cluster):
    """The shrunken project after its whole workflow on the cluster, which lost a node and was started again."""
    restarted = project("restarted")
    command = ["snakemake", *ON_CLUSTER]
    run = subprocess.Popen(
        command, cwd=restarted.root, env=restarted.environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    started = restarted.root / "logs/jrr"
    cluster.wait(lambda: cluster.busy() and any(started.glob("[!d]*.log")), "an experiment to start", seconds=120)
    node = min(cluster.busy())
    cluster.kill(node)
    assert run.wait() != 0
    assert not (restarted.root / "report/index.html").exists()
    cluster.boot(node)
    cluster.wait(lambda: cluster.states() == {"idle"}, "the nodes to become idle", seconds=60)
    restarted.log = restarted.run(*ON_CLUSTER, cores=None, PATH=restarted.environment["PATH"])
    return restarted


def products(project):
    """Return the bytes of what a run yields, by file; the report names the commit and the time."""
    files = (path for kind in ("results", "tables", "figures") for path in (project.root / kind).rglob("*"))
    files = (*files, project.root / "report/claims.json", project.root / "report/predictions.csv")
    return {str(path.relative_to(project.root)): path.read_bytes() for path in files if path.is_file()}


def test_a_run_that_lost_a_node_and_was_restarted_gives_the_bytes_of_a_local_run(small, restarted):
    assert products(restarted) == products(small)


def test_short_jobs_share_submissions_and_data_need_none(restarted):
    submitted = re.findall(
        r"Job \S+ has been submitted with SLURM jobid .*slurm_logs/(?:group|rule)_(\w+?)/", restarted.log
    )
    assert len(submitted) == 4


def test_a_job_over_its_memory_says_so(project, cluster):
    tight = project("tight")
    limit = ("--set-resources", "experiment:mem_mb=40")
    cold = {"PATH": tight.environment["PATH"]}
    log = tight.run(*ON_CLUSTER, *limit, "--", "results/jrr/laws.csv", cores=None, fails=True, **cold)
    assert re.search(r"exceeded memory limit \(\d+ > \d+\), being killed", log)

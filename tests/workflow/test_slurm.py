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


TARGETS = ("figures/jrr/fig6.pdf", "tables/jrr/table3.md", "report/verdicts/jrr.json")
"""They need data, experiments with and without, and one file of each later group; the page needs no cluster."""


@pytest.fixture(scope="module")
def restarted(project, cluster):
    """The shrunken project after a run on the cluster, which lost a node and was started again."""
    restarted = project("restarted")
    command = ["snakemake", *ON_CLUSTER, "--", *TARGETS]
    run = subprocess.Popen(
        command, cwd=restarted.root, env=restarted.environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    started = restarted.root / "logs/jrr"
    cluster.wait(lambda: cluster.busy() and any(started.glob("[!d]*.log")), "an experiment to start", seconds=120)
    node = min(cluster.busy())
    cluster.kill(node)
    assert run.wait() != 0
    assert not any((restarted.root / target).exists() for target in TARGETS)
    cluster.boot(node)
    cluster.wait(lambda: cluster.states() == {"idle"}, "the nodes to become idle", seconds=60)
    restarted.log = on_cluster(restarted, "--", *TARGETS)
    return restarted


def on_cluster(project, *arguments, **expected):
    return project.run(*ON_CLUSTER, *arguments, cores=None, PATH=project.environment["PATH"], **expected)


def test_a_run_that_lost_a_node_and_was_restarted_gives_the_bytes_of_a_local_run(small, restarted):
    made = {path for kind in ("results", "tables", "figures") for path in (restarted.root / kind).rglob("*.*")}
    made |= {*(restarted.root / "report/verdicts").iterdir()}
    assert {restarted.root / target for target in TARGETS} < made
    names = [path.relative_to(restarted.root) for path in made if path.is_file()]
    assert [name for name in names if (small.root / name).read_bytes() != (restarted.root / name).read_bytes()] == []


def test_short_jobs_share_submissions_and_data_need_none(restarted):
    submitted = re.findall(
        r"Job \S+ has been submitted with SLURM jobid .*slurm_logs/(?:group|rule)_(\w+?)/", restarted.log
    )
    assert len(submitted) == 3


def test_a_job_over_its_memory_says_so(restarted):
    limit = ("--set-resources", "experiment:mem_mb=40")
    log = on_cluster(restarted, *limit, "--force", "results/jrr/laws.csv", fails=True)
    assert re.search(r"exceeded memory limit \(\d+ > \d+\), being killed", log)

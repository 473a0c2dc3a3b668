"""The workflow on a real Slurm with two nodes: see slurm.py and docs/cluster.md."""

import re

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


def test_a_run_gives_the_bytes_of_a_local_run_by_few_submissions(project, small, cluster):
    """Short jobs share submissions, and data need none."""
    elsewhere = project("elsewhere")
    said = elsewhere.run(*ON_CLUSTER, "--", *TARGETS, cores=None, PATH=elsewhere.environment["PATH"])
    assert len(re.findall(r"Job \S+ has been submitted with SLURM jobid .*slurm_logs/", said)) == 3
    made = {path for kind in ("results", "tables", "figures") for path in (elsewhere.root / kind).rglob("*.*")}
    made |= {*(elsewhere.root / "report/verdicts").iterdir()}
    assert {elsewhere.root / target for target in TARGETS} < made
    names = [path.relative_to(elsewhere.root) for path in made if path.is_file()]
    assert [name for name in names if (small.root / name).read_bytes() != (elsewhere.root / name).read_bytes()] == []

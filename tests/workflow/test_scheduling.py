"""Snakemake's own process spends little on each job."""

import os

import pytest

pytestmark = pytest.mark.end_to_end

# In place of each job: it takes a while and leaves empty results.
JOB = '#!/bin/sh\nsleep 0.5\nfor path in "$@"; do case $path in results/*) : > "$path";; esac; done\n'
EXPERIMENTS = ("fig1", "fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8", "heuristic", "privacy", "laws", "lemmas")


def test_the_scheduler_wakes_once_for_each_job(project, tmp_path):
    """Snakemake's limit on job starts would wake it more often by the number of finished jobs, each second."""
    python = tmp_path / "python"
    python.write_text(JOB)
    python.chmod(0o755)
    full = project("scheduling", small=False)
    path = os.pathsep.join([str(tmp_path), full.environment["PATH"]])
    targets = [f"results/jrr/{name}.csv" for name in EXPERIMENTS]
    output = full.run("--verbose", *targets, cores=1, PATH=path)
    assert f"{len(targets)} of {len(targets)} jobs in " in output
    assert output.count("Ready jobs: ") <= len(targets) + 2

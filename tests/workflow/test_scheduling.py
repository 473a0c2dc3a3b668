"""Snakemake's own process spends little on each job."""

import pytest

pytestmark = pytest.mark.end_to_end

# In place of each job: it takes a while and leaves empty results.
JOB = '#!/bin/sh\nsleep 0.5\nfor path in "$@"; do case $path in results/*) : > "$path";; esac; done\n'
EXPERIMENTS = ("fig1", "fig2", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8", "heuristic", "privacy", "laws", "lemmas")


def test_the_scheduler_wakes_once_for_each_job(project, stub):
    """Snakemake's limit on job starts would wake it more often by the number of finished jobs, each second."""
    full = project("scheduling", small=False)
    targets = [f"results/jrr/{name}.csv" for name in EXPERIMENTS]
    output = full.run("--verbose", *targets, cores=1, PATH=stub(full, JOB))
    assert f"{len(targets)} of {len(targets)} jobs in " in output
    assert output.count("Ready jobs: ") <= len(targets) + 2

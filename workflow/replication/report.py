"""What the report of a project is told beside its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from claimaudit import configuration
from claimaudit.fingerprint import numeric_versions
from claimaudit.report.about import About, ReportJob, WaysFile, source_of_project
from claimaudit.stages import Options
from claimaudit.words.glossary import GlossaryFile
from replication.data import described

ABOUT = About(
    title="Local differential privacy for correlated data: a replication report",
    software="corrldp",
    judge_paper="snakemake --cores all PAPER",
    judge_claim="python workflow/claim.py PAPER/CLAIM",
    method=(
        "All simulations were run anew from the text and public data, at the level of the counts that an aggregator "
        "sees, which have the same distribution as if each user's report were drawn; what can be enumerated was "
        "computed exactly."
    ),
    promises="corrldp",
    rates=("hidden", "referees"),
)


def told(root: Path, options: Options, registry: Mapping[str, Any], notebooks: Sequence[str]) -> ReportJob:
    """Return what the report is told, for the papers that have a notebook."""
    return ReportJob(
        about=ABOUT,
        seed=options.seed,
        family_level=options.family_level,
        runs_factor=options.runs_factor * options.multiply_runs,
        versions=numeric_versions(),
        source=source_of_project(root),
        notebooks=tuple(notebooks),
        datasets=described.datasets(registry),
        views=described.views(registry),
        glossary=configuration.load(root / "config/glossary.yaml", GlossaryFile),
        ways=configuration.load(root / "config/ways.yaml", WaysFile),
    )

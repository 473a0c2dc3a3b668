"""Compute the evidence of one claim again, and print its card: ``python workflow/claim.py jrr/CLAIM``.

Its result table is computed anew, whatever a cache has, and all claims of the paper are judged by it. The tables of
other claims stay; those that do not exist yet are made, since what was run is found from all exhibits together.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimaudit import yaml_files
from claimaudit.audit.claims import load
from claimaudit.names import ConfigurationError, nearest, require_known
from claimaudit.report.claims import card
from claimaudit.verdicts import read
from claimaudit.words.numbers import number, plural
from replication.jobs import Jobs
from replication.times import RECORDS, seconds
from replication.validation import read as read_project

COMPUTE = ("experiment", "experiment_on_data", "part", "join", "command", "given")  # the rules that make a result table

Times = Mapping[tuple[str, str], float]  # the seconds of each job when it last ran, by its rule and name


@dataclass(frozen=True)
class NamedClaim:
    """A claim of a paper with the experiment that is its evidence; empty if it is about printed numbers alone."""

    paper: str
    name: str
    experiment: str

    @classmethod
    def of(cls, jobs: Jobs, text: str) -> NamedClaim:
        """Return the claim that is written as ``PAPER/CLAIM``; one that does not exist is a ConfigurationError."""
        paper, _, name = text.partition("/")
        require_known(paper, jobs.papers, "paper")
        planned = jobs.papers[paper]
        claims = {claim.id: claim for claim in load(planned.folder.claims, planned.context())}
        if name not in claims:
            found = "the search of the report's start page finds claims by their words"
            raise ConfigurationError(f"{paper} has no claim {name!r}{nearest(name, claims)}; {found}")
        return cls(paper, name, claims[name].table)

    def targets(self, jobs: Jobs) -> list[str]:
        """Return the files that are made again."""
        plan, verdicts = jobs.plan, jobs.plan.verdicts(self.paper)
        if not self.experiment:
            return verdicts
        return [*plan.parts(self.paper, self.experiment), *plan.tables(self.paper, [self.experiment]), *verdicts]

    def expected(self, times: Times) -> float | None:
        """Return the seconds that this took when it last ran here; None if it never did, or came from a cache."""
        own, judged = f"{self.paper}/{self.experiment}.", times.get(("verdicts", f"{self.paper}/verdicts"))
        made = sum(value for (rule, job), value in times.items() if rule in COMPUTE and job.startswith(own))
        return None if judged is None or (self.experiment and not made) else made + judged


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python workflow/claim.py", description=__doc__)
    parser.add_argument("claim", metavar="PAPER/CLAIM", help="such as jrr/ID, as the claim's card has it")
    parser.add_argument("--cores", default="all", help="jobs at once (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="print the card of the last run, and compute nothing")
    options = parser.parse_args(arguments)
    try:
        root = Path.cwd()
        config = yaml_files.read(root / "config/config.yaml")
        jobs = Jobs(root, config, *read_project(root, config))
        claim = NamedClaim.of(jobs, options.claim)
        verdicts = Path(f"report/verdicts/{claim.paper}.json")
        if not options.show:
            _run(claim, claim.targets(jobs), options.cores)
        elif not verdicts.is_file():
            raise ConfigurationError(f"{verdicts} is not there yet: leave out --show, and it is made")
        print(card(claim.paper, read(verdicts), claim.name))
    except (OSError, ValueError) as error:
        parser.exit(2, f"{error}\n")


def _run(claim: NamedClaim, targets: Sequence[str], cores: str) -> None:
    """Say what is computed and how long that should take, and have Snakemake do it."""
    expected = claim.expected(seconds(RECORDS))
    time = (
        "not known, as nothing of it ran here" if expected is None else f"{number(round(expected, 1))} s, as last time"
    )
    print(f"Made again: {', '.join(targets[-2:])} ({plural(len(targets), 'file')}). Expected time: {time}.", flush=True)
    command = [sys.executable, "-m", "snakemake", "--cores", cores, "--force", *targets]
    done = subprocess.run(command, check=False)
    if done.returncode:
        raise ValueError(f"snakemake ended with status {done.returncode}; its messages are above")


if __name__ == "__main__":
    main()

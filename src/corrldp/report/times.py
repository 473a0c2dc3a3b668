"""How long each job of the workflow took when it last ran, and all jobs of a rule together.

Read from what Snakemake records of every file in `.snakemake/metadata`, so that it stands in no result: a second run
gives the same bytes. A job is named by its log file; one that took its files from the cache has 0 seconds.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path


def seconds(records: Path) -> dict[tuple[str, str], float]:
    """Return the seconds by the clock of each job that has ended, by its rule and its name, the longest last.

    Each file of a job has a record of its own, whose end is the file's date: the job ends with the last of them.
    """
    spans = defaultdict(list)
    for path in filter(Path.is_file, records.rglob("*")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError:  # Snakemake, still running, is writing this record
            continue
        if record["endtime"] and record["log"]:
            name = record["log"][0].removeprefix("logs/").removesuffix(".log")
            spans[record["rule"], name].append((record["starttime"], record["endtime"]))
    found = {job: max(0.0, max(end for _, end in span) - max(span)[0]) for job, span in spans.items()}
    return dict(sorted(found.items(), key=lambda item: item[1]))


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: `[RECORDS]`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path, nargs="?", default=".snakemake/metadata", help="default: %(default)s")
    records = parser.parse_args(argv).records
    jobs = seconds(records)
    if not jobs:
        parser.exit(1, f"{records} has no record of a job that ended; run the workflow in this directory first\n")
    sums: defaultdict[str, float] = defaultdict(float)
    for (rule, name), value in jobs.items():
        print(f"{value:9.1f} s  {rule}: {name}")
        sums[rule] += value
    for rule, value in sorted(sums.items(), key=lambda item: item[1]):
        print(f"{value:9.1f} s  all jobs of {rule}")


if __name__ == "__main__":
    main()

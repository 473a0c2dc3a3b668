"""The time that all jobs of the workflow, all of each rule, and each of them took when last run.

The times come from Snakemake's records in `.snakemake/metadata`, not from results, so a second run yields the same
bytes. A job is named by its log file; a job whose files came from the cache took 0 seconds.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

RECORDS = Path(".snakemake/metadata")
TOGETHER = "__"
"""What separates the name of a stage from what its rule makes together, in the name of the rule."""


def stage_of(rule: str) -> str:
    """Return the stage of a rule."""
    return rule.partition(TOGETHER)[0]


def seconds(records: Path) -> dict[tuple[str, str], float]:
    """Return the wall-clock seconds of each finished job by rule and name, the longest first.

    Each file of a job has its own record, which ends at the file's date; the job ends with the last of them.
    """
    spans = defaultdict(list)
    for path in filter(Path.is_file, records.rglob("*")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except json.JSONDecodeError:  # Snakemake, still running, is writing this record
            continue
        if record["endtime"] and record["log"]:
            name = record["log"][0].removeprefix("logs/").removesuffix(".log")
            spans[stage_of(record["rule"]), name].append((record["starttime"], record["endtime"]))
    found = {job: max(0.0, max(end for _, end in span) - max(span)[0]) for job, span in spans.items()}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def main() -> None:
    """Print the seconds of all jobs of the run in this directory."""
    jobs = seconds(RECORDS)
    if not jobs:
        sys.exit(f"{RECORDS} has no record of a finished job; run the workflow in this directory first")
    sums: defaultdict[str, float] = defaultdict(float)
    for (rule, _), value in jobs.items():
        sums[rule] += value
    print(f"{sum(sums.values()):9.1f} s  all jobs, one after the other: {sum(sums.values()) / 3600:.1f} h on one core")
    for rule, value in sorted(sums.items(), key=lambda item: -item[1]):
        print(f"{value:9.1f} s  all jobs of {rule}")
    for (rule, name), value in jobs.items():
        print(f"{value:9.1f} s  {rule}: {name}")


if __name__ == "__main__":
    main()

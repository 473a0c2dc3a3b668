"""How long the workflow takes on more cores, by list scheduling of the jobs of a finished run.

`PYTHONPATH=src:workflow python benchmarks/schedule.py [RECORDS]` prints the table of docs/benchmarks.md. Seconds and
dependencies come from Snakemake's own records, so the run must have made everything itself: a job whose files came from
a cache counts 0.

Whenever a core is free, the job that is ready and heads the longest chain starts on it. Snakemake chooses by priority
and takes time of its own, so a real run is slower.
"""

from __future__ import annotations

import argparse
import base64
import heapq
import json
from collections import defaultdict
from collections.abc import Mapping
from graphlib import TopologicalSorter
from pathlib import Path

from tabulate import tabulate

from replication.times import seconds, stage_of

Job = tuple[str, str]
CORES = (1, 2, 4, 8, 16, 64)


def dependencies(records: Path) -> dict[Job, set[Job]]:
    """Return the jobs whose files each finished job reads; jobs are named as in `replication.times`."""
    makers: dict[str, Job] = {}
    reads: defaultdict[Job, set[str]] = defaultdict(set)
    for path in filter(Path.is_file, records.rglob("*")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["endtime"] and record["log"]:
            job = stage_of(record["rule"]), record["log"][0].removeprefix("logs/").removesuffix(".log")
            coded = path.relative_to(records).as_posix().replace("/", "").replace("@", "")
            makers[base64.urlsafe_b64decode(coded).decode()] = job
            reads[job].update(record["input"])
    return {job: {makers[file] for file in files if file in makers} for job, files in reads.items()}


def chains(took: Mapping[Job, float], needs: Mapping[Job, set[Job]]) -> dict[Job, float]:
    """Return the seconds of the longest chain of jobs that begins with each job."""
    after = dict.fromkeys(took, 0.0)
    for job in reversed([*TopologicalSorter(needs).static_order()]):
        for needed in needs[job]:
            after[needed] = max(after[needed], took[job] + after[job])
    return {job: took[job] + after[job] for job in took}


def makespan(took: Mapping[Job, float], needs: Mapping[Job, set[Job]], cores: int) -> float:
    """Return the seconds from the start of the first job to the end of the last on so many cores."""
    urgency, now = chains(took, needs), 0.0
    waiting, done = set(took), set[Job]()
    running: list[tuple[float, Job]] = []
    while waiting or running:
        ready = sorted((job for job in waiting if needs[job] <= done), key=lambda job: (-urgency[job], job))
        for job in ready[: cores - len(running)]:
            waiting.remove(job)
            heapq.heappush(running, (now + took[job], job))
        now, finished = heapq.heappop(running)
        done.add(finished)
    return now


def main() -> None:
    """Command line: `[RECORDS]`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path, nargs="?", default=".snakemake/metadata", help="default: %(default)s")
    records = parser.parse_args().records
    took, needs = seconds(records), dependencies(records)
    total, longest = sum(took.values()), max(chains(took, needs).values())
    print(f"{len(took)} jobs, {total:.0f} s; longest chain {longest:.1f} s, 1/{total / longest:.1f} of them\n")
    times = {cores: makespan(took, needs, cores) for cores in CORES}
    rows = [[cores, f"{time:.0f}", f"{total / time:.2f}"] for cores, time in times.items()]
    print(tabulate(rows, ["cores", "seconds", "speed-up"], tablefmt="pipe", disable_numparse=True))


if __name__ == "__main__":
    main()

"""What a run takes: time, memory of the job with most, and disk, as a CSV file for papers/corrldp.

Run by hand in a fresh clone with an empty cache, where it makes everything:
`PYTHONPATH=workflow python benchmarks/costs.py > costs.csv`.
Then put the file in the place of papers/corrldp/costs.csv. The environment is .venv; other disk is what version control
does not keep.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from replication.times import seconds

PRODUCTS = ("data", "figures", "logs", "report", "results", "tables")
CLAIM = [sys.executable, "workflow/claim.py", "jrr/fig3-jrr-lower"]
ALONE = {"figure": ["snakemake", "--cores", "all", "figures/jrr/fig3.pdf"], "claim": CLAIM, "claim_again": CLAIM}
MEGABYTE = 2**20


def megabytes(place: Path) -> float:
    """Return the disk that the files below a directory take."""
    files = [path.lstat() for path in place.resolve().rglob("*")]
    return sum(512 * file.st_blocks for file in files) / MEGABYTE


def main() -> None:
    """Run everything in the working directory, and print what it took."""
    start = time.perf_counter()
    subprocess.run(["make"], check=True, stdout=sys.stderr)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print("what,value,unit")
    print(f"time,{(time.perf_counter() - start) / 60:.1f},min")
    print(f"processor_time,{(used.ru_utime + used.ru_stime) / 60:.1f},min")
    print(f"memory,{used.ru_maxrss * 1024 / MEGABYTE:.0f},MB")  # of the largest process; Linux counts kilobytes
    print(f"environment,{megabytes(Path('.venv')):.0f},MB")
    print(f"products,{sum(megabytes(Path(name)) for name in PRODUCTS):.0f},MB")
    jobs = seconds(Path(".snakemake/metadata"))
    for paper in sorted(path.parent.name for path in Path("papers").glob("*/paper.yaml")):
        spent = sum(value for (_, name), value in jobs.items() if name.startswith(f"{paper}/"))
        print(f"{paper},{spent / 60:.1f},min on one core")
    with TemporaryDirectory() as clone:  # where nothing is made yet
        subprocess.run(["git", "clone", "--quiet", ".", clone], check=True)
        for what, command in ALONE.items():
            start = time.perf_counter()
            subprocess.run(
                command, check=True, stdout=sys.stderr, cwd=clone, env=os.environ | {"XDG_CACHE_HOME": clone}
            )
            print(f"{what},{time.perf_counter() - start:.0f},s")


if __name__ == "__main__":
    main()

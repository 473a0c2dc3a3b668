"""Disk that a clone takes after a whole run, in megabytes, as a CSV file for papers/corrldp.

Run by hand in a clone: `python benchmarks/costs.py > papers/corrldp/costs.csv`. The environment is .venv; everything
else is what a run makes and what version control does not keep.
"""

from __future__ import annotations

import sys
from pathlib import Path

PRODUCTS = ("data", "figures", "logs", "report", "results", "tables")
MEGABYTE = 2**20


def megabytes(place: Path) -> float:
    """Return the disk that the files below a directory take."""
    files = [path.lstat() for path in place.resolve().rglob("*")]
    return sum(512 * file.st_blocks for file in files) / MEGABYTE


def main() -> None:
    """Print the sizes in the working directory, or in that of the first argument."""
    root = Path(next(iter(sys.argv[1:]), "."))
    print("what,megabytes")
    print(f"environment,{megabytes(root / '.venv'):.0f}")
    print(f"products,{sum(megabytes(root / name) for name in PRODUCTS):.0f}")


if __name__ == "__main__":
    main()

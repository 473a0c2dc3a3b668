"""Which settings the printed numbers of each pool leave, and by how much; prints the table of docs/benchmarks.md.

Run by hand on the verdicts of a run: `python benchmarks/pools.py report/verdicts`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tabulate import tabulate

from claimaudit.verdicts import Pool, read
from claimaudit.words.numbers import p_value


def row(paper: str, pool: Pool) -> dict[str, Any]:
    """Return a row of the table: the setting that is named, the likeliest that is rejected, and the text."""
    named, stated = pool.settings[0].fit, pool.as_stated
    rejected = [one.fit for one in pool.settings if not one.stands]
    return {
        "paper": paper,
        "exhibits": ", ".join(pool.exhibits),
        "numbers": pool.numbers,
        "competed": pool.competed,
        "stand": pool.standing,
        "departs in": ", ".join(axis.axis for axis in pool.axes if axis.departs),
        "p": p_value(named.p_value),
        "next rejected": f"{max(one.log_likelihood for one in rejected):.1f}" if rejected else "",
        "the text": f"{stated.log_likelihood:.1f}" if stated else "",
    }


def main() -> None:
    """Print a row for each pool of each paper."""
    rows = []
    for path in sorted(Path(sys.argv[1]).glob("*.json")):
        rows += [row(path.stem, pool) for pool in read(path).pools]
    print(tabulate(rows, headers="keys", tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()

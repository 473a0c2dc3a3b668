"""Which settings the printed numbers of each pool leave, and by how much; prints the table of docs/benchmarks.md.

Run by hand on the verdicts of a run: `python benchmarks/pools.py report/verdicts`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tabulate import tabulate


def behind(setting: dict[str, Any]) -> str:
    """Return a setting's log-likelihood less that of the likeliest; a number without sampling error may exclude it."""
    excluded = setting["p_value"] == 0 and setting["log_likelihood"] == 0
    return "excluded" if excluded else f"{setting['log_likelihood']:.1f}"


def row(paper: str, pool: dict[str, Any]) -> dict[str, Any]:
    """Return a row of the table: the setting that is named, the likeliest that is rejected, and the text."""
    named, stated = pool["settings"][0], pool["as_stated"]
    rejected = [one for one in pool["settings"] if not one["stands"]]
    return {
        "paper": paper,
        "exhibits": ", ".join(pool["exhibits"]),
        "numbers": pool["numbers"],
        "competed": pool["competed"],
        "stand": pool["standing"],
        "departs in": ", ".join(value["axis"] for value in pool["values"] if value["departs"]),
        "p": f"{named['p_value']:.2g}",
        "next rejected": behind(max(rejected, key=lambda one: one["log_likelihood"])) if rejected else "",
        "the text": behind(stated) if stated else "",
    }


def main() -> None:
    """Print a row for each pool of each paper."""
    rows = []
    for path in sorted(Path(sys.argv[1]).glob("*.json")):
        rows += [row(path.stem, pool) for pool in json.loads(path.read_text())["pools"]]
    print(tabulate(rows, headers="keys", tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()

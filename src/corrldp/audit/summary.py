"""All verdicts together: ``python -m corrldp.audit.summary OUT.csv OUT.json VERDICTS.json...``."""

import argparse
import json
import textwrap
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from tabulate import tabulate

from corrldp.audit.records import validated
from corrldp.audit.words import VERDICTS
from corrldp.results import to_json, write_bytes

COLUMNS = (
    *("paper", "id", "where", "kind", "table", "verdict", "reading", "words", "effect", "reason", "level"),
    *("origin", "refines", "cause", "states"),
)
WIDTHS = {"id": 26, "where": 24, "verdict": 18, "effect": 60}


def collect(paths: list[Path]) -> list[dict[str, Any]]:
    """Read the verdict records of several papers."""
    return [record for path in paths for record in json.loads(path.read_text(encoding="utf-8"))]


def scoreboard(verdicts: pd.DataFrame) -> list[str]:
    """Return one line per paper with the number of claims by verdict."""
    lines = []
    for paper, claims in verdicts.groupby("paper", sort=False):
        counts = claims["verdict"].value_counts()
        parts = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS if verdict in counts]
        lines.append(f"{paper}: {len(claims)} claims: {', '.join(parts)}")
    return lines


def terminal_table(verdicts: pd.DataFrame) -> str:
    """Lay out the verdicts for a terminal."""
    shown = verdicts.assign(effect=[_effect(record) for record in verdicts.to_dict("records")])[list(WIDTHS)]
    wrapped = [
        [textwrap.fill(record[column], width) for column, width in WIDTHS.items()]
        for record in shown.to_dict("records")
    ]
    return tabulate(
        wrapped,
        headers=["claim", "where", "verdict", "effect"],
        tablefmt="simple_grid",
        disable_numparse=True,
    )


def _effect(record: Mapping[Hashable, Any]) -> str:
    """Return the effect and, if not strict, the reading of a verdict, or the reason why there is no effect."""
    if not record["effect"]:
        return record["reason"]
    return record["effect"] if record["reading"] == "strict" else f"{record['words']}: {record['effect']}"


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m corrldp.audit.summary", description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("records", type=Path)
    parser.add_argument("verdicts", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    records = validated(collect(options.verdicts))
    verdicts = pd.DataFrame(records, columns=list(COLUMNS))
    write_bytes(options.table, verdicts.to_csv(index=False, lineterminator="\n").encode())
    write_bytes(options.records, to_json(records))
    print(terminal_table(verdicts))
    print("\n".join(scoreboard(verdicts)))


if __name__ == "__main__":
    main()

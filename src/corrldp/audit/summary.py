"""All verdicts together: ``python -m corrldp.audit.summary OUT.csv OUT.json VERDICTS.json...``."""

import argparse
import sys
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from tabulate import tabulate

from corrldp.audit.records import validated
from corrldp.audit.words import ANSWERS, UNTESTED, VERDICTS
from corrldp.checksums import read_sealed
from corrldp.results import to_json, write_bytes

Record = Mapping[str, Any]

COLUMNS = (
    *("paper", "id", "where", "origin", "weight", "counted", "kind", "table", "verdict", "why"),
    *("as_stated", "as_run", "own_numbers", "effect", "reason", "decides", "level"),
    *("cause", "refines", "follows", "states", "checked", "thresholds"),
)
BY_PAPER = ("exhibits", "pools", "meetings", "causes")
VIEWS = ("as_stated", "as_run", "own_numbers")
WIDTHS = {"id": 26, "where": 24, "verdict": 18, "effect": 60}


def collect(paths: Iterable[Path]) -> dict[str, Any]:
    """Read the verdicts of several papers: all claims, and by paper the rest."""
    together: dict[str, Any] = {"claims": [], **{kind: {} for kind in BY_PAPER}}
    for path in paths:
        content = read_sealed(path)
        together["claims"] += content["claims"]
        for kind in BY_PAPER:
            together[kind][path.stem] = content[kind]
    return together


def flat(record: Record) -> dict[str, Any]:
    """Return a record as one row, with the answers of its three views."""
    return {name: record[name]["answer"] if name in VIEWS else record[name] for name in COLUMNS}


def score(claims: Iterable[Record]) -> dict[str, dict[str, int]]:
    """Count the answers of each view, and the verdicts, over the claims that count for or against the authors.

    Misprints are counted apart, under ``slips``.
    """
    claims = list(claims)
    counted = [record for record in claims if record["counted"] and record["weight"] != "slip"]
    answers = (*ANSWERS.values(), UNTESTED)
    views = {
        view: {answer: sum(record[view]["answer"] == answer for record in counted) for answer in answers}
        for view in VIEWS
    }
    slips = [record for record in claims if record["counted"] and record["weight"] == "slip"]
    return {
        **views,
        "verdicts": {verdict: sum(record["verdict"] == verdict for record in counted) for verdict in VERDICTS},
        "slips": {verdict: sum(record["verdict"] == verdict for record in slips) for verdict in VERDICTS},
    }


def scoreboard(claims: list[Record]) -> list[str]:
    """Return one line per paper with the number of its claims by verdict."""
    lines = []
    for paper in dict.fromkeys(record["paper"] for record in claims):
        own = [record for record in claims if record["paper"] == paper]
        verdicts = score(own)["verdicts"]
        parts = [f"{count} {verdict}" for verdict, count in verdicts.items() if count]
        ours = sum(record["origin"] != "paper" for record in own)
        lines.append(f"{paper}: {sum(verdicts.values())} claims: {', '.join(parts)}; {ours} of ours and definitions")
    return lines


def terminal_table(claims: list[Record]) -> str:
    """Lay out the verdicts for a terminal."""
    wrapped = [[textwrap.fill(_shown(record, column), width) for column, width in WIDTHS.items()] for record in claims]
    return tabulate(
        wrapped, headers=["claim", "where", "verdict", "numbers"], tablefmt="simple_grid", disable_numparse=True
    )


def _shown(record: Record, column: str) -> str:
    return str(record[column] or record["reason"])


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m corrldp.audit.summary", description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("records", type=Path)
    parser.add_argument("verdicts", type=Path, nargs="+")
    options = parser.parse_args(arguments)
    try:
        content = validated(collect(options.verdicts))
    except (OSError, ValueError) as error:
        sys.exit(f"claims: {error}")
    claims = content["claims"]
    table = pd.DataFrame([flat(record) for record in claims], columns=list(COLUMNS))
    write_bytes(options.table, table.to_csv(index=False, lineterminator="\n").encode())
    write_bytes(options.records, to_json(content))
    print(terminal_table(claims))
    print("\n".join(scoreboard(claims)))


if __name__ == "__main__":
    main()

"""Command line of the report: verdicts, figures, tables and records in, one self-contained HTML page out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from corrldp.report import inputs, page
from corrldp.results import write_bytes

HEAVY = 15_000_000  # bytes; above it a phone takes too long to open the page


def main(argv: Sequence[str] | None = None) -> None:
    """Write the report, or end with one line that says what is missing or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("setting", type=json.loads, help='JSON: {"seed", "level", "papers", "versions"}')
    for option, what in (
        ("--verdicts", "verdict records, {paper}.json"),
        ("--figures", "drawings, {paper}/{figure}.svg"),
        ("--figure-tables", "the numbers drawn, {paper}/{figure}.csv"),
        ("--tables", "tables, {paper}/{table}.csv"),
        ("--tables-markdown", "the same tables formatted, {paper}/{table}.md"),
        ("--data", "records of the data sets, JSON"),
        ("--records", "records of the experiments, {paper}/{experiment}.json"),
    ):
        parser.add_argument(option, type=Path, nargs="*", default=[], help=what)
    parser.add_argument("--output", type=Path, required=True, help="the HTML page to write")
    arguments = vars(parser.parse_args(argv))
    setting, output = arguments.pop("setting"), arguments.pop("output")
    try:
        contents = inputs.read(setting, inputs.Inputs(**arguments))
        html = page.render(page.context(setting, contents)).encode()
    except ValueError as error:
        sys.exit(f"report: {error}")
    if len(html) > HEAVY:
        print(f"report: {len(html) / 1e6:.1f} MB, above {HEAVY / 1e6:.0f} MB; simplify figures", file=sys.stderr)
    write_bytes(output, html)
    print(f"report: {output}, {len(html) / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()

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
    parser.add_argument("output", type=Path, help="the HTML page to write")
    parser.add_argument("files", type=Path, nargs="+", help="all that the page shows, told apart by their places")
    arguments = parser.parse_args(argv)
    try:
        contents = inputs.read(arguments.setting, inputs.sort(arguments.files))
        html = page.render(page.context(arguments.setting, contents)).encode()
    except ValueError as error:
        sys.exit(f"report: {error}")
    if len(html) > HEAVY:
        print(f"report: {len(html) / 1e6:.1f} MB, above {HEAVY / 1e6:.0f} MB; simplify figures", file=sys.stderr)
    write_bytes(arguments.output, html)
    print(f"report: {arguments.output}, {len(html) / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()

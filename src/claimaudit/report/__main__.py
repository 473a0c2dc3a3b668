"""Command line of the report: verdicts, figures, tables and records as HTML pages and as one PDF file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from claimaudit.report.files import document_of, render
from claimaudit.results import write_bytes

HEAVY = 15_000_000  # bytes; a phone takes too long to open a larger page


def main(argv: Sequence[str] | None = None) -> None:
    """Write the report: `SETTING_JSON DIRECTORY/index.html FILES...`, with the other pages and the PDF beside it.

    If a file is missing or wrong, exit with a one-line message and write nothing.
    """
    parser = argparse.ArgumentParser(prog="python -m claimaudit.report", description=__doc__)
    parser.add_argument(
        "setting",
        type=json.loads,
        help="JSON: seed, family_level, runs_factor, versions, notebooks, shipped, source, datasets, views",
    )
    parser.add_argument("start", type=Path, help="the start page; the other pages and report.pdf go beside it")
    parser.add_argument("files", type=Path, nargs="+", help="all files that the report shows, sorted by directory")
    arguments = parser.parse_args(argv)
    try:
        contents = render(document_of(arguments.setting, arguments.files))
    except ValueError as error:
        sys.exit(f"report: {error}")
    for name, content in contents.items():
        path = arguments.start.parent / name
        write_bytes(path, content)
        heavy = f", above {HEAVY / 1e6:.0f} MB; simplify figures" if len(content) > HEAVY else ""
        print(f"report: {path}, {len(content) / 1e6:.1f} MB{heavy}", file=sys.stderr)


if __name__ == "__main__":
    main()

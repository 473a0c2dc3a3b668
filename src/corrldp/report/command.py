"""The command line that all renderings of the report share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from corrldp.checksums import read_sealed
from corrldp.report import inputs
from corrldp.report.document import Document, assemble
from corrldp.results import write_bytes

HEAVY = 15_000_000  # bytes; a phone takes too long to open a larger report


Rendering = bytes | dict[str, bytes]
"""A file, or files by name that lie in one directory."""


def run(description: str, render: Callable[[Document], Rendering], argv: Sequence[str] | None) -> None:
    """Write the report: `SETTING_JSON OUT FILES...`; exit with a one-line message if something is missing or wrong.

    If it is several files, they are written beside `OUT`.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "setting",
        type=json.loads,
        help='JSON: {"seed", "family_level", "runs_factor", "versions", "notebooks", "source", "addresses", "views"}',
    )
    parser.add_argument("output", type=Path, help="the file to write")
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        help="all files that the report shows, sorted by directory",
    )
    arguments = parser.parse_args(argv)
    try:
        files = inputs.sort(arguments.files)
        setting = {**arguments.setting, "papers": {path.stem: read_sealed(path) for path in files.papers}}
        contents = inputs.read(setting, files)
        content = render(assemble(setting, contents))
    except ValueError as error:
        sys.exit(f"report: {error}")
    files_of = content if isinstance(content, dict) else {arguments.output.name: content}
    for name, page in files_of.items():
        path = arguments.output.parent / name
        write_bytes(path, page)
        heavy = f", above {HEAVY / 1e6:.0f} MB; simplify figures" if len(page) > HEAVY else ""
        print(f"report: {path}, {len(page) / 1e6:.1f} MB{heavy}", file=sys.stderr)

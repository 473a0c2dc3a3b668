"""Command line of the report: verdicts, figures, tables and records in, one self-contained HTML page out."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from corrldp.report import inputs, page
from corrldp.results import write_bytes

HEAVY = 15_000_000  # bytes; above it a phone takes too long to open the page


def main(argv: Sequence[str] | None = None) -> None:
    """Write the report, or end with one line that says what is missing or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("setting", type=json.loads, help='JSON: {"seed", "level", "versions", "runs_factor"}')
    parser.add_argument("output", type=Path, help="the HTML page to write")
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        help="all that the page shows, told apart by their places, and config/papers/*.yaml",
    )
    arguments = parser.parse_args(argv)
    papers = {path.stem: path for path in arguments.files if path.suffix == ".yaml"}
    setting = {**arguments.setting, "papers": {name: _load(path) for name, path in papers.items()}}
    try:
        contents = inputs.read(setting, inputs.sort(path for path in arguments.files if path.suffix != ".yaml"))
        html = page.render(page.context(setting, contents)).encode()
    except ValueError as error:
        sys.exit(f"report: {error}")
    if len(html) > HEAVY:
        print(f"report: {len(html) / 1e6:.1f} MB, above {HEAVY / 1e6:.0f} MB; simplify figures", file=sys.stderr)
    write_bytes(arguments.output, html)
    print(f"report: {arguments.output}, {len(html) / 1e6:.1f} MB", file=sys.stderr)


def _load(path: Path) -> dict[str, Any]:
    """Read the configuration of one paper, config/papers/ID.yaml."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()

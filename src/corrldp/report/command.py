"""The command line that all renderings of the report share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml

from corrldp.report import inputs
from corrldp.report.document import Document, assemble
from corrldp.results import write_bytes

HEAVY = 15_000_000  # bytes; above it a phone takes too long to open the report


def run(description: str, render: Callable[[Document], bytes], argv: Sequence[str] | None) -> None:
    """Write the report: `SETTING_JSON OUT FILES...`; or end with one line that says what is missing or wrong."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "setting", type=json.loads, help='JSON: {"seed", "family_level", "runs_factor", "versions", "notebooks"}'
    )
    parser.add_argument("output", type=Path, help="the file to write")
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        help="all that the report shows, told apart by their places, and config/papers/*.yaml",
    )
    arguments = parser.parse_args(argv)
    papers = {path.stem: path for path in arguments.files if path.suffix == ".yaml"}
    setting = {**arguments.setting, "papers": {name: _load(path) for name, path in papers.items()}}
    try:
        contents = inputs.read(setting, inputs.sort(path for path in arguments.files if path.suffix != ".yaml"))
        content = render(assemble(setting, contents))
    except ValueError as error:
        sys.exit(f"report: {error}")
    size = f"{len(content) / 1e6:.1f} MB"
    if len(content) > HEAVY:
        print(f"report: {size}, above {HEAVY / 1e6:.0f} MB; simplify figures", file=sys.stderr)
    write_bytes(arguments.output, content)
    print(f"report: {arguments.output}, {size}", file=sys.stderr)


def _load(path: Path) -> dict[str, Any]:
    """Read the configuration of one paper, config/papers/ID.yaml."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))

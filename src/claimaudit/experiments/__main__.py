"""Run experiments from the command line: ``python -m claimaudit.experiments run|part|join SETTING ...``.

SETTING is the whole experiment as one JSON string, as `claimaudit.papers` makes it.
``run SETTING TABLE RECORD VIEWS...`` makes the result table in one piece; ``part SETTING I M ROWS VIEWS...`` computes
share I of M (from 0), and ``join SETTING TABLE RECORD ROWS...`` makes the same table from all shares.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from claimaudit import results
from claimaudit.checksums import read_sealed, sealed
from claimaudit.experiments.engine import Experiment, Part, join, run
from claimaudit.experiments.given import make, table_of
from claimaudit.experiments.runner import Runner
from claimaudit.fingerprint import numeric_versions


def write_part(part: Part, standins: list[str], path: Path) -> None:
    """Write the rows of a part; numbers keep all their digits."""
    content = json.loads(json.dumps({"rows": part.rows, "read": part.read, "standin": standins}, default=_plain))
    results.write_bytes(path, json.dumps(sealed(content)).encode())


def read_part(path: Path) -> tuple[Part, list[str]]:
    """Read a part, verified by its checksum, and the names of its views that are stand-ins."""
    content = read_sealed(path)
    return Part(content["rows"], content["read"]), content["standin"]


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m claimaudit.experiments", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("run", "join"):
        command = commands.add_parser(name)
        command.add_argument("setting", type=json.loads)
        command.add_argument("table", type=Path, help="result table to write (CSV)")
        command.add_argument("record", type=Path, help="record of the table to write (JSON)")
        command.add_argument("inputs", type=Path, nargs="*", help="CODES.npy DOMAIN.json of each view, or parts")
    command = commands.add_parser("part")
    command.add_argument("setting", type=json.loads)
    command.add_argument("part", type=int)
    command.add_argument("parts", type=int)
    command.add_argument("rows", type=Path, help="rows to write (JSON)")
    command.add_argument("inputs", type=Path, nargs="*", help="CODES.npy DOMAIN.json of each view")
    command = commands.add_parser("given")
    command.add_argument("setting", type=json.loads)
    command.add_argument("table", type=Path, help="result table to write (CSV)")
    command.add_argument("record", type=Path, help="record of the table to write (JSON)")
    command.add_argument("file", type=Path, help="the results as they are given (CSV)")
    command = commands.add_parser("command")
    command.add_argument("setting", type=json.loads)
    command.add_argument("file", type=Path, help="the results that the command writes (CSV)")
    options = parser.parse_args(arguments)
    setting = options.setting
    try:
        _run(options, setting)
    except ValueError as error:
        sys.exit(f"{setting['paper']}, experiment {setting['experiment']}: {error}")


def _run(options: argparse.Namespace, setting: dict[str, Any]) -> None:
    if options.command == "command":
        make(setting["command"], Path(setting["directory"]), options.file)
        return
    if options.command == "given":
        table, record = table_of(setting, options.file)
        results.write(table, options.table, options.record, record | {"versions": numeric_versions()})
        return
    if options.command == "join":
        experiment = Experiment.load(setting, {})
        found = [read_part(path) for path in options.inputs]
        parts = [part for part, _ in found]
        standins = sorted({name for _, names in found for name in names})
    else:
        read = Runner.load(setting["runner"]).backend.read
        views = {path.stem: read(path) for path in options.inputs if path.suffix == ".npy"}
        experiment = Experiment.load(setting, views)
        standins = sorted(name for name, view in views.items() if view.standin)
        if options.command == "part":
            write_part(run(experiment, options.part, options.parts), standins, options.rows)
            return
        parts = [run(experiment)]
    record = {**setting, "versions": numeric_versions(), "standin": standins}
    results.write(join(experiment, parts), options.table, options.record, record)


def _plain(number: np.generic) -> object:
    return number.item()


if __name__ == "__main__":
    main()

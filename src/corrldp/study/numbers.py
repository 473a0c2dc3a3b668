"""Command line of the analysis: write all tables of a study."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from corrldp.study import output, words
from corrldp.study.reading import load
from corrldp.study.settings import parse
from corrldp.study.study import Study


def main(argv: Sequence[str] | None = None) -> None:
    """Command line: `SETTINGS_JSON TABLE.npy DIRECTORY`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("settings", type=json.loads, help="JSON: what config/study.yaml may contain")
    parser.add_argument("codes", type=Path, help="what corrldp.study.reading wrote")
    parser.add_argument("directory", type=Path, help="where the tables go")
    arguments = parser.parse_args(argv)
    try:
        study = Study(load(arguments.codes), parse(arguments.settings))
        output.write_tables(study.tables(), study.about(), arguments.directory)
        words.tell("study", [*study.warnings(), *study.gaps()])
    except ValueError as error:
        sys.exit(f"study: {error}")


if __name__ == "__main__":
    main()

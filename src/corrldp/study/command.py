"""The command `corrldp study`: a study of a file, without a workflow."""

from __future__ import annotations

import argparse
from pathlib import Path

from claimaudit.names import ConfigurationError
from corrldp.study import words
from corrldp.study.settings import Settings, load
from corrldp.study.study import Study

OUT = Path("study")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the file, its settings and where the study goes."""
    parser.add_argument("file", type=Path, nargs="?", help="the table: CSV or Parquet; else `file` in the settings")
    parser.add_argument(
        "--domains",
        "--settings",
        dest="settings",
        type=Path,
        metavar="FILE",
        help="YAML with the columns' public domains and all other settings, as config/study.yaml",
    )
    parser.add_argument("--out", type=Path, default=OUT, metavar="DIR", help=f"where the page goes (default: {OUT})")


def run(arguments: argparse.Namespace) -> int:
    """Read the file, write the study, and say where the page is."""
    settings = load(arguments.settings) if arguments.settings else Settings()
    file = arguments.file or (Path(settings.file) if settings.file else None)
    if file is None:
        raise ConfigurationError("name the table: corrldp study my.csv, or write file: my.csv into the settings")
    study = Study(file, settings)
    words.tell("corrldp study", study.warnings())
    page = study.write(arguments.out)
    words.tell("corrldp study", study.gaps())
    print(f"The study is {page}; it is computed from the records and not private")
    return 0

"""Resolve a paper: ``python -m claimaudit.papers FOLDER OUT.json``."""

import argparse
import sys
from pathlib import Path

from claimaudit.papers.folder import Folder
from claimaudit.papers.validation import load
from claimaudit.results import write_sealed


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m claimaudit.papers", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args(arguments)
    try:
        write_sealed(options.out, load(Folder(options.folder.resolve(), str(options.folder))).resolved())
    except (OSError, ValueError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

"""Resolve a paper: ``python -m corrldp.papers PAPER.yaml OUT.json``."""

import argparse
import sys
from pathlib import Path

from corrldp.papers.checks import load
from corrldp.results import write_sealed


def main(arguments: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(prog="python -m corrldp.papers", description=__doc__)
    parser.add_argument("paper", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args(arguments)
    try:
        write_sealed(options.out, load(options.paper).resolved())
    except (OSError, ValueError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

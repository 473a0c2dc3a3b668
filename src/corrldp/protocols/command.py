"""The command `corrldp protocols`: what there is, as a table."""

import argparse

from corrldp.protocols.names import parse
from corrldp.protocols.registry import BUILDERS, ORACLES_OF, protocols


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option that prints every name on a line of its own."""
    parser.add_argument("--names", action="store_true", help="print every name, oracles in brackets, one a line")


def run(arguments: argparse.Namespace) -> int:
    """Print the protocols."""
    if arguments.names:
        print("\n".join(protocols()))
        return 0
    known = [*BUILDERS, *(name for name in protocols() if parse(name).base not in BUILDERS)]
    width = max(map(len, known))
    for name in known:
        print(f"{name:{width}}  {', '.join(ORACLES_OF.get(name, ()))}".rstrip())
    return 0

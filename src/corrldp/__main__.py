"""The command `corrldp`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import corrldp
from corrldp.extras import MissingExtraError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit status; a mistake of the user's is one line."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(prog="corrldp", description=corrldp.__doc__.splitlines()[0])
    parser.add_argument("--version", action="version", version=f"corrldp {corrldp.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    try:
        for name, (summary, add) in COMMANDS.items():
            command = commands.add_parser(name, help=summary, description=summary)
            if name in arguments[:1]:
                add(command)
        parsed = parser.parse_args(arguments)
        return int(parsed.run(parsed))
    except (ValueError, OSError, MissingExtraError) as error:
        print(f"corrldp {arguments[0]}: {error}", file=sys.stderr)
        return 2


def add_protocols(parser: argparse.ArgumentParser) -> None:
    """Add the option that prints every name on a line of its own."""
    parser.add_argument("--names", action="store_true", help="print every name, oracles in brackets, one a line")
    parser.set_defaults(run=print_protocols)


def print_protocols(arguments: argparse.Namespace) -> int:
    """Print the protocols, each with its oracles."""
    from corrldp.protocols.names import offered
    from corrldp.protocols.registry import PROTOCOLS, list_protocols

    if arguments.names:
        print("\n".join(list_protocols()))
        return 0
    known = {name: kind.oracles for name, kind in PROTOCOLS.items()} | dict.fromkeys(sorted(offered()), ())
    width = max(map(len, known))
    for name, oracles in known.items():
        print(f"{name:{width}}  {', '.join(oracles)}".rstrip())
    return 0


def add_study(parser: argparse.ArgumentParser) -> None:
    """Add the options of a study, which needs an extra."""
    from corrldp.study import command

    command.add_arguments(parser)
    parser.set_defaults(run=command.run)


COMMANDS = {
    "protocols": ("list the protocols and their oracles", add_protocols),
    "study": ("study a table: which protocol, how large an error, what leaks", add_study),
}
"""Subcommands: what `corrldp --help` says, and what adds the options and the function `run` to a parser."""


if __name__ == "__main__":
    sys.exit(main())

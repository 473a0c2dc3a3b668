"""The command `corrldp`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

import corrldp
from corrldp.extras import MissingExtraError

COMMANDS = {
    "plan": ("plan a collection: error, users or budget from the other two", "corrldp.deployment.plan_command"),
    "protocols": ("list the protocols and their oracles", "corrldp.protocols.command"),
    "study": ("study a table: which protocol, how large an error, what leaks", "corrldp.study.command"),
}
"""Subcommands: what `corrldp --help` says, and the module whose `add_arguments(parser)` and `run(arguments)` do it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit status; a mistake of the user's is one line."""
    arguments = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(prog="corrldp", description=corrldp.__doc__.splitlines()[0])
    parser.add_argument("--version", action="version", version=f"corrldp {corrldp.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    try:
        for name, (summary, home) in COMMANDS.items():
            command = commands.add_parser(name, help=summary, description=summary)
            if name in arguments[:1]:
                module = import_module(home)
                module.add_arguments(command)
                command.set_defaults(run=module.run)
        parsed = parser.parse_args(arguments)
        return int(parsed.run(parsed))
    except (ValueError, OSError, MissingExtraError) as error:
        print(f"corrldp {arguments[0]}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

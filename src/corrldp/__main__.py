"""The command `corrldp`."""

import argparse
import gc
import os
import pkgutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import corrldp
from corrldp.extras import MissingExtraError

COLLECT = "corrldp.deployment.collect"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand and return its exit status; a mistake of the user's is one line."""
    gc.set_threshold(100_000)  # a block of reports is many objects, in which to look for cycles takes long
    status = 0
    try:
        try:
            status = _run(sys.argv[1:] if arguments is None else arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the next command of a pipeline has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _run(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="corrldp", description=corrldp.__doc__.splitlines()[0])
    parser.add_argument("--version", action="version", version=f"corrldp {corrldp.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    try:
        for name, (summary, add) in COMMANDS.items():
            command = commands.add_parser(name, help=summary, description=summary)
            if name in arguments[:1]:
                (pkgutil.resolve_name(add) if isinstance(add, str) else add)(command)
                parsed = command.parse_intermixed_args(arguments[1:])  # files may stand behind options
                break
        else:
            parsed = parser.parse_args(arguments)
        return int(parsed.run(parsed))
    except BrokenPipeError:
        raise
    except (ValueError, OSError, MissingExtraError) as error:
        print(f"corrldp {arguments[0]}: {error}", file=sys.stderr)
        return 2


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


def run_plan(arguments: argparse.Namespace) -> int:
    """Print the plan, and write its page, which needs an extra."""
    from corrldp.deployment import plan_command

    found = plan_command.planned(arguments)
    plan_command.show(found, arguments)
    if arguments.out is not None:
        from corrldp.study import collecting

        collecting.write_plan(found, arguments.out)
    return 0


def add_protocols(parser: argparse.ArgumentParser) -> None:
    """Add the options of `corrldp protocols`."""
    parser.add_argument("--names", action="store_true", help="print every name, oracles in brackets, one a line")
    parser.set_defaults(run=print_protocols)


def add_plan(parser: argparse.ArgumentParser) -> None:
    """Add the options of `corrldp plan`."""
    from corrldp.deployment import plan_command

    plan_command.add_arguments(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the plan as a page, such as plan.html")
    parser.set_defaults(run=run_plan)


COMMANDS: dict[str, tuple[str, str | Callable[[argparse.ArgumentParser], None]]] = {
    "plan": ("plan a collection: error, users or budget from the other two", add_plan),
    "protocols": ("list the protocols and their oracles", add_protocols),
    "collection": ("start a collection: a protocol with an id, whose reports are counted once", f"{COLLECT}:add_start"),
    "report": ("print reports on records, as devices send them", f"{COLLECT}:add_report"),
    "javascript": ("print the client for browsers and Node.js, a file without dependencies", f"{COLLECT}:add_client"),
    "aggregate": ("add reports up, in several places if need be, and estimate", f"{COLLECT}:add_aggregate"),
    "estimate": ("estimate from what `aggregate` has kept", f"{COLLECT}:add_estimate"),
    "study": ("study a table: which protocol, how large an error, what leaks", "corrldp.study.command:add_arguments"),
}
"""Subcommands: what `corrldp --help` says of them, and what adds their options and the function `run`.

What is named is imported for its own subcommand only.
"""


if __name__ == "__main__":
    sys.exit(main())

"""The command ``claimaudit``: judge the claims of a paper.

Exit status: 0 if every claim holds or is undecided, 1 if some claim does not hold, 2 if the input has a mistake.
"""

import argparse
import os
import sys
from pathlib import Path

from claimaudit import __version__
from claimaudit.names import ConfigurationError


def _column(text: str) -> tuple[str, str]:
    role, equals, name = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not ROLE=COLUMN, such as mean=seconds")
    return role, name


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(prog="claimaudit", description=__doc__)
    made.add_argument("--version", action="version", version=f"claimaudit {__version__}")
    commands = made.add_subparsers(required=True, metavar="COMMAND", dest="command")

    def command(name: str, words: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=words, description=words)

    command("init", "make a commented folder that runs").add_argument("folder")
    check = command("check", "say what is wrong with a folder, one line a mistake")
    check.add_argument("folder")
    check.add_argument("--run", action="store_true", help="run the paper's commands, and check what they write as well")
    run = command("run", "judge a folder: verdicts, page, certificate, CSV and JSON")
    run.add_argument("folder")
    run.add_argument("--out", type=Path, default=Path("audit"), help="directory to write (default: %(default)s)")
    run.add_argument("--seed", type=int, default=1, help="seed of the paper's runners (default: %(default)s)")
    words = "runs of the paper's runners, relative to the paper's number (default: %(default)s)"
    run.add_argument("--runs-factor", type=float, default=1.0, help=words)
    judge = command("judge", "judge a few claims by one CSV file, and nothing else")
    judge.add_argument("claims", type=Path, help="claims (YAML)")
    judge.add_argument("results", type=Path, help="results (CSV)")
    judge.add_argument("--published", type=Path, action="append", default=[], help="printed numbers (CSV)")
    words = "what a column of the results is: mechanism, metric, mean, se, runs, run or settings (A,B for several)"
    judge.add_argument("--column", type=_column, action="append", default=[], metavar="ROLE=NAME", help=words)
    judge.add_argument("--exact", action="store_true", help="the results are exact: no standard errors, no runs")
    return made


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parser().parse_args(arguments)
    from claimaudit.tool import COMMANDS, MISTAKE  # all that audits takes a second to import

    try:
        found, said = COMMANDS[options.command](options)
    except (ConfigurationError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return MISTAKE
    try:
        print(said, flush=True)
    except BrokenPipeError:  # the next command of a pipeline has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return found


if __name__ == "__main__":
    sys.exit(main())

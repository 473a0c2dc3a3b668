"""The command ``claimaudit``: judge the claims of a paper.

Exit status: 0 if every claim holds or is undecided, 1 if some claim does not hold, 2 if the input has a mistake.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from claimaudit import __version__
from claimaudit.names import ConfigurationError
from claimaudit.tool import outcome

Command = Callable[[argparse.Namespace], int]


def _init(options: argparse.Namespace) -> int:
    from claimaudit.tool.init import init

    init(options.folder)
    print(f"{options.folder} is a paper's folder that runs: claimaudit run {options.folder}")
    return outcome.HOLDS


def _check(options: argparse.Namespace) -> int:
    from claimaudit.tool.folder import folder_of, read

    read(folder_of(options.folder))
    print(f"{options.folder}: no mistake found")
    return outcome.HOLDS


def _run(options: argparse.Namespace) -> int:
    from claimaudit.tool.folder import folder_of
    from claimaudit.tool.run import Options, audit

    folder = folder_of(options.folder)
    verdicts = audit(folder, options.out, Options(options.seed, options.runs_factor))
    print(outcome.text(folder.id, verdicts))
    report = options.out / "report"
    print(f"Page: {report / folder.id}.html, certificate: {report / f'certificate_{folder.id}.pdf'}")
    return outcome.status(verdicts)


def _judge(options: argparse.Namespace) -> int:
    from claimaudit.tool.judge import judge

    verdicts = judge(options.claims, options.results, options.published, dict(options.column), options.exact)
    print(outcome.text(options.claims.stem, verdicts))
    return outcome.status(verdicts)


def _column(text: str) -> tuple[str, str]:
    role, equals, name = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not ROLE=COLUMN, such as mean=seconds")
    return role, name


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(prog="claimaudit", description=__doc__)
    made.add_argument("--version", action="version", version=f"claimaudit {__version__}")
    commands = made.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, function: Command, words: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=words, description=words)
        found.set_defaults(function=function)
        return found

    command("init", _init, "make a commented folder that runs").add_argument("folder")
    command("check", _check, "say what is wrong with a folder, one line a mistake").add_argument("folder")
    run = command("run", _run, "judge a folder: verdicts, page, certificate, CSV and JSON")
    run.add_argument("folder")
    run.add_argument("--out", type=Path, default=Path("audit"), help="directory to write (default: %(default)s)")
    run.add_argument("--seed", type=int, default=1, help="seed of the paper's runners (default: %(default)s)")
    words = "runs of the paper's runners, relative to the paper's number (default: %(default)s)"
    run.add_argument("--runs-factor", type=float, default=1.0, help=words)
    judge = command("judge", _judge, "judge a few claims by one CSV file, and nothing else")
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
    try:
        found: int = options.function(options)
    except (ConfigurationError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return outcome.MISTAKE
    return found


if __name__ == "__main__":
    sys.exit(main())

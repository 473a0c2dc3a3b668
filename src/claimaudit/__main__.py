"""The command ``claimaudit``: judge the claims of a paper.

Exit status: 0 if every claim holds or is undecided, 1 if some claim does not hold, 2 if the input has a mistake.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from claimaudit import __version__
from claimaudit.audit.summary import scoreboard
from claimaudit.names import ConfigurationError
from claimaudit.verdicts import FALLS, UNDECIDED, Verdicts
from claimaudit.words import verdicts as words
from claimaudit.words.findings import DISPUTED

HOLDS, FAILS, MISTAKE = 0, 1, 2
"""Exit statuses: all claims hold or are undecided; some claim does not hold; the input has a mistake."""

Command = Callable[[argparse.Namespace], tuple[int, str]]  # from options to the exit status and what is printed


def _init(options: argparse.Namespace) -> tuple[int, str]:
    from claimaudit.tool import init

    init(options.folder)
    return HOLDS, f"{options.folder} is a paper's folder that runs: claimaudit run {options.folder}"


def _check(options: argparse.Namespace) -> tuple[int, str]:
    from claimaudit.stages import Options
    from claimaudit.tool import folder_of, made, planned, read

    folder = folder_of(options.folder)
    paper = read(folder)
    unseen = [name for name, entry in paper.entry.experiments.items() if entry.command is not None]
    if unseen and not options.run:
        return HOLDS, (
            f"{options.folder}: no mistake found, but claims, exhibits and printed numbers were not compared with the "
            f"mechanisms, metrics, columns and values of {', '.join(unseen)}, which a command makes; --run runs it"
        )
    with tempfile.TemporaryDirectory() as out:
        read(folder, made(planned(paper, Path(out), Options())))
    return HOLDS, f"{options.folder}: no mistake found"


def _run(options: argparse.Namespace) -> tuple[int, str]:
    from claimaudit.stages import Options
    from claimaudit.tool import audit, folder_of

    folder = folder_of(options.folder)
    verdicts = audit(folder, options.out, Options(options.seed, options.runs_factor))
    report = options.out / "report"
    where = f"Page: {report / folder.id}.html, certificate: {report / f'certificate_{folder.id}.pdf'}"
    return status(verdicts), f"{text(folder.id, verdicts)}\n{where}"


def _judge(options: argparse.Namespace) -> tuple[int, str]:
    from claimaudit.tool import judge

    verdicts = judge(options.claims, options.results, options.published, dict(options.column), options.exact)
    return status(verdicts), text(options.claims.stem, verdicts)


def _column(text: str) -> tuple[str, str]:
    role, equals, name = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not ROLE=COLUMN, such as mean=seconds")
    return role, name


def status(verdicts: Verdicts) -> int:
    """Return the exit status of an audit."""
    return FAILS if any(claim.counted and claim.verdict in FALLS for claim in verdicts.claims) else HOLDS


def text(paper: str, verdicts: Verdicts) -> str:
    """Return the score, and a line for each claim that does not hold or is undecided."""
    shown = [claim for claim in verdicts.claims if claim.counted and claim.verdict in (*FALLS, UNDECIDED)]
    shown.sort(key=lambda claim: claim.verdict == UNDECIDED)
    lines = [
        f"  {words.VERDICTS[claim.verdict].symbol} {claim.id} ({claim.place}): {claim.verdict}"
        f"{f' ({DISPUTED})' if verdicts.disputed(claim.id) else ''}: "
        f"{words.effect(claim) or words.reason(claim, verdicts.names)}"
        + (f"; {words.why_open(claim)}" if claim.why else "")
        for claim in shown
    ]
    return "\n".join([*scoreboard({paper: verdicts}), *lines])


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
    check = command("check", _check, "say what is wrong with a folder, one line a mistake")
    check.add_argument("folder")
    check.add_argument("--run", action="store_true", help="run the paper's commands, and check what they write as well")
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
        found, said = options.function(options)
    except (ConfigurationError, ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return MISTAKE
    try:
        print(said, flush=True)
    except BrokenPipeError:  # the next command of a pipeline has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return int(found)


if __name__ == "__main__":
    sys.exit(main())

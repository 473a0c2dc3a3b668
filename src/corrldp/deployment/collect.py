"""The commands of a collection: `corrldp report` on devices, `corrldp aggregate` and `corrldp estimate` on servers.

They read line by line, so that memory does not grow with the number of reports, and trust nothing that they read.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

from corrldp.arrays import in_short
from corrldp.collection import Aggregator, Client
from corrldp.deployment.envelopes import Collection, Seen, State
from corrldp.mechanisms.coding import Report
from corrldp.protocols.postprocess import METHODS
from corrldp.protocols.registry import protocol_from_json
from corrldp.randomness import deployment_rng

STDIN = "-"
LONGEST_LINE, LARGEST_STATE = 2**20, 2**30
LINES = 10_000
"""Reports that are in memory at a time."""

HEADER = "attribute,value,frequency,standard_error,low,high"

Line = tuple[int, bytes]
T = TypeVar("T")


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the options of `corrldp report`."""
    parser.add_argument("protocol", type=Path, help="the protocol, as its to_json() wrote it")
    parser.add_argument(
        "records", nargs="?", default=STDIN, help="CSV, the codes of one user on each line (default: -)"
    )
    parser.add_argument("--header", action="store_true", help="the first line has the names of the columns")
    parser.set_defaults(run=run_report)


def add_start(parser: argparse.ArgumentParser) -> None:
    """Add the options of `corrldp collection`."""
    parser.add_argument("protocol", type=Path, help="the protocol, as its to_json() wrote it")
    parser.set_defaults(run=run_start)


def add_aggregate(parser: argparse.ArgumentParser) -> None:
    """Add the options of `corrldp aggregate`."""
    parser.add_argument("protocol", type=Path, help="the protocol or the collection")
    parser.add_argument("files", nargs="+", help="reports, one on each line, and states; - is standard input")
    parser.add_argument("--state", type=Path, metavar="FILE", help="write the counts there")
    parser.add_argument("--skip", action="store_true", help="leave out reports that are refused, and count them")
    parser.add_argument(
        "--seen", type=Path, metavar="FILE", help="keep there which reports of a collection were counted"
    )
    _add_estimates(parser)
    parser.set_defaults(run=run_aggregate)


def add_estimate(parser: argparse.ArgumentParser) -> None:
    """Add the options of `corrldp estimate`."""
    parser.add_argument("states", nargs="+", metavar="STATE", help="what `corrldp aggregate --state` wrote")
    _add_estimates(parser)
    parser.set_defaults(run=run_estimate)


def _add_estimates(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--postprocess", default="none", metavar="HOW", help=f"{', '.join(METHODS)} (default: none)")
    parser.add_argument("--level", default="0.95", help="level of the intervals (default: 0.95)")


def run_report(arguments: argparse.Namespace) -> int:
    """Print a report for each record, each from a new generator: many reports would reveal the state of one."""
    collection = _read(arguments.protocol, Collection.from_json)
    client, sizes = Client(collection.protocol), collection.protocol.sizes
    with _opened(arguments.records) as (name, stream):
        for number, line in islice(_lines(name, stream), int(arguments.header), None):
            with _at(name, number):
                record = _record(line, sizes)
            sent = collection.seal(client.report(record, deployment_rng()))
            print(json.dumps(sent, separators=(",", ":")))
    return 0


def run_start(arguments: argparse.Namespace) -> int:
    """Print the document of a new collection."""
    print(Collection.start(_read(arguments.protocol, protocol_from_json)).to_json())
    return 0


def run_aggregate(arguments: argparse.Namespace) -> int:
    """Add reports and states up, write the state, and print the estimates."""
    _check_once(arguments.files)
    total, skipped = State.empty(_read(arguments.protocol, Collection.from_json)), 0
    if arguments.seen is not None and total.collection.id is None:
        raise ValueError("--seen needs a collection: a report of a bare protocol has no id")
    with Seen(arguments.seen) as seen:
        for file in arguments.files:
            total, more = aggregate(total, file, seen, arguments.skip)
            skipped += more
        table = _estimates(total.aggregator, arguments)
        if arguments.state is not None:
            _replace(arguments.state, total.to_json() + "\n")
        seen.commit()
    if skipped:
        print(f"corrldp aggregate: reports left out: {skipped}", file=sys.stderr)
    print(table)
    return 0


def _replace(path: Path, text: str) -> None:
    """Write a file as a whole or not at all."""
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        file.write(text)
    Path(file.name).replace(path)


def run_estimate(arguments: argparse.Namespace) -> int:
    """Print the estimates from one or several states."""
    _check_once(arguments.states)
    first, *others = arguments.states
    total = _read(Path(first), State.from_json)
    for file in others:
        state = _read(Path(file), State.from_json)
        with _at(file):
            total = total.merge(state)
    print(_estimates(total.aggregator, arguments))
    return 0


def aggregate(total: State, file: str, seen: Seen, skip: bool = False) -> tuple[State, int]:
    """Add what is in a file, reports or a state, to a state.

    Parameters
    ----------
    total : State
        May be changed, also if something is refused.
    file : str
        A path, or - for standard input.
    seen : Seen
        The ids of reports that have been counted.
    skip : bool
        Whether to leave out reports that no user can send, or that have been counted, instead of refusing them.

    Returns
    -------
    The state with everything, and how many reports were left out.

    Raises
    ------
    ValueError
        A line is no report of the protocol; the message begins with file and line.
    """
    skipped = 0
    with _opened(file) as (name, stream):
        if stream.peek(1).startswith(b'{"corrldp"'):
            with _at(name):
                return total.merge(State.from_json(_state(stream))), 0
        if total.collection.id is not None:
            total.parts.add(secrets.token_hex(16))
        lines = _lines(name, stream)
        while block := list(islice(lines, LINES)):
            try:
                _add(total, seen, [line for _, line in block])
            except (ValueError, RecursionError):
                skipped += _one_by_one(total, seen, name, block, skip)
    return total, skipped


def _add(total: State, seen: Seen, lines: Sequence[bytes]) -> None:
    """Add reports, all of them or, after a ValueError, none."""
    sent = [total.collection.unseal(_report(line)) for line in lines]
    with seen.adding([one for one, _ in sent]):
        total.aggregator.add([report for _, report in sent])


def _one_by_one(total: State, seen: Seen, name: str, block: Sequence[Line], skip: bool) -> int:
    """Add reports of which some are wrong; return how many, or raise ValueError at the first of them."""
    skipped = 0
    for number, line in block:
        try:
            with _at(name, number):
                _add(total, seen, [line])
        except ValueError:
            if not skip:
                raise
            skipped += 1
    return skipped


def _estimates(total: Aggregator, arguments: argparse.Namespace) -> str:
    """Return CSV with a row for each value of each attribute; numbers that are not known are empty."""
    try:
        level = float(arguments.level)
    except ValueError:
        raise ValueError(f"--level: {in_short(arguments.level)} must be a number") from None
    found = total.estimate()
    frequencies, (low, high) = found.postprocess(arguments.postprocess), found.interval(level)
    rows = [HEADER]
    for j, k in enumerate(total.protocol.sizes):
        for v in range(k):
            numbers = (float(part[j, v]) for part in (frequencies, found.standard_errors, low, high))
            rows.append(",".join([str(j), str(v), *("" if math.isnan(number) else repr(number) for number in numbers)]))
    return "\n".join(rows)


def _record(line: bytes, sizes: Sequence[int]) -> list[int]:
    """Return the codes of a line of CSV."""
    cells = [cell.strip().strip('"') for cell in line.decode().split(",")]
    if len(cells) != len(sizes):
        raise ValueError(f"{len(cells)} values must be {len(sizes)}, one for each attribute")
    for j, (cell, k) in enumerate(zip(cells, sizes, strict=True)):
        if not (cell.isascii() and cell.isdecimal() and len(cell) < 10 and int(cell) < k):
            raise ValueError(f"{in_short(cell)} must be a code 0..{k - 1} of attribute {j}; names need --header")
    return list(map(int, cells))


@contextmanager
def _opened(file: str) -> Iterator[tuple[str, io.BufferedReader]]:
    """Open a file, or standard input, for bytes, and give its name."""
    if file == STDIN:
        yield "standard input", sys.stdin.buffer  # type: ignore[misc]
    else:
        with Path(file).open("rb") as stream:
            yield file, stream


def _lines(name: str, stream: io.BufferedReader) -> Iterator[Line]:
    """Yield the lines that are not empty, with their numbers, and refuse one that would fill the memory."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise ValueError(f"{name}, line {number}: it has more than {LONGEST_LINE} bytes")
        if not line.isspace():
            yield number, line


def _state(stream: io.BufferedReader) -> str:
    content = stream.read(LARGEST_STATE + 1)
    if len(content) > LARGEST_STATE:
        raise ValueError(f"the state has more than {LARGEST_STATE} bytes")
    return content.decode()


def _read(path: Path, make: Callable[[str], T]) -> T:
    """Return what a document says."""
    with _at(str(path)), path.open("rb") as stream:
        return make(_state(stream))


def _report(line: bytes) -> Report:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{in_short(line.decode().strip())} is no JSON: {error.msg}") from error


@contextmanager
def _at(name: str, number: int | None = None) -> Iterator[None]:
    """Say in errors where something was read."""
    try:
        yield
    except (ValueError, RecursionError) as error:
        line = "" if number is None else f", line {number}"
        raise ValueError(f"{name}{line}: {str(error).splitlines()[0]}") from error


def _check_once(files: Sequence[str]) -> None:
    """Raise ValueError if a file is named twice: its reports would count twice."""
    seen: set[Path | str] = set()
    for file in files:
        place = file if file == STDIN else Path(file).resolve()
        if place in seen:
            raise ValueError(f"{file} is named twice: its reports would count twice")
        seen.add(place)

"""The commands of a collection: `corrldp report` on devices, `corrldp aggregate` and `corrldp estimate` on servers.

They read line by line, so that memory does not grow with the number of reports, and trust nothing that they read.
"""

import argparse
import csv
import io
import json
import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib import resources
from itertools import islice
from pathlib import Path

from corrldp.arrays import in_short
from corrldp.collection import Aggregator, Client, Collection, Ledger, Memory, Seen
from corrldp.collection.collection import begins_with
from corrldp.deployment.lines import (
    STDIN,
    Line,
    Records,
    SkippedLines,
    at,
    document,
    lines_of,
    locked,
    opened,
    read,
    write,
)
from corrldp.domain import Domain
from corrldp.formats import cells, number_of
from corrldp.mechanisms.pure import Report
from corrldp.protocols.documents import parse
from corrldp.protocols.estimates import Estimates, Row
from corrldp.protocols.postprocess import METHODS
from corrldp.protocols.smp import Memoised
from corrldp.randomness import deployment_rng

LINES = 10_000
"""Records or reports that are in memory at a time."""

MIXED = "reports beside a state, which may have counted them already"


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the options of `corrldp report`."""
    parser.add_argument("protocol", type=Path, help="the protocol or the collection, as its to_json() wrote it")
    parser.add_argument(
        "records",
        nargs="?",
        default=STDIN,
        help="CSV, one user on each line: codes, or a header and names if the document has names (default: -)",
    )
    parser.add_argument("--header", action="store_true", help="the first line has the names of the columns")
    parser.add_argument("--ceiling", help="refuse a protocol by which a record spends a larger epsilon")
    parser.add_argument(
        "--ledger", type=Path, metavar="FILE", help="of one user: enter what each report spends; --ceiling starts it"
    )
    parser.add_argument(
        "--memory", type=Path, metavar="FILE", help="of one user: keep permanent responses (L-SPL, L-SMP) there"
    )
    parser.add_argument("--encoding", default="utf-8", help="of the records, such as latin-1 (default: UTF-8)")
    parser.add_argument(
        "--decimal", choices=(",", "."), help="the decimal sign of numbers, which may then have marks of thousands"
    )
    parser.add_argument("--skip", action="store_true", help="leave out records that do not fit, and count them")
    parser.set_defaults(run=run_report)


def add_start(parser: argparse.ArgumentParser) -> None:
    """Add the options of `corrldp collection`."""
    parser.add_argument("protocol", type=Path, help="the protocol, as its to_json() wrote it")
    parser.add_argument(
        "--attribute",
        action="append",
        default=[],
        metavar="NAME=VALUE,VALUE,...",
        help="name an attribute and its values, in the order of the protocol's sizes and of the codes; once for each",
    )
    parser.add_argument(
        "--bins",
        action="append",
        default=[],
        metavar="NAME=0,20,50",
        help="the bounds of the bins of a number, if they are what the values of a named attribute are",
    )
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
    """Print a report for each record.

    What a user has spent and what the memory has is on the disk before anything is printed, and no other command reads
    it meanwhile.
    """
    collection = read(arguments.protocol, Collection.from_json)
    records = Records(collection, arguments.header, arguments.encoding, arguments.decimal, arguments.skip)
    kept = [path.resolve() for path in (arguments.ledger, arguments.memory) if path is not None]
    if len(set(kept)) < len(kept):
        raise ValueError(f"--ledger and --memory are both {arguments.ledger}: name two files")
    with ExitStack() as locks:
        for path in sorted(kept):
            locks.enter_context(locked(path))
        client = _client(collection, arguments)
        reports = _reports(client, records, arguments.records)
        if kept:
            reports = iter(list(reports))
            if arguments.ledger is not None and client.ledger is not None:
                write(arguments.ledger.resolve(), client.ledger.to_json())
            if client.memory is not None:
                write(arguments.memory.resolve(), client.memory.to_json())
    encode = json.JSONEncoder(separators=(",", ":")).encode
    sys.stdout.writelines(f"{encode(report)}\n" for report in reports)
    records.left_out.tell("corrldp report: records")
    return 0


def _client(collection: Collection, arguments: argparse.Namespace) -> Client:
    ceiling = None if arguments.ceiling is None else number_of(arguments.ceiling, "--ceiling", float)
    ledger, memory = None, None
    if arguments.ledger is not None:
        if not arguments.ledger.exists() and ceiling is None:
            raise ValueError(f"{arguments.ledger} is not there yet: --ceiling says how much the user may spend in all")
        ledger = read(arguments.ledger, Ledger.from_json) if arguments.ledger.exists() else Ledger(ceiling or 0)
    if isinstance(collection.protocol, Memoised) and arguments.memory is None:
        raise ValueError(f"{collection.protocol.name} keeps permanent responses: --memory names a file for them")
    if arguments.memory is not None and arguments.memory.exists():
        memory = read(arguments.memory, Memory.from_json)
    return Client(collection, ceiling=ceiling, ledger=ledger, memory=memory)


def _reports(client: Client, records: Records, file: str) -> Iterator[Report]:
    with opened(file) as (name, stream):
        read_records = records.read(name, stream)
        while block := list(islice(read_records, LINES)):
            yield from client.reports(block, deployment_rng())


def run_start(arguments: argparse.Namespace) -> int:
    """Print the document of a new collection."""
    collection = read(arguments.protocol, Collection.from_json).start()
    if arguments.attribute or arguments.bins:
        collection = replace(collection, domain=_domain(arguments.attribute, arguments.bins))
    print(collection.to_json())
    return 0


def _domain(attributes: Sequence[str], bins: Sequence[str]) -> Domain:
    """Return the names of NAME=VALUE,VALUE,... for each attribute, and its bounds; quotes are those of CSV."""
    values = dict(_listed("--attribute", text) for text in attributes)
    rows = dict(_listed("--bins", text) for text in bins)
    bounds = {name: tuple(number_of(one, "--bins", float) for one in row) for name, row in rows.items()}
    if unknown := [name for name in bounds if name not in values]:
        raise ValueError(f"--bins {in_short(unknown[0])}: there is no --attribute of this name")
    if len(values) < len(attributes):
        raise ValueError("--attribute names an attribute twice")
    return Domain(tuple(values), tuple(values.values()), tuple(bounds.get(name, ()) for name in values))


def _listed(option: str, text: str) -> tuple[str, tuple[str, ...]]:
    name, sign, listed = text.partition("=")
    if not sign:
        raise ValueError(f"{option} {in_short(text)} must be NAME=VALUE,VALUE,...")
    return name.strip(), tuple(cells(listed))


def add_client(parser: argparse.ArgumentParser) -> None:
    """Say what `corrldp javascript` does; it has no options."""
    parser.set_defaults(run=run_javascript)


def run_javascript(arguments: argparse.Namespace) -> int:
    """Print the client in JavaScript."""
    print(resources.files("corrldp.deployment").joinpath("corrldp.mjs").read_text(encoding="utf-8"), end="")
    return 0


def run_aggregate(arguments: argparse.Namespace) -> int:
    """Add reports and states up, write the state, and print the estimates."""
    _check_once(arguments.files)
    collection, states = read(arguments.protocol, Collection.from_json), set()
    left_out = SkippedLines(arguments.skip)
    if arguments.seen is not None and collection.id is None:
        raise ValueError("--seen needs a collection: a report of a bare protocol has no id")
    with Seen(arguments.seen) as seen:
        total = Aggregator(collection, seen=seen)
        for file in arguments.files:
            total, state = aggregate(total, file, left_out)
            states.add(state)
            if len(states) == 2 and collection.id is not None and arguments.seen is None:
                raise ValueError(f"{file}: {MIXED}; --seen, with which the state was made, would tell")
        table = _table(total.estimate(), arguments)
        if arguments.state is not None:
            write(arguments.state, total.to_json())
        seen.commit()
    left_out.tell("corrldp aggregate: reports")
    if len(states) == 2 and collection.id is None:
        print(f"corrldp aggregate: WARNING: {MIXED}; those of a collection would tell", file=sys.stderr)
    print(table)
    return 0


def run_estimate(arguments: argparse.Namespace) -> int:
    """Print the estimates from one or several states."""
    _check_once(arguments.states)
    first, *others = arguments.states
    total = read(Path(first), _state)
    for file in others:
        state = read(Path(file), _state)
        with at(file):
            total = total.merge(state)
    print(_table(total.estimate(), arguments))
    return 0


def _state(text: str) -> Aggregator:
    """Return what a state has, or raise ValueError that says where states come from."""
    if not begins_with(text, "aggregator"):
        raise ValueError("this is no state: `corrldp aggregate --state` makes one of reports")
    return Aggregator.from_json(text)


def aggregate(total: Aggregator, file: str, left_out: SkippedLines) -> tuple[Aggregator, bool]:
    """Add what is in a file (- is standard input), reports or a state, to an aggregator; say whether it was a state.

    The aggregator may be changed, also if something is refused. Reports that no user can send, or that have been
    counted, go to `left_out`, which may refuse them with a ValueError that begins with file and line.
    """
    with opened(file) as (name, stream):
        if stream.peek(1).startswith(b'{"corrldp"'):
            with at(name):
                return total.merge(Aggregator.from_json(document(stream))), True
        lines = lines_of(name, stream)
        while block := list(islice(lines, LINES)):
            try:
                total.add([parse(line) for _, line in block])
            except ValueError:
                _one_by_one(total, name, block, left_out)
    return total, False


def _one_by_one(total: Aggregator, name: str, block: Sequence[Line], left_out: SkippedLines) -> None:
    """Add reports of which some are wrong; leave these out, or raise ValueError at the first of them."""
    for number, line in block:
        try:
            with at(name, number):
                total.add([parse(line)])
        except ValueError as error:
            left_out.add(error)


def _table(found: Estimates, arguments: argparse.Namespace) -> str:
    """Return CSV with a row for each value of each attribute; numbers that are not known are empty."""
    level, table = number_of(arguments.level, "--level", float), io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(Row._fields)
    for attribute, value, *numbers in found.postprocess(arguments.postprocess).rows(level):
        writer.writerow([attribute, value, *("" if math.isnan(number) else repr(number) for number in numbers)])
    return table.getvalue().rstrip("\n")


def _check_once(files: Sequence[str]) -> None:
    """Raise ValueError if a file is named twice: its reports would count twice."""
    seen: set[Path | str] = set()
    for file in files:
        place = file if file == STDIN else Path(file).resolve()
        if place in seen:
            raise ValueError(f"{file} is named twice: its reports would count twice")
        seen.add(place)

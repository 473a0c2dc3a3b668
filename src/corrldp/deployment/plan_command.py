"""The command `corrldp plan`: a plan as tables in the terminal or as JSON, and the words that its page shares."""

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corrldp.deployment.plan import AttributePlan, Option, Plan, plan
from corrldp.formats import EXAMPLE, digits, number_of, percent, points, read_as
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.registry import protocol

ROWS = 10
BOUND = "(at most)"
HEADS = ("protocol", "users", "epsilon", "error", "smallest share")
WIDTH = 118


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is known of the collection, and how the answer is printed."""
    parser.add_argument("--sizes", required=True, metavar="K,K,...", help="how many values each attribute has")
    parser.add_argument("--users", metavar="N", help="number of users")
    parser.add_argument("--epsilon", metavar="E", help="budget of a whole record")
    parser.add_argument(
        "--error", metavar="X", help="half of a 95 %% interval, as a share: 0.01 is one percentage point"
    )
    parser.add_argument(
        "--smallest-share", metavar="X", help="smallest share to be distinguished from 0, instead of the error"
    )
    parser.add_argument("--share", metavar="X", help="the share to which errors refer; default: the worst of all")
    parser.add_argument("--protocols", metavar="NAME,...", help="the protocols to compare (default: all)")
    parser.add_argument("--all", action="store_true", help=f"print all protocols, not only the best {ROWS}")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the best protocol, for `corrldp report`")
    parser.add_argument("--json", action="store_true", help="print all of the answer as JSON")


def planned(arguments: argparse.Namespace) -> Plan:
    """Return the plan that the arguments ask for."""
    sizes = [number_of(size, "--sizes", int) for size in arguments.sizes.split(",")]
    names = None if arguments.protocols is None else [name.strip() for name in arguments.protocols.split(",")]
    given: dict[str, Any] = {}
    for option in ("--users", "--epsilon", "--error", "--smallest-share", "--share"):
        name = option.removeprefix("--").replace("-", "_")
        text = getattr(arguments, name)
        given[name] = None if text is None else number_of(text, option, int if name == "users" else float)
    return plan(sizes, **given, names=names)


def show(found: Plan, arguments: argparse.Namespace) -> None:
    """Print the plan, and write its best protocol."""
    if arguments.write is not None:
        arguments.write.write_text(best_of(found).to_json() + "\n", encoding="utf-8")
    print(found.to_json() if arguments.json else in_words(found, None if arguments.all else ROWS))


def best_of(found: Plan) -> RecordProtocol:
    """Build the best protocol of a plan."""
    best = found.options[0]
    return protocol(best.protocol, best.epsilon, found.sizes)


def in_words(found: Plan, most: int | None = None) -> str:
    """Return a plan as tables and sentences for the terminal, with `most` protocols."""
    best, shown = found.options[0], found.options[:most]
    lines = [question(found), "", *_columns(by_protocol(shown))]
    if len(shown) < len(found.options):
        lines.append(f"and {len(found.options) - len(shown)} more: --all")
    if len(found.sizes) > 1:
        lines += ["", f"{best.protocol}, by attribute:", *_columns(by_attribute(best))]
    indented = (textwrap.fill(text, WIDTH, subsequent_indent="  ") for text in meanings(found))
    return "\n".join([*lines, "", *indented, *left_out(found)])


def meanings(found: Plan) -> list[str]:
    """Say what the numbers of a plan mean."""
    share = EXAMPLE if found.share is None else found.share
    of = "whatever the share is" if found.share is None else f"if that share is {percent(share)}"
    texts = [
        "error: an estimate lies within so many percentage points of the share among the users with probability 95 %, "
        f"{of}, in the worst attribute: {read_as(share, found.options[0].error)}.",
        "smallest share: a value that so many users have is distinguished from an absent one with probability 95 %, by "
        "an estimate above what an absent value exceeds with probability 2.5 %.",
        "Squared errors are exact; intervals take estimates to be normal, which needs some hundreds of reports.",
    ]
    if not all(option.exact for option in found.options):
        texts.append(f"{BOUND}: upper bounds, as no exact error is known; users and budgets are more than enough.")
    if biased := [option for option in found.options if option.bias]:
        names = " and ".join(name for option in biased for name in (option.protocol, *option.same))
        texts.append(
            f"Of {names} they allow for a bias of up to {points(max(option.bias for option in biased))} points, which "
            "more users do not reduce. How large it is depends on the records: study a table."
        )
    return texts


def left_out(found: Plan) -> list[str]:
    """Say which protocols are left out and why, those with one reason together."""
    reasons: dict[str, list[str]] = {}
    for one in found.left_out:
        reasons.setdefault(one.reason, []).append(one.protocol)
    return [f"left out: {', '.join(names)}: {reason}" for reason, names in reasons.items()]


def question(found: Plan) -> str:
    """Say what is known and what is asked."""
    d = len(found.sizes)
    known = [f"{d} attribute{'s' * (d != 1)} of {', '.join(map(str, found.sizes))} values"]
    known += [] if found.users is None else [f"{found.users} users"]
    known += [] if found.epsilon is None else [f"epsilon {digits(found.epsilon)} of a record"]
    known += [] if found.error is None else [f"error at most {points(found.error)}"]
    known += [] if found.smallest_share is None else [f"smallest share at most {percent(found.smallest_share)}"]
    answers = {"error": "the error", "users": "the users needed", "epsilon": "the budget needed"}
    return f"{'; '.join(known)}: {answers[found.sought]}"


def by_protocol(options: Sequence[Option]) -> list[tuple[str, ...]]:
    """Return a table of protocols as texts, below its headings."""
    rows = []
    for one in options:
        names = ", ".join((one.protocol, *one.same))
        rows.append((names if one.exact else f"{names} {BOUND}", str(one.users), *_numbers(one)))
    return [HEADS, *rows]


def by_attribute(option: Option) -> list[tuple[str, ...]]:
    """Return a table of a protocol's attributes as texts, below its headings."""
    rows = [(str(one.attribute), str(one.size), *_numbers(one)) for one in option.attributes]
    return [("attribute", "values", *HEADS[2:]), *rows]


def _numbers(one: Option | AttributePlan) -> tuple[str, ...]:
    return digits(one.epsilon, upwards=True), points(one.error), percent(one.smallest_share)


def _columns(table: Sequence[Sequence[str]]) -> list[str]:
    """Return lines of aligned columns, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in table
    ]

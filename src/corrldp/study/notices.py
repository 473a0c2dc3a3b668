"""What a user must know before any answer, in words: what was read of the file, and what is left out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corrldp.study.names import COLUMN, JOINT_TABLES
from corrldp.words.numbers import listed, plural

Row = Mapping[str, Any]


def tell(who: str, texts: Iterable[str]) -> None:
    """Print notices in the terminal, a line each."""
    for text in texts:
        print(f"{who}: WARNING: {text}", file=sys.stderr)


def of_reading(facts: Row) -> list[str]:
    """Say which domains come from the data, which columns are left out, and which records lack a value."""
    return [*of_domains(facts), *of_columns(facts), *of_records(facts)]


def of_domains(facts: Row) -> list[str]:
    """Say which domains were taken from the data."""
    taken = [column["name"] for column in facts["columns"] if not column["public"]]
    if not taken:
        return []
    what, verb = ("domain", "was") if len(taken) == 1 else ("domains", "were")
    return [
        f"The {what} of {listed(taken)} {verb} taken from the data. The list of values that occur is not private: a "
        "collector must know the domains beforehand, so write them into the settings."
    ]


def of_columns(facts: Row) -> list[str]:
    """Say which columns are left out, those with one reason together."""
    names: dict[str, list[str]] = {}
    for one in facts["left_out"]:
        names.setdefault(one["reason"], []).append(one["name"])
    if not names:
        return []
    left = len(facts["left_out"])
    total = left + len(facts["columns"])
    reasons = "; ".join(f"{listed(columns)} ({reason})" for reason, columns in names.items())
    return [f"{left} of {total} columns {'is' if left == 1 else 'are'} left out: {reasons}."]


def of_records(facts: Row) -> list[str]:
    """Say how many records are dropped, and what counted as no value."""
    if not facts["dropped"]:
        return []
    lacking = [
        f"{column['name']} {plural(column['missing'], 'time')}{_marked(column['marks'])}"
        for column in facts["columns"]
        if column["missing"] and column["treatment"] == "drop"
    ]
    dropped, verb = facts["dropped"], "is" if facts["dropped"] == 1 else "are"
    return [
        f"{dropped:,} of {plural(facts['rows'], 'record')} {verb} dropped, as a value is missing: {listed(lacking)}."
    ]


def _marked(marks: Sequence[str]) -> str:
    texts = [repr(one) if one else "empty" for one in marks]
    return f" ({listed(texts)})" if texts else ""


def of_left_out(rows: Sequence[Row], epsilons: Sequence[float]) -> list[str]:
    """Say what else is left out, at which budgets, those with one reason together."""
    budgets: dict[tuple[str, str, str], list[float]] = {}
    for row in rows:
        if row["kind"] != COLUMN:
            budgets.setdefault((row["kind"], row["what"], row["reason"]), []).append(row.get("epsilon", float("nan")))
    return [
        f"{what[:1].upper()}{what[1:]} are left out: {reason}."
        if kind == JOINT_TABLES
        else f"{what} is left out{_at(found, epsilons)}: {reason.rstrip('.')}."
        for (kind, what, reason), found in budgets.items()
    ]


def _at(found: Sequence[float], epsilons: Sequence[float]) -> str:
    return "" if set(found) == set(epsilons) else f" at epsilon = {listed([f'{epsilon:g}' for epsilon in found])}"

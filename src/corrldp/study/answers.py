"""What the page of a study says first: one sentence for each question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from corrldp.study.figures import middle
from corrldp.study.leakage import ANY, JOINT, SUM
from corrldp.study.notices import of_columns, of_left_out, of_records
from corrldp.study.output import Tables
from corrldp.study.recommendation import OPEN, PUBLIC, RECOMMENDED, TABLE
from corrldp.study.words import METHODS
from corrldp.words.numbers import listed, number, p_words


@dataclass(frozen=True)
class Answer:
    """A sentence, the numbers behind it, and the section that has them all."""

    text: str
    detail: str
    section: str


def answers(tables: Tables, about: dict[str, Any]) -> list[Answer]:
    """Return the answers: protocol, error, leakage and budget."""
    found = [
        by_basis(tables, PUBLIC, "From public facts alone"),
        by_basis(tables, TABLE, "From the table, a choice that is not private"),
        of_error(tables["recommendation"], about),
        of_leakage(tables["leakage"], about),
        of_budget(tables["budget"], about),
        of_gaps(tables["left_out"], about),
    ]
    return [answer for answer in found if answer is not None]


def by_basis(tables: Tables, basis: str, start: str) -> Answer | None:
    """Say which protocol to choose, budgets with one answer together."""
    recommendation, candidates = tables["recommendation"], tables["candidates"]
    rows = recommendation[recommendation["basis"] == basis]
    unsure = candidates[(candidates["basis"] == basis) & (candidates["standing"] == OPEN)]
    if rows.empty:
        return None
    groups: dict[str, list[str]] = {}
    records: list[Any] = rows.to_dict("records")
    for row in records:
        choice = _choice(row, unsure[unsure["epsilon"] == row["epsilon"]])
        groups.setdefault(choice, []).append(f"{row['epsilon']:g}")
    text = "; ".join(f"{choice} at ε = {listed(budgets)}" for choice, budgets in groups.items())
    details = [_margin(row) for row in records if row["runner_up"]]
    return Answer(f"{start}: {text}.", " ".join(details), "protocol")


def _choice(row: dict[str, Any], unsure: pd.DataFrame) -> str:
    if row["verdict"] == RECOMMENDED:
        return _named(row["protocol"], row["postprocess"])
    names = [name for name in unsure["protocol"].unique() if name != row["protocol"]]
    return f"cannot tell {row['protocol']} from {listed(names, 3, 'protocol')}"


def _named(protocol: str, postprocess: str) -> str:
    return protocol if postprocess == "none" else f"{protocol} with {METHODS[postprocess]}"


def _margin(row: dict[str, Any]) -> str:
    p = "" if pd.isna(row["p_value"]) else f", {p_words(row['p_value'])}"
    second = _named(row["runner_up"], row["runner_up_postprocess"])
    return f"ε = {row['epsilon']:g}: {second} errs {number(100 * row['margin'])} % more{p}."


def of_error(recommendation: pd.DataFrame, about: dict[str, Any]) -> Answer | None:
    """Say how large the error of the best choice is."""
    rows = recommendation[recommendation["basis"] == TABLE]
    if rows.empty:
        return None
    parts = [f"{number(100 * row['mse'] ** 0.5)} at ε = {row['epsilon']:g}" for row in rows.to_dict("records")]
    text = f"With the best of these, a frequency is typically off by {listed(parts)} (in percentage points)."
    return Answer(text, f"Root of the mean squared error, for n = {about['n']:,}.", "error")


def of_leakage(leakage: pd.DataFrame, about: dict[str, Any]) -> Answer:
    """Say what leaks about the column about which most does."""
    epsilon = middle(about)
    rows = leakage[leakage["epsilon"] == epsilon]
    worst = rows[rows["measure"] == SUM].sort_values("leakage", kind="stable").iloc[-1]
    of_column = rows[rows["column"] == worst["column"]].set_index("measure")
    exact, most = of_column.loc[JOINT], of_column.loc[ANY]
    about_it = f"about {worst['column']} through"
    joined, total = about["through"][worst["column"]], f"{nats(worst['leakage'])}"
    leaks = f"{nats(exact['leakage'])} {about_it} {listed(joined)}, and up to {total} through" if joined else ""
    text = (
        f"At ε = {epsilon:g} for a record, SPL leaks {leaks or f'up to {total} {about_it}'} all columns if they are "
        f"independent given it; any protocol leaks at most {nats(most['leakage'])}."
    )
    between = (
        "" if pd.isna(worst["low"]) else f"95 % interval of the sum: {number(worst['low'])} to {number(worst['high'])}."
    )
    return Answer(text, between, "leakage")


def of_budget(budget: pd.DataFrame, about: dict[str, Any]) -> Answer:
    """Say which budget keeps the leakage within the limit."""
    strictest = budget[budget["measure"] == ANY].sort_values("epsilon", kind="stable").iloc[0]
    spl = budget[(budget["measure"] == SUM) & (budget["column"] == strictest["column"])].iloc[0]
    limit = nats(about["settings"]["leakage_limit"])
    text = (
        f"To keep what leaks about {strictest['column']} within {limit}, give a record "
        f"{_budget(strictest['epsilon'])}, whatever the protocol; by SPL {_budget(spl['epsilon'])}, "
        "if columns are independent given it."
    )
    return Answer(text, "", "budget")


def of_gaps(left_out: pd.DataFrame, about: dict[str, Any]) -> Answer | None:
    """Say what these answers leave out, and why."""
    rows: list[Any] = left_out.to_dict("records")
    facts, epsilons = about["facts"], about["settings"]["epsilons"]
    texts = [*of_columns(facts), *of_records(facts), *of_left_out(rows, epsilons)]
    return Answer(" ".join(texts), "", "data") if texts else None


def _budget(epsilon: float) -> str:
    return f"at most ε = {number(epsilon)}" if epsilon < float("inf") else "any budget"


def nats(leakage: float) -> str:
    """Return a leakage with its unit."""
    return f"{number(leakage)} nat{'' if leakage == 1 else 's'}"

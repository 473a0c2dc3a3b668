"""All that a study says, in the terminal and on its page, made of its tables and of what was read of the file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from claimaudit.words.numbers import listed, number, p_words, plural
from corrldp.protocols import postprocess
from corrldp.study.names import ANY, COLUMN, JOINT, JOINT_TABLES, OPEN, PAIR, PUBLIC, RECOMMENDED, SUM, TABLE
from corrldp.study.output import Tables, middle

Row = Mapping[str, Any]

FEW_PER_RECORD = 0.1
"""Share of distinct records from which on whole records are too rare to say what they reveal."""

METHOD_WORDS = {name: method.words for name, method in postprocess.METHODS.items()}

SCALES = {
    SUM: "SPL, sum over columns",
    ANY: "any protocol on whole records",
    "caption": (
        "How far reports can change the odds of two values of a column, as the logarithm of a factor. The sum over "
        "columns bounds SPL if the reported columns are independent given the attacked one, and else may be exceeded; "
        "the other line bounds every protocol with that budget for a record."
    ),
}

HEADINGS = {
    "recommendation": {
        "epsilon": "budget ε",
        "basis": "judged by",
        "typical": "typical error, percentage points",
        "postprocess": "post-processing",
        "runner_up": "next best protocol",
        "margin": "its error is larger by",
        "p_value": "p-value",
        "open": "cannot be told apart",
    },
    "columns": {"written": "written as"},
    "error": {
        "postprocess": "post-processing",
        "mse": "mean squared error",
        "typical": "its root",
        "runs": "runs (0: closed form)",
    },
    "leakage": {"epsilon": "budget ε", "leakage": "leakage (nats)", "low": "low", "high": "high"},
    "budget": {"limit": "limit (nats)", "epsilon": "largest budget ε of a record"},
    "privacy": {
        "epsilon": "budget ε",
        "record": "ε of a record",
        "attribute": "largest ε of a column",
        "attained": "attained",
        "enumerated_on": "enumerated on domains",
        "enumerated_record": "record, there",
        "enumerated_attribute": "column, there",
        "holds": "within the budget",
    },
    "dependence": {
        "one": "column",
        "other": "and",
        "cramers_v": "Cramer's V",
        "nmi": "NMI",
        "p_value": "p-value",
        "fdr": "FDR",
    },
    "left_out": {"epsilon": "budget ε"},
}

MEASURES = {
    PAIR: "the largest that any oracle lets through if SPL reports this column",
    JOINT: "SPL with GRR, exactly, through the named columns together: at least this much leaks through all",
    SUM: "the sum of the first, a bound if the reported columns are independent given the attacked one",
    ANY: "the largest of all protocols with this budget for a whole record",
}


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
    return protocol if postprocess == "none" else f"{protocol} with {METHOD_WORDS[postprocess]}"


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


def lede(about: dict[str, Any]) -> str:
    """Say what was studied in one sentence."""
    sensitive = about["settings"]["sensitive"]
    aside = f", and what they reveal about {listed(sensitive)}, which nobody reports" if sensitive else ""
    columns = plural(len(about["collected"]), "column")
    return f"{plural(about['n'], 'record')} of {columns} that users report under local differential privacy{aside}."


def attacked(about: dict[str, Any]) -> str:
    """Say which columns are attacked."""
    sensitive = about["settings"]["sensitive"]
    if sensitive:
        verb = "is" if len(sensitive) == 1 else "are"
        return f"{listed(sensitive)} {verb} not collected; an attacker learns about it from the reports on all others."
    return "No column is set as sensitive, so each in turn is attacked, through its own report and those on all others."


def rare(tables: Tables, about: dict[str, Any]) -> list[str]:
    """Return warnings about cells that are too rare to say what they reveal."""
    counts = tables["leakage"].groupby("column", sort=False)["rare"].max()
    warnings = [
        f"{plural(int(count), 'value')} of {column} occur{'s' * (count == 1)} in fewer than 30 records; what leaks "
        "about them rests on guesses."
        for column, count in counts.items()
        if count
    ]
    if about["distinct"] > FEW_PER_RECORD * about["n"]:
        warnings.append(
            f"{about['distinct']:,} of {about['n']:,} records differ, so that whole records say little about the "
            "population: the leakage through any protocol is that in this table, and in the population less."
        )
    return warnings

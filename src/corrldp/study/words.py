"""All that a study says, in the terminal and on its page, made of its tables and of what was read of the file."""

import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isnan

from claimaudit.words.numbers import gathered, listed, number, plural
from corrldp.formats import EXAMPLE, at_most, percent, read_as, rounded
from corrldp.protocols import postprocess
from corrldp.protocols.names import label
from corrldp.study.columns import FROM_DATA, PROPOSED
from corrldp.study.reading import Facts
from corrldp.study.tables import (
    ANY,
    JOINT,
    PUBLIC,
    SUM,
    TABLE,
    Accuracy,
    BudgetRow,
    Candidate,
    Gap,
    Leak,
    Recommendation,
    StudyFacts,
    Tables,
    rows_of,
)

MOST_COLUMNS, MOST_VALUES = 3, 6  # that an answer or a notice names

MANY_DROPPED = 0.2  # share of records without a value above which the page warns that they are dropped

METHOD_WORDS = {name: method.words for name, method in postprocess.METHODS.items()}


def tell(who: str, texts: Iterable[str]) -> None:
    """Print notices in the terminal, a line each."""
    for text in texts:
        print(f"{who}: WARNING: {text}", file=sys.stderr)


def of_reading(facts: Facts) -> list[str]:
    """Say which domains come from the data, which columns are left out, and which records lack a value."""
    return [*of_bins(facts), *of_domains(facts), *of_columns(facts), *of_records(facts)]


def of_bins(facts: Facts) -> list[str]:
    """Say which bins were proposed, and that their bounds are not private."""
    proposed = [column for column in facts.columns if column.origin == PROPOSED]
    if not proposed:
        return []
    given = {one.name: ",".join(f"{bound:.12g}" for bound in one.domain.bins or ()) for one in proposed}
    bounds = (f"--bins {shlex.quote(f'{name}={bins}')}" for name, bins in given.items())
    names = listed([column.name for column in proposed])
    return [
        f"Round bins for {names} were made from the data. BOUNDS FROM DATA ARE NOT PRIVATE: choose them from what you "
        f"know without the data, as in {' '.join(bounds)}"
    ]


def of_domains(facts: Facts) -> list[str]:
    """Say which domains were taken from the data."""
    taken = [f"{one.name} ({_values(one.values)})" for one in facts.columns if one.origin == FROM_DATA]
    if not taken:
        return []
    what, verb = ("domain", "was") if len(taken) == 1 else ("domains", "were")
    return [
        f"The {what} of {listed(taken)} {verb} taken from the data. The list of values that occur is not private: a "
        "collector must know the domains beforehand, so write them into the settings."
    ]


def _values(values: Sequence[str]) -> str:
    if len(values) > MOST_VALUES:
        values = [*values[: MOST_VALUES - 2], "...", f"{values[-1]}: {len(values)} values"]
    return "; ".join(values)


def of_columns(facts: Facts) -> list[str]:
    """Say which columns are left out, those with one reason together."""
    names = gathered((reason, name) for name, reason in facts.left_out.items())
    if not names:
        return []
    left = len(facts.left_out)
    total = left + len(facts.columns)
    reasons = "; ".join(f"{listed(columns)} ({reason})" for reason, columns in names.items())
    return [f"{left} of {total} columns {'is' if left == 1 else 'are'} left out: {reasons}."]


def of_records(facts: Facts) -> list[str]:
    """Say how many records are dropped, and what counted as no value."""
    if not facts.dropped:
        return []
    lacking = [
        f"{column.name} {plural(column.missing, 'time')}{_marked(column.marks)}"
        for column in facts.columns
        if column.missing and column.treatment == "drop"
    ]
    dropped, verb = facts.dropped, "is" if facts.dropped == 1 else "are"
    keep = " Keep them with the value 'missing': --missing keep (missing: keep in settings)." * many_dropped(facts)
    return [
        f"{dropped:,} of {plural(facts.rows, 'record')} {verb} dropped, as a value is missing: {listed(lacking)}.{keep}"
    ]


def many_dropped(facts: Facts) -> bool:
    """Whether so many records are dropped that those that remain may be others."""
    return facts.dropped > MANY_DROPPED * facts.rows


def _marked(marks: Sequence[str]) -> str:
    texts = [repr(one) if one else "empty" for one in marks]
    return f" ({listed(texts)})" if texts else ""


def of_left_out(rows: Sequence[Gap], epsilons: Sequence[float]) -> list[str]:
    """Say what else is left out, at which budgets, those with one reason together."""
    budgets = gathered(((row.kind, row.what, row.reason), row.epsilon) for row in rows if row.kind != "column")
    groups: dict[tuple[str, str, str], list[str]] = {}
    for (kind, what, reason), found in budgets.items():
        joint = kind == "joint tables"
        key = ("", "are", reason) if joint else (_at(found, epsilons), "is", reason)
        groups.setdefault(key, []).append(what[:1].upper() + what[1:] if joint else what)
    return [
        f"{listed(names)} {'are' if len(names) > 1 else verb} left out{at}: {reason.rstrip('.')}."
        for (at, verb, reason), names in groups.items()
    ]


def _at(found: Sequence[float], epsilons: Sequence[float]) -> str:
    return "" if set(found) == set(epsilons) else f" at epsilon = {listed([f'{epsilon:g}' for epsilon in found])}"


@dataclass(frozen=True)
class StudyAnswer:
    """A sentence, the numbers behind it, and the section that has them all."""

    text: str
    detail: str
    section: str


def answers(tables: Tables, about: StudyFacts) -> list[StudyAnswer]:
    """Return the answers: protocol, error, leakage and budget."""
    found = [
        by_basis(tables, PUBLIC, "From public facts alone"),
        by_basis(tables, TABLE, "From the table, a choice that is not private"),
        *(say(tables, about) for say in (of_accuracy, of_leakage, of_budget, of_gaps)),
    ]
    return [answer for answer in found if answer is not None]


def by_basis(tables: Tables, basis: str, start: str) -> StudyAnswer | None:
    """Say which protocol to choose, budgets with one answer together."""
    rows = [row for row in rows_of(Recommendation, tables["recommendation"]) if row.basis == basis]
    candidates = [row for row in rows_of(Candidate, tables["candidates"]) if row.basis == basis]
    if not rows:
        return None
    groups = gathered((_choice(row, candidates), f"{row.epsilon:g}") for row in rows)
    text = "; ".join(f"{choice} at ε = {listed(budgets)}" for choice, budgets in groups.items())
    details = [_margin(row) for row in rows if row.runner_up]
    return StudyAnswer(f"{start}: {text}.", " ".join(details), "protocol")


def _choice(row: Recommendation, candidates: Sequence[Candidate]) -> str:
    if row.verdict == "recommended":
        same = f" (here the same as {listed(list(map(label, row.same)))})" if row.same else ""
        return f"{_named(row.protocol, row.postprocess)}{same}"
    unsure = (one.protocol for one in candidates if one.epsilon == row.epsilon and one.standing == "open")
    names = [label(name) for name in dict.fromkeys(unsure) if name != row.protocol]
    return f"cannot tell {label(row.protocol)} from {listed(names, 3, 'protocol')}"


def _named(protocol: str, postprocess: str) -> str:
    return label(protocol) if postprocess == "none" else f"{label(protocol)} with {METHOD_WORDS[postprocess]}"


def _margin(row: Recommendation) -> str:
    second = _named(row.runner_up, row.runner_up_postprocess)
    return f"ε = {row.epsilon:g}: {second} has {number(1 + row.margin, 3)} times the squared error."


def of_accuracy(tables: Tables, about: StudyFacts) -> StudyAnswer | None:
    """Say how exactly the shares of each column are read, the worst column first, then on average.

    That is by the protocol chosen from public facts, with which the study goes on to collect, if there is one.
    """
    table = tables["accuracy"][tables["accuracy"]["epsilon"] == about.middle]
    found = rows_of(Accuracy, table.sort_values("error", ascending=False))
    public, own = ([row for row in found if row.basis == basis] for basis in (PUBLIC, TABLE))
    same = {row.protocol for row in public} in ({row.protocol for row in own}, set())
    rows = own if same else public
    if not rows or isnan(rows[0].error):
        return None
    columns = [f"{row.column}: {read_by(row)}" for row in rows[:MOST_COLUMNS]]
    if len(rows) > MOST_COLUMNS:
        columns.append(f"{plural(len(rows) - MOST_COLUMNS, 'other column')} better")
    average = f", ± {rounded(100 * sum(row.error for row in rows) / len(rows))} on average" if len(rows) > 1 else ""
    text = (
        f"At ε = {about.middle:g}, with {label(rows[0].protocol)}, in 95 of 100 collections: "
        f"{'; '.join(columns)}{average} (percentage points).{_lost(rows, about)}"
    )
    half = f"Half the error takes about four times the users, {4 * about.n:,}."
    shares = [row for row in rows if not isnan(row.smallest_share)]
    if shares:
        worst = max(shares, key=lambda row: row.smallest_share)
        smallest = percent(worst.smallest_share)
        half = f"A value of {worst.column} is distinguished from an absent one if {smallest} have it. {half}"
    return StudyAnswer(text, half, "shares")


def _lost(rows: Sequence[Accuracy], about: StudyFacts) -> str:
    """Say of which columns nothing can be learnt: the error is larger than the share of any value."""
    lost = [row.column for row in rows if row.error > about.largest[row.column]]
    if not lost:
        return ""
    drop = ",".join(lost[: max(1, min(MOST_COLUMNS, len(rows) - 1))])
    fewer = f"leave columns out (--leave-out {shlex.quote(drop)}), " if len(rows) > 1 else ""
    return (
        f" Nothing can be learnt about {listed(lost, MOST_COLUMNS, 'column')}: the error is larger than every share. "
        f"Collect from more users, {fewer}or allow a larger budget."
    )


def read_by(row: Accuracy) -> str:
    """Return how a share is read: that of the table, or an example."""
    return read_as(EXAMPLE if isnan(row.share) else row.share, row.error)


def of_leakage(tables: Tables, about: StudyFacts) -> StudyAnswer:
    """Say what leaks about the column about which most does."""
    rows = [row for row in rows_of(Leak, tables["leakage"]) if row.epsilon == about.middle]
    worst = max((row for row in reversed(rows) if row.measure == SUM), key=lambda row: row.odds)
    of_column = {row.measure: row for row in rows if row.column == worst.column}
    column, joined = worst.column, [*about.through[worst.column]]
    exact = f" (through {listed(joined)} alone, exactly {percent(of_column[JOINT].at_most)})" if joined else ""
    share, condition = percent(worst.share), _condition(column, about)
    text = (
        f"{share} have {column} = {worst.value}. At ε = {about.middle:g}, one person's reports by SPL raise that from "
        f"{share} to at most {at_most(worst.at_most)}{condition}{exact}; by any protocol, to at most "
        f"{at_most(of_column[ANY].at_most)}."
    )
    population = ""
    if not isnan(worst.low):
        population = (
            f" In the population that the records come from, the factor is {number(worst.low)} to "
            f"{number(worst.high)} (95 % interval, corrected for what few records feign)."
        )
    odds = f"In this table, odds change by a factor of up to {number(worst.odds)} by SPL.{population}"
    return StudyAnswer(text, odds, "leakage")


def _condition(column: str, about: StudyFacts) -> str:
    return f", if columns are independent given {column}" if about.through[column] else ""


def of_budget(tables: Tables, about: StudyFacts) -> StudyAnswer:
    """Say which budget keeps the leakage within the limit."""
    rows = rows_of(BudgetRow, tables["budget"])
    strictest = min((row for row in rows if row.measure == ANY), key=lambda row: row.epsilon)
    column = strictest.column
    [spl] = [row for row in rows if row.measure == SUM and row.column == column]
    text = (
        f"To change the odds of what is known about {column} by a factor of at most "
        f"{number(about.settings.odds_limit)}, give a record {_budget(strictest.epsilon)}, whatever the "
        f"protocol; by SPL {_budget(spl.epsilon)}{_condition(column, about)}."
    )
    return StudyAnswer(text, "", "budget")


def of_gaps(tables: Tables, about: StudyFacts) -> StudyAnswer | None:
    """Say what these answers leave out, and why."""
    others = of_left_out(rows_of(Gap, tables["left_out"]), about.settings.epsilons)
    texts = [*of_columns(about.facts), *of_records(about.facts), *others]
    return StudyAnswer(" ".join(texts), "", "data") if texts else None


def _budget(epsilon: float) -> str:
    return f"at most ε = {number(epsilon)}" if epsilon < inf else "any budget"

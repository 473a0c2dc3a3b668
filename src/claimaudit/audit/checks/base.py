"""A kind of check: a class that owns all that is asked of its kind. `claimaudit.audit.checks` lists them.

It reads its sentence by patterns; thresholds, and what may follow a comma, are read alike for all kinds.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, cast

import numpy as np
import pandas as pd
from annotated_types import Ge
from pydantic import BaseModel

from claimaudit.audit.arrays import Arrays, evaluate, groups, variable
from claimaudit.audit.statistics import interval
from claimaudit.configuration import Entry, Text
from claimaudit.expressions import names_in
from claimaudit.papers.claims import Condition, Ends, Expression, Positive, SettingColumn
from claimaudit.verdicts import Evidence, Levels, Threshold, ThresholdOf

Fields = dict[str, Any]  # fields of a check by name, as plain data

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"  # regular expression of a plain number


@dataclass(frozen=True)
class Qualifier:
    """What may follow a comma and gives a field its value; it is a part of the field's annotation.

    Messages have the `example`; `pattern` is the regular expression of the whole of it, from whose groups `value` makes
    the value of the field.
    """

    example: str
    pattern: str
    value: Callable[..., Any] = str

    @classmethod
    def fixed(cls, words: str, value: object) -> Self:
        """Return words that stand for one value."""
        return cls(words, re.escape(words), lambda: value)


def matched(pattern: str, statement: str, **made: Callable[[str], Any]) -> Fields | None:
    """Return the groups of a whole statement, read by the functions of their names; None if it does not match."""
    if not (found := re.fullmatch(pattern, statement)):
        return None
    return {name: made.get(name, str)(part) for name, part in found.groupdict().items() if part is not None}


def cut(text: str, pattern: str, most: int = 0) -> list[str]:
    """Return the parts of a text between matches of a pattern outside brackets and quotes; `most` matches, unless 0."""
    parts: list[str] = []
    start, depth = 0, 0
    signs = rf"""'[^']*(?:'|$)|"[^"]*(?:"|$)|(?P<open>[(\[])|(?P<close>[)\]])|(?P<cut>{pattern})"""
    for found in re.finditer(signs, text):
        depth += bool(found["open"]) - bool(found["close"])
        if found["cut"] and depth == 0 and (not most or len(parts) < most):
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]


def threshold(text: str) -> str | float | dict[str, str | float]:
    """Return a threshold, or both ends of ``A .. B``; anything else is a ValueError."""
    ends = [part.strip() for part in re.split(r"\s\.\.\s", f" {text} ")]
    if len(ends) > 2 or not all(ends):
        raise ValueError(f"cannot read the threshold {text.strip()!r}; write 0.05, or for a vague word 0.05 .. 0.25")
    first, *second = map(number, ends)
    return {"strict": first, "generous": second[0]} if second else first


def number(text: str) -> str | float:
    """Return a number as such, and any other expression as it is."""
    if not re.fullmatch(NUMBER, text):
        return text
    return int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)


FACTORS = (1.5, 0.5, 4.0, 0.25, -1.0)  # by how much numbers are moved

PAIRS = 12  # pairs of mechanisms that are swapped, at most

Named = Collection[object]  # what a check's fields have; of it, the expressions and columns count


def disturbances(named: Named, rows: Arrays, theory: bool = True) -> Iterator[Arrays]:
    """Disturb a table in ways that a check of what is `named` should notice, those first that it notices most often.

    Two mechanisms that it compares exchange their names, the first setting that it names, or any, has its values in the
    reverse order, and numbers of one metric of one mechanism are moved, with their closed forms if `theory`.
    """
    series = _series(named, rows)
    first = [each[0] for each in series]
    _, distinct = np.unique(rows.places.codes["mechanism"][first], return_index=True)
    for one, other in list(combinations([first[at] for at in sorted(distinct)], 2))[:PAIRS]:
        yield _with_values(rows, "mechanism", np.array([one, other]))
    columns = [str(name) for name in named if isinstance(name, SettingColumn)]
    for name in columns[:1] or rows.settings:
        _, at = np.unique(rows.places.codes[name], return_index=True)
        known = at[~pd.isna(rows[name][at])]
        if len(known) > 1:
            yield _with_values(rows, name, known)
    for factor in FACTORS:
        for chosen in (part for each in series for part in (each[:1], each[-1:], each)):
            mean, closed = rows["mean"].copy(), rows["theory"].copy()
            # A number of 0 is moved as well, to either side.
            mean[chosen] = mean[chosen] * factor + np.where(mean[chosen] == 0, factor - 1, 0.0)
            if theory:
                closed[chosen] *= factor
            yield rows.assign(mean=mean, theory=closed)


def _with_values(rows: Arrays, name: str, order: np.ndarray) -> Arrays:
    """Return rows with some values of a column, which stand in the rows `order`, in the reverse order."""
    codes = rows.places.codes[name]
    taken = np.arange(len(rows))  # the row whose value each has
    for one, other in zip(order, order[::-1], strict=True):
        taken[codes == codes[one]] = other
    return replace(rows, places=rows.places.replaced(name, rows[name][taken], codes[taken]))


def _series(named: Named, rows: Arrays) -> list[np.ndarray]:
    """Return the rows of each metric of each mechanism that the check's expressions name, or of all."""
    known = {name for text in named if isinstance(text, Expression) for name in names_in(text)}
    number = rows.places.number(["metric", "mechanism"])
    first = np.unique(number, return_index=True)[1]
    names = [variable(str(rows["metric"][row]), str(rows["mechanism"][row])) for row in first]
    chosen = [place for place, name in enumerate(names) if name in known] or range(len(names))
    return [np.flatnonzero(number == place) for place in chosen]


Resolving = Annotated[
    Positive,
    Qualifier("resolving 0.5", rf"resolving ({NUMBER})", number),
]
"""The relative error that a check must be able to detect."""

Runs = Annotated[
    Annotated[int, Ge(1)] | None,
    Qualifier("over 100 runs", r"over (\d+) runs?", int),
]
"""The paper's number of runs."""


class Check(Entry, ABC):
    """The check of a claim; a subclass is a kind of check, and its fields are what a claim's sentence sets.

    `name` is what verdicts call the kind, `family` what claims of it say, as a heading, and `says` are its sentences,
    as examples for messages. If a check `by_the_paper` fails, the paper's own printed numbers contradict each other;
    with `counts_runs`, the number of runs behind a printed number counts. `sides` is what the two numbers of a
    comparison are, where they are not what is checked and what it is compared with.

    `word` is the vague word of the sentence, `measure` what the left side is called, and `runs_factor` how many runs
    stand behind the printed numbers, relative to the stated number; no sentence sets it.
    """

    name: ClassVar[str]
    family: ClassVar[str]
    says: ClassVar[tuple[str, ...]]
    by_the_paper: ClassVar[bool] = False
    counts_runs: ClassVar[bool] = False
    sides: ClassVar[Mapping[str, str]] = {}

    word: Annotated[str, Qualifier('for "close"', r'for "(.+)"')] = ""
    measure: str = ""
    unit: str = ""
    runs_factor: float = 1.0

    @classmethod
    @abstractmethod
    def read(cls, statement: str) -> Fields | None:
        """Return the fields of a sentence, None if it is of another kind; a ValueError if it lacks something."""

    @abstractmethod
    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Compare the numbers that the check is about, under all readings: a row for each comparison.

        There are selected `rows` of the result table only if the check is `OfRows`, and `published` numbers only if it
        names their file.
        """

    @abstractmethod
    def judge(self, compared: Arrays, levels: Levels) -> Evidence:
        """Judge the comparisons of one reading."""

    @property
    def universal(self) -> bool:
        """Whether one setting can refute the claim."""
        return True

    def thresholds(self, levels: Levels) -> tuple[Threshold, ...]:
        """Return the thresholds between which the claim is undecided, each by the name of its field."""
        ends = ((name, part) for name, part in parts(self) if isinstance(part, Ends))
        return tuple(Threshold(cast(ThresholdOf, name), part.strict, part.generous) for name, part in ends)

    def repeats(self, published: str | None, printed: Iterable[float]) -> bool:
        """Return whether the check is about printed numbers of an exhibit: its file, or one of its values."""
        return False

    def disturbed(self, rows: Arrays) -> Iterator[tuple[Self, Arrays]]:
        """Yield a check that holds with disturbed numbers: one that holds whatever they are is no evidence."""
        named = [part for _, part in parts(self)]
        yield from ((self, changed) for changed in disturbances(named, rows))


def evidence(
    compared: Arrays,
    at: int,
    left: np.ndarray,
    right: np.ndarray,
    se: np.ndarray,
    /,
    **found: Any,  # noqa: ANN401
) -> Evidence:
    """Return the evidence of comparisons of `left` with `right`, of which the one `at` a row decides.

    The fields `found` go before what follows from the numbers: the estimate is the left one.
    """
    fields = {"simulated": int((se != 0).sum()), **interval(left[at], se[at])}
    return Evidence(
        reading=str(compared["reading"][0]),
        rows=len(compared),
        worst={name: compared[name][at] for name in compared.settings},
        varying=tuple(name for name in compared.settings if np.ptp(compared.places.codes[name])),
        **{"comparisons": compared.table(left=left, right=right, se=se), **fields, **found},
    )


class OfRows(Check):
    """A check of rows of a result table, that of the experiment `table`, which a condition on its columns selects."""

    table: Text
    where: Annotated[Condition | None, Qualifier("where d == 2 and epsilon <= 1", r"where (.+)")] = None


class OfQuantity(OfRows):
    """A check of a quantity that is computed from rows; the printed points of an exhibit can answer in their place.

    The `quantity` is an expression over ``{metric}_{mechanism}`` and numeric settings, and `basis` says which numbers
    it takes (default: a closed form where there is one).
    """

    quantity: Expression
    basis: Annotated[
        Literal["simulation", "theory"] | None,
        Qualifier.fixed("simulated", "simulation"),
        Qualifier.fixed("in theory", "theory"),
    ] = None


class Along(OfQuantity):
    """A check of how a quantity changes along a setting, in the groups that some columns form (default: all others)."""

    along: SettingColumn
    by: Annotated[
        tuple[SettingColumn, ...] | None,
        Qualifier("by COLUMN and COLUMN", r"by (\w+(?: and \w+)*)", lambda names: names.split(" and ")),
        Qualifier.fixed("in one group", []),
    ] = None

    def compare(self, rows: Arrays, published: pd.DataFrame | None = None) -> Arrays:
        """Return the quantity at every setting, group by group; see `claimaudit.audit.arrays.groups`."""
        return groups(evaluate(rows, self.quantity, self.basis), self.along, self.by)


def parts(content: object, name: str = "") -> Iterator[tuple[str, object]]:
    """Yield the values of all fields of a check and what is in them, each with the name of its field."""
    inside: Iterable[tuple[str, object]] = content if isinstance(content, BaseModel) else ()
    if isinstance(content, tuple):
        inside = ((name, each) for each in content)
    for field, part in inside:
        yield field, part
        yield from parts(part, field)


Content = TypeVar("Content")


def at(content: Content, end: Literal["strict", "generous"]) -> Content:
    """Return a check, or a part of it, with each interval of thresholds replaced by one of its ends."""
    if isinstance(content, Ends):
        return getattr(content, end)
    if not isinstance(content, BaseModel):
        return content
    return content.model_copy(update={name: at(part, end) for name, part in content})

"""One column of a user's table, turned into codes."""

import math
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import PlainSerializer

from claimaudit.names import ConfigurationError
from corrldp.arrays import Floats
from corrldp.formats import number_in
from corrldp.study.settings import ColumnDomain, StudySettings

PUBLIC_DOMAIN, FROM_DATA, PROPOSED = "public", "taken from the data", "bins proposed from the data"
"""Where the domain of a column comes from."""

MISSING = 0  # the code of a missing value; those of the domain follow
MISSING_NAME = "missing"
MOST_SAMPLED, MOST_TEXTS = 10**6, 6
BINS = 6
STEPS = 20
"""Bounds of bins are multiples of a round number, about so many of which lie between the 5 % and the 95 % quantile; the
outer ones are rounder."""

Codes = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class ColumnFacts:
    """A column that was read: the `origin` of its domain, the domain as settings have it, and what stood for no value.

    `treatment` says what becomes of records without a value, and `marks` are the texts that stood for none.
    """

    name: str
    origin: str
    domain: Annotated[
        ColumnDomain, PlainSerializer(lambda domain: domain.model_dump(mode="json", exclude_defaults=True))
    ]
    values: tuple[str, ...]
    missing: int = 0
    treatment: str = "drop"
    marks: tuple[str, ...] = ()


Column = tuple[NDArray[np.integer], Sequence[str]]
"""The place (rows,) of each row's text in a list, -1 where there is none, and that list."""


def coded(
    name: str, column: Column, file: str, settings: StudySettings, decimal: str
) -> tuple[Codes, ColumnFacts] | str:
    """Return the codes (rows,) of a column, 0 where one is missing, and its facts, or why it is left out.

    Without a public domain in the `settings`, its values are taken from the data, or bins are proposed if it has many
    numbers, whose `decimal` sign is "." or ",". A text that is not in the column's public domain is a
    ConfigurationError with file, row, column, value and fix.
    """
    places, written = column
    texts = [text.strip() for text in written]

    def refused(text: str, what: object) -> ConfigurationError:
        row = int(np.flatnonzero(places == texts.index(text))[0]) + 1
        return ConfigurationError(f"{file}: row {row:,}, column {name}: {text!r} {what}")

    if nul := [text for text in texts if "\0" in text]:
        raise refused(nul[0], "has a NUL byte, as no text has: set encoding, for example utf-16")
    domain = settings.columns.get(name)
    known = domain.merged if domain else {}
    marks = {text for text in texts if text in settings.missing_texts and text not in known}
    origin = PUBLIC_DOMAIN
    if domain is None:
        found = {text: number_in(text, decimal) for text in sorted({*texts} - marks)}
        numbers = np.array([*(found.get(text, math.nan) for text in texts), math.nan])[places]
        proposal = _proposed(found, numbers[np.isfinite(numbers)][:MOST_SAMPLED], settings)
        if isinstance(proposal, str):
            return proposal
        domain, origin = proposal, PROPOSED if proposal.bins else FROM_DATA
        known = domain.merged
    codes = np.zeros(len(texts) + 1, np.min_scalar_type(len(domain.names) + 1))
    for place in sorted(range(len(texts)), key=texts.__getitem__):
        text = texts[place]
        try:
            codes[place] = MISSING if text in marks else _code(text, domain, known, decimal)
        except ValueError as error:
            raise refused(text, error) from None
    return _with_missing(codes[places], ColumnFacts(name, origin, domain, domain.names), marks, file, settings)


def _proposed(found: dict[str, float], sample: Floats, settings: StudySettings) -> ColumnDomain | str:
    """Return a domain for the texts that were found, each with its number or NaN, or why there is none.

    The `sample` has the numbers of some rows.
    """
    words = [text for text, number in found.items() if math.isnan(number)]
    many = len(found) > settings.most_values
    if not words and (many or len(found) > settings.most_numbers):
        bounds = propose_bins(sample)
        if numbers_records(sample):
            return "it numbers the records: give bins if it means something"
        if bounds is not None:
            return ColumnDomain(bins=bounds, outside="clip")
        if many:
            return "numbers for which there are no round bins: give public bins"
    if many:
        numeric = 2 * len(words) < len(found) and len(words) < MOST_TEXTS
        fix = f"give public bins, and {_added(words)}" if numeric else "give public values, or raise most_values"
        return f"more than most_values = {settings.most_values} different values: {fix}"
    # In ascending order, of numbers or of the alphabet, so that no order of rows matters.
    return ColumnDomain.model_construct(values=tuple(found if words else sorted(found, key=lambda text: found[text])))


def _code(text: str, domain: ColumnDomain, known: dict[str, int], decimal: str) -> int:
    """Return the code of a text, from 1 on; a ValueError says what is wrong with one that is not in the domain."""
    if domain.bins is not None:
        return _binned(text, domain.bins, domain.outside == "clip", decimal)
    if text in known:
        return known[text] + 1
    if domain.other is not None:
        return len(domain.names)
    allowed = ", ".join(list(known)[:8]) + (", ..." if len(known) > 8 else "")
    raise ValueError(f"is not in its domain ({allowed}): list it in values, or set other")


def _binned(text: str, bounds: tuple[float, ...], clip: bool, decimal: str) -> int:
    value = number_in(text, decimal)
    if math.isnan(value):
        raise ValueError(f"is not a number: correct it, or {_added([text])}")
    if not bounds[0] <= value <= bounds[-1] and not clip:
        widen = "widen them, or set outside: clip"
        raise ValueError(f"is outside its bins, {bounds[0]:g} to {bounds[-1]:g}: {widen}")
    return int(np.clip(np.searchsorted(bounds, value, side="right"), 1, len(bounds) - 1))


def _with_missing(
    codes: Codes, facts: ColumnFacts, marks: set[str], file: str, settings: StudySettings
) -> tuple[Codes, ColumnFacts] | str:
    """Add what becomes of missing values to the codes and facts of a column, or say why it is left out."""
    values, missing = facts.values, int(np.count_nonzero(codes == MISSING))
    treatment = facts.domain.missing or settings.missing
    if treatment == "keep" and missing:
        if MISSING_NAME in values:
            raise ConfigurationError(
                f"{file}: column {facts.name} has a value {MISSING_NAME!r} and missing values: "
                "rename the value, or drop records where it is missing"
            )
        values = (*values, MISSING_NAME)
        codes = np.where(codes == MISSING, len(values), codes).astype(np.min_scalar_type(len(values)))
    if len(values) < 2:
        reason = f"only one value, {values[0]!r}" if values else "no value"
        marked = ", ".join(map(repr, sorted(marks - {""})))
        return reason + f", as {marked} in missing_texts counts as none" * bool(marked)
    return codes, replace(facts, values=values, missing=missing, treatment=treatment, marks=tuple(sorted(marks)))


def _added(texts: Iterable[str]) -> str:
    options = " ".join(f"--missing-text {shlex.quote(text)}" for text in texts)
    return f"say what is no value: {options} (missing_texts in settings)"


def propose_bins(numbers: Floats) -> tuple[float, ...] | None:
    """Return round bounds of about six bins with about as many of the `numbers` (m,) each, or None if none fit.

    They depend on the data and so are not private.
    """
    low, high = np.quantile(numbers, [0.05, 0.95])
    width = float(high - low) or float(np.ptp(numbers))
    if width <= 0:
        return None
    step = rounded_down(width / STEPS)
    inner = np.quantile(numbers, np.arange(1, BINS) / BINS)
    below, above = (max(step, rounded_down(reach / 5)) for reach in (high - numbers.min(), numbers.max() - low))
    first, last = below * math.floor(numbers.min() / below), above * math.ceil(numbers.max() / above)
    between = (place * step for place in np.rint(inner / step))
    ends = (0.0 if 0 < first < width else first, last)
    bounds = sorted({float(f"{bound:.12g}") for bound in (*ends, *between)})
    return tuple(bounds) if len(bounds) > 2 else None


def rounded_down(number: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is at most a number > 0."""
    power = 10.0 ** math.floor(math.log10(number) + 1e-12)
    return power * max(digit for digit in (1, 2, 5) if digit * power <= number * (1 + 1e-9))


def numbers_records(numbers: Floats) -> bool:
    """Whether a column seems to number the records: integers, all different, with few gaps."""
    distinct = np.unique(numbers)
    whole = bool((numbers == np.rint(numbers)).all())
    return whole and len(distinct) == len(numbers) and float(np.ptp(numbers)) < 1.1 * len(numbers)

"""One column of a user's table, turned into codes chunk by chunk."""

import math
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import PlainSerializer

from claimaudit.names import ConfigurationError
from corrldp.arrays import Floats, Integers
from corrldp.formats import number_in
from corrldp.study.settings import ColumnDomain, StudySettings

PUBLIC_DOMAIN, FROM_DATA, PROPOSED = "public", "taken from the data", "bins proposed from the data"
"""Where the domain of a column comes from."""

MISSING = 0  # the code of a missing value while reading; those of the domain follow
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


class ColumnReader:
    """A column while it is read, from a file that messages name.

    Without a public domain in the `settings`, its values are taken from the data, unless the first pass `proposed`
    bins. Its numbers have the `decimal` sign "." or ",".
    """

    def __init__(
        self, name: str, file: str, settings: StudySettings, decimal: str, proposed: ColumnDomain | None
    ) -> None:
        self.name, self.file, self.settings, self.decimal = name, file, settings, decimal
        self.domain = proposed or settings.columns.get(name)
        self.origin = PROPOSED if proposed else PUBLIC_DOMAIN if self.domain else FROM_DATA
        self.numbers: list[Floats] = []  # without a domain, as long as there are only numbers; at most `MOST_SAMPLED`
        self.texts: dict[str, None] = {}
        self.full = False
        self.known = self.domain.merged if self.domain else {}
        self.parts: list[Codes] = []
        self.rows = 0
        self.marks: set[str] = set()
        most = len(self.domain.names) if self.domain else settings.most_values
        self.type = np.min_scalar_type(most + 1)

    def add(self, places: Integers, texts: Sequence[str]) -> None:
        """Append a chunk: the place (rows,) of each row's text in `texts`, or -1 where there is none.

        A text that is not in the column's public domain is a ConfigurationError with file, row, column, value and fix.
        """
        codes = []
        for place, text in enumerate(texts):
            try:
                codes.append(self._code(text.strip()))
            except ValueError as error:
                row = self.rows + int(np.flatnonzero(places == place)[0]) + 1
                where = f"{self.file}: row {row:,}, column {self.name}"
                raise ConfigurationError(f"{where}: {text.strip()!r} {error}") from None
        if self.full:
            self.parts = []
        else:
            self.parts.append(np.array([*codes, MISSING]).astype(self.type)[places])
        if self.domain is None and not self.texts and sum(map(len, self.numbers)) < MOST_SAMPLED:
            found = np.array([*(number_in(text.strip(), self.decimal) for text in texts), math.nan])[places]
            self.numbers.append(found[np.isfinite(found)])
        self.rows += len(places)

    @property
    def sample(self) -> Floats | None:
        """Numbers of the column if it has no domain, all that it has are numbers, and they are too many for values."""
        if self.domain is None and not self.texts and (self.full or len(self.known) > self.settings.most_numbers):
            return np.concatenate(self.numbers)
        return None

    def finish(self) -> tuple[Codes, ColumnFacts] | str:
        """Return the codes (rows,), 0 where one is missing, or why the column is left out."""
        if self.full:
            return f"more than most_values = {self.settings.most_values} different values: {self._fix()}"
        codes = np.concatenate(self.parts) if self.parts else np.zeros(0, self.type)
        values = self.domain.names if self.domain else tuple(self.known)
        if self.domain is None:
            codes, values = _sorted(codes, values, self.decimal)
        domain = self.domain or ColumnDomain.model_construct(values=values)
        missing = int(np.count_nonzero(codes == MISSING))
        treatment = (self.domain and self.domain.missing) or self.settings.missing
        if treatment == "keep" and missing:
            if MISSING_NAME in values:
                raise ConfigurationError(
                    f"{self.file}: column {self.name} has a value {MISSING_NAME!r} and missing values: "
                    "rename the value, or drop records where it is missing"
                )
            values = (*values, MISSING_NAME)
            codes = np.where(codes == MISSING, len(values), codes).astype(np.min_scalar_type(len(values)))
        if len(values) < 2:
            reason = f"only one value, {values[0]!r}" if values else "no value"
            marked = ", ".join(map(repr, sorted(self.marks - {""})))
            return reason + f", as {marked} in missing_texts counts as none" * bool(marked)
        marks = tuple(sorted(self.marks))
        return codes, ColumnFacts(self.name, self.origin, domain, values, missing, treatment, marks)

    def _code(self, text: str) -> int:
        """Return the code of a text; a ValueError says what is wrong with one that is not in the public domain."""
        if "\0" in text:
            raise ValueError("has a NUL byte, as no text has: set encoding, for example utf-16")
        if text in self.settings.missing_texts and text not in self.known:
            self.marks.add(text)
            return MISSING
        if self.domain is None:
            return self._found(text)
        if self.domain.bins is not None:
            return self._binned(text, self.domain.bins, self.domain.outside == "clip")
        if text in self.known:
            return self.known[text] + 1
        if self.domain.other is not None:
            return len(self.domain.names)
        allowed = ", ".join(list(self.known)[:8]) + (", ..." if len(self.known) > 8 else "")
        raise ValueError(f"is not in its domain ({allowed}): list it in values, or set other")

    def _found(self, text: str) -> int:
        if len(self.texts) < MOST_TEXTS and math.isnan(number_in(text, self.decimal)):
            self.texts[text] = None
        if self.full:
            return MISSING
        code = self.known.setdefault(text, len(self.known))
        self.full = code >= self.settings.most_values
        return code + 1

    def _fix(self) -> str:
        numbers = sum(not math.isnan(number_in(text, self.decimal)) for text in self.known)
        if 2 * numbers > len(self.known) and len(self.texts) < MOST_TEXTS:
            return f"give public bins, and {_added(self.texts)}"
        return "give public values, or raise most_values"

    def _binned(self, text: str, bounds: tuple[float, ...], clip: bool) -> int:
        value = number_in(text, self.decimal)
        if math.isnan(value):
            raise ValueError(f"is not a number: correct it, or {_added([text])}")
        if not bounds[0] <= value <= bounds[-1] and not clip:
            widen = "widen them, or set outside: clip"
            raise ValueError(f"is outside its bins, {bounds[0]:g} to {bounds[-1]:g}: {widen}")
        return int(np.clip(np.searchsorted(bounds, value, side="right"), 1, len(bounds) - 1))


def _added(texts: Iterable[str]) -> str:
    options = " ".join(f"--missing-text {shlex.quote(text)}" for text in texts)
    return f"say what is no value: {options} (missing_texts in settings)"


def _sorted(codes: Codes, values: tuple[str, ...], decimal: str) -> tuple[Codes, tuple[str, ...]]:
    """Put the values found in ascending order, of numbers or of the alphabet, so that no order of rows matters."""
    numbers = [number_in(value, decimal) for value in values]
    numeric = not any(map(math.isnan, numbers))
    order = sorted(range(len(values)), key=lambda code: (numbers[code] if numeric else 0, values[code]))
    ranks = np.zeros(len(values) + 1, codes.dtype)
    ranks[np.array(order, dtype=np.int64) + 1] = np.arange(1, len(values) + 1)
    return ranks[codes], tuple(values[i] for i in order)


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

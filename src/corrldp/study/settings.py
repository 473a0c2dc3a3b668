"""What a user may set for a study, in config/study.yaml or a file of the same form; mistakes take one line each."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, model_validator

from claimaudit.configuration import Entry, faults, keys_of
from claimaudit.names import ConfigurationError
from claimaudit.yaml_files import read, refuse
from corrldp.arrays import check_choice
from corrldp.mechanisms.validation import MOST_EPSILON, check_epsilon
from corrldp.protocols.names import check_labels
from corrldp.protocols.postprocess import METHODS
from corrldp.protocols.registry import check_name

DEFAULT = ("SPL", "SPL[adaptive]", "SMP", "SMP[adaptive]", "RS+FD", "RS+FD[adaptive]", "RS+RFD", "Corr-RR", "Cond-RR")

POSTPROCESS = tuple(name for name in METHODS if name != "floor_normalise")
"""All methods but one, which differs from clip_normalise only where an estimate exceeds 1."""

MARKS = ("", "?", ".", "-", "--", "\N{EN DASH}", "\N{EM DASH}")
MISSING_TEXTS = (*MARKS, "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "null", "NULL")

Treatment = Literal["drop", "keep"]
Positive = Annotated[float, BeforeValidator(check_epsilon), Field(le=MOST_EPSILON)]


def _text(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError(f"YAML reads this value as {str(value).lower()}: write it in quotes, such as 'yes' or 'no'")
    return str(value) if isinstance(value, int | float) else value


def _delimiter(text: str) -> str:
    if len(text) != 1 and text not in ("auto", "tab", "\\t"):
        raise ValueError(f"{text!r} must be one character, tab or auto")
    return text


Text = Annotated[str, BeforeValidator(_text)]


class ColumnDomain(Entry, strict=False, allow_inf_nan=True):
    """The public domain of one column: its values, or the bounds of bins of a number.

    `values` may map a new value to those that it merges; all that they do not name becomes `other`, or is an error. Bin
    i contains bins[i] <= x < bins[i + 1], and the last one its upper bound, too.
    """

    values: tuple[Text, ...] | dict[Text, tuple[Text, ...]] | None = None
    other: Text | None = None
    bins: tuple[float, ...] | None = None
    outside: Literal["error", "clip"] = "error"
    missing: Treatment | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.values is None) == (self.bins is None):
            raise ValueError("a column needs either values or bins")
        if self.bins is not None and (len(self.bins) < 3 or any(a >= b for a, b in pairwise(self.bins))):
            raise ValueError(f"bins={list(self.bins)} must be three or more increasing numbers: the bounds of two bins")
        twice = sorted(text for text, times in Counter(chain.from_iterable(self._groups)).items() if times > 1)
        if twice:
            raise ValueError(f"values name {twice[0]!r} twice; keep one")
        if self.values is not None and len(self.names) < 2:
            raise ValueError(f"values={list(self.names)} must be two or more; leave the column out otherwise")
        return self

    @property
    def _groups(self) -> Iterable[tuple[str, ...]]:
        values = self.values or ()
        return values.values() if isinstance(values, Mapping) else ((value,) for value in values)

    @property
    def merged(self) -> dict[str, int]:
        return {text: code for code, group in enumerate(self._groups) for text in group}

    @property
    def names(self) -> tuple[str, ...]:
        """The values of the domain in the order of their codes, a missing one aside."""
        if self.values is not None:
            return (*self.values, *(() if self.other is None else (self.other,)))
        *inner, last = (f"[{low:g}, {high:g}" for low, high in pairwise(self.bins or ()))
        return (*(f"{edges})" for edges in inner), f"{last}]")


class Tables(Entry, strict=False):
    """Joint tables to estimate: of how many columns, and how many sets of columns of each number, at most."""

    ways: tuple[Annotated[int, Field(ge=2, le=6)], ...] = (2, 3)
    sets: Annotated[int, Field(ge=1)] = 4


class StudySettings(Entry, strict=False, allow_inf_nan=True):
    """All settings of a study; docs/study.md describes them."""

    file: str | None = None
    delimiter: Annotated[str, AfterValidator(_delimiter)] = "auto"
    encoding: str = "auto"
    decimal: Literal["auto", ".", ","] = "auto"
    missing_texts: tuple[str, ...] = MISSING_TEXTS
    missing: Treatment = "drop"
    columns: dict[Text, ColumnDomain] = Field(default={})
    leave_out: tuple[Text, ...] = ()
    sensitive: tuple[Text, ...] = ()
    most_values: Annotated[int, Field(ge=2, le=60_000)] = 64
    most_numbers: Annotated[int, Field(ge=2, le=60_000)] = 20
    epsilons: tuple[Positive, ...] = (0.5, 1.0, 2.0, 4.0)
    protocols: tuple[Annotated[str, AfterValidator(check_name)], ...] = DEFAULT
    postprocess: tuple[Annotated[str, AfterValidator(partial(check_choice, name="how", allowed=METHODS))], ...] = (
        POSTPROCESS
    )
    tables: Tables = Tables()
    odds_limit: Annotated[float, Field(gt=1, allow_inf_nan=False)] = 3.0
    runs: Annotated[int, Field(ge=10, le=10**6)] = 100
    level: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    seed: Annotated[int, Field(ge=0)] = 20250711

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name in ("epsilons", "protocols", "postprocess"):
            values = getattr(self, name)
            if not values or len(set(values)) < len(values):
                raise ValueError(f"{name}={list(values)} must be one or more different values")
        check_labels(self.protocols)
        for name in set(self.sensitive) & set(self.leave_out):
            raise ValueError(f"{name!r} is both sensitive and left out; choose one")
        return self


def load(path: Path) -> StudySettings:
    """Read the settings of a study; a ConfigurationError has a line for each fault, with the file, line and key."""
    return parse(read(path) or {}, path)


def parse(content: object, path: Path | None = None) -> StudySettings:
    """Check settings; `path` is the file from which they were read."""
    try:
        return StudySettings.model_validate(content)
    except ValidationError as error:
        found = faults(error, StudySettings)
    if path is not None:
        refuse(path, found)
    raise ConfigurationError("\n".join(": ".join(filter(None, [keys_of(place), words])) for place, words in found))

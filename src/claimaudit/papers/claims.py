"""The format of a claims file, papers/ID/claims.yaml, and of conclusions, which name claims.

docs/claims.md explains claims.

A file of claims has sections of entries as they are written: an entry may lack what its section's defaults fill in
and, with ``for_each``, stands for several claims. A complete claim is a `ClaimEntry`.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

from annotated_types import Ge, Gt, Le, MinLen
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    RootModel,
    StringConstraints,
    Tag,
)

from claimaudit.configuration import Entry, Text
from claimaudit.digits import Printed
from claimaudit.expressions import parse, require_condition
from claimaudit.verdicts import VerdictName

T = TypeVar("T")


def _form(content: object) -> str:
    return "(mapping)" if isinstance(content, dict) else "(value)"


def _expression(text: str) -> str:
    parse(text)
    return text


def _condition(text: str) -> str:
    require_condition(text)
    return text


def _as_printed(text: object) -> str:
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is not {AS_PRINTED}")
    Printed.read(text)
    return text


AS_PRINTED = 'a number as printed, in quotes so that its digits count, such as "0.50"'
Slug = Annotated[str, StringConstraints(pattern="^[a-z0-9][a-z0-9-]*$")]
Expression = Annotated[str, MinLen(1), AfterValidator(_expression)]
Condition = Annotated[str, MinLen(1), AfterValidator(_condition)]
PrintedText = Annotated[str, BeforeValidator(_as_printed), Field(description=AS_PRINTED)]
PrintedNumbers = Annotated[
    dict[
        str,
        Annotated[
            Annotated[float, Tag("(number)")] | Annotated[PrintedText, Tag("(text)")],
            Discriminator(lambda number: "(text)" if isinstance(number, str) else "(number)"),
        ],
    ],
    MinLen(1),
]
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]
Runs = Annotated[int, Ge(1), Field(description="the paper's number of runs")]
Resolving = Annotated[Positive, Field(description="relative error that the check must be able to detect")]
Weight = Annotated[
    Literal["headline", "result", "detail", "slip"], Field(description="how much depends on it (default: result)")
]


class Ends(Entry, Generic[T]):
    """The threshold of a vague word: what a strict reader demands, and what a generous one grants."""

    strict: T
    generous: T


Threshold = Annotated[Annotated[T, Tag("(value)")] | Annotated[Ends[T], Tag("(mapping)")], Discriminator(_form)]
"""A value, or an interval of values for a vague word."""


def in_order(content: T, sign: int) -> T:
    """Return a threshold whose generous end demands no more than the strict one; a larger value demands `-sign` more.

    Raises
    ------
    ValueError
        If the ends are exchanged.
    """
    ends = content.model_dump() if isinstance(content, Ends) else {}
    numbers = [end for end in ends.values() if not isinstance(end, str)]
    if numbers == [*ends.values()] and sign * (ends.get("generous", 0) - ends.get("strict", 0)) < 0:
        raise ValueError(f"{ends} demands more at its generous end than at its strict end; exchange them")
    return content


def larger_grants(content: T) -> T:
    """Check a threshold that is easier to meet the larger it is, such as a tolerance."""
    return in_order(content, 1)


def smaller_grants(content: T) -> T:
    """Check a threshold that is easier to meet the smaller it is."""
    return in_order(content, -1)


Tolerance = Annotated[Threshold[Positive], AfterValidator(larger_grants)]


class Alternative(BaseModel):
    """Another meaning of a vague sentence, or the sentence on other data; it overrides fields of the claim."""

    model_config = ConfigDict(extra="allow", strict=True)

    data: Annotated[bool, Field(description="whether it is other data, not another meaning")] = False


class ClaimEntry(Entry):
    """A complete claim: its sentence, the comparison that checks it, and what they are of."""

    id: Slug
    place: Annotated[Text, Field(description="the place in the paper, to the sentence, cell or panel")]
    states: Annotated[Text, Field(description="the claim in our words, with every qualifier of the original")]
    check: Annotated[Text, Field(description="the comparison, see docs/claims.md; with `printed` a condition on them")]
    of: Annotated[
        Annotated[Text, Tag("(value)")] | Annotated[tuple[Text, ...], Tag("(list)"), MinLen(1)],
        Discriminator(lambda content: "(list)" if isinstance(content, list | tuple) else "(value)"),
        Field(description="the exhibit that it is about, or an experiment; further ones whose settings bear on it"),
    ] = ()
    printed: Annotated[
        PrintedNumbers, Field(description="printed numbers by name, which the check compares with each other")
    ] = Field(default={})
    figure: Annotated[str, Field(description="the figure or table that shows it (default: that of `of`)")] = ""
    origin: Annotated[
        Literal["paper", "cited", "ours", "definition"],
        Field(description="who says so (default: paper); a definition holds by construction"),
    ] = "paper"
    weight: Weight = "result"
    refines: Annotated[
        Slug, Field(description="the claim that this one says of a part of the cases or in another sense")
    ] = ""
    follows: Annotated[
        Slug, Field(description="the claim that implies this one, which is shown beneath it and not counted")
    ] = ""
    cause: Annotated[Slug, Field(description="the entry of `causes` with which it falls")] = ""
    decides: Annotated[Text, Field(description="what would decide an undecided claim (default: by its reason)")] = ""
    alternatives: Annotated[
        dict[
            Text,
            Annotated[
                Annotated[Text, Tag("(value)")] | Annotated[Alternative, Tag("(mapping)")],
                Discriminator(_form),
            ],
        ],
        MinLen(1),
        Field(description="other meanings of a vague sentence: their checks, or the fields that change"),
    ] = Field(default={})
    note: Annotated[Text, Field(description="where the check is narrower than the sentence; what a reader needs")] = ""


SENTENCES = ("states", "note")
"""Fields that may name others in braces."""


class CheckEntry(Entry):
    """The fields of a kind of check, as `check` and `of` state them."""


class RowsEntry(CheckEntry):
    """A check of rows of a result table."""

    table: Annotated[Text, Field(description="the experiment whose result table is the evidence")]
    where: Annotated[Condition, Field(description="condition on columns that selects rows")] = ""


class QuantityEntry(RowsEntry):
    """A check of a quantity that is computed from rows."""

    quantity: Annotated[Expression, Field(description="expression over {metric}_{mechanism} and numeric settings")]
    basis: Literal["simulation", "theory"] | None = None


class AlongEntry(QuantityEntry):
    """A check of how a quantity changes along a setting."""

    along: Annotated[Text, Field(description="a setting column")]
    by: Annotated[tuple[Text, ...], Field(description="columns that form the groups (default: all others)")] = ()


class Cause(Entry):
    """An error that claims share, as a sentence to quote."""

    states: Text
    weight: Weight = "result"


class Template(BaseModel):
    """A claim as it is written; its fields are checked when it is complete."""

    model_config = ConfigDict(extra="allow", strict=True, json_schema_extra={"not": {"required": ["claims"]}})

    for_each: ForEach = ()


class Group(Entry):
    """Claims that are all repeated for each case."""

    for_each: ForEach
    defaults: Defaults = Field(default={})
    claims: Claims


Cases = Annotated[tuple[Annotated[dict[str, Any], MinLen(1)], ...], MinLen(1)]
Product = Annotated[dict[str, Annotated[tuple[Any, ...], MinLen(1)]], MinLen(1)]
ForEach = Annotated[
    Annotated[Cases, Tag("(value)")] | Annotated[Product, Tag("(mapping)")],
    Discriminator(_form),
    Field(
        description="a list of mappings with the same names, or a mapping of names to lists, which gives their product"
    ),
]
Defaults = Annotated[dict[str, Any], MinLen(1), Field(description="fields for the claims that do not set them")]
Claims = Annotated[
    tuple[
        Annotated[
            Annotated[Template, Tag("(claim)")] | Annotated[Group, Tag("(group)")],
            Discriminator(lambda entry: "(group)" if isinstance(entry, dict) and "claims" in entry else "(claim)"),
        ],
        ...,
    ],
    MinLen(1),
]


class Section(Entry):
    """Claims under one heading."""

    title: Text
    defaults: Defaults = Field(default={})
    claims: Claims


class ClaimsFile(Entry):
    """A whole file.

    `misread` lists characters of our copy of the text that may be misread, by the claim that they decide. `unchecked`
    says of sections of the text what is not checked there, and why; the places of claims say what is.
    """

    causes: dict[Slug, Cause] = Field(default={})
    misread: dict[Slug, Text] = Field(default={})
    unchecked: dict[Text, Text] = Field(default={})
    sections: tuple[Section, ...]


Finding = VerdictName | Literal["holds", "fails"]
"""A verdict, or the answer of a check of ours."""


class ConclusionEntry(Entry):
    """A sentence for the start page, and the claims as ``paper/claim`` with the findings on which it rests."""

    states: Text
    numbers: Annotated[
        Text, Field(description="its numbers, quoted as ``{paper/claim: what}`` (default: those of the first claim)")
    ] = ""
    rests_on: Annotated[dict[str, Finding], MinLen(1)]


class ConclusionsFile(RootModel[tuple[ConclusionEntry, ...]]):
    """config/conclusions.yaml."""

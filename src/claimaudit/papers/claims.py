"""The format of a claims file, papers/ID/claims.yaml, and of what names claims: coverage and conclusions.

docs/claims.md explains claims.

A file of claims has sections of entries as they are written: an entry may lack what its section's defaults fill in
and, with ``for_each``, stands for several claims. A complete claim is a `ClaimEntry` with the fields of its kind.
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
    model_validator,
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
Positive = Annotated[float, Gt(0)]
Share = Annotated[float, Ge(0), Le(1)]
Runs = Annotated[int, Ge(1), Field(description="the paper's number of runs")]
Resolving = Annotated[Positive, Field(description="relative error that the check must be able to detect")]
Weight = Annotated[
    Literal["headline", "result", "detail", "slip"], Field(description="how much hangs on it (default: result)")
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
    """Another meaning of a vague sentence, or other data than ours; it overrides fields of the claim."""

    model_config = ConfigDict(extra="allow", strict=True)

    name: Text
    data: Annotated[bool, Field(description="whether it is other data, not another meaning")] = False


class ClaimEntry(Entry):
    """The fields that claims of every kind may have."""

    id: Slug
    where: Annotated[Text, Field(description="the place in the paper, to the sentence, cell or panel")]
    states: Annotated[Text, Field(description="the claim in our words, with every qualifier of the original")]
    checked: Annotated[Text, Field(description="where the check is narrower than the sentence, or adds to it")] = ""
    kind: Annotated[Text, Field(description="kind of check")]
    origin: Annotated[
        Literal["paper", "ours", "definition"],
        Field(description="who says so (default: paper); a definition holds by construction"),
    ] = "paper"
    cited: Annotated[bool, Field(description="whether it is about cited work, which what was run does not bear on")] = (
        False
    )
    weight: Weight = "result"
    refines: Annotated[
        Slug, Field(description="the claim that this one says of a part of the cases or in another sense")
    ] = ""
    follows: Annotated[
        Slug, Field(description="the claim that implies this one, which is shown beneath it and not counted")
    ] = ""
    cause: Annotated[Slug, Field(description="the entry of `causes` with which it falls")] = ""
    exhibits: Annotated[
        tuple[Text, ...],
        Field(
            description="figures, tables and passages of which it speaks (default: the one of its table; may be empty)"
        ),
    ] = ()
    word: Annotated[Text, Field(description="the vague word whose thresholds are an interval")] = ""
    doubt: Annotated[Text, Field(description="a character that may be misread and decides the verdict")] = ""
    decides: Annotated[Text, Field(description="what would decide an undecided claim (default: by its reason)")] = ""
    measure: Annotated[Text, Field(description="what the left side of a comparison is called")] = ""
    unit: Annotated[Text, Field(description="unit of both sides; percent multiplies by 100")] = ""
    figure: Annotated[Text, Field(description="the figure or table that shows it")] = ""
    note: Text = ""
    lacking: Annotated[Text, Field(description="data that only a user can supply; no data while no row has them")] = ""
    alternatives: Annotated[tuple[Alternative, ...], MinLen(1)] = ()


COMMON = frozenset(ClaimEntry.model_fields)
"""Names of the fields that claims of every kind may have."""


class RowsEntry(ClaimEntry):
    """A claim about rows of a result table."""

    table: Annotated[Text, Field(description="the experiment whose result table is the evidence")]
    rows: Annotated[Condition, Field(description="condition on columns that selects rows")] = ""


class QuantityEntry(RowsEntry):
    """A claim about a quantity that is computed from rows."""

    quantity: Annotated[Expression, Field(description="expression over {metric}_{mechanism} and numeric settings")]
    basis: Literal["simulation", "theory"] | None = None


class AlongEntry(QuantityEntry):
    """A claim about how a quantity changes along a setting."""

    along: Annotated[Text, Field(description="a setting column")]
    by: Annotated[tuple[Text, ...], Field(description="columns that form the groups (default: all others)")] = ()


class Cause(Entry):
    """An error that claims share, as a sentence to quote."""

    states: Text
    weight: Weight = "result"


class Template(BaseModel):
    """A claim as it is written; its fields are checked when it is complete."""

    model_config = ConfigDict(extra="allow", strict=True, json_schema_extra={"not": {"required": ["claims"]}})

    kind: str = ""
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
Defaults = Annotated[
    dict[str, Any], MinLen(1), Field(description="fields for the claims that may have them and do not")
]
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
    """A whole file."""

    causes: dict[Slug, Cause] = Field(default={})
    sections: tuple[Section, ...]


class CoverageSection(Entry):
    """A section of a text: ids of its claims, or patterns such as ``table-1-*``, and why the rest is not checked."""

    section: Annotated[Text, Field(description="its number and heading")]
    claims: tuple[Text, ...] | None = None
    rest: Text | None = None

    @model_validator(mode="after")
    def _says_something(self) -> CoverageSection:
        if self.claims is None and self.rest is None:
            raise ValueError("a section needs its claims, or says in `rest` why it has none")
        return self


class CoverageFile(Entry):
    """What the audit covers of a text, section by section: papers/ID/coverage.yaml."""

    sections: Annotated[tuple[CoverageSection, ...], MinLen(1)]


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

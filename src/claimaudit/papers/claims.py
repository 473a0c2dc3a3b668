"""The format of a claims file, papers/ID/claims.yaml, and of conclusions and replies, which name claims.

docs/claims.md explains claims.

A file of claims has sections of entries as they are written: an entry may lack what its section's defaults fill in
and, with ``for_each``, stands for several claims. A complete claim is a `ClaimEntry`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

from annotated_types import Ge, Gt, Le, MinLen
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    RootModel,
    StringConstraints,
    Tag,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from claimaudit.configuration import VALUE, Entry, OneOrList, OneOrMapping, Text, by_key, unique
from claimaudit.digits import Printed
from claimaudit.expressions import parse, require_condition
from claimaudit.verdicts import VerdictName

T = TypeVar("T")


class Named(str):
    """A text of a check that names what a result table has; planning looks it up wherever a check has one."""

    __slots__ = ()
    check: ClassVar[Callable[[str], object]] = str  # raises a ValueError if the text has not the form of its kind

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(text: str) -> Named:
            cls.check(text)
            return cls(text)

        return core_schema.no_info_after_validator_function(read, core_schema.str_schema(min_length=1))


class SettingColumn(Named):
    """A setting column."""


class Metric(Named):
    """A metric."""


class Expression(Named):
    """An expression over the variables ``{metric}_{mechanism}`` and numeric settings."""

    check = parse


class Condition(Named):
    """An expression that is true or false."""

    check = require_condition


Number = float | int


class Interval(tuple[Number, Number]):
    """Two numbers, the smaller one first; of a check along a setting, two of its values, which planning looks up."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(ends: tuple[Number, Number]) -> Interval:
            low, high = ends
            if low > high:
                raise ValueError(f"[{low:g}, {high:g}] is empty; put the smaller number first")
            return cls(ends)

        return core_schema.no_info_after_validator_function(read, handler.generate_schema(tuple[Number, Number]))


def _as_printed(text: object) -> str:
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is not {AS_PRINTED}")
    Printed.read(text)
    return text


AS_PRINTED = 'a number as printed, in quotes so that its digits count, such as "0.50"'
Slug = Annotated[str, StringConstraints(pattern="^[a-z0-9][a-z0-9-]*$")]
PrintedText = Annotated[str, BeforeValidator(_as_printed), Field(description=AS_PRINTED)]
PrintedOrPlain = Annotated[
    Annotated[Number, Tag("(number)")] | Annotated[PrintedText, Tag("(text)")],
    Discriminator(lambda number: "(text)" if isinstance(number, str) else "(number)"),
]
PrintedNumbers = Annotated[dict[str, PrintedOrPlain], MinLen(1)]
Positive = Annotated[Number, Gt(0)]
Share = Annotated[Number, Ge(0), Le(1)]
Weight = Annotated[
    Literal["headline", "result", "detail", "slip"], Field(description="how much depends on it (default: result)")
]


class Ends(Entry, Generic[T]):
    """The threshold of a vague word: what a strict reader demands, and what a generous one grants."""

    strict: T
    generous: T


def fixed(threshold: Number | Ends[Number]) -> float:
    """Return a threshold, which must be a value."""
    assert not isinstance(threshold, Ends)
    return threshold


def in_order(content: T, sign: int) -> T:
    """Return a threshold; ends of which the generous one demands more (`sign` 1: is smaller) are a ValueError."""
    ends = content.model_dump() if isinstance(content, Ends) else {}
    numbers = [end for end in ends.values() if not isinstance(end, str)]
    if numbers == [*ends.values()] and sign * (ends.get("generous", 0) - ends.get("strict", 0)) < 0:
        raise ValueError(f"{ends} demands more at its generous end than at its strict end; exchange them")
    return content


LARGER_GRANTS, SMALLER_GRANTS = (AfterValidator(partial(in_order, sign=sign)) for sign in (1, -1))
"""Checks of a threshold that is easier to meet the larger it is, such as a tolerance, or the smaller it is."""

Side = OneOrMapping[Expression | Number, Ends[Expression | Number]]
"""What a quantity is compared with: one threshold, or both ends of that of a vague word."""

Tolerance = Annotated[OneOrMapping[Positive, Ends[Positive]], LARGER_GRANTS]
SmallestShare = Annotated[OneOrMapping[Share, Ends[Share]], SMALLER_GRANTS]
LargestShare = Annotated[OneOrMapping[Share, Ends[Share]], LARGER_GRANTS]


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
        OneOrList[Text, Annotated[tuple[Text, ...], MinLen(1)]],
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
    claimed: Annotated[
        Number | None, Field(description="the threshold that the sentence states (default: the one it has in braces)")
    ] = None
    decides: Annotated[Text, Field(description="what would decide an undecided claim (default: by its reason)")] = ""
    alternatives: Annotated[
        dict[Text, OneOrMapping[Text, Alternative]],
        MinLen(1),
        Field(description="other meanings of a vague sentence: their checks, or the fields that change"),
    ] = Field(default={})
    note: Annotated[Text, Field(description="where the check is narrower than the sentence; what a reader needs")] = ""
    thresholds_in_note: Annotated[
        bool, Field(description="whether `note` says between which thresholds a vague word was taken")
    ] = False


SENTENCES = ("states", "note")  # fields that may name others in braces


class CauseEntry(Entry):
    """An error that claims share, as a sentence to quote."""

    states: Text
    weight: Weight = "result"


class Template(BaseModel):
    """A claim as it is written; its fields are checked when it is complete."""

    model_config = ConfigDict(extra="allow", strict=True)

    for_each: ForEach = ()


class Group(Entry):
    """Claims that are all repeated for each case."""

    for_each: ForEach
    defaults: Defaults = Field(default={})
    claims: Claims


Cases = Annotated[tuple[Annotated[dict[str, Any], MinLen(1)], ...], MinLen(1)]
Product = Annotated[dict[str, Annotated[tuple[Any, ...], MinLen(1)]], MinLen(1)]
ForEach = Annotated[
    OneOrMapping[Cases, Product],
    Field(
        description="a list of mappings with the same names, or a mapping of names to lists, which gives their product"
    ),
]
Defaults = Annotated[dict[str, Any], MinLen(1), Field(description="fields for the claims that do not set them")]
Claims = Annotated[
    tuple[Annotated[Annotated[Template, VALUE] | Annotated[Group, Tag("(claims)")], by_key("claims")], ...], MinLen(1)
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

    causes: dict[Slug, CauseEntry] = Field(default={})
    misread: dict[Slug, Text] = Field(default={})
    unchecked: dict[Text, Text] = Field(default={})
    sections: tuple[Section, ...]


Finding = VerdictName | Literal["holds", "fails"]  # a verdict, or the answer of a check of ours


class ConclusionEntry(Entry):
    """A sentence for the start page, or the answer of a paper's page, and the claims on which it rests."""

    states: Annotated[Text, Field(description="the sentence, which may quote numbers as `numbers` do")]
    about: Annotated[str, Field(description="the paper whose page it answers; the start page has the others")] = ""
    more: Annotated[str, Field(description="what stands behind it, shown on a click")] = ""
    picture: Annotated[
        str, Field(description="the claim, as ``paper/claim``, whose record is drawn (default: the first one)")
    ] = ""
    numbers: Annotated[
        Text, Field(description="its numbers, quoted as ``{paper/claim: what}`` (default: those of the first claim)")
    ] = ""
    rests_on: Annotated[dict[str, Finding], MinLen(1)]


class ConclusionsFile(RootModel[tuple[ConclusionEntry, ...]]):
    """config/conclusions.yaml."""


class ReplyEntry(Entry):
    """One reply, to some claims or to the audit as a whole."""

    by: Annotated[Text, Field(description="who answers")]
    date: Annotated[date, Field(description="when, such as 2026-01-31")]
    source: Annotated[Text, Field(description="where it can be read: an address, or how it came")]
    says: Annotated[Text, Field(description="the answer, in their words")]
    claims: Annotated[
        tuple[Slug, ...], AfterValidator(unique), Field(description="the claims that it is about (default: the audit)")
    ] = ()
    disputes: Annotated[bool, Field(description="whether it disputes the verdicts on these claims")] = False

    @model_validator(mode="after")
    def _disputes_something(self) -> ReplyEntry:
        if self.disputes and not self.claims:
            raise ValueError("name the `claims` whose verdicts it disputes")
        return self


class RepliesFile(RootModel[tuple[ReplyEntry, ...]]):
    """Replies to verdicts, papers/ID/replies.yaml, in the order of the report. A reply changes no verdict."""

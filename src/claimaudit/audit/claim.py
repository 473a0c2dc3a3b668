"""A claim as its file states it; `claimaudit.audit.claims.files` reads and validates it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from claimaudit.verdicts import RESOLVING, Threshold, ThresholdOf

ENDS = ("strict", "generous")
"""The ends of an interval of thresholds: what a strict reader demands, and what a generous reader grants."""

End = Literal["strict", "generous"]
Ends = Mapping[str, float]
Share = str | Mapping[str, float | Ends]


@dataclass(frozen=True)
class Claim:
    """A claim, or one meaning of its sentence; docs/claims.md describes the fields.

    The fields of the first block are those of every kind, the others those of the kinds that have them. What a file
    does not set is empty; `table`, `figure`, `exhibits` and `lacking` follow from the paper, and `doubt` from what
    may be misread. `runs_factor` is no field of a file: how many runs stand behind the printed numbers, relative to
    the stated number. `alternatives` are other meanings of the sentence, by name, as complete claims, and those in
    `on_other_data` the same meaning on other data, which the text does not exclude; `own` are fields that only one
    kind has and that are not among these.
    """

    id: str
    place: str
    states: str
    kind: str
    origin: Literal["paper", "ours", "definition"] = "paper"
    cited: bool = False
    weight: Literal["headline", "result", "detail", "slip"] = "result"
    refines: str = ""
    follows: str = ""
    cause: str = ""
    exhibits: tuple[str, ...] | None = None
    word: str = ""
    doubt: str = ""
    decides: str = ""
    measure: str = ""
    unit: str = ""
    figure: str = ""
    note: str = ""
    lacking: str = ""
    alternatives: tuple[tuple[str, Claim], ...] = ()
    on_other_data: tuple[str, ...] = ()

    table: str = ""
    where: str | None = None
    quantity: str = ""
    basis: Literal["simulation", "theory"] | None = None
    relation: str = ""
    against: str | float | Ends = ""
    share: Share = "every"
    along: str = ""
    by: tuple[str, ...] | None = None
    direction: Literal["", "increasing", "decreasing"] = ""
    tolerance: float | Ends | None = None
    resolving: float = RESOLVING
    printed: Mapping[str, Any] | None = None
    extreme: Literal["", "largest", "smallest"] = ""
    published: str = ""
    metric: str = ""
    reading_error: float = 0.0
    runs: float | None = None
    runs_factor: float = 1.0
    own: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Claim:
        """Return the claim that valid content without alternatives describes."""
        given: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in content.items()}
        known = {each.name for each in fields(cls)}
        own = {name: given.pop(name) for name in [*given] if name not in known}
        return cls(**given, own=own)

    @property
    def meanings(self) -> tuple[tuple[str, Claim], ...]:
        """The claim as stated (named ``""``) and its alternatives, each without alternatives of its own."""
        return (("", replace(self, alternatives=())), *self.alternatives)

    def set_fields(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults, in order, then those of its kind alone."""
        known = {each.name: (getattr(self, each.name), each.default) for each in fields(self) if each.name != "own"}
        return {name: value for name, (value, default) in known.items() if value != default} | dict(self.own)

    def at(self, end: End) -> Claim:
        """Return the claim with each interval of thresholds replaced by one of its ends."""
        changed = {name: _at(getattr(self, name), end) for name in ("against", "tolerance", "share", "printed")}
        return replace(self, **changed)

    def thresholds(self) -> Iterator[Threshold]:
        """Yield the intervals of thresholds, the share of the cases last."""
        share = self.share if isinstance(self.share, Mapping) else {}
        given: dict[ThresholdOf, Any] = {
            "against": self.against,
            "tolerance": self.tolerance,
            "printed": (self.printed or {}).get("tolerance"),
            "at_least": share.get("at_least"),
            "at_most": share.get("at_most"),
        }
        yield from (Threshold(of, **value) for of, value in given.items() if _is_interval(value))


def _is_interval(content: object) -> bool:
    return isinstance(content, Mapping) and set(content) == set(ENDS)


def _at(content: Any, end: End) -> Any:  # noqa: ANN401
    if not isinstance(content, Mapping):
        return content
    return content[end] if _is_interval(content) else {name: _at(part, end) for name, part in content.items()}

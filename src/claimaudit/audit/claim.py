"""A claim as its file states it; `claimaudit.audit.claims.files` reads and validates it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from claimaudit.audit.checks import CHECKS
from claimaudit.audit.checks.base import Check, OfRows
from claimaudit.configuration import parse


@dataclass(frozen=True)
class Claim:
    """A claim, or one meaning of its sentence; docs/claims.md describes the fields.

    What a file does not set is empty; `figure`, `exhibits` and `lacking` follow from the paper, and `doubt` from what
    may be misread. `check` has what the sentence of the check says. `alternatives` are other meanings of the sentence,
    by name, as complete claims, and those in `on_other_data` the same meaning on other data, which the text does not
    exclude.
    """

    id: str
    place: str
    states: str
    check: Check
    origin: Literal["paper", "ours", "definition"] = "paper"
    cited: bool = False
    weight: Literal["headline", "result", "detail", "slip"] = "result"
    refines: str = ""
    follows: str = ""
    cause: str = ""
    exhibits: tuple[str, ...] | None = None
    doubt: str = ""
    claimed: float | None = None
    decides: str = ""
    figure: str = ""
    note: str = ""
    lacking: str = ""
    alternatives: tuple[tuple[str, Claim], ...] = ()
    on_other_data: tuple[str, ...] = ()

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> Claim:
        """Return the claim with the fields of plain data, those of its check among them, and its ``kind``.

        ``alternatives`` are fields that change, by name.

        Raises
        ------
        pydantic.ValidationError
            If its kind does not allow a field of the check.
        """
        stated = {name: value for name, value in content.items() if name != "alternatives"}
        known = {each.name for each in fields(cls)} & stated.keys()
        own: dict[str, Any] = {name: stated[name] for name in known}
        own |= {name: tuple(own[name]) for name in ("exhibits", "on_other_data") if name in own}
        checked = {name: value for name, value in stated.items() if name not in {*known, "kind"}}
        others = content.get("alternatives", {}).items()
        return cls(
            **own,
            check=parse(checked, CHECKS[stated["kind"]]),
            alternatives=tuple((name, cls.of({**stated, **changed})) for name, changed in others),
        )

    @property
    def kind(self) -> str:
        return self.check.name

    @property
    def table(self) -> str:
        """The experiment whose result table is the evidence; empty if printed numbers are."""
        return self.check.table if isinstance(self.check, OfRows) else ""

    @property
    def meanings(self) -> tuple[tuple[str, Claim], ...]:
        """The claim as stated (named ``""``) and its alternatives, each without alternatives of its own."""
        return (("", replace(self, alternatives=())), *self.alternatives)

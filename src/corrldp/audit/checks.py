"""A kind of check: two functions and the fields of its claims. `corrldp.audit.kinds` lists the kinds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from corrldp.audit.evidence import Claim, Evidence, Levels
from corrldp.audit.readings import Reading
from corrldp.configuration import Place

Fields = Mapping[str, dict[str, Any]]
"""JSON schemas of fields, by name; ``#/$defs`` refers to claims.schema.yaml."""

TEXT = {"$ref": "#/$defs/text"}
POSITIVE = {"$ref": "#/$defs/positive"}
SHARE = {"$ref": "#/$defs/share"}


def threshold(end: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a threshold: a value, or an interval from the strict to the generous end of a vague word."""
    ends = {"strict": end, "generous": end}
    interval = {"type": "object", "required": list(ends), "properties": ends, "additionalProperties": False}
    return {"anyOf": [end, interval], "description": "a value, or {strict: value, generous: value} for a vague word"}


RUNS = {"type": "integer", "minimum": 1, "description": "the paper's runs"}
RESOLVING = {**POSITIVE, "description": "relative error that the check must be able to detect"}

ROWS: Fields = {
    "table": {**TEXT, "description": "the experiment whose result table is the evidence"},
    "rows": {**TEXT, "description": "condition on columns that selects rows"},
}
QUANTITY: Fields = {
    **ROWS,
    "quantity": {**TEXT, "description": "expression over {metric}_{mechanism} and numeric settings"},
    "basis": {"enum": ["simulation", "theory"]},
}
ALONG: Fields = {
    **QUANTITY,
    "along": {**TEXT, "description": "a setting column"},
    "by": {"type": "array", "items": TEXT, "description": "columns that form the groups (default: all others)"},
}


@dataclass(frozen=True)
class Check:
    """A kind of check.

    Attributes
    ----------
    compare
        Compares the numbers of a claim under all readings at once. It takes the claim, the rows that the claim
        selects (None if `fields` has no ``table``) and, if `fields` has ``published``, the published numbers.
    judge
        Judges the comparisons of one reading.
    fields, required
        The fields of a claim besides those common to all claims, and those of them that are required.
    by_the_paper
        Whether a check that fails shows that the paper's own printed numbers contradict each other.
    faults
        Finds what is wrong with a claim that follows the schemas: place and words of each fault.
    """

    compare: Callable[..., list[Reading]]
    judge: Callable[[Claim, Reading, Levels], Evidence]
    fields: Fields
    required: tuple[str, ...]
    by_the_paper: bool = False
    faults: Callable[[Claim], Iterable[tuple[Place, str]]] = lambda claim: ()

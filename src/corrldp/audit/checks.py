"""A kind of check: two functions and the model of its claims. `corrldp.audit.kinds` lists the kinds."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic.fields import FieldInfo

from corrldp.audit.evidence import Claim, Evidence, Levels
from corrldp.audit.readings import Reading
from corrldp.papers.claims import COMMON, ClaimEntry


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
    entry
        The model of a complete claim.
    by_the_paper
        Whether a check that fails shows that the paper's own printed numbers contradict each other.
    """

    compare: Callable[..., list[Reading]]
    judge: Callable[[Claim, Reading, Levels], Evidence]
    entry: type[ClaimEntry]
    by_the_paper: bool = False

    @property
    def fields(self) -> dict[str, FieldInfo]:
        """The fields of a claim besides those common to all claims."""
        return {name: field for name, field in self.entry.model_fields.items() if name not in COMMON}

"""The words of the method: what a reader must know to read a verdict."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from claimaudit.words.verdicts import VERDICTS


@dataclass(frozen=True)
class Term:
    """A word or an abbreviation: what it stands for, what it is, a formula, its source, and other ways to write it."""

    term: str
    means: str
    expands: str = ""
    formula: str = ""
    source: str = ""
    also: tuple[str, ...] = ()

    @property
    def plain(self) -> dict[str, object]:
        """Its fields as plain data."""
        return asdict(self)


METHOD = (
    Term("as stated", "What the check answers with the settings that the text states."),
    Term(
        "as run",
        "What the check answers with the settings that the printed numbers leave standing, whatever the text says.",
        also=("as it was run",),
    ),
    Term("by the paper's own numbers", "What the paper's printed numbers answer, whatever we compute."),
    Term("reading", "A value for every choice that the text leaves open.", also=("readings",)),
    Term("axis", "One choice that the text leaves open, with the values that we tried.", also=("axes",)),
    Term("strict reading", "The reading that takes the text as it stands."),
    Term(
        "standing reading",
        "A reading that the printed numbers do not reject, while no other one is far likelier.",
        also=("standing readings",),
    ),
    Term("admissible", "Said of a reading that keeps the conditions that the paper itself imposes."),
    Term("exhibit", "A figure, a table or a passage with numbers.", also=("exhibits",)),
    Term(
        "95 % interval",
        "Where 95 of 100 repetitions with as many runs as the paper's would lie, by our numbers.",
    ),
    Term("p-value", "How likely a deviation at least as large would be by chance, if the settings were right."),
    Term(
        "own question",
        "A check of ours that no sentence of the paper makes. It counts neither for nor against the authors.",
        also=("own questions",),
    ),
    Term("possible slip", "A misprint, a rounding or a wrong reference. It is counted apart."),
    *(Term(badge.name, f"Verdict: the claim {badge.meaning}.") for badge in VERDICTS.values()),
)
"""In the order in which a reader meets them."""

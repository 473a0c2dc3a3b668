"""The audit's answer to one claim, for a notebook, with a link to the claim in the report."""

from __future__ import annotations

from pathlib import Path

from IPython.display import Markdown

from claimaudit.report.markup import anchor
from claimaudit.verdicts import read
from claimaudit.words.verdicts import COLUMNS, effect, reason, sentence


def answer(paper: str, claim: str, verdicts: Path = Path("report/verdicts")) -> Markdown:
    """Return the verdict on a claim, its numbers and its three columns as text.

    Raises
    ------
    ValueError
        If the verdicts on the paper have no such claim.
    """
    known = read(verdicts / f"{paper}.json")
    verdict = next((verdict for verdict in known.claims if verdict.id == claim), None)
    if verdict is None:
        raise ValueError(f"the verdicts on {paper} have no claim {claim!r}; correct the name")
    columns = (f"{heading}: {getattr(verdict, name).answer}" for name, (heading, _) in COLUMNS.items())
    numbers = sentence(effect(verdict) or reason(verdict, known.names))
    link = f"../{paper}.html#{anchor('claim', paper, claim)}"
    return Markdown(
        f"**{verdict.place}:** {verdict.states}\n\n"
        f"**Answer: {verdict.verdict}** ({', '.join(columns)}). {numbers} [The claim in the report]({link})"
    )

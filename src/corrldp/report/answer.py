"""The audit's answer to one claim, for a notebook, with a link to the claim in the report."""

from __future__ import annotations

from pathlib import Path

from IPython.display import Markdown

from corrldp.checksums import read_sealed
from corrldp.report import tidy
from corrldp.report.markup import anchor
from corrldp.words.verdicts import COLUMNS


def answer(paper: str, claim: str, verdicts: Path = Path("report/verdicts")) -> Markdown:
    """Return the verdict on a claim, its numbers and its three columns as text.

    Raises
    ------
    ValueError
        If the verdicts on the paper have no such claim.
    """
    records = read_sealed(verdicts / f"{paper}.json")["claims"]
    record = next((record for record in records if record["id"] == claim), None)
    if record is None:
        raise ValueError(f"the verdicts on {paper} have no claim {claim!r}; correct the name")
    columns = (f"{heading}: {record[name]['answer']}" for name, (heading, _) in COLUMNS.items())
    numbers = tidy.told(record["effect"] or record["reason"])
    link = f"../{paper}.html#{anchor('claim', paper, claim)}"
    return Markdown(
        f"**{record['where']}:** {record['states']}\n\n"
        f"**Answer: {record['verdict']}** ({', '.join(columns)}). {numbers} [The claim in the report]({link})"
    )

"""All verdicts together: in words as CSV and as text for a terminal, as records in JSON."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from tabulate import tabulate

from claimaudit.storage import to_json
from claimaudit.verdicts import ANSWERS, UNTESTED, VERDICTS, Verdict, Verdicts, counted, plain, read, slips
from claimaudit.words import verdicts as words
from claimaudit.words.findings import reply_in_words
from claimaudit.words.numbers import plural

COPIED = ("paper", "id", "place", "origin", "weight", "in_score", "kind", "table", "verdict", "why", "level")
TEXTS = ("cause", "refines", "follows", "states", "note")
VIEWS = ("as_stated", "as_run", "own_numbers")
COLUMNS = (*COPIED[:-1], *VIEWS, "effect", "reason", "decides", "level", *TEXTS, "thresholds", "disputed", "replies")
WIDTHS = {"id": 26, "place": 24, "verdict": 18, "effect": 60}

Score = dict[str, dict[str, int]]


def together(papers: Mapping[str, Verdicts]) -> dict[str, Any]:
    """Return the verdicts of several papers as plain data: all claims, with ``in_score``, and by paper the rest."""
    content = {paper: plain(verdicts) for paper, verdicts in papers.items()}
    for each in content.values():
        del each["claims"]
    claims = [{**plain(claim), "in_score": claim.in_score} for each in papers.values() for claim in each.claims]
    return {"claims": claims, "papers": content}


def flat(verdict: Verdict, verdicts: Verdicts) -> dict[str, Any]:
    """Return one of the verdicts on a paper as a row, in words, with the answers of its three views and the replies."""
    return {
        **{name: getattr(verdict, name) for name in (*COPIED, *TEXTS)},
        **{name: getattr(verdict, name).answer for name in VIEWS},
        "effect": words.effect(verdict),
        "reason": words.reason(verdict, verdicts.names),
        "decides": words.decides(verdict),
        "thresholds": words.thresholds(verdict),
        "disputed": verdicts.disputed(verdict.id),
        "replies": "\n".join(map(reply_in_words, verdicts.replies_to(verdict.id))),
    }


def score(claims: Iterable[Verdict]) -> Score:
    """Count the answers of each view and the verdicts over claims that count, and misprints under ``slips``."""
    claims = list(claims)
    own = counted(claims)
    answers = (*ANSWERS.values(), UNTESTED)
    views: Score = {
        view: {answer: sum(getattr(verdict, view).answer == answer for verdict in own) for answer in answers}
        for view in VIEWS
    }
    return {**views, "verdicts": _tally(own), "slips": _tally(slips(claims))}


def _tally(claims: list[Verdict]) -> dict[str, int]:
    return {name: sum(verdict.verdict == name for verdict in claims) for name in VERDICTS}


def scoreboard(papers: Mapping[str, Verdicts]) -> list[str]:
    """Return one line per paper that has claims, with the number of them by verdict."""
    lines = []
    for paper, verdicts in papers.items():
        found = score(verdicts.claims)["verdicts"]
        parts = ", ".join(f"{count} {verdict}" for verdict, count in found.items() if count)
        ours = sum(verdict.origin != "paper" for verdict in verdicts.claims)
        if verdicts.claims:
            counted = f"{plural(sum(found.values()), 'claim')}{f': {parts}' if parts else ''}"
            lines.append(f"{paper}: {counted}; {ours} of ours and definitions")
    return lines


def terminal_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Lay out the rows of the table of verdicts for a terminal."""
    wrapped = [
        [textwrap.fill(str(row[column] or row["reason"]), width) for column, width in WIDTHS.items()] for row in rows
    ]
    return tabulate(
        wrapped, headers=["claim", "place", "verdict", "numbers"], tablefmt="simple_grid", disable_numparse=True
    )


def together_files(verdicts: Sequence[Path]) -> dict[str, bytes]:
    """Put the verdicts of papers, each file named after one, into a ``csv``, their records (``json``) and a ``txt``."""
    papers = {path.stem: read(path) for path in verdicts}
    rows = [flat(verdict, verdicts) for verdicts in papers.values() for verdict in verdicts.claims]
    found = pd.DataFrame(rows, columns=list(COLUMNS))
    text = "\n".join([terminal_table(rows), *scoreboard(papers)])
    return {
        "csv": found.to_csv(index=False, lineterminator="\n").encode(),
        "json": to_json(together(papers)),
        "txt": f"{text}\n".encode(),
    }

"""What the verdicts on a paper amount to, and what is replied to them, in sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from claimaudit.results import STRICT
from claimaudit.verdicts import (
    AS_RUN,
    CONTRADICTED,
    NO_DATA,
    NOT_REPRODUCED,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    Exhibit,
    Names,
    Reply,
    Verdict,
    counted,
    slips,
)
from claimaudit.words import verdicts
from claimaudit.words.names import BROKEN, RUN, STATED, labels
from claimaudit.words.numbers import listed, number, plural

COUNTED = {
    REPRODUCED: (f"holds {STATED}", f"hold {STATED}"),
    AS_RUN: (f"holds only {RUN}", f"hold only {RUN}"),
    NOT_REPRODUCED: ("is not reproduced", "are not reproduced"),
    CONTRADICTED: ("is contradicted by the paper's own numbers", "are contradicted by the paper's own numbers"),
    UNDECIDED: ("is undecided", "are undecided"),
    NO_DATA: ("needs data that are not at hand", "need data that are not at hand"),
}

DISPUTED = "disputed"
"""The mark of a claim whose verdict a reply disputes; the verdict stays."""


def place(verdict: Verdict) -> str:
    """Return the first place of a claim."""
    return re.split(r";(?![^(]*\))", verdict.place)[0]


def otherwise(verdict: Verdict) -> str:
    """Say with numbers that we, or the paper itself, find otherwise."""
    own = verdict.because in ("relation", "points")
    who = "The paper's own numbers say otherwise" if own else "We find otherwise"
    return f"{who}: {verdicts.effect(verdict)}."


def scores(counts: Mapping[str, int], whose: str = " of the paper") -> str:
    """State how many counted claims have each verdict."""
    words = [plural(counts[name], *COUNTED[name]) for name in VERDICTS if counts.get(name)]
    return f"Of {plural(sum(counts.values()), 'claim')}{whose}, {listed(words)}." if words else ""


def untested(claims: Iterable[Verdict]) -> str:
    """State how many claims have no data."""
    count = sum(verdict.verdict == NO_DATA for verdict in counted(claims))
    one, several = COUNTED[NO_DATA]
    return f"{plural(count, f'claim {one}', f'claims {several}')}." if count else ""


def undecided(claims: Iterable[Verdict]) -> str:
    """State what leaves claims undecided."""
    why = Counter(verdict.why for verdict in counted(claims) if verdict.verdict == UNDECIDED)
    parts = [f"{verdicts.OPEN[name]} ({count})" for name, count in why.most_common()]
    return f"What leaves claims undecided: {listed(parts)}." if parts else ""


def apart(claims: Iterable[Verdict]) -> str:
    """State what the score leaves out."""
    claims = list(claims)
    ours = sum(verdict.origin == "ours" for verdict in claims)
    rest = sum(not verdict.counted and verdict.origin != "ours" for verdict in claims)
    words = tallied(
        (len(slips(claims)), "claim on a possible slip", "claims on possible slips"),
        (ours, "check of our own", "checks of our own"),
        (rest, "claim that holds by definition or could not fail", "claims that hold by definition or could not fail"),
    )
    return f"Not counted: {words}." if words else ""


def tallied(*counts: tuple[int, str, str]) -> str:
    """List what there is any of: each a number with its noun in the singular and in the plural."""
    words = [plural(count, *names) for count, *names in counts if count]
    return listed(words) if words else ""


def exhibits(known: Mapping[str, Exhibit], names: Names) -> str:
    """State which exhibits with printed numbers fit the text, which another setting, and which nothing."""
    printed = {name: exhibit for name, exhibit in known.items() if exhibit.numbers is not None}
    if not printed:
        return ""
    groups: dict[str, list[str]] = {
        "the text as it stands": [],
        "the text, with other values than ours where it states none": [],
        "another setting": [],
        f"a setting that {BROKEN}": [],
        "no setting tried": [],
    }
    text, open_, other, broken, none = groups.values()
    for name, exhibit in printed.items():
        named = exhibit.readings[0] if exhibit.readings else None
        if named is None:
            none.append(name)
        else:
            kept = other if named.admissible else broken
            (text if named.reading == STRICT else open_ if named.open else kept).append(name)
    parts = [f"{labels(some, names)} fit{'s' * (len(some) == 1)} {words}" for words, some in groups.items() if some]
    return f"Of what has printed numbers, {'; '.join(parts)}."


def reliability(claims: Iterable[Verdict]) -> str:
    """State the probability that a claim fails by chance."""
    levels = [verdict.level for verdict in claims if verdict.level]
    if not levels:
        return "No check rests on simulation."
    return (
        f"{plural(len(levels), 'check rests', 'checks rest')} on simulation; the probability that any true claim among "
        f"them fails by chance is at most {number(sum(levels), 2)}, provided that simulated means are normally "
        "distributed."
    )


def by_whom(reply: Reply) -> str:
    """Say what a reply is, by whom and when."""
    return f"{'Disputed' if reply.disputes else 'Answered'} by {reply.by}, {reply.date}"


def reply_in_words(reply: Reply) -> str:
    """Return a reply in one piece."""
    return f"{by_whom(reply)} ({reply.source}): {reply.says}"

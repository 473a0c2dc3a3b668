"""What seems to have been run for each exhibit, in words, with the evidence; its printed numbers divided by ours."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import pandas as pd

from claimaudit.audit.fitting.exhibits import run_of
from claimaudit.papers.jobs import Description
from claimaudit.plots.difference import differences
from claimaudit.report.markup import anchor
from claimaudit.report.pictures import Pair
from claimaudit.results import STRICT
from claimaudit.verdicts import Exhibit, StandingReading, Verdicts
from claimaudit.words import runs as words
from claimaudit.words.names import BROKEN, STATED, reading


@dataclass(frozen=True)
class Ran:
    """What seems to have been run for one exhibit.

    `known` is what the audit found; `answer` says it in words, `sentences` give the evidence, among them `on_runs`.
    `readings` are the standing ones with their words, best fit first. `shown_by` is the id of its figure or table on
    the page, `beside` that of the settings of its pool where they depart from the text, side by side with it.
    """

    name: str
    id: str
    known: Exhibit
    answer: str
    sentences: tuple[str, ...]
    on_runs: str
    readings: tuple[tuple[str, StandingReading], ...]
    shown_by: str | None
    beside: str | None

    @property
    def broken(self) -> str:
        """Whether what fits best breaks a condition of the paper, in words; empty if not."""
        return "" if not self.readings or self.readings[0][1].admissible else BROKEN


def describe(text: Description, verdicts: Verdicts, predictions: pd.DataFrame) -> list[Ran]:
    """Describe all exhibits of a paper, from its verdicts and the predictions on it."""
    printed = predictions[predictions["printed"].notna()]
    beside = {
        name: anchor("settings", text.id, pool.exhibits[0])
        for pool in verdicts.pools
        if words.departing(pool)
        for name in (*pool.exhibits, *pool.inferred)
    }
    inside = printed["printed"].between(printed["low"], printed["high"])
    shares = dict(inside.groupby([printed["exhibit"], printed["reading"]]).mean().items())
    found, names = [], verdicts.names
    for name, audited in verdicts.exhibits.items():
        known = _as_predicted(name, audited, shares)
        kind = "figure" if name in text.figures else "table" if name in text.tables else ""
        found.append(
            Ran(
                name=name,
                id=anchor("run", text.id, name),
                known=known,
                answer=words.answer(known, names),
                sentences=words.sentences(known, names),
                on_runs=words.on_runs(known.runs),
                readings=tuple((reading(names, known.experiment, each.reading), each) for each in known.readings),
                shown_by=anchor(kind, text.id, name) if kind else None,
                beside=beside.get(name),
            )
        )
    return found


def _as_predicted(name: str, known: Exhibit, shares: Mapping[Hashable, float]) -> Exhibit:
    """Take the share of printed numbers inside their interval from the predictions, as the start page does.

    The audit's own intervals are for the likeliest number of runs; those of predictions allow for what is not known.
    """
    if known.strict is None:
        return known
    readings = (replace(each, inside=shares.get((name, each.reading), each.inside)) for each in known.readings)
    strict = replace(known.strict, inside=shares.get((name, STRICT), known.strict.inside))
    return replace(known, readings=tuple(readings), strict=strict)


def strips(
    text: Description, exhibits: Mapping[str, Exhibit], predictions: pd.DataFrame
) -> dict[str, dict[str, list[Pair]]]:
    """Return the printed numbers of each exhibit of a paper with ours, parts of another exhibit left out.

    They stand by how many fit, in words: as stated, and under the best standing reading, if any stands.
    """
    printed = predictions[predictions["printed"].notna()]
    numbers = printed.loc[printed["stated"] == "yes", "exhibit"].value_counts()
    found = {}
    for name, shown in text.exhibits.items():
        files = (shown.published, shown.experiment)
        same = [other for other, one in text.exhibits.items() if (one.published, one.experiment) == files]
        most = max(numbers.get(other, 0) for other in same)
        if numbers.get(name, 0) < max(most, 1):
            continue
        known = exhibits[name]
        cells = differences(name, predictions, known)
        rows = {STATED: STRICT}
        if known.readings:
            rows[words.called(known)] = run_of(known) or STRICT
        found[name] = dict(_fitting(cells[cells["reading"] == of], how) for how, of in rows.items())
    return found


def _fitting(numbers: pd.DataFrame, how: str) -> tuple[str, list[Pair]]:
    ordered = numbers.sort_values("published")
    columns = (ordered[name].to_list() for name in ("published", "ours", "fits"))
    pairs = [(printed, ours, "" if fits else "violated") for printed, ours, fits in zip(*columns, strict=True)]
    return words.fitting(sum(not look for *_, look in pairs), len(pairs), how), pairs

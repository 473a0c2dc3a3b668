"""What seems to have been run for each exhibit, as predictions count it, and its printed numbers divided by ours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from claimaudit.audit.fitting.exhibits import run_of
from claimaudit.papers.jobs import Description
from claimaudit.plots.difference import differences
from claimaudit.report.pictures import Pair
from claimaudit.results import STRICT
from claimaudit.verdicts import Exhibit
from claimaudit.words import runs as words
from claimaudit.words.names import STATED


def as_predicted(exhibits: Mapping[str, Exhibit], predictions: pd.DataFrame) -> dict[str, Exhibit]:
    """Take the share of printed numbers inside their interval from the predictions, as the start page does.

    The audit's own intervals are for the likeliest number of runs; those of predictions allow for what is not known.
    """
    printed = predictions[predictions["printed"].notna()]
    inside = printed["printed"].between(printed["low"], printed["high"])
    shares = inside.groupby([printed["exhibit"], printed["reading"]]).mean().to_dict()
    found = dict(exhibits)
    for name, known in exhibits.items():
        if known.strict is not None:
            of = (replace(each, inside=shares.get((name, each.reading), each.inside)) for each in known.readings)
            strict = replace(known.strict, inside=shares.get((name, STRICT), known.strict.inside))
            found[name] = replace(known, readings=tuple(of), strict=strict)
    return found


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

"""Try all combinations of open choices against the printed numbers of an exhibit.

The result has a row per combination: its axes, ``reading`` (its name in the experiment, empty if the experiment does
not run it), ``stage``, ``runs``, ``cells`` (printed numbers compared), ``p_value``, ``same`` and ``standin`` (whether
it rests on look-alikes of data). Combinations with the same number in ``same`` make no difference to the printed
numbers and count as one.

Stage 1 screens all combinations with few runs at few of the printed settings, and stage 2 what is left at all of them.
Stage 3 compares what is left then with many runs; only there does a p-value decide whether a reading stands.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.audit.fitting.exhibits import compare, distinct, score
from claimaudit.audit.fitting.likelihood import RunsRatio, p_values
from claimaudit.audit.fitting.settings import Values
from claimaudit.audit.fitting.standing import compare_all, runs_of_all
from claimaudit.experiments.engine import Experiment, Reading, join, run
from claimaudit.experiments.runner import Runner
from claimaudit.expressions import select
from claimaudit.fingerprint import numeric_versions
from claimaudit.papers.jobs import PaperExhibit, SearchJob
from claimaudit.published import NAMES, NUMBERS, UNIT, read_published
from claimaudit.results import read, recorded
from claimaudit.task import plain

SCREENING_RUNS = 30
"""Runs of each combination in stages 1 and 2."""

SCREENING_PLACES = 4
"""Printed settings at which stage 1 compares."""

SCREENED = 1e-7
"""Smaller p-values end a combination in stages 1 and 2; low, since few runs know their own error badly."""

FULL_RUNS = 100
"""Runs of each combination in stage 3; twice the paper's if those are more, but no more than the experiment's."""

MOST = 300
"""Largest number of combinations in stages 2 and 3, the best ones first."""

SEARCH = ["reading", "stage", "runs", "cells", "p_value", "same", "standin"]
"""Columns of a search after those of the axes."""


def search(
    exhibit: PaperExhibit,
    published: pd.DataFrame,
    experiment: Experiment,
    values: Mapping[str, Sequence[Any]],
    runs: RunsRatio | None = None,
) -> pd.DataFrame:
    """Try every combination of the `values` of some axes, the strict one first, on the printed numbers of an exhibit.

    The experiment has all its readings; `runs` is how many stand behind the printed numbers, by default the stated
    number.

    Returns
    -------
    DataFrame
        A row per combination: its axes and `SEARCH`.

    Raises
    ------
    ValueError
        If the printed numbers match no point of the experiment; see also `claimaudit.audit.fitting.exhibits.compare`.
    """
    runs = runs or RunsRatio()
    exhibit, published = replace(exhibit, rows=None), select(published, exhibit.rows)
    places = _places(published)
    few = places.iloc[np.unique(np.linspace(0, len(places) - 1, SCREENING_PLACES).round().astype(int))]
    axes = list(dict.fromkeys([*values, *experiment.axes]))
    strict = {axis: experiment.readings[0].values[axis] for axis in axes}
    names = {_key({axis: reading.values[axis] for axis in axes}): reading.name for reading in experiment.readings}

    tried = [strict | dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]
    found = _score_screened(screen(exhibit, published.merge(few), experiment, values), tried, runs)
    many = min(experiment.runs, max(FULL_RUNS, 2 * int(published["runs"].max())))
    for stage, count in ((2, SCREENING_RUNS), (3, many)):
        likely = np.argsort(-found["p_value"].to_numpy(), kind="stable")
        left = [n for n in likely if found["stage"].iloc[n] == stage - 1 and found["p_value"].iloc[n] >= SCREENED][
            :MOST
        ]
        if left:
            full = _compare_fully(exhibit, published, experiment, [tried[n] for n in left], runs, count)
            # What was the same at some settings may differ at others, but not the other way round.
            full = full.assign(stage=stage, same=full["same"] + found["same"].max() + 1)[found.columns]
            found = pd.concat([found.drop(index=left), full.set_axis(left)]).sort_index()
    found["same"] = pd.factorize(found["same"])[0]
    found.insert(0, "reading", [names.get(_key(one), "") for one in tried])
    return pd.DataFrame(tried, columns=axes).join(found)


def screen(
    exhibit: PaperExhibit, published: pd.DataFrame, experiment: Experiment, values: Mapping[str, Sequence[Any]]
) -> list[tuple[dict[str, Sequence[Any]], pd.DataFrame]]:
    """Run all combinations with few runs, each mechanism with the combinations of those axes alone that it reads.

    Returns
    -------
    list
        For each mechanism (one item for all if the setting does not list them) the axes that it reads, with their
        values, and the compared cells, whose ``reading`` numbers the combinations of these axes.
    """
    found = []
    for mechanisms in _groups(experiment, published):
        chosen = published[published["mechanism"].isin(mechanisms)]
        reads: dict[str, Sequence[Any]] = {}
        while True:
            combinations = [dict(zip(reads, picked, strict=True)) for picked in product(*reads.values())]
            table, read = _run(experiment, chosen, combinations, SCREENING_RUNS, mechanisms)
            if set(read) & set(values) <= set(reads):
                break
            # What a combination reads may depend on the values of the axes, so look again until nothing is new.
            reads = {axis: several for axis, several in values.items() if axis in read or axis in reads}
        found.append((reads, with_average_errors(compare(exhibit, table, chosen))))
    return found


def with_average_errors(cells: pd.DataFrame) -> pd.DataFrame:
    """Return compared cells whose errors are at least the average one of their reading, mechanism and metric.

    Few runs of a squared error tell its standard deviation badly, and one that is too small by chance would reject the
    truth. Errors are averaged relative to the numbers, as the mean squares of an exhibit have about the same one.
    """
    relative = (cells["run_sd"] / cells["ours"]).where(cells["run_sd"] > 0)
    keys = [cells[name] for name in ("reading", "mechanism", "metric")]
    average = np.sqrt((relative**2).groupby(keys).transform("mean")) * cells["ours"].abs()
    factor = (average / cells["run_sd"]).where(cells["run_sd"] > 0, 1.0).clip(lower=1.0)
    return cells.assign(run_sd=cells["run_sd"] * factor, se_ours=cells["se_ours"] * factor)


def _groups(experiment: Experiment, published: pd.DataFrame) -> list[tuple[str, ...]]:
    """Return the published mechanisms, one by one if the experiment's setting lists them, else together."""
    names = tuple(published["mechanism"].unique())
    listed = getattr(experiment.setting, "mechanisms", ())
    return [(name,) for name in names] if set(names) <= set(listed) else [names]


def _places(published: pd.DataFrame) -> pd.DataFrame:
    return published.drop(columns=[*NAMES, *NUMBERS, UNIT]).drop_duplicates()


def _run(
    experiment: Experiment,
    published: pd.DataFrame,
    combinations: Sequence[Values],
    runs: int,
    mechanisms: tuple[str, ...],
) -> tuple[pd.DataFrame, list[str]]:
    """Run combinations at the published settings; return the table, whose readings are numbered, and the axes read."""
    places: list[Values] = _places(published).to_dict("records")  # type: ignore[assignment]

    def wanted(point: Values) -> bool:
        return any(all(point[name] == value for name, value in place.items() if name in point) for place in places)

    strict = experiment.readings[0].values
    readings = [Reading(str(number), {**strict, **values}) for number, values in enumerate(combinations)]
    setting = experiment.setting
    if set(mechanisms) <= set(getattr(setting, "mechanisms", ())):
        setting = setting.model_copy(update={"mechanisms": mechanisms})
    chosen = replace(
        experiment, setting=setting, readings=tuple(readings), axes=(), runs=runs, strict_factor=1, only=wanted
    )
    part = run(chosen)
    if not any(part.rows):
        raise ValueError("no printed number has the settings of a point of its experiment")
    return join(chosen, [part]), part.read


def _score_screened(
    screened: Iterable[tuple[Mapping[str, Sequence[Any]], pd.DataFrame]], tried: Sequence[Values], runs: RunsRatio
) -> pd.DataFrame:
    """Put the mechanisms' scores together; a row per tried combination, with `SEARCH` but the reading."""
    classes, sums, cells, standin = [], defaultdict(list), 0, np.zeros(len(tried), dtype=bool)
    for reads, compared in screened:
        own = {_key(dict(zip(reads, picked, strict=True))): n for n, picked in enumerate(product(*reads.values()))}
        label = np.array([own[_key({axis: one[axis] for axis in reads})] for one in tried])
        fit = score(compared, RunsRatio(runs.fewest, rejected=True)).cells
        cells += len(fit) // len(own)
        classes.append(_equal(fit)[label])
        standin |= fit.groupby(fit["reading"].astype(int))["standin"].any().to_numpy()[label]
        for metric, group in distinct(fit).groupby("metric"):
            # A number without any error is right, or else infinitely unlikely, and counts as no number at all.
            group = group.assign(square=group["z"] ** 2, size=group["z"].abs(), count=group["se"] > 0)
            by_reading = group.groupby(group["reading"].astype(int))
            parts = by_reading.agg({"square": "sum", "size": "max", "count": "sum"}).to_numpy(float)
            sums[metric].append(parts[label].T)
    tests = []
    for metric in sums:
        square_sum, largest, count = np.stack(sums[metric], axis=1)
        tests.append(p_values(square_sum.sum(axis=0), largest.max(axis=0), count.sum(axis=0)))
    return pd.DataFrame(
        {
            "stage": 1,
            "runs": SCREENING_RUNS,
            "cells": cells,
            "p_value": np.minimum(1.0, len(tests) * np.min(tests, axis=0)),
            "same": np.unique(np.stack(classes), axis=1, return_inverse=True)[1].ravel(),
            "standin": standin,
        }
    )


def _compare_fully(
    exhibit: PaperExhibit,
    published: pd.DataFrame,
    experiment: Experiment,
    combinations: Sequence[Values],
    runs: RunsRatio,
    count: int,
) -> pd.DataFrame:
    """Compare combinations with all printed numbers; a row per combination, with `SEARCH` but reading and stage."""
    mechanisms = tuple(published["mechanism"].unique())
    table, _ = _run(experiment, published, combinations, count, mechanisms)
    compared = compare(exhibit, table, published)
    fit = score(with_average_errors(compared) if count == SCREENING_RUNS else compared, runs)
    p_value = [fit.p_values[str(number)] for number in range(len(combinations))]
    standin = fit.cells.groupby(fit.cells["reading"].astype(int))["standin"].any()
    return pd.DataFrame(
        {
            "runs": count,
            "cells": len(fit.cells) // len(combinations),
            "p_value": p_value,
            "same": _equal(fit.cells),
            "standin": standin.to_numpy(),
        }
    )


def _equal(cells: pd.DataFrame) -> np.ndarray:
    """Return a number for each reading, in order; readings with the same number have the same results everywhere."""
    wide = cells.assign(reading=cells["reading"].astype(int), place=cells.groupby("reading").cumcount())
    wide = wide.pivot(index="reading", columns="place", values=["ours", "run_sd"]).sort_index()
    return pd.factorize(pd.Series(list(map(tuple, wide.fillna(-1.0).to_numpy()))))[0]


def _key(values: Values) -> tuple[str, ...]:
    return tuple(f"{axis}={value!r}" for axis, value in sorted(values.items()))


def search_files(
    job: SearchJob, published: Sequence[Path], tables: Sequence[Path], views: Sequence[Path] = ()
) -> dict[str, bytes]:
    """Search the readings of an exhibit: the ``table`` of `search`, and its ``record``.

    The files are those of printed numbers, result tables with their records, and views.
    """
    numbers = {path.stem: read_published(path) for path in published}
    results = {path.stem: read(path) for path in tables}
    (exhibit,) = (item for item in job.exhibits if item.name == job.exhibit)
    assert exhibit.published is not None
    runs = runs_of_all(compare_all(job.exhibits, results, numbers), job.shared)[exhibit.name]
    read_view = Runner.load(job.job.runner).backend.read
    available = {path.stem: read_view(path) for path in views if path.suffix == ".npy"}
    found = search(exhibit, numbers[exhibit.published], Experiment.load(job.job, available), job.values, runs)
    content = found.to_csv(index=False, lineterminator="\n").encode()
    return recorded(content, {**plain(job), "versions": numeric_versions()})

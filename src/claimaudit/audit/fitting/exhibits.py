"""Exhibits: the figures, tables and passages of a paper with printed numbers, and which readings those numbers fit."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import pandas as pd

from claimaudit import digits, verdicts
from claimaudit.audit.arrays import Arrays
from claimaudit.audit.fitting.likelihood import RunsRatio, log_density, p_values, scores
from claimaudit.audit.statistics import INSIDE
from claimaudit.expressions import names_in, parse, select
from claimaudit.papers.jobs import PaperExhibit
from claimaudit.results import STRICT
from claimaudit.verdicts import LEVEL, Fit

SAME = 0.02
"""Relative difference up to which an expected value counts as the same under two readings."""

FEW = 0.25
"""Ratio of the stated runs with which a reading is given up before the number of runs is known."""

ASIDE = 3.0
"""Score beyond which a number lies on one side."""


def run_of(known: verdicts.Exhibit) -> str | None:
    """Return the standing reading that is named first for an exhibit; None if there is none, or it is the text."""
    name = known.readings[0].reading if known.readings else STRICT
    return None if name == STRICT else name


@dataclass(frozen=True, eq=False)
class ExhibitFit:
    """How the readings of an experiment fit the printed numbers of an exhibit.

    `cells` has a row per reading and printed number: settings, ``mechanism``, ``metric``, ``value`` (printed),
    ``ours``, ``se`` of their difference and its score ``z``. `decisive` has its different numbers, scored for the
    fewest runs that may stand behind them: ``reading``, ``metric``, ``se`` and ``z``.
    """

    cells: pd.DataFrame
    runs: RunsRatio
    decisive: pd.DataFrame

    @cached_property
    def p_values(self) -> Mapping[str, float]:
        readings = [str(name) for name in self.decisive["reading"].unique()]
        return dict(zip(readings, joint_p_values({"": self}, {"": readings}).tolist(), strict=True))

    @cached_property
    def sums(self) -> dict[str, dict[str, tuple[float, float, int]]]:
        """By metric and reading, of its numbers with errors: the sum of squares, the largest size and the count."""
        found: dict[str, dict[str, tuple[float, float, int]]] = {}
        uncertain = self.decisive[self.decisive["se"] != 0]
        for metric in uncertain["metric"].unique():
            scores = uncertain[uncertain["metric"] == metric]
            codes, names = pd.factorize(scores["reading"])
            size = np.abs(scores["z"].to_numpy(float))
            largest = np.zeros(len(names))
            np.maximum.at(largest, codes, size)
            sums = np.bincount(codes, weights=size**2).tolist(), largest.tolist(), np.bincount(codes).tolist()
            found[str(metric)] = dict(zip(map(str, names), zip(*sums, strict=True), strict=True))
        return found

    @cached_property
    def wrong(self) -> set[str]:
        """The readings under which a number without any error is not ours."""
        cells = self.decisive
        return set(map(str, cells.loc[(cells["se"] == 0) & (cells["z"] != 0), "reading"]))

    @cached_property
    def numbers(self) -> int:
        return int(self.decisive.groupby("reading").size().max()) if len(self.decisive) else 0

    @cached_property
    def log_likelihoods(self) -> dict[str, float]:
        """The log-likelihood of the printed numbers by reading.

        A number printed twice counts once under every reading, so that readings are compared on the same numbers.
        Metrics of the same runs are no independent evidence: together they count as one number, by the mean of their
        log-densities. A number of ours without any error that prints alike has the density of the interval of all that
        do, or noise would gain over it; the p-value excludes one that prints otherwise.
        """
        once = self._once
        value, ours, se, z, unit = (once[name].to_numpy(float) for name in ("value", "ours", "se", "z", "digit"))
        low, high = digits.interval(value, unit)
        alike = (se == 0) & (z == 0)
        near = log_density(value, ours, np.where(se > 0, se, digits.ERROR * unit))
        densities = np.where(alike, -np.log(np.where(alike, high - low, 1.0)), near)
        sums = pd.Series(once["weight"].to_numpy() * densities).groupby(once["reading"].to_numpy()).sum()
        return {str(name): float(sums.get(name, 0.0)) for name in self.cells["reading"].unique()}

    @cached_property
    def _once(self) -> pd.DataFrame:
        return self.cells.drop_duplicates(["reading", "metric", "value"])

    @cached_property
    def uncertainties(self) -> Mapping[str, np.ndarray]:
        """The variances of the log-densities that come from our own simulation, by reading, shape (3, numbers).

        The rows are our numbers, each once, the variances, to second order in the errors of our numbers, and the
        smallest that they can be. Metrics of the same runs share their errors, so that the variance of their mean is at
        most the mean of their variances.
        """
        once = self._once
        exact = once["se"] == 0
        share, weight = (once["se_ours"] / once["se"].mask(exact, 1.0)).to_numpy(float), once["weight"].to_numpy()
        # A score has the error of our number in it, which adds the fourth power of its share to the first term; at
        # least half of that is left where the printed number is the expectation.
        square, least = (once["z"].mask(exact, 0.0).to_numpy(float) * share) ** 2 - share**4 / 2, share**4 / 2
        once = once.assign(square=weight * square, least=weight * least)
        kinds = ["ours", "square", "least"]
        wide = once.pivot(index=["metric", "value"], columns="reading", values=kinds)
        readings = wide.columns.unique("reading").astype(str)
        return dict(zip(readings, np.stack([wide[kind].to_numpy() for kind in kinds]).transpose(2, 0, 1), strict=True))

    def error_between(self, reading: str, other: str) -> float:
        """Return the standard error of the difference of two log-likelihoods that comes from our own simulation.

        Numbers that two readings have in common add nothing to it.
        """
        known = self.uncertainties
        if reading == other or not {reading, other} <= known.keys():
            return 0.0
        differ = known[reading][0] != known[other][0]
        variances = (known[reading] + known[other])[1:, differ]
        return float(np.sqrt(np.nansum(variances, axis=1).max()))

    @cached_property
    def equal(self) -> Mapping[str, int]:
        """A number by reading; readings with the same one give the same numbers throughout."""
        found: dict[tuple[object, ...], int] = {}
        return {
            str(name): found.setdefault((*group["ours"], *group["run_sd"].fillna(-1.0)), len(found))
            for name, group in self.cells.groupby("reading", sort=False)
        }

    def under(self, reading: str) -> Fit:
        """Return how the printed numbers fit a reading."""
        inside = self.cells.loc[self.cells["reading"] == reading, "z"].abs().le(INSIDE).mean()
        return Fit(self.p_values[reading], float(inside))


def joint_p_values(fits: Mapping[str, ExhibitFit], chosen: Mapping[str, Sequence[str]]) -> np.ndarray:
    """Return the p-values of several exhibits jointly, shape (settings,).

    `chosen` has, by exhibit, its reading in each setting. Numbers without any error are right, or else the p-value is
    0. Metrics are computed from the same runs and thus dependent, so each is tested alone, with Bonferroni.
    """
    length = len(next(iter(chosen.values())))
    tests, counts = [np.ones(length)], [np.zeros(length, dtype=bool)]
    for metric in dict.fromkeys(metric for name in chosen for metric in fits[name].sums):
        known = {name: fits[name].sums.get(metric, {}) for name in chosen}
        parts = [[known[name].get(reading, (0.0, 0.0, 0)) for reading in chosen[name]] for name in chosen]
        square, size, count = np.array(parts).transpose(2, 0, 1)
        test = p_values(square.sum(axis=0), size.max(axis=0), count.sum(axis=0))
        counts.append(count.sum(axis=0) > 0)
        tests.append(np.where(counts[-1], test, 1.0))
    bonferroni = np.minimum(1.0, np.sum(counts, axis=0) * np.min(tests, axis=0))
    wrong = np.array([[reading in fits[name].wrong for reading in chosen[name]] for name in chosen]).any(axis=0)
    return np.where(wrong, 0.0, np.where(np.any(counts, axis=0), bonferroni, 1.0))


def compare(exhibit: PaperExhibit, rows: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Compare the printed numbers of an exhibit with ours, as `compared`, in a data frame."""
    cells = compared(exhibit, Arrays.of(rows), published)
    return pd.DataFrame({**cells.places.values, **cells.numbers})


def compared(
    exhibit: PaperExhibit, rows: Arrays, published: pd.DataFrame, metric: str | None = None, query: str | None = None
) -> Arrays:
    """Compare the printed numbers of an exhibit with ours, for every reading in the result rows.

    Our number is the closed form where there is one, else the Monte-Carlo mean with its error. `metric` and
    `query` (see `select_where_known`) restrict the numbers further.

    Returns
    -------
    Arrays
        A row per reading and printed number: the result's, with ``value`` (printed), ``ours``, ``se_ours``, ``run_sd``
        (standard deviation of one run), ``digit`` (unit of the last digit printed), ``digitised`` (standard error of
        reading the number off a figure), ``stated`` (the paper's runs), ``number`` (which counts the printed
        numbers) and ``weight`` (one over the number of metrics that are printed for the same runs: all mechanisms and
        settings of the cell being equal).

    Raises
    ------
    ValueError
        See `pair`; or a simulated number is printed without its number of runs.
    """
    chosen = select(published, exhibit.rows).reset_index(drop=True)
    metrics = [str(name) for name in chosen["metric"].unique()] if metric is None else [metric]
    found, numbers = [], []
    for name in metrics:
        wanted = select_where_known(chosen[chosen["metric"] == name], query)
        if wanted.empty:
            raise ValueError(f"no published number has the metric {name} and the selected rows")
        at = pair(rows, wanted, name)
        found.append(at.ravel())
        numbers.append(np.tile(wanted.index, len(at)))
    cells, number = rows.take(np.concatenate(found)), np.concatenate(numbers)
    value, unit, runs = (chosen[name].to_numpy(float)[number] for name in ("value", "unit", "runs"))
    group = cells.places.number(["reading", "mechanism", *cells.settings])
    several = np.unique(group * len(metrics) + cells.places.number(["metric"])) // len(metrics)
    run_sd = cells["se"] * np.sqrt(cells["runs"])
    stated = np.full(len(cells), float(exhibit.runs)) if exhibit.runs else runs
    if np.isnan(stated[run_sd > 0]).any():
        raise ValueError(f"{exhibit.published} does not say the `runs` behind a simulated number")
    exact = ~np.isnan(cells["theory"])
    return cells.assign(
        value=value,
        number=number,
        weight=1 / np.bincount(several)[group],
        ours=np.where(exact, cells["theory"], cells["mean"]),
        se_ours=np.where(exact, 0.0, cells["se"]),
        run_sd=run_sd,
        digit=unit,
        digitised=exhibit.reading_error * np.abs(value),
        stated=stated,
    )


def known(cells: pd.DataFrame) -> pd.DataFrame:
    """Return the cells that tell the number of runs: those whose closed form hardly depends on the reading.

    A number without closed form under some reading that could stand tells nothing: there its expectation may differ.
    A reading could stand if the printed numbers do not reject it with a quarter of the stated runs. If none could, even
    fewer runs scatter numbers; those of a mechanism that all lie on one side tell that something else was done.
    """
    p_values = score(cells, RunsRatio(FEW, rejected=True)).p_values
    stand = [name for name, p_value in p_values.items() if p_value >= LEVEL]
    able = stand or list(p_values)
    keys = ["metric", "number"]
    closed = cells.groupby(keys)["theory"].agg(["min", "max", "mean"])
    everywhere = cells[cells["reading"].isin(able)].groupby(keys)["theory"].count() == len(able)
    same = closed[(closed["max"] - closed["min"] < SAME * closed["mean"].abs()) & everywhere].reset_index()[keys]
    shared = cells[(cells["reading"] == STRICT) & cells["theory"].notna()].merge(same, on=keys)
    shared = shared.drop_duplicates(["mechanism", "metric", "value", "ours"])
    sides = scored(shared, FEW).groupby("mechanism")["z"].agg(["min", "max"])
    if not stand and ((sides["min"] > ASIDE) | (sides["max"] < -ASIDE)).any():
        return shared.iloc[:0]
    # Metrics of the same runs are dependent, so one of them has to do.
    return shared[shared["metric"].isin(shared["metric"].mode()[:1])]


def score(cells: pd.DataFrame, runs: RunsRatio) -> ExhibitFit:
    """Score every reading against the printed numbers in `cells`, all mechanisms jointly.

    A p-value is that of the fewest runs that may stand behind the numbers, with which they are least surprising.
    """
    # A constant line is one number, and so are two mechanisms that agree at a setting.
    distinct = scored(cells, runs.fewest).drop_duplicates(["reading", "metric", "value", "ours"])
    return ExhibitFit(scored(cells, runs.factor), runs, distinct[["reading", "metric", "se", "z"]])


Cells = TypeVar("Cells", pd.DataFrame, Arrays)


def scored(cells: Cells, factor: float) -> Cells:
    """Add the error of each difference, ``se``, and its score ``z``, for `factor` times the stated number of runs."""
    names = ("run_sd", "stated", "digitised", "se_ours", "ours", "value", "digit")
    run_sd, stated, digitised, se_ours, ours, value, digit = (np.asarray(cells[name], float) for name in names)
    spread = np.where(run_sd > 0, run_sd, 0.0) / np.sqrt(np.where(run_sd > 0, stated * factor, 1.0))
    printed = np.hypot(spread, digitised)
    noisy = np.hypot(printed, se_ours) > 0
    same = ~noisy & digits.prints_as(ours, value, digit)
    printed = np.where(noisy, np.hypot(printed, digits.ERROR * digit), 0.0)
    z = scores(value, np.where(same, value, ours), printed, se_ours)
    return cells.assign(se=np.hypot(printed, se_ours), z=z)


def pair(rows: Arrays, wanted: pd.DataFrame, metric: str) -> np.ndarray:
    """Match printed numbers of a metric with their rows of the result table, shape (readings, numbers).

    Raises
    ------
    ValueError
        If a printed number matches no row or several rows of the result table; the message names it.
    """
    settings = rows.settings
    keys = [name for name in settings if name in wanted.columns] + ["mechanism"]
    unknown = [name for name in wanted.columns if name not in {*keys, "metric", "value", "unit", "runs"}]
    if unknown:
        raise ValueError(f"published column {', '.join(unknown)} is not a setting; there are: {', '.join(settings)}")
    of_metric = np.flatnonzero(rows["metric"] == metric)
    have: dict[tuple[object, ...], list[int]] = {}
    columns = (rows[name][of_metric].tolist() for name in ("reading", *keys))
    for row, key in zip(of_metric.tolist(), zip(*columns, strict=True), strict=True):
        have.setdefault(key, []).append(row)
    cells = [*zip(*(wanted[name].tolist() for name in keys), strict=True)]
    found = []
    for reading in pd.unique(rows["reading"]):
        own = [have.get((reading, *cell), []) for cell in cells]
        lonely = [cell for cell, at in zip(cells, own, strict=True) if not at]
        several = [cell for cell, at in zip(cells, own, strict=True) if len(at) > 1]
        if lonely:
            named = "; ".join(str(dict(zip(keys, cell, strict=True))) for cell in lonely[:5])
            raise ValueError(
                f"{len(lonely)} published cells have no row in the results: {named} (under the reading {reading})"
            )
        if several:
            cell = dict(zip(keys, several[0], strict=True))
            raise ValueError(f"published cell {cell} has several rows in the results; choose one with `rows`")
        found.append([at for (at,) in own])
    return np.array(found)


def select_where_known(rows: pd.DataFrame, query: str | None) -> pd.DataFrame:
    """Return the rows that a query selects: by its parts, joined by `and`, that use their columns only."""
    if query is None:
        return rows
    tree = parse(query)
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    for part in parts:
        if names_in(part) <= set(rows.columns):
            rows = select(rows, part)
    return rows

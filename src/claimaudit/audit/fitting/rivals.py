"""Rivals: settings that guide words propose, that no experiment runs, and that explain a pool as standing ones do."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from claimaudit.audit.fitting.pools import ERRORS, FAR, Pools
from claimaudit.audit.fitting.settings import CLOSE, FittedPool, axis_of
from claimaudit.results import verified
from claimaudit.verdicts import LEVEL, Choice, GuideWord, Likelihood, Pool, Rival

FEW, FINAL = "few runs", "final"
"""The stages of a search; only the likelihoods of the final one decide that a setting fits."""

NOT_REACHED = "not reached"
"""Why a proposal was not tried, if the budget did not suffice."""


def read_search(path: Path) -> pd.DataFrame:
    """Read the table of the settings that were tried, verified by the record beside it."""
    empty = ("stage", "runs", "p_value", "log_likelihood", "error")
    return pd.read_csv(verified(path), keep_default_na=False, na_values={name: [""] for name in empty})


def of_pool(search: pd.DataFrame, exhibits: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a pool in the table of a search."""
    return search[search["pool"] == " ".join(exhibits)]


def new(rows: pd.DataFrame) -> pd.Series:
    """Return which rows are settings that were tried, that change a number, and that no experiment runs."""
    return rows["stage"].notna() & (rows["differ"] != "") & (rows["run"].astype(str) == "False")


def fits(rows: pd.DataFrame) -> pd.Series:
    """Return which rows are settings that the printed numbers do not reject."""
    return (rows["stage"] == FINAL) & (rows["p_value"] >= LEVEL)


def undecided(rows: pd.DataFrame) -> pd.Series:
    """Return which rows are settings that change a number and that few runs, all that they had, do not reject."""
    return (rows["stage"] == FEW) & (rows["differ"] != "") & (rows["p_value"] >= LEVEL) & _near(rows)


def _near(rows: pd.DataFrame) -> pd.Series:
    return rows["log_likelihood"] >= -FAR - ERRORS * rows["error"]


def with_rivals(pool: FittedPool, search: pd.DataFrame | None) -> Pool:
    """Return the record of a pool with its rivals in the table of a search; what they do without is not demanded.

    A rival is not rejected, and as close to the named setting in log-likelihood as standing ones are. One that only
    departs further must be likelier, by the price of its departures and beyond our error; if it is about as likely, the
    numbers cannot tell what it changes, either.
    """
    if search is None:
        return pool.record
    rows = of_pool(search, pool.record.exhibits)
    missed = int((rows["reason"] == NOT_REACHED).sum())
    few = int((new(rows) & undecided(rows)).sum())
    record = replace(pool.record, proposed=int(new(rows).sum()), undecided=few, not_reached=missed)
    if rows.empty or not pool.settings[0].record.stands:
        return record
    departures = rows["departures"].map(lambda text: json.loads(text or "{}"))
    named, size = departures.iloc[0], departures.map(len)
    far = -FAR - pool.price * np.maximum(len(named) - size, 0) - ERRORS * rows["error"]
    earned = pool.price * (size - len(named)) + ERRORS * rows["error"]
    further = departures.map(lambda own: named.items() < own.items())
    close = rows["log_likelihood"] >= np.where(further, earned, far)
    rows = rows.assign(own=departures, close=close)[new(rows) & fits(rows)]
    likely = rows.loc[rows["log_likelihood"] >= -np.maximum(CLOSE, rows["error"]), "own"]
    changed = {axis_of(name) for own in likely for name, _ in {*named.items()} ^ {*own.items()}}
    open_ = tuple(axis.axis for axis in record.axes if axis.axis in changed.union(record.undetermined))
    rivals, demanded = [], list(record.demanded)
    for _, row in rows[rows["close"]].sort_values("log_likelihood", ascending=False, kind="stable").iterrows():
        own = {axis_of(name): value for name, value in row["own"].items()}
        fit = Likelihood(*(float(row[name]) for name in ("p_value", "log_likelihood", "error")))
        choices = tuple(Choice(axis, value) for axis, value in own.items())
        rivals.append(Rival(choices, tuple(json.loads(row["setting"])), tuple(row["differ"].split()), fit))
        demanded = [axis for axis in demanded if axis in own]
    return replace(record, rivals=tuple(rivals), demanded=tuple(demanded), undetermined=open_)


def words_asked(search: pd.DataFrame, pools: Pools) -> tuple[GuideWord, ...]:
    """Return what came of each guide word at each choice point of a text, alone.

    Of a setting that competed in its pool, that decides; a search compares few runs of it.
    """
    single = search[(search["word"] != "") & ~search["word"].str.contains(" & ", regex=False)]
    stands = {
        (" ".join(pool.record.exhibits), frozenset(one.record.departures)): one.record.stands
        for pool in pools.all
        for one in pool.settings
    }
    departures = [
        frozenset(Choice(axis_of(name), value) for name, value in json.loads(text or "{}").items())
        for text in single["departures"]
    ]
    settings = zip(single["pool"], departures, strict=True)
    competed = pd.Series(map(stands.get, settings), single.index, dtype="boolean")
    likely = competed.fillna(fits(single) & _near(single)) & (single["differ"] != "")
    few = undecided(single) & competed.isna()
    single = single.assign(likely=likely, undecided=few, rejected=single["stage"].notna())
    found = []
    for (point, kind, word), rows in single.groupby(["point", "kind", "word"], sort=False):
        best = rows.sort_values(["likely", "undecided", "rejected"], ascending=False, kind="stable").iloc[0]
        told = "fits" if best["likely"] else "undecided" if best["undecided"] else ""
        outcome = told or str(best["reason"]) or "rejected"
        found.append(GuideWord(str(point), str(kind), str(word), tuple(dict.fromkeys(rows["words"])), outcome))
    excluded = search[(search["point"] != "") & (search["word"] == "")]
    found += [
        GuideWord(str(row["point"]), str(row["kind"]), "", (), str(row["reason"]))
        for row in excluded.drop_duplicates(["point", "reason"]).to_dict("records")
    ]
    return tuple(found)

"""What each number of a paper's figures and tables should be, under every reading that stands and the strict one."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

from claimaudit import digits
from claimaudit.audit.fitting.exhibits import ExhibitFit
from claimaudit.audit.fitting.likelihood import MOST_FREEDOM, SKEWED, RunsRatio
from claimaudit.audit.fitting.standing import Material, Standing
from claimaudit.audit.statistics import INSIDE
from claimaudit.expressions import select
from claimaudit.papers.jobs import Outline, ShownRows
from claimaudit.results import PLACED, PREDICTED, STRICT, axes_of, read_numbers, recorded, verified
from claimaudit.task import plain
from claimaudit.words.names import reading

READING_ERROR = 0.005
"""Relative standard error of a number that a reader takes from a figure or table that was not digitised here."""

PRINTED, UNIT = "the printed number", "the unit of its last digit"  # columns, which no setting is called


def predict(material: Material, predicted: Mapping[str, ShownRows]) -> pd.DataFrame:
    """Predict the numbers of every exhibit of a paper, of which `predicted` says what is shown.

    The columns are those of `predict_exhibit`, with ``exhibit`` in front; fields are empty where a column does not
    apply.
    """
    tables = (material.tables[exhibit.experiment] for exhibit in material.outline.exhibits)
    columns = [*dict.fromkeys(name for table in tables for name in axes_of(table)[0])]
    frames = []
    for name, item in material.standing.items():
        if name in predicted:
            behind = material.runs.get(name, RunsRatio())
            frame = predict_exhibit(item, material.tables[item.exhibit.experiment], predicted[name], behind, columns)
            words = partial(reading, material.outline.names, item.exhibit.experiment)
            frames.append(frame.assign(exhibit=name, words=frame["reading"].map(words)))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=[*PLACED, *PREDICTED])


def predict_exhibit(
    item: Standing, table: pd.DataFrame, shown: ShownRows, runs: RunsRatio, columns: Sequence[str] = ()
) -> pd.DataFrame:
    """Predict the numbers of one exhibit under the strict reading and every one that stands.

    `table` is the result table of its experiment, `runs` how many runs stand behind its numbers, relative to the stated
    one, and `columns` are the setting columns of the paper: axes of these names are settings here.

    There is a row per reading and number: settings, ``reading``, ``mechanism``, ``metric``, ``stated`` (yes for the
    strict reading), ``printed`` (the paper's number, if we have it), ``value`` (the expectation), ``se`` (our
    Monte-Carlo error of it), ``low`` and ``high`` (95 % prediction interval of an average over ``their_runs`` runs;
    with our error, and that of reading the number off or of its digits) and ``their_runs``, the stated number times
    `runs.expected`.
    """
    settings, axes = axes_of(table)
    readings = list(dict.fromkeys([STRICT, *(item.readings if item.evidence else ())]))
    rows = _shown(table[table["reading"].isin(readings)], shown, item.fit)
    stated = shown.runs or 1 if item.fit is None else item.fit.cells["stated"].max()
    their_runs = float(stated) * runs.expected
    rows = rows.iloc[np.argsort(rows["reading"].map(readings.index), kind="stable")]
    exact = rows["theory"].notna()
    value = rows["theory"].where(exact, rows["mean"]).to_numpy(float)
    ours = rows["se"].where(~exact, 0.0).to_numpy(float)
    spread = rows["se"].to_numpy(float) * np.sqrt(rows["runs"].to_numpy(float) / their_runs)
    printed, unit = (rows[name].to_numpy(float) for name in (PRINTED, UNIT))
    own = item.exhibit.reading_error  # relative; a number that we lack has at least `READING_ERROR`
    off = np.where(np.isnan(printed), max(own, READING_ERROR), own)
    reading = np.hypot(off * value, digits.ERROR * np.nan_to_num(unit))
    low, high = interval(value, np.hypot(spread, reading), ours)
    open_settings = [axis for axis in axes if axis in columns]
    return (
        rows[[*settings, *open_settings]]
        .rename(columns=lambda name: f"{name}_setting" if name in (*PLACED, *PREDICTED) else name)
        .assign(
            reading=rows["reading"],
            mechanism=rows["mechanism"],
            metric=rows["metric"],
            stated=np.where(rows["reading"] == STRICT, "yes", "no"),
            printed=printed,
            value=value,
            se=ours,
            low=low,
            high=high,
            their_runs=np.where(spread > 0, np.maximum(np.round(their_runs), 1), np.nan),
        )
    )


def _shown(rows: pd.DataFrame, shown: ShownRows, fit: ExhibitFit | None) -> pd.DataFrame:
    """Return the rows that are shown, with the printed number of each and the unit of its last digit, NaN if none."""
    settings, _ = axes_of(rows)
    rows = select(rows, shown.where)
    drawn = rows.index.isin(select(rows, shown.drawn).index)
    if fit is None:
        return rows[drawn].assign(**{PRINTED: np.nan, UNIT: np.nan})
    pairs = ["mechanism", "metric"]
    printed = pd.MultiIndex.from_frame(rows[pairs]).isin(pd.MultiIndex.from_frame(fit.cells[pairs]))
    keys = [*settings, "reading", *pairs]
    numbers = fit.cells.rename(columns={"value": PRINTED, "digit": UNIT}).drop_duplicates(keys)[[*keys, PRINTED, UNIT]]
    return rows[printed | (drawn & (shown.drawn is not None))].merge(numbers, on=keys, how="left")


def interval(mean: np.ndarray, se: np.ndarray, se_mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of the 95 % interval of a printed number, given its `se` and ours, by `scores`."""
    both = np.hypot(se, se_mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        skewed = (both > 0) & (mean > 0) & ((mean / both) ** 2 < SKEWED)
        freedom, freedom_mean = (
            np.minimum(2 / np.where(skewed, error / mean, 1.0) ** 2, 2 * MOST_FREEDOM) for error in (se, se_mean)
        )
    tail = float(special.ndtr(-INSIDE))
    ends = []
    for side, part in ((-1, tail), (1, 1 - tail)):
        ratio = np.where(
            se_mean == 0,
            special.gammaincinv(freedom / 2, part) / freedom * 2,
            special.fdtri(freedom, freedom_mean, part),
        )
        ends.append(np.where(skewed, mean * ratio, mean + side * INSIDE * both))
    return ends[0], ends[1]


def to_csv(predictions: pd.DataFrame) -> bytes:
    """Serialise predictions: nine significant digits, on which machines agree; whole numbers without a point.

    First come the columns that say what it is, then the settings that some prediction has, then the numbers.
    """
    settings = [name for name in predictions if name not in (*PLACED, *PREDICTED) and predictions[name].notna().any()]
    columns = [*(name for name in PLACED if name in predictions), *settings, *PREDICTED]
    text = {name: predictions[name].map(_plain) for name in columns}  # columns of texts may have numbers, too
    return pd.DataFrame(text).to_csv(index=False, lineterminator="\n").encode()


def _plain(content: object) -> object:
    return f"{content:.9g}" if isinstance(content, float) and not np.isnan(content) else content


def predict_files(
    paper: str, outline: Outline, predicted: dict[str, ShownRows], published: Sequence[Path], tables: Sequence[Path]
) -> dict[str, bytes]:
    """Predict the numbers of a paper from its printed numbers and its result tables: a ``table`` and its ``record``."""
    material = Material.read(outline, published, tables)
    found = predict(material, predicted).assign(paper=paper)
    return recorded(to_csv(found), plain({"paper": paper, "outline": outline, "predicted": predicted}))


def join_files(parts: Sequence[Path]) -> dict[str, bytes]:
    """Put the predictions of all papers into one ``table``."""
    found = [read_numbers(verified(path)) for path in parts]
    return {"table": to_csv(pd.concat(found, ignore_index=True))}

"""How large the error of each protocol is on a table, and how exactly the recommended ones read shares.

Errors are expected squared errors of frequencies. Without post-processing, the error is a closed form where there is
one. Everything else is simulated at the count level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
import pandas as pd

from claimaudit.results import mean_and_se
from corrldp.arrays import Floats
from corrldp.deployment.curves import INTERVAL, ErrorCurve, curves_of
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import average_error
from corrldp.randomness import generator
from corrldp.study.contenders import Contender, LeftOut, Users, without
from corrldp.study.output import frame, interval
from corrldp.study.progress import SILENT, Silent
from corrldp.study.settings import ALL, PUBLIC, StudySettings


@dataclass(frozen=True)
class Error:
    """The error of one protocol with one post-processing at one budget.

    Attributes
    ----------
    contender : Contender
        The protocol.
    postprocess : str
        What follows its estimates.
    means, ses : (d, K)
        Expected squared error of each frequency, and its standard error, 0 in closed form; NaN beyond a domain.
    runs : (runs, d) or None
        Squared error of each run and attribute, averaged over values; None in closed form.
    """

    contender: Contender
    postprocess: str
    means: Floats
    ses: Floats
    runs: Floats | None

    @property
    def mean(self) -> float:
        """Average over the values of each attribute, then over attributes."""
        return float(average_error(self.means))

    @property
    def se(self) -> float:
        return 0.0 if self.runs is None else float(mean_and_se(self.runs.mean(axis=1))[1])


def measure(
    contenders: Sequence[Contender], users: Users, settings: StudySettings, progress: Silent = SILENT
) -> tuple[list[Error], LeftOut]:
    """Return the errors of protocols with every post-processing, and what was left out and why."""
    errors: list[Error] = []
    left_out: LeftOut = []
    for contender in progress.track("errors of protocols", contenders):
        try:
            for error in of_contender(contender, users, settings):
                errors.append(error) if isinstance(error, Error) else left_out.append(error)
        except (ValueError, MemoryError) as fault:
            left_out.append(without(contender.name, contender.epsilon, str(fault)))
    return errors, left_out


def of_contender(contender: Contender, users: Users, settings: StudySettings) -> Iterator[Error | dict[str, Any]]:
    """Yield the error of one protocol with each post-processing, or why there is none."""
    rng = generator(settings.seed, "study", "error", contender.law, contender.epsilon)
    estimates = contender.simulate(users, settings.runs, rng)
    truth = users.marginals.frequencies()
    exact = contender.expected_mse(contender.population(users)) if contender.closed else None
    spread = estimates.std(axis=0, ddof=1) if exact is None else np.sqrt(exact)
    for how in settings.postprocess:
        if how == "none" and exact is not None:
            yield Error(contender, how, exact, np.where(np.isnan(exact), np.nan, 0.0), None)
            continue
        try:
            squares = (postprocess(estimates, how, spread) - truth) ** 2
        except ValueError as error:
            yield without(f"{contender.name}, {how}", contender.epsilon, str(error))
            continue
        yield Error(contender, how, *mean_and_se(squares), np.nanmean(squares, axis=-1))


def table_of(errors: list[Error], users: Users) -> pd.DataFrame:
    """Return all errors as a tidy table.

    Columns `epsilon, protocol, postprocess, attribute, value, mse, low, high, se, runs`: an empty value stands
    for the average over an attribute's values, an empty attribute for that over attributes; `runs` is 0 for a closed
    form, and `low` to `high` a 95 % interval.
    """
    return frame("error", (row for error in errors for row in _rows(error, users)))


def _rows(error: Error, users: Users) -> Iterator[dict[str, Any]]:
    table, runs = users.table, error.runs
    yield _row(error, ALL, ALL, error.mean, error.se)
    for j, name in enumerate(table.names):
        k = table.sizes[j]
        se = 0.0 if runs is None else float(mean_and_se(runs[:, j])[1])
        yield _row(error, name, ALL, float(error.means[j, :k].mean()), se)
        for value, mean, one in zip(table.values[j], error.means[j], error.ses[j], strict=False):
            yield _row(error, name, value, float(mean), float(one))


def _row(error: Error, attribute: str, value: str, mean: float, se: float) -> dict[str, Any]:
    return {
        "epsilon": error.contender.epsilon,
        "protocol": error.contender.name,
        "postprocess": error.postprocess,
        "attribute": attribute,
        "value": value,
        "mse": mean,
        **interval(mean, se),
        "runs": 0 if error.runs is None else len(error.runs),
    }


def accuracy(
    recommendation: pd.DataFrame, errors: Sequence[Error], contenders: Sequence[Contender], users: Users
) -> pd.DataFrame:
    """Return what each recommended protocol does to the shares of each column.

    Columns `epsilon, basis, protocol, column, values, value, share, error, smallest_share`: of estimates before
    post-processing. From public facts, `error` is the largest of all shares; from the table, it is that of the `value`
    with the largest one, which has this `share`. The `smallest_share` is distinguished from 0 with probability 95 %, by
    an estimate above what an absent value exceeds with probability 2.5 %; it is missing where the error has no closed
    form. Errors are half of a 95 % interval, for which alone estimates are taken to be normal.
    """
    rows = (row for chosen in recommendation.to_dict("records") for row in _read_by(chosen, errors, contenders, users))
    return frame("accuracy", rows)


def _read_by(
    chosen: dict[Any, Any], errors: Sequence[Error], contenders: Sequence[Contender], users: Users
) -> Iterator[dict[str, Any]]:
    place = {key: chosen[key] for key in ("epsilon", "basis", "protocol")}
    [contender] = [one for one in contenders if (one.name, one.epsilon) == (chosen["protocol"], chosen["epsilon"])]
    table = users.table
    curves: list[ErrorCurve] | list[None] = [None] * table.d
    if contender.closed and table.n > 1:
        curves = curves_of(contender.protocol, table.n)
    for j, (name, curve) in enumerate(zip(table.names, curves, strict=True)):
        smallest = None if curve is None else curve.smallest_share()
        if chosen["basis"] == PUBLIC:
            value, share, error = "", nan, nan if curve is None else curve.error(None)
        else:
            value, share, error = _largest(_raw(contender, chosen, errors), users, j)
        numbers = {"share": share, "error": error, "smallest_share": nan if smallest is None else smallest}
        yield {**place, "column": name, "values": table.sizes[j], "value": value, **numbers}


def _raw(contender: Contender, chosen: dict[Any, Any], errors: Sequence[Error]) -> Error:
    """Return the error before post-processing, to which intervals refer, or after it if no other is known."""
    mine = {one.postprocess: one for one in errors if one.contender is contender}
    return mine.get("none", mine[chosen["postprocess"]])


def _largest(error: Error, users: Users, j: int) -> tuple[str, float, float]:
    """Return the value of a column with the largest error, its share and the error."""
    v = int(np.nanargmax(error.means[j]))
    share = float(users.marginals.frequencies()[j, v])
    return users.table.values[j][v], share, INTERVAL * sqrt(error.means[j, v])

"""How exactly the recommended protocols read the shares of each column, in terms that need no statistics.

Errors are half of a 95 % interval. Squared errors are as in the table of errors, exact or simulated; only the step to
an interval takes estimates to be normal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan, sqrt
from typing import Any

import numpy as np
import pandas as pd

from corrldp.deployment.curves import INTERVAL, ErrorCurve, curves_of
from corrldp.study.contenders import Contender, Users
from corrldp.study.errors import Error
from corrldp.study.names import PUBLIC
from corrldp.study.output import frame


def measure(
    recommendation: pd.DataFrame, errors: Sequence[Error], contenders: Sequence[Contender], users: Users
) -> pd.DataFrame:
    """Return what each recommended protocol does to the shares of each column.

    Columns `epsilon, basis, protocol, column, values, value, share, error, smallest_share`: of estimates before
    post-processing. From public facts, `error` is the largest of all shares; from the table, it is that of the `value`
    with the largest one, which has this `share`. The `smallest_share` is distinguished from 0 with probability 95 %, by
    an estimate above what an absent value exceeds with probability 2.5 %; it is missing where the error has no closed
    form.
    """
    rows = (row for chosen in recommendation.to_dict("records") for row in _rows(chosen, errors, contenders, users))
    return frame("accuracy", rows)


def _rows(
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

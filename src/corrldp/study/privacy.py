"""The exact privacy of every protocol that a study shows: what it guarantees, and what enumeration finds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
import pandas as pd

from claimaudit.words.numbers import listed
from corrldp.privacy import attribute_epsilon, epsilon_of_channel, smaller
from corrldp.privacy_tests import epsilon_of_users
from corrldp.protocols.names import source_of
from corrldp.study.contenders import Contender, LeftOut, built, without
from corrldp.study.output import frame
from corrldp.study.progress import SILENT, Silent

ATTAINED = {True: "exactly", False: "at most"}
STATED = "as the class states"
WITHIN, OVER, UNKNOWN = "yes", "no", "not known"


def tolerance(epsilon: float) -> float:
    """Return by how much rounding may raise an epsilon: it is the log of a ratio to about e^-epsilon, in 53 bits."""
    return 1e-9 + 2.0**-50 * math.exp(min(epsilon, 30.0))


def measure(contenders: Sequence[Contender], sizes: tuple[int, ...], progress: Silent = SILENT) -> pd.DataFrame:
    """Return the exact epsilon of a record and of a column, by guarantee and by enumeration.

    Columns `protocol, epsilon, record, attribute, attained, enumerated_on, enumerated_record, enumerated_attribute,
    holds`: `attribute` is the largest over the columns; `holds` says whether no epsilon of a record exceeds the budget,
    or that it is not known: numbers are missing where a protocol states no guarantee, or cannot be enumerated. Of a
    protocol of the user's own, reports are drawn as well; if they show more, that stands in place of the enumeration.
    If they do not, both `attained` and `holds` are "as the class states", since no draw proves it.
    """
    return frame("privacy", (_row(one, sizes) for one in progress.track("exact privacy", contenders)))


def over_budget(privacy: pd.DataFrame) -> dict[tuple[str, float], float]:
    """Return the actual epsilon of a record by protocol and stated budget, where it exceeds the budget.

    It is the larger one of what the protocol itself guarantees and what enumeration, or a draw of reports, finds; on
    larger domains it may be larger still.
    """
    broken = privacy[privacy["holds"] == OVER]
    actual = broken[["record", "enumerated_record"]].max(axis=1)
    return dict(zip(zip(broken["protocol"], broken["epsilon"], strict=True), actual, strict=True))


def split(contenders: Iterable[Contender], privacy: pd.DataFrame) -> tuple[list[Contender], LeftOut]:
    """Return the contenders that keep their budget, as far as is known, and why the others must not compete."""
    actual = over_budget(privacy)
    left_out: LeftOut = []
    kept = []
    for one in contenders:
        if (one.name, one.epsilon) in actual:
            left_out.append(without(one.name, one.epsilon, "over its budget"))
        else:
            kept.append(one)
    return kept, left_out


def of_broken(privacy: pd.DataFrame) -> list[str]:
    """Name the protocols that are over their budget, with both epsilons."""
    spent: dict[str, list[str]] = {}
    for (protocol, epsilon), actual in over_budget(privacy).items():
        spent.setdefault(protocol, []).append(f"{actual:.4g} where it states {epsilon:g}")
    return [
        f"{protocol} is over its budget and does not compete: a record spends epsilon = {listed(found)}."
        for protocol, found in spent.items()
    ]


def of_unknown(privacy: pd.DataFrame) -> list[str]:
    """Name the protocols of which nobody knows whether they keep their budget."""
    names = privacy[privacy["holds"] == UNKNOWN]["protocol"].unique()
    return [f"{name} states no guarantee and cannot be enumerated: its epsilon is not known." for name in names]


def _row(contender: Contender, sizes: tuple[int, ...]) -> dict[str, Any]:
    record, attribute, attained = guaranteed(contender)
    small = smaller(sizes)
    on_small, where = enumerated(contender, small), " by ".join(map(str, small))
    drawn = sent(contender, sizes)
    if drawn > np.nan_to_num(on_small[0]):
        on_small, where = (drawn, np.nan), "reports that were drawn"
    own = source_of(contender.name) is not None
    known = [value for value in (record, on_small[0]) if not np.isnan(value)]
    return {
        "protocol": contender.name,
        "epsilon": contender.epsilon,
        "record": record,
        "attribute": attribute,
        "attained": STATED if own and attained else attained,
        "enumerated_on": where if not np.isnan(on_small[0]) else "",
        "enumerated_record": on_small[0],
        "enumerated_attribute": on_small[1],
        "holds": _holds(max(known), contender.epsilon, own) if known else UNKNOWN,
    }


def _holds(actual: float, epsilon: float, own: bool) -> str:
    return OVER if actual > epsilon + tolerance(epsilon) else STATED if own else WITHIN


def guaranteed(contender: Contender) -> tuple[float, float, str]:
    """Return the guaranteed epsilon of a record, the largest one of an attribute, and whether some report attains them.

    NaN if the protocol guarantees nothing.
    """
    try:
        found = contender.call("guarantee", contender.protocol.guarantee)
        return float(found.record), float(max(found.attributes)), ATTAINED[found.exact]
    except (AttributeError, NotImplementedError, MemoryError, TypeError, ValueError):
        return np.nan, np.nan, ""


def enumerated(contender: Contender, sizes: tuple[int, ...]) -> tuple[float, float]:
    """Return both epsilons of the protocol on small domains, from its channel; NaN if it has none."""
    try:
        channel = contender.call("channel", cast(Any, built(contender.name, contender.epsilon, sizes)).channel)
        return epsilon_of_channel(channel), max(attribute_epsilon(channel, sizes, j) for j in range(len(sizes)))
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return np.nan, np.nan


def sent(contender: Contender, sizes: tuple[int, ...]) -> float:
    """Return the epsilon that the reports of a protocol of the user's own show, if it is above the budget; else NaN."""
    if source_of(contender.name) is None:
        return np.nan
    factory = partial(built, contender.name)
    try:
        return contender.call("privatize", lambda: epsilon_of_users(factory, contender.epsilon, sizes))
    except ValueError:  # it does not work, which a study of errors need not mind
        return np.nan

"""The exact privacy of every protocol that a study shows: what it guarantees, and what enumeration finds."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pandas as pd

from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.privacy import attribute_epsilon
from corrldp.study.contenders import Contender, built, contenders
from corrldp.study.settings import Settings

LARGEST_DOMAIN, MOST_ATTRIBUTES = 3, 2
"""Sizes of the domains on which every report of every record is enumerated."""

TOLERANCE = 1e-9
ATTAINED = {True: "exactly", False: "at most"}
WITHIN, UNKNOWN = {True: "yes", False: "no"}, "not known"


def measure(sizes: tuple[int, ...], settings: Settings) -> pd.DataFrame:
    """Return the exact epsilon of a record and of a column, by guarantee and by enumeration.

    Columns `protocol, epsilon, record, attribute, attained, enumerated_on, enumerated_record, enumerated_attribute,
    holds`: `attribute` is the largest over the columns; `holds` says whether no epsilon of a record exceeds the budget,
    or that it is not known: numbers are missing where a protocol states no guarantee, or cannot be enumerated.
    """
    rows = []
    for epsilon in settings.epsilons:
        for found in contenders(settings.protocols, epsilon, sizes):
            if isinstance(found, Contender):
                rows.append(_row(found, sizes))
    return pd.DataFrame(rows)


def _row(contender: Contender, sizes: tuple[int, ...]) -> dict[str, Any]:
    record, attribute, attained = guaranteed(contender.protocol)
    small = tuple(min(k, LARGEST_DOMAIN) for k in sorted(sizes)[-MOST_ATTRIBUTES:])
    on_small = enumerated(contender, small)
    known = [value for value in (record, on_small[0]) if not np.isnan(value)]
    return {
        "protocol": contender.name,
        "epsilon": contender.epsilon,
        "record": record,
        "attribute": attribute,
        "attained": attained,
        "enumerated_on": " by ".join(map(str, small)) if not np.isnan(on_small[0]) else "",
        "enumerated_record": on_small[0],
        "enumerated_attribute": on_small[1],
        "holds": WITHIN[max(known) <= contender.epsilon + TOLERANCE] if known else UNKNOWN,
    }


def guaranteed(protocol: Any) -> tuple[float, float, str]:  # noqa: ANN401 (any protocol)
    """Return the guaranteed epsilon of a record, the largest one of an attribute, and whether some report attains them.

    NaN if the protocol guarantees nothing.
    """
    try:
        found = protocol.guarantee()
    except (AttributeError, NotImplementedError, MemoryError, ValueError):
        return np.nan, np.nan, ""
    return float(found.record), float(max(found.attributes)), ATTAINED[found.exact]


def enumerated(contender: Contender, sizes: tuple[int, ...]) -> tuple[float, float]:
    """Return both epsilons of the protocol on small domains, from its channel; NaN if it has none."""
    try:
        channel = cast(Any, built(contender.name, contender.epsilon, sizes)).channel()
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return np.nan, np.nan
    return epsilon_of_channel(channel), max(attribute_epsilon(channel, sizes, j) for j in range(len(sizes)))

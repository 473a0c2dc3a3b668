"""The actual epsilon of a mechanism or protocol, computed from its exact output distributions.

For records that may differ in every attribute, the LDP of the Corr-RR papers, it is `epsilon_of_channel`; for records
that differ in one attribute only, `attribute_epsilon`.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, as_floats, kronecker
from corrldp.mechanisms.validation import check_integer, check_laws

LARGEST_DOMAIN = 256  # records whose channel is enumerated
LARGEST_CHANNEL = 10**8  # entries


def epsilon_between(rows: ArrayLike) -> float:
    """Largest log-ratio of the probabilities of one output in two of the `rows` (inputs, outputs).

    Only ratios within a column matter, so a factor common to a column may be omitted. Infinite when one input excludes
    an output that another allows; outputs that no input allows are ignored. Unless entries are finite and >= 0, a
    ValueError.
    """
    rows = as_floats(rows, "rows")
    if rows.ndim != 2 or rows.size == 0 or not np.isfinite(rows.max()) or rows.min() < 0:  # the largest of NaN is NaN
        raise ValueError("rows must be a non-empty (inputs, outputs) matrix of finite numbers >= 0")
    least, most = rows.min(axis=0), rows.max(axis=0)
    possible = most > 0
    with np.errstate(divide="ignore"):
        return float(np.max(np.log(most[possible]) - np.log(least[possible]), initial=0.0))


def epsilon_of_channel(matrix: ArrayLike) -> float:
    """Exact epsilon of a channel (inputs, outputs) over all outputs and all pairs of inputs (Definition 1 of LDP).

    A row that is no distribution is a ValueError.
    """
    return epsilon_between(check_laws(matrix, "a channel"))


def record_channel(channels: Iterable[Floats]) -> Floats:
    """Return Pr[reports | record] from the channels of attributes that are reported independently, as `kronecker`.

    More than 10^8 entries are a ValueError.
    """
    factors = list(channels)
    records, reports = (math.prod(factor.shape[axis] for factor in factors) for axis in (0, 1))
    check_channel(records, reports)
    return kronecker(factors)


def check_channel(records: int, reports: int) -> None:
    """Raise ValueError unless a channel has at most 10^8 entries."""
    if records * reports > LARGEST_CHANNEL:
        raise ValueError(f"a channel of {records} records and {reports} reports is too large: take smaller domains")


def attribute_epsilon(channel: Floats, sizes: tuple[int, ...], attribute: int) -> float:
    """Largest log-ratio of a report's probabilities under two records that differ in `attribute` alone.

    The channel (k_1 ... k_d, reports) has the records in the order of `numpy.ravel_multi_index`.
    """
    check_integer(attribute, "attribute", 0, len(sizes) - 1)
    by_value = np.moveaxis(np.reshape(channel, (*sizes, -1)), attribute, -2)
    return max(epsilon_between(rows) for rows in by_value.reshape(-1, *by_value.shape[-2:]))


def smaller(sizes: Sequence[int]) -> tuple[int, ...]:
    """Return domain sizes on which every protocol can be enumerated: those of the two largest, each at most 3."""
    return tuple(min(k, 3) for k in sorted(sizes)[-2:])

"""The actual epsilon of a protocol for records, from its exact channel.

For records that may differ in every attribute it is `corrldp.privacy.epsilon_of_channel`, the LDP of the Corr-RR
papers; this module computes it for records that differ in only one attribute.
"""

import math
from typing import Any

import numpy as np

from corrldp.arrays import Floats
from corrldp.privacy import epsilon_between, epsilon_of_channel
from corrldp.protocols.records import check_attribute

LARGEST_DOMAIN = 256  # records whose channel is enumerated
ROUNDING = 1e-9


def attribute_epsilon(channel: Floats, sizes: tuple[int, ...], attribute: int) -> float:
    """Largest log-ratio of a report's probabilities under two records that differ in `attribute` alone.

    Parameters
    ----------
    channel : (k_1 ... k_d, reports)
        Pr[report | record], records in the order of `numpy.ravel_multi_index`.
    sizes : (d,)
        Domain sizes.
    attribute : int
        The attribute that differs; all others are equal and known.
    """
    check_attribute(attribute, len(sizes))
    by_value = np.moveaxis(np.reshape(channel, (*sizes, -1)), attribute, -2)
    return max(epsilon_between(rows) for rows in by_value.reshape(-1, *by_value.shape[-2:]))


def epsilon_spent(protocol: Any) -> float:  # noqa: ANN401
    """Largest epsilon of a record that is known of a protocol: by its guarantee, and by its channel if that is small.

    What users send is not drawn: a protocol whose `privatize` does not follow its `channel` is found by
    `corrldp.testing.check_protocol`.

    Raises
    ------
    ValueError
        The protocol guarantees nothing and has no channel.
    """
    stated = float(protocol.guarantee().record)
    if math.prod(protocol.sizes) > LARGEST_DOMAIN or not hasattr(protocol, "channel"):
        return stated
    try:
        channel = protocol.channel()
    except ValueError:  # too many reports
        return stated
    return max(stated, epsilon_of_channel(channel))


def exceeds_budget(protocol: Any, budget: float | None = None) -> bool:  # noqa: ANN401
    """Whether a record spends more than a budget, by default the protocol's `epsilon`; see `epsilon_spent`."""
    allowed = protocol.epsilon if budget is None else budget
    return epsilon_spent(protocol) > allowed * (1 + ROUNDING) + ROUNDING

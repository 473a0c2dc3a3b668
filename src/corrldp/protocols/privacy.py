"""The actual epsilon of a protocol for records, from its exact channel.

For records that may differ in every attribute it is `corrldp.privacy.epsilon_of_channel`, the LDP of the Corr-RR
papers; this module computes it for records that differ in only one attribute.
"""

import numpy as np

from corrldp.arrays import Floats
from corrldp.privacy import epsilon_between
from corrldp.protocols.records import check_attribute


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

"""The epsilon that a protocol for records really gives, from its exact channel.

For two records that may differ in everything it is `corrldp.privacy.epsilon_of_channel`, the LDP of the Corr-RR papers;
here is that for records which differ in one attribute only.
"""

import numpy as np

from corrldp.arrays import Floats
from corrldp.privacy import epsilon_between


def attribute_epsilon(channel: Floats, sizes: tuple[int, ...], attribute: int) -> float:
    """Largest log-ratio of a report's probabilities under two records that differ in `attribute` alone.

    Parameters
    ----------
    channel : (k_1 ... k_d, reports)
        Pr[report | record], records in the order of `numpy.ravel_multi_index`.
    sizes : (d,)
        Domain sizes.
    attribute : int
        The attribute that differs; all others are the same and known.
    """
    by_value = np.moveaxis(np.reshape(channel, (*sizes, -1)), attribute, -2)
    return max(epsilon_between(rows) for rows in by_value.reshape(-1, *by_value.shape[-2:]))

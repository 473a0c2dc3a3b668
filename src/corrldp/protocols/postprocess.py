"""Post-processing of estimated frequencies; none of it changes what a protocol reveals."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats

Postprocess = Literal["none", "clip", "clip_normalise", "floor_normalise"]


def postprocess(estimates: ArrayLike, how: Postprocess) -> Floats:
    """Repair estimated frequencies.

    Parameters
    ----------
    estimates : (..., k)
        Estimated frequencies; NaN beyond an attribute's domain stays NaN.
    how : {"none", "clip", "clip_normalise", "floor_normalise"}
        ``"clip"`` clips each frequency to [0, 1]; ``"clip_normalise"`` then divides by their sum. (Raw estimates by GRR
        sum to 1, so at least one of them is positive; by other oracles they need not.) ``"floor_normalise"`` only
        raises negative ones to 0 before dividing.

    Raises
    ------
    ValueError
        `how` is unknown, or no frequency of an attribute is positive.
    """
    estimates = np.asarray(estimates, dtype=float)
    if how == "none":
        return estimates
    clipped = np.clip(estimates, 0, None if how == "floor_normalise" else 1)
    if how == "clip":
        return clipped
    if how in ("clip_normalise", "floor_normalise"):
        total = np.nansum(clipped, axis=-1, keepdims=True)
        if (total <= 0).any():
            raise ValueError("no estimated frequency of an attribute is positive: nothing to normalise")
        return clipped / total
    raise ValueError(f'how={how!r} must be "none", "clip", "clip_normalise" or "floor_normalise"')

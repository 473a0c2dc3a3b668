"""Post-processing of estimated frequencies; none of it changes what a protocol reveals.

Base-cut and norm-sub are those of Wang et al., Locally Differentially Private Frequency Estimation with Consistency
(NDSS 2020), who compare them with others.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from corrldp.arrays import Floats, in_short

Postprocess = Literal["none", "clip", "clip_normalise", "floor_normalise"]
Method = Literal["none", "clip", "clip_normalise", "simplex", "norm_sub", "base_cut"]
METHODS: tuple[Method, ...] = get_args(Method)
"""What `repaired` can do."""

ABSENT = 0.05
NOTHING_POSITIVE = "no estimated frequency of an attribute is positive: nothing to normalise"


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
            raise ValueError(NOTHING_POSITIVE)
        return clipped / total
    raise ValueError(f'how={in_short(how)} must be "none", "clip", "clip_normalise" or "floor_normalise"')


def repaired(estimates: ArrayLike, how: Method, errors: ArrayLike) -> Floats:
    """Repair estimated frequencies by one of `METHODS`.

    Parameters
    ----------
    estimates : (..., k)
        Estimated frequencies; NaN beyond an attribute's domain stays NaN.
    how : Method
        See `postprocess`, `simplex`, `norm_sub` and `base_cut`.
    errors : broadcasts to (..., k)
        Standard errors of the estimates, which only base-cut uses.

    Raises
    ------
    ValueError
        `how` is unknown, or no frequency of an attribute is positive although the method needs one.
    """
    if how == "simplex":
        return simplex(estimates)
    if how == "norm_sub":
        return norm_sub(estimates)
    if how == "base_cut":
        return base_cut(estimates, errors)
    if how not in METHODS:
        raise ValueError(f"how={in_short(how)} must be one of {', '.join(METHODS)}")
    return postprocess(estimates, how)


def simplex(estimates: ArrayLike) -> Floats:
    """Return the distributions (..., k) nearest to `estimates` (..., k) in Euclidean distance.

    One number is subtracted from each frequency, and negative ones become 0 (Held, Wolfe and Crowder 1974).
    """
    estimates = np.asarray(estimates, dtype=float)
    ordered = -np.sort(-np.nan_to_num(estimates, nan=-np.inf), axis=-1)
    known = np.isfinite(ordered)
    sums = np.cumsum(np.where(known, ordered, 0), axis=-1)
    shifts = (sums - 1) / np.arange(1, ordered.shape[-1] + 1)
    last = (known & (ordered > shifts)).sum(axis=-1, keepdims=True) - 1
    return np.maximum(estimates - np.take_along_axis(shifts, last, axis=-1), 0)


def norm_sub(estimates: ArrayLike) -> Floats:
    """Set negative frequencies to 0 and move all others by the same amount until they sum to 1, repeatedly.

    The result is that of `simplex` if the positive estimates (..., k) sum to 1 or more, as those by GRR always do.

    Raises
    ------
    ValueError
        No frequency of an attribute is positive.
    """
    estimates = np.asarray(estimates, dtype=float)
    kept = estimates > 0
    if not kept.any(axis=-1).all():
        raise ValueError(NOTHING_POSITIVE)
    while True:
        total = np.where(kept, estimates, 0).sum(axis=-1, keepdims=True)
        moved = np.where(kept, estimates + (1 - total) / kept.sum(axis=-1, keepdims=True), 0)
        if not (moved < 0).any():
            return np.where(np.isnan(estimates), np.nan, moved)
        kept &= moved > 0


def base_cut(estimates: ArrayLike, errors: ArrayLike, absent: float = ABSENT) -> Floats:
    """Set frequencies that do not differ significantly from 0 to 0; the others stay.

    Parameters
    ----------
    estimates : (..., k)
        Estimated frequencies.
    errors : broadcasts to (..., k)
        Their standard errors.
    absent : float
        How many of k values that do not occur may be expected to stay, above 0 and below 1; the default is ours.
    """
    estimates = np.asarray(estimates, dtype=float)
    if not 0 < absent < 1:
        raise ValueError(f"absent={absent} must lie between 0 and 1")
    k = np.isfinite(estimates).sum(axis=-1, keepdims=True)
    threshold = -ndtri(absent / k) * np.asarray(errors)
    return np.where(np.isnan(estimates) | (estimates >= threshold), estimates, 0.0)

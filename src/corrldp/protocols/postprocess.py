"""Post-processing of estimated frequencies; none of it changes what a protocol reveals.

A method is a function here, which `METHODS` names. Base-cut and norm-sub are those of Wang et al., Locally
Differentially Private Frequency Estimation with Consistency (NDSS 2020), who compare them with others.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, as_floats, check_choice

ABSENT = 0.05
"""How many of the values that do not occur base-cut may be expected to keep: our choice."""


def postprocess(estimates: ArrayLike, how: str, errors: ArrayLike | None = None) -> Floats:
    """Repair estimated frequencies (..., k), NaN beyond an attribute's domain, by one of `METHODS`.

    Base-cut needs the standard `errors` of the estimates, which broadcast to (..., k). An unknown method, missing
    errors or, for a method that normalises, an attribute without a positive frequency is a ValueError.
    """
    frequencies = as_floats(estimates, "estimates")
    if not frequencies.ndim or not frequencies.shape[-1]:
        raise ValueError(f"estimates of shape {frequencies.shape} must be (..., k) frequencies")
    chosen = METHODS[check_choice(how, "how", METHODS)]
    if chosen.needs_errors and errors is None:
        raise ValueError(f"{how} needs the standard errors of the estimates: pass errors=...")
    return chosen.apply(frequencies, errors) if chosen.needs_errors else chosen.apply(frequencies)


def clip(estimates: Floats) -> Floats:
    """Clip each frequency to [0, 1]."""
    return np.clip(estimates, 0, 1)


def clip_normalise(estimates: Floats) -> Floats:
    """Clip each frequency to [0, 1], then divide by their sum.

    Raw estimates by GRR sum to 1, so at least one of them is positive; by other oracles they need not.
    """
    return _normalised(np.clip(estimates, 0, 1))


def floor_normalise(estimates: Floats) -> Floats:
    """Raise negative frequencies to 0, then divide by their sum."""
    return _normalised(np.clip(estimates, 0, None))


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

    The result is that of `simplex` if the positive estimates (..., k) sum to 1 or more, as those by GRR always do. An
    attribute without a positive frequency is a ValueError.
    """
    estimates = np.asarray(estimates, dtype=float)
    kept = estimates > 0
    _check_positive(kept.any(axis=-1))
    while True:
        total = np.where(kept, estimates, 0).sum(axis=-1, keepdims=True)
        moved = np.where(kept, estimates + (1 - total) / kept.sum(axis=-1, keepdims=True), 0)
        if not (moved < 0).any():
            return np.where(np.isnan(estimates), np.nan, moved)
        kept &= moved > 0


def base_cut(estimates: ArrayLike, errors: ArrayLike) -> Floats:
    """Set frequencies (..., k) that do not differ significantly from 0, given their errors, to 0; the others stay.

    Of k values that do not occur, `ABSENT` may be expected to stay.
    """
    from scipy.special import ndtri  # here, since most programs never need it and it takes long to import

    estimates = np.asarray(estimates, dtype=float)
    k = np.isfinite(estimates).sum(axis=-1, keepdims=True)
    threshold = -ndtri(ABSENT / k) * np.asarray(errors)
    return np.where(np.isnan(estimates) | (estimates >= threshold), estimates, 0.0)


def _normalised(estimates: Floats) -> Floats:
    total = np.nansum(estimates, axis=-1, keepdims=True)
    _check_positive(total > 0)
    return estimates / total


def _check_positive(positive: ArrayLike) -> None:
    if not np.all(positive):
        raise ValueError("no estimated frequency of an attribute is positive: nothing to normalise")


@dataclass(frozen=True)
class Method:
    """A method of post-processing, which pages call by its `words`.

    `apply` repairs estimates (..., k), NaN beyond a domain, given their standard errors, which it may need; it
    `normalises` if the result is a distribution.
    """

    words: str
    apply: Callable[..., Floats]
    normalises: bool = False
    needs_errors: bool = False


METHODS = {
    "none": Method("no post-processing", lambda estimates: estimates),
    "clip": Method("clip", clip),
    "clip_normalise": Method("clip, normalise", clip_normalise, normalises=True),
    "floor_normalise": Method("floor at 0, normalise", floor_normalise, normalises=True),
    "simplex": Method("simplex", simplex, normalises=True),
    "norm_sub": Method("norm-sub", norm_sub, normalises=True),
    "base_cut": Method("base-cut", base_cut, needs_errors=True),
}
"""All methods by the names that settings and tables have."""

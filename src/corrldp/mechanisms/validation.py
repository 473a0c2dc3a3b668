"""Checks of arguments; each error names the value, the allowed range and the fix."""

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Integers


def check_epsilon(epsilon: object, name: str = "epsilon") -> None:
    """Raise ValueError unless `epsilon`, a parameter called `name`, is a finite and positive number."""
    if isinstance(epsilon, bool) or not isinstance(epsilon, Real) or not 0 < float(epsilon) < math.inf:
        raise ValueError(f"{name}={epsilon!r} must be finite and > 0: choose a positive privacy budget")


def check_positive_integer(number: int, name: str) -> None:
    """Raise ValueError unless `number`, a parameter called `name`, is an integer of at least 1."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
        raise ValueError(f"{name}={number!r} must be an integer >= 1")


def check_domain_size(k: int) -> None:
    """Raise ValueError unless `k` is an integer of at least 2."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 2:
        raise ValueError(f"k={k!r} must be an integer >= 2: a domain needs at least two values")


def check_codes(values: ArrayLike, k: int) -> Integers:
    """Return `values` as (n,) integer codes, or raise ValueError unless all are in 0, ..., k - 1."""
    values = np.asarray(values)
    if values.ndim != 1 or values.size == 0 or not np.issubdtype(values.dtype, np.integer):
        raise ValueError(f"values of shape {values.shape} and type {values.dtype} must be (n,) integers, n >= 1")
    if values.min() < 0 or values.max() >= k:
        raise ValueError(f"values span {values.min()}..{values.max()} but must lie in 0..{k - 1}: recode them")
    return values.astype(np.int64)


def check_counts(counts: ArrayLike, k: int) -> Integers:
    """Return `counts` as (k,) integers, or raise ValueError unless they are >= 0 with a positive sum."""
    counts = np.asarray(counts)
    if counts.shape != (k,) or not np.issubdtype(counts.dtype, np.integer):
        raise ValueError(f"counts of shape {counts.shape} and type {counts.dtype} must be ({k},) integers")
    if counts.min() < 0 or counts.sum() == 0:
        raise ValueError(f"counts from {counts.min()} with sum {counts.sum()} must be >= 0 with sum >= 1")
    return counts.astype(np.int64)

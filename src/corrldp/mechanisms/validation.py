"""Checks of arguments; each error names the value, the allowed range and the fix."""

import math
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers, as_array, as_floats, in_short, is_integer, plain

# Frequencies that are themselves estimates or averages may leave [0, 1] by rounding errors.
ROUNDING = 1e-9
MOST_EPSILON = 700  # e^epsilon is a number
LARGEST_FLOAT = sys.float_info.max
MOST_VALUES = 2**24  # of an attribute: reports are tallied in arrays of its size
EXACT_INTEGERS = 2**53  # as floats, with which mechanisms and estimates compute
MOST_NUMBERS = 2**31  # that all runs of a simulation may hold: arrays of 16 GiB


def check_epsilon(epsilon: object, name: str = "epsilon") -> float:
    """Return `epsilon` as a float, or raise ValueError unless the parameter called `name` is finite and positive."""
    number = plain(epsilon)
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number <= LARGEST_FLOAT:
        raise ValueError(f"{name}={in_short(epsilon)} must be finite and > 0, an int or float: choose a privacy budget")
    return float(number)


def check_epsilons(epsilon: ArrayLike) -> Floats:
    """Return budgets (...) as floats, or raise ValueError unless all are numbers from 0 to `MOST_EPSILON`."""
    budgets = as_floats(plain(epsilon), "epsilon")
    if as_array(epsilon).dtype.kind == "b" or not ((budgets >= 0) & (budgets <= MOST_EPSILON)).all():
        raise ValueError(f"epsilon={in_short(epsilon)} must be numbers from 0 to {MOST_EPSILON}")
    return budgets


def check_integer(number: object, name: str, fewest: int, most: float = math.inf) -> int:
    """Return `number` as an int, or raise ValueError unless the parameter called `name` is one from fewest to most."""
    whole = plain(number)
    if isinstance(whole, bool) or not isinstance(whole, int) or not fewest <= whole <= most:
        allowed = f">= {fewest}" if most == math.inf else f"from {fewest} to {most}"
        raise ValueError(f"{name}={in_short(number)} must be an integer {allowed}")
    return whole


def check_flag(flag: object, name: str) -> bool:
    """Return `flag` as a bool, or raise ValueError unless the parameter called `name` is true or false."""
    if not isinstance(truth := plain(flag), bool):
        raise ValueError(f"{name}={in_short(flag)} must be True or False")
    return truth


def check_share(share: object, name: str) -> float:
    """Return `share` as a float, or raise ValueError unless the parameter called `name` lies between 0 and 1."""
    number = plain(share)
    if isinstance(number, bool) or not isinstance(number, int | float) or not 0 < number < 1:
        percent = isinstance(number, int | float) and 1 < number < 100
        fix = f": {number:g} % are {number / 100:g}" if percent else ""
        raise ValueError(f"{name}={in_short(share)} must lie in (0, 1){fix}")
    return float(number)


def check_domain_size(k: object, most: int = EXACT_INTEGERS) -> int:
    """Return `k` as an int, or raise ValueError unless it is an integer from 2 to `most`."""
    size = plain(k)
    if isinstance(size, bool) or not isinstance(size, int) or size < 2:
        raise ValueError(f"k={in_short(k)} must be an integer >= 2: a domain needs at least two values")
    if size > most:
        raise ValueError(f"k={in_short(k)} must be at most {most}: merge values of the domain")
    return size


def check_runs(runs: object, numbers: int, data_sets: int | None = None) -> int:
    """Return `runs` as an int, or raise ValueError unless it is positive and fits.

    Each run holds so many `numbers`; if there is one data set per run, there must be as many `data_sets`.
    """
    found = check_integer(runs, "runs", 1, max(1, MOST_NUMBERS // numbers))
    if data_sets not in (None, found):
        raise ValueError(f"runs={found} differ from the {data_sets} data sets of the table: simulate as many")
    return found


def check_codes(values: ArrayLike, k: int) -> Integers:
    """Return `values` as (n,) integer codes, or raise ValueError unless all are in 0, ..., k - 1."""
    values = as_array(values)
    if values.ndim != 1 or values.size == 0 or not is_integer(values):
        raise ValueError(f"values of shape {values.shape} and type {values.dtype} must be (n,) integers, n >= 1")
    if values.min() < 0 or values.max() >= k:
        raise ValueError(f"values span {values.min()}..{values.max()} but must lie in 0..{k - 1}: recode them")
    return values.astype(np.int64)


def check_counts(counts: ArrayLike, k: int) -> Integers:
    """Return `counts` as (k,) integers, or raise ValueError unless they are >= 0 with a positive sum."""
    counts = as_array(counts)
    if counts.shape != (k,) or not is_integer(counts):
        raise ValueError(f"counts of shape {counts.shape} and type {counts.dtype} must be ({k},) integers")
    if counts.min() < 0 or counts.sum() == 0:
        raise ValueError(f"counts from {counts.min()} with sum {counts.sum()} must be >= 0 with sum >= 1")
    return counts.astype(np.int64)


def check_users(n: object) -> int:
    """Return the number of users, or raise ValueError unless it is an integer from 1 to `EXACT_INTEGERS`."""
    return check_integer(n, "n", 1, EXACT_INTEGERS)


def check_width(support: ArrayLike, k: int, what: str = "support") -> Floats:
    """Return numbers (..., k) as floats, or raise ValueError unless the last axis has one for each of k values."""
    numbers = as_floats(support, what)
    if numbers.ndim < 1 or numbers.shape[-1] != k:
        raise ValueError(f"{what} of shape {numbers.shape} must have one number for each of the k={k} values")
    return numbers


def check_frequencies(frequency: ArrayLike) -> Floats:
    """Return frequencies, NaN where there is no value, or raise ValueError unless all others are in [0, 1]."""
    numbers = as_floats(frequency, "frequencies")
    if ((numbers < -ROUNDING) | (numbers > 1 + ROUNDING)).any():
        raise ValueError(f"frequencies from {np.nanmin(numbers)} to {np.nanmax(numbers)} must lie in [0, 1]")
    return numbers


def check_laws(laws: ArrayLike, what: str = "an array") -> Floats:
    """Return probability rows (..., inputs, outputs) as floats, or raise ValueError if one is not a distribution."""
    laws = as_floats(laws, "laws")
    rows = laws.ndim >= 2 and laws.size > 0 and bool((laws >= 0).all())
    if not rows or not (np.abs(laws.sum(axis=-1) - 1) <= ROUNDING).all():
        raise ValueError(f"every row of {what} of shape {laws.shape} must be probabilities that sum to 1")
    return laws


def check_bits(reports: ArrayLike, width: int) -> Bits:
    """Return reports as bits (n, width), or raise ValueError unless they are 0 and 1, n >= 1."""
    bits = as_array(reports)
    binary = bits.dtype == bool or np.isin(bits, (0, 1)).all()
    if bits.ndim != 2 or bits.shape[1] != width or not len(bits) or not binary:
        raise ValueError(f"reports of shape {bits.shape} must be (n, {width}) bits, n >= 1")
    return bits.astype(bool, copy=False)


def check_generator(rng: object) -> None:
    """Raise ValueError unless `rng` is a generator of numpy's."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng={in_short(rng)} must be a Generator: numpy.random.default_rng(seed), or, on a device, "
            "corrldp.deployment_rng()"
        )


class ChecksGenerator:
    """A class whose `privatize` and `simulate` refuse anything but a generator as the last argument, `rng`."""

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401
        super().__init_subclass__(**options)
        for name in ("privatize", "simulate"):
            if name in vars(cls):
                setattr(cls, name, _with_generator(vars(cls)[name]))


def _with_generator(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def checked(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        check_generator(named.get("rng", arguments[-1]))
        return method(*arguments, **named)

    return checked

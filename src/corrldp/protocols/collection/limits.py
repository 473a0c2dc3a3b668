"""What a document may contain: types and bounds of all its parameters, checked before anything is built from them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from corrldp.arrays import in_short
from corrldp.mechanisms.validation import check_epsilon, check_flag, check_integer, check_share

MOST_USERS = 10**12
MOST_ATTRIBUTES, MOST_VALUES = 2**12, 2**24
"""Attributes, and attributes times the largest domain: the numbers that an estimate has."""


def text(value: object, name: str) -> str:
    """Return a text, or raise ValueError."""
    if not isinstance(value, str):
        raise ValueError(f"{name}={in_short(value)} must be a text")
    return value


def numbers(depth: int, whole: bool = False) -> Callable[[Any, str], Any]:
    """Return a check of lists of numbers, or of integers >= 0, nested to a depth; they become tuples."""

    def check(value: Any, name: str) -> Any:  # noqa: ANN401
        return nested(value, name, depth)

    def nested(value: Any, name: str, left: int) -> Any:  # noqa: ANN401
        if left:
            if not isinstance(value, list):
                raise ValueError(f"{name} must be lists in lists of numbers, {depth} deep, but has {in_short(value)}")
            return tuple(nested(entry, name, left - 1) for entry in value)
        if whole:
            return check_integer(value, f"an entry of {name}", 0, MOST_VALUES)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            raise ValueError(f"an entry of {name}, {in_short(value)}, must be a finite number >= 0")
        return float(value)

    return check


def optional(check: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """Return a check that allows null."""
    return lambda value, name: None if value is None else check(value, name)


def integer(fewest: int, most: int) -> Callable[[Any, str], int]:
    """Return a check of an integer."""
    return lambda value, name: check_integer(value, name, fewest, most)


OPTIONS: Mapping[str, Callable[[Any, str], Any]] = {
    "oracle": text,
    "rule": text,
    "repair": text,
    "amplify": check_flag,
    "phase1_fraction": check_share,
    "priors": optional(numbers(2)),
    "mappings": optional(numbers(2, whole=True)),
    "channels": numbers(4),
    "bits": integer(1, 2**12),
    "hashes": integer(1, 2**6),
    "seed": integer(0, 2**64 - 1),
    "colluders": integer(0, MOST_USERS),
    "users": optional(integer(1, MOST_USERS)),
}
"""The options of the protocols of the package, each with its check."""


def check_parameters(epsilon: object, sizes: object, options: object) -> tuple[float, tuple[int, ...], dict[str, Any]]:
    """Return the parameters of a protocol as they stand in a document.

    Raises
    ------
    ValueError
        One has another type, is beyond its bounds or belongs to no protocol.
    """
    if not isinstance(sizes, list) or not isinstance(options, dict):
        raise ValueError(f"sizes={in_short(sizes)} and options={in_short(options)} must be a list and a mapping")
    check_integer(len(sizes), "the number of sizes", 1, MOST_ATTRIBUTES)
    domains = tuple(check_integer(size, "k", 2, MOST_VALUES) for size in sizes)
    check_integer(len(domains) * max(domains), "the number of attributes times the largest domain", 2, MOST_VALUES)
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise ValueError(f"no protocol has the option {in_short(unknown[0])}; there are {', '.join(OPTIONS)}")
    return check_epsilon(epsilon), domains, {name: OPTIONS[name](value, name) for name, value in options.items()}

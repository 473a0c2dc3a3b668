"""Reports as JSON, a number or a list for each user: what writes and checks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from corrldp.arrays import Bits, in_short

RawReports = Any
"""What `privatize` returns for many users: an array, or a list or mapping of arrays. Which one, its class says, and
takes no other; so no type could be the same for all. `corrldp.Reports` checks the form."""

Report: TypeAlias = "int | str | Sequence[Report] | Mapping[str, Report]"
"""What one user sends: a number, or a list, as JSON has them; of a collection with an id, an object."""


def encode_bits(reports: Bits) -> list[Report]:
    """Return the positions of the bits that are set in each of the reports (n, bits)."""
    users, places = np.nonzero(reports)
    ends = np.searchsorted(users, np.arange(len(reports) + 1)).tolist()
    found = places.tolist()
    return [found[start:end] for start, end in pairwise(ends)]


def decode_bits(reports: Sequence[Report], width: int) -> Bits:
    """Return bits (n, width) from the positions of those that are set."""
    bits = np.zeros((len(reports), width), dtype=bool)
    for row, report in zip(bits, reports, strict=True):
        row[members(report, width)] = True
    return bits


def whole(number: Report, below: int) -> int:
    """Return an integer of 0, ..., below - 1, or raise ValueError."""
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < below:
        raise ValueError(f"{in_short(number)} in a report must be an integer of 0..{below - 1}")
    return number


def parts(report: Report, length: int) -> list[Report]:
    """Return a list of a given length, or raise ValueError."""
    if not isinstance(report, list | tuple) or len(report) != length:
        raise ValueError(f"report {in_short(report)} must be a list of length {length}")
    return list(report)


def members(report: Report, below: int, size: int | None = None) -> list[int]:
    """Return the distinct members of a subset of 0, ..., below - 1, `size` of them if it is given."""
    if not isinstance(report, list | tuple) or (size is not None and len(report) != size):
        raise ValueError(
            f"report {in_short(report)} must be a list of {'any number of' if size is None else size} values"
        )
    found = [whole(member, below) for member in report]
    if len(set(found)) != len(found):
        raise ValueError(f"report {in_short(report)} must have every value once")
    return found

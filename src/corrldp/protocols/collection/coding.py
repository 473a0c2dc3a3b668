"""Reports as JSON: a number, or a list of numbers, for each user; what does not fit is refused in one line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np

from corrldp.arrays import Bits, Integers, in_short
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import Keys, LocalHashing
from corrldp.mechanisms.pure import FrequencyOracle
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import BitMechanism

Report = Any
"""What one user sends: a number, or a list, as JSON has them."""

KEY_DIGITS = 16


@singledispatch
def encode(oracle: FrequencyOracle, reports: Any) -> list[Report]:  # noqa: ANN401
    """Return the report of each user as JSON has it, given the reports of n users by an oracle."""
    raise ValueError(f"{type(oracle).__name__} has no JSON form: register one with corrldp.protocols.collection.coding")


@singledispatch
def decode(oracle: FrequencyOracle, reports: Sequence[Report]) -> Any:  # noqa: ANN401
    """Return the inverse of `encode`; a report that the oracle cannot make is a ValueError."""
    raise ValueError(f"{type(oracle).__name__} has no JSON form: register one with corrldp.protocols.collection.coding")


@encode.register
def _(oracle: GRR, reports: Integers) -> list[Report]:
    return np.asarray(reports).tolist()


@decode.register
def _(oracle: GRR, reports: Sequence[Report]) -> Integers:
    return np.array([whole(report, oracle.k) for report in reports], dtype=np.int64)


@encode.register
def _(oracle: BitMechanism, reports: Bits) -> list[Report]:
    return encode_bits(reports)


@decode.register
def _(oracle: BitMechanism, reports: Sequence[Report]) -> Bits:
    return decode_bits(reports, oracle.k)


@encode.register
def _(oracle: SubsetSelection, reports: Integers) -> list[Report]:
    return np.sort(reports, axis=1).tolist()


@decode.register
def _(oracle: SubsetSelection, reports: Sequence[Report]) -> Integers:
    return np.array([_members(report, oracle.k, oracle.size) for report in reports], dtype=np.int64)


@encode.register
def _(oracle: LocalHashing, reports: Keys) -> list[Report]:
    return [[f"{key:0{KEY_DIGITS}x}", hashed] for key, hashed in np.asarray(reports).tolist()]


@decode.register
def _(oracle: LocalHashing, reports: Sequence[Report]) -> Keys:
    pairs = [parts(report, 2) for report in reports]
    return np.array([(_key(key), whole(hashed, oracle.g)) for key, hashed in pairs], dtype=np.uint64).reshape(-1, 2)


def encode_bits(reports: Bits) -> list[Report]:
    """Return the positions of the bits that are set in each of the reports (n, bits)."""
    return [np.flatnonzero(bits).tolist() for bits in np.asarray(reports)]


def decode_bits(reports: Sequence[Report], width: int) -> Bits:
    """Return bits (n, width) from the positions of those that are set."""
    bits = np.zeros((len(reports), width), dtype=bool)
    for row, report in zip(bits, reports, strict=True):
        row[_members(report, width)] = True
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


def _members(report: Report, below: int, size: int | None = None) -> list[int]:
    """Return the distinct members of a subset of 0, ..., below - 1, `size` of them if it is given."""
    if not isinstance(report, list | tuple) or (size is not None and len(report) != size):
        raise ValueError(
            f"report {in_short(report)} must be a list of {'any number of' if size is None else size} values"
        )
    members = [whole(member, below) for member in report]
    if len(set(members)) != len(members):
        raise ValueError(f"report {in_short(report)} must have every value once")
    return members


def _key(digits: Report) -> int:
    if not isinstance(digits, str) or len(digits) != KEY_DIGITS or set(digits) - set("0123456789abcdef"):
        raise ValueError(f"{in_short(digits)} in a report must be a hash key of {KEY_DIGITS} hexadecimal digits")
    return int(digits, 16)

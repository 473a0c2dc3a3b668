"""Reports on several attributes by an oracle: an array of values for GRR, else a list of the reports on each one."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from corrldp.arrays import Integers
from corrldp.mechanisms.pure import FrequencyOracle
from corrldp.protocols.records import check_records

Reports = Any
"""An array (n, d) of values, or a list of the n reports on each of d attributes."""


def join(columns: list[Any], oracle: str) -> Reports:
    """Return the reports on each attribute as an array (n, d) if the protocol's oracle is GRR, else as they are."""
    return np.column_stack(columns) if oracle == "GRR" else columns


def split(reports: Reports, sizes: tuple[int, ...], oracle: str) -> list[Any]:
    """Return the reports on each attribute of d attributes, all of the same n users.

    Raises
    ------
    ValueError
        The reports are not those of n >= 1 users on d attributes.
    """
    if oracle != "GRR" and not (isinstance(reports, list | tuple) and all(map(np.ndim, reports))):
        raise ValueError(f"reports of type {type(reports).__name__} must be a list of the reports on each attribute")
    columns = list(check_records(reports, sizes).T) if oracle == "GRR" else list(reports)
    users = {len(column) for column in columns}
    if len(columns) != len(sizes) or len(users) != 1 or not min(users):
        raise ValueError(f"{len(columns)} lists of {sorted(users)} reports must be {len(sizes)} of one length n >= 1")
    return columns


def count_support(columns: Iterable[tuple[int, Any]], mechanisms: Sequence[FrequencyOracle]) -> Integers:
    """Count the reports that support each value, (d, K), given pairs of an attribute and the reports on it."""
    counts = np.zeros((len(mechanisms), max(oracle.k for oracle in mechanisms)), dtype=np.int64)
    for j, reports in columns:
        counts[j, : mechanisms[j].k] = mechanisms[j].support(reports)
    return counts

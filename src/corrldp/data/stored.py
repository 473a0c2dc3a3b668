"""Aligned tables on disk: codes (.npy) beside the description of their domain (.json)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from claimaudit.checksums import read_sealed, verify
from corrldp.arrays import Integers
from corrldp.data.table import Table


def read_table(codes: Path) -> Table:
    """Read a stored table.

    Raises
    ------
    ValueError
        The codes are not those that were stored.
    """
    stored, names, values, domain = read_stored(codes)
    return Table(stored.astype(np.int64), names, values, domain["standin"])


def read_stored(codes: Path) -> tuple[Integers, tuple[str, ...], tuple[tuple[str, ...], ...], dict[str, Any]]:
    """Read stored codes (n, d), verified by the checksum in the description next to them (.json).

    Returns the codes, the names of the attributes, the values of each, and the whole description.

    Raises
    ------
    ValueError
        The codes are not those that were stored.
    """
    domain = read_sealed(codes.with_suffix(".json"))
    verify(codes, domain["sha256"])
    names, values = zip(*((entry["name"], tuple(entry["values"])) for entry in domain["attributes"]), strict=True)
    return np.load(codes), names, values, domain

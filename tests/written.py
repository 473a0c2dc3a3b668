"""Products as files."""

import hashlib

import numpy as np

from claimaudit.results import recorded, with_record, write_sealed
from claimaudit.storage import write_bytes
from claimaudit.styles import Look

LOOKS = {"RR": Look("#0173b2", "o"), "JRR": Look("#d55e00", "s")}
"""Looks of the mechanisms of small figures."""


def write_beside(contents, path):
    """Write a CSV with its record beside it, as jobs return them, and return its path."""
    write_bytes(path, contents["table"])
    write_bytes(path.with_suffix(".json"), contents["record"])
    return path


def write_table(table, path, **record):
    return write_beside(with_record(table, record), path)


def write_text(text, path, **record):
    return write_beside(recorded(text.encode(), record), path)


def write_view(codes, path, **domain):
    np.save(path, codes)
    write_sealed(path.with_suffix(".json"), {**domain, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()})
    return [path, path.with_suffix(".json")]

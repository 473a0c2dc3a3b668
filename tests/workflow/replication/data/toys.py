"""A small data set."""

from replication.data.registry import DataFile, Format

COMMAS = Format(separator=",")


def toy(rows, columns, form=COMMAS, **changes):
    said = {"name": "toy", "title": "Toy", "citation": "none", "licence": "none", "doi": None, "status": "original"}
    held = {"kind": "file", "file": "toy.data", "sha256": "0" * 64, "bytes": 1, "sources": ()}
    return DataFile(**{**said, **held, **changes}, rows=rows, format=form, columns=columns)

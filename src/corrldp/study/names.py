"""Names in the tables of a study, of which `words` makes sentences; nothing is imported."""

PUBLIC_DOMAIN, FROM_DATA, PROPOSED = "public", "taken from the data", "bins proposed from the data"
"""Where the domain of a column comes from."""

COLUMN, PROTOCOL, JOINT_TABLES = "column", "protocol", "joint tables"
"""Kinds of what a study may leave out."""

PAIR, JOINT, SUM, ANY = "through one column", "through several columns", "sum over columns", "any protocol"
"""What a leakage is: by SPL through one column; by SPL jointly; the sum of the first; by the worst protocol of all."""

PUBLIC, TABLE = "public facts", "the table"
"""What a recommendation rests on."""

RECOMMENDED, CANNOT_TELL = "recommended", "cannot tell"
"""Its verdicts."""

BEST, EQUAL, OPEN, LARGER = "best", "equal", "open", "larger"
"""Standings of what can be chosen."""

ALL = ""
"""The attribute, or the value, of an average over all: no column has an empty name, and no value is an empty text."""

ABOUT = "study.json"
"""The file that says where the tables come from."""

_CHOICE = {"epsilon": float, "basis": str, "protocol": str, "same": tuple, "postprocess": str, "mse": float}
_INTERVAL = {"low": float, "high": float, "se": float, "runs": int}

TABLES: dict[str, dict[str, type]] = {
    "recommendation": {
        **_CHOICE,
        **{"verdict": str, "runner_up": str, "runner_up_postprocess": str, "margin": float, "p_value": float},
    },
    "candidates": {**_CHOICE, "standing": str, "margin": float, "p_value": float},
    "accuracy": {
        **{"epsilon": float, "basis": str, "protocol": str, "column": str, "values": int},
        **{"value": str, "share": float, "error": float, "smallest_share": float},
    },
    "error": {
        **{"epsilon": float, "protocol": str, "postprocess": str, "attribute": str, "value": str, "mse": float},
        **_INTERVAL,
    },
    "joint": {
        **{"columns": str, "w": int, "cells": int, "epsilon": float, "scheme": str, "metric": str, "mean": float},
        **_INTERVAL,
    },
    "leakage": {
        **{"column": str, "epsilon": float, "measure": str, "through": str, "odds": float},
        **{"low": float, "high": float, "value": str, "share": float, "at_most": float, "rare": int},
    },
    "curve": {"column": str, "epsilon": float, "measure": str, "odds": float},
    "budget": {"column": str, "measure": str, "limit": float, "epsilon": float},
    "dependence": {
        **{"one": str, "other": str, "cramers_v": float, "nmi": float, "p_value": float, "test": str},
        **{"holm": float, "fdr": float},
    },
    "privacy": {
        **{"protocol": str, "epsilon": float, "record": float, "attribute": float, "attained": str},
        **{"enumerated_on": str, "enumerated_record": float, "enumerated_attribute": float, "holds": str},
    },
    "left_out": {"kind": str, "what": str, "epsilon": float, "reason": str},
}
"""The tables of a study, each a property of `corrldp.study.study.Study` and a file NAME.csv, with the types of their
columns: a float may be missing, a text may be empty, and a tuple has names."""

READING = (
    *("delimiter", "encoding", "decimal", "missing_texts", "missing"),
    *("columns", "leave_out", "most_values", "most_numbers"),
)
"""The settings on which the table depends that is read; the analysis depends on all others but `file`."""

"""Names that the workflow plans with; this module imports nothing, so that planning stays quick."""

ABOUT = "study.json"
"""The file that says where the tables come from."""

TABLES = (
    "recommendation",
    "error",
    "joint",
    "leakage",
    "curve",
    "budget",
    "dependence",
    "privacy",
    "left_out",
)
"""The tables of a study, each a property of `corrldp.study.study.Study` and a file NAME.csv."""

READING = ("delimiter", "encoding", "missing_texts", "missing", "columns", "leave_out", "most_values")
"""The settings on which the table depends that is read; the analysis depends on all others but `file`."""

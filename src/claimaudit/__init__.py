"""Judge what a paper claims by results: readings of what was run, verdicts with error control, figures and a report."""

__version__ = "0.1.0"

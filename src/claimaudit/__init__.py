"""Judge the claims of a paper by its results: experiments, figures, tables and printed numbers in, verdicts out."""

__version__ = "0.1.0"

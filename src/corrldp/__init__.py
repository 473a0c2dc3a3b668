"""Reproduce and audit research on local differential privacy for correlated data."""

__version__ = "0.1.0"

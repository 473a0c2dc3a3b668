"""Exact distributions of paired protocols."""

from listed_pairings import fit, moments, pairings, support_law  # noqa: F401

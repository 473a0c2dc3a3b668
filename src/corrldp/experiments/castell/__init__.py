"""Experiments of the Castell paper."""

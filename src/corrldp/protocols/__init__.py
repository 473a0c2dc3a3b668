"""Protocols that collect whole records or have users perturb in groups."""

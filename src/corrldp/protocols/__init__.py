"""Protocols that collect a whole record, or that let users perturb in groups."""

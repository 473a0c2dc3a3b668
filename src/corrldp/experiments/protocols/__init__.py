"""Experiments on protocols by name, for comparisons that need no runner of their own."""

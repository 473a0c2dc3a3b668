"""Experiments of the Castell paper.

`axes` and `estimates` are what the runners share; the other modules declare runners.
"""

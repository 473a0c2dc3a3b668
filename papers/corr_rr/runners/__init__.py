"""Experiments of the Corr-RR paper and its preprint.

`axes`, `data`, `mechanisms` and `single_phase` are what the runners share; the other modules declare runners.
"""

"""Experiments of the Corr-RR paper and its preprint."""

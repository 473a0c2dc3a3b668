"""Experiments of the Joint Randomized Response paper."""

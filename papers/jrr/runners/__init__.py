"""Experiments of the Joint Randomized Response paper.

`axes` and `population` are what the runners share; the other modules declare runners.
"""

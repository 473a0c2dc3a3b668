"""Experiments of the CPL paper (Jayawardana et al.): leakage between attributes, algorithms, applications.

`axes` and `data` are what the runners share; the other modules declare runners.
"""

"""Experiments of the CPL paper (Jayawardana et al.): leakage between attributes, algorithms, applications."""

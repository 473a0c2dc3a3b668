"""Experiments: the engine (`engine`, `runner`, `setting`, `axes`, `memo`), and the runners of each paper."""

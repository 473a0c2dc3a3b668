"""Correlated randomized response (Corr-RR; Seeam, Zheng and Hu, PETS version and preprint) and its extensions."""

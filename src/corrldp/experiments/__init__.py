"""Experiments: a setting in, a tidy result table out."""

"""Figures of the papers: one tidy table in; PDF, SVG, PNG and the numbers drawn out."""

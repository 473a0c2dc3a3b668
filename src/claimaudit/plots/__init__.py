"""Figures of the papers: read one tidy table; write PDF, SVG, PNG and the numbers drawn."""

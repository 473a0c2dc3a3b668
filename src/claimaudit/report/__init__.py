"""Rendered tables and the report."""

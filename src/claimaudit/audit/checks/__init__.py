"""Kinds of check, an object each, and the numbers that they compare."""

"""Checks that a protocol keeps its contract, for tests of one's own protocols."""

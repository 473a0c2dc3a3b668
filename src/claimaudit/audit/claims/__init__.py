"""Claims: what a file states, as typed data."""

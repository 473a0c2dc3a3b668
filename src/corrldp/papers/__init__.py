"""Papers: their configuration, read, checked as a whole, and resolved to experiments."""

"""Papers: read their configuration, check it as a whole and resolve it to experiments."""

"""The audit: check the claims of a paper against result tables and return verdicts with evidence."""

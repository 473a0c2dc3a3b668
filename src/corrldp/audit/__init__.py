"""The audit: claims of a paper, checked against result tables, become verdicts with evidence."""

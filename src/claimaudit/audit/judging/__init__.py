"""Judging claims: evidence under every reading, combined by rule into verdicts."""

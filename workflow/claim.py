"""Compute the evidence of one claim again, and print its card: ``python workflow/claim.py jrr/CLAIM``."""

from replication.claim import main

main()

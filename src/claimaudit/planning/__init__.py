"""What a plan checks of a paper's claims and printed numbers before anything runs."""

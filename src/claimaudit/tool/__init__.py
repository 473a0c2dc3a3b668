"""The command ``claimaudit``: audits of a paper's folder without a workflow."""

"""What reports about correlated attributes reveal about one of them: correlation-induced privacy leakage (CPL)."""

"""What reports about correlated attributes reveal of one attribute: correlation-induced privacy leakage (CPL)."""

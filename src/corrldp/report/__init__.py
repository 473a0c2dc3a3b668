"""What readers see: rendered tables and the report."""

"""Raw data sets and the aligned views that experiments read."""

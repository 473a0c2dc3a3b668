"""Joint laws of many attributes from independently randomised records (Castell paper) and its competitors."""

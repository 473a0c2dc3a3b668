"""Joint distributions of many attributes from independently randomised records (Castell paper), and competitors."""

"""Words and numbers as readers see them: every sentence about what was found is made here, from records."""

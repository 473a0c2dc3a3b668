"""LoPub: joint distributions from Bloom filters with permanent randomised response (Castell paper, reference 4)."""

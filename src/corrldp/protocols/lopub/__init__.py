"""LoPub: Bloom filters with permanent randomised response, and joint laws from them (Castell paper, reference 4)."""

"""Local mechanisms for one categorical attribute."""

"""What a protocol guarantees to each user."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Guarantee:
    """Epsilon of a user's report, by Definition 1 of LDP.

    Parameters
    ----------
    record : float
        Largest log-ratio of a report's probabilities under any two records.
    attributes : (d,)
        The same for records that differ in one attribute only, for each attribute.
    exact : bool
        Whether some report attains each number, in the worst case over what a first phase may teach; otherwise they are
        upper bounds.
    """

    record: float
    attributes: tuple[float, ...]
    exact: bool = True

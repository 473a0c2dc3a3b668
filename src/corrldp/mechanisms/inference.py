"""The attack of the CPL paper's Appendix B: guess a user's value from one report."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers


class Attackable(Protocol):
    """A mechanism whose reports an attacker can use to guess values."""

    k: int

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Any:  # noqa: ANN401
        """Perturb the values (n,) of users."""

    def infer(self, reports: Any, rng: np.random.Generator) -> Integers:  # noqa: ANN401
        """Guess the values (n,) of users from their reports."""

    def effective_channel(self) -> Floats:
        """Distribution (k, k) of the inferred value given the true one."""


def pick_supported(supported: Bits, rng: np.random.Generator) -> Integers:
    """Pick for each report a value uniformly among those that it supports, or among all if it supports none.

    Parameters
    ----------
    supported : (n, k)
        Whether each report supports each value.
    """
    candidates = supported | ~supported.any(axis=1, keepdims=True)
    ranks = candidates.cumsum(axis=1, dtype=np.int32)
    chosen = rng.integers(ranks[:, -1])
    return (ranks > chosen[:, None]).argmax(axis=1)


def guess_channel(p: float, q: float, k: int) -> Floats:
    """Channel (k, k) of `pick_supported` if a report supports its value with probability p and each other with q.

    The supports of the k values are independent. With J other values supported, the true one is picked with probability
    1 / (1 + J) if it is also supported; for J binomial with k - 1 trials the mean of this probability is
    (1 - (1 - q)^k) / (k q). If no value is supported, the pick is uniform.
    """
    share = -np.expm1(k * np.log1p(-q)) / (k * q)
    return symmetric_channel(p * share + (1 - p) * (1 - q) ** (k - 1) / k, k)


def symmetric_channel(correct: float, k: int) -> Floats:
    """Return the (k, k) channel that keeps a value with probability `correct`, else moves to another uniformly."""
    wrong = (1 - correct) / (k - 1)
    return np.full((k, k), wrong) + np.diag(np.full(k, correct - wrong))

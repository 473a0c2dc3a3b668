"""Local hashing: users hash their value to g < k values with their own key, then apply GRR (OLH and BLH).

The hash family is modelled as ideal: a fresh random key selects a uniformly random function from the domain
to g values. The implementation mixes the 64-bit key and the value with the finalizer of SplitMix64.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.arrays import Bits, Floats, Integers, as_array, in_short
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import Budgeted, IndependentSupport, Report, parts, whole
from corrldp.mechanisms.validation import check_codes, check_epsilon
from corrldp.randomness import rounded

Keys = NDArray[np.uint64]
LARGEST_RANGE = 2**32
LARGEST_CHANNEL = 4096
HASHES_AT_A_TIME = 2**20
KEY_DIGITS = 16


@dataclass(frozen=True)
class LocalHashing(Budgeted, IndependentSupport):
    """Report a fresh hash key and the hash of the value, perturbed by GRR over the g hash values, 2 to 2^32.

    Source: Wang et al., USENIX Security 2017, Section 4.4 (OLH) and Section 3.2 (BLH); `optimal` and `binary` choose g.

    Whether a report supports other values is independent of whether it supports its user's own: under a uniformly
    random function the hashes of the k values are independent, so each other value matches the reported hash value with
    probability 1/g, independently of the rest. (A family that is only pairwise independent has the same distribution
    for each value, but not the same joint distribution.) So for an ideal hash family the count level is exact.
    """

    g: int

    def __post_init__(self) -> None:
        super().__post_init__()
        check_range(self.g)

    @classmethod
    def optimal(cls, epsilon: float, k: int) -> "LocalHashing":
        """OLH: g = round(e^epsilon) + 1."""
        return cls(epsilon, k, round(float(rounded(np.exp(min(check_epsilon(epsilon), 600.0))))) + 1)

    @classmethod
    def binary(cls, epsilon: float, k: int) -> "LocalHashing":
        """BLH: g = 2."""
        return cls(epsilon, k, 2)

    @cached_property
    def inner(self) -> GRR:
        return GRR(self.epsilon, self.g)

    @property
    def p_support(self) -> float:
        return self.inner.p_support

    @property
    def q_support(self) -> float:
        return 1 / self.g

    @property
    def gap(self) -> float:
        return (self.g - 1) / self.g * self.inner.gap

    def channel(self) -> Floats:
        """Row-stochastic (k, g^k * g) matrix over (hash function, hash value), functions in lexicographic order.

        More than 4096 outputs are a ValueError.
        """
        if self.g ** (self.k + 1) > LARGEST_CHANNEL:
            raise ValueError(f"g={self.g}, k={self.k} give more than {LARGEST_CHANNEL} outputs: make them smaller")
        functions = np.array(list(product(range(self.g), repeat=self.k)))
        return np.concatenate(self.inner.channel()[functions], axis=-1) / len(functions)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Keys:
        """Perturb the `values` (n,) of users into reports (n, 2): hash key and perturbed hash value."""
        return hashed_reports(check_codes(values, self.k), self.g, self.inner.privatize, rng)

    def support(self, reports: Keys) -> Integers:
        return hashed_support(check_keys(reports, self.g), self.k, self.g)

    def empty_reports(self, n: int, rng: np.random.Generator) -> Keys:
        keys = rng.integers(2**64, size=n, dtype=np.uint64)
        return np.column_stack([keys, rng.integers(self.g, size=n, dtype=np.uint64)])

    def empty_channel(self) -> Floats:
        reports = self.channel().shape[1]
        return np.full(reports, 1 / reports)

    def sampled_epsilon(self) -> float:
        return self.inner.sampled_epsilon()

    def encode(self, reports: Keys) -> list[Report]:
        """Return the key of each user, in hexadecimal digits, with the hash value."""
        return [[f"{key:0{KEY_DIGITS}x}", hashed] for key, hashed in np.asarray(reports).tolist()]

    def decode(self, reports: Sequence[Report]) -> Keys:
        pairs = [parts(report, 2) for report in reports]
        return np.array([(_key(key), whole(hashed, self.g)) for key, hashed in pairs], dtype=np.uint64).reshape(-1, 2)


def check_range(g: int) -> None:
    """Raise ValueError unless `g` is a possible number of hash values."""
    if isinstance(g, bool) or not isinstance(g, int) or not 2 <= g <= LARGEST_RANGE:
        raise ValueError(f"g={in_short(g)} must be an integer from 2 to {LARGEST_RANGE}: use GRR for a larger epsilon")


def check_keys(reports: Keys, g: int) -> Keys:
    """Return reports (n, 2), or raise ValueError unless they are 64-bit keys and hash values in 0, ..., g - 1."""
    reports = as_array(reports)
    if reports.ndim != 2 or reports.shape[1] != 2 or not len(reports) or reports.dtype != np.uint64:
        raise ValueError(f"reports of shape {reports.shape}, {reports.dtype} must be (n, 2) of type uint64, n >= 1")
    if reports[:, 1].max() >= g:
        raise ValueError(f"hash values reach {reports[:, 1].max()} but must lie in 0..{g - 1}")
    return reports


def hash_values(keys: Keys, values: ArrayLike, g: int) -> Keys:
    """Hash `values` with `keys` (broadcast together) to 0, ..., g - 1."""
    return _mix(keys + np.asarray(values, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)) % np.uint64(g)


def hashed_reports(
    values: Integers, g: int, perturb: Callable[[Integers, np.random.Generator], Integers], rng: np.random.Generator
) -> Keys:
    """Return reports (n, 2) of `values` (n,): a fresh hash key, and the perturbed one of `g` hash values."""
    keys = rng.integers(2**64, size=values.size, dtype=np.uint64)
    hashed = hash_values(keys, values, g).astype(np.int64)
    return np.column_stack([keys, perturb(hashed, rng).astype(np.uint64)])


def hashed_support(reports: Keys, k: int, g: int) -> Integers:
    """Count, for each of k values, the reports (n, 2) whose hash value equals its hash, (k,)."""
    return sum((chunk.sum(axis=0) for chunk in supported_values(reports, k, g)), np.zeros(k, dtype=np.int64))


def supported_values(reports: Keys, k: int, g: int) -> Iterator[Bits]:
    """Yield, block by block of the reports (n, 2), which of the k values have the reported hash, (block, k)."""
    users = max(1, HASHES_AT_A_TIME // k)
    for start in range(0, len(reports), users):
        keys, hashed = reports[start : start + users].T
        yield hash_values(keys[:, None], np.arange(k), g) == hashed[:, None]


def _key(digits: Report) -> int:
    if not isinstance(digits, str) or len(digits) != KEY_DIGITS or set(digits) - set("0123456789abcdef"):
        raise ValueError(f"{in_short(digits)} in a report must be a hash key of {KEY_DIGITS} hexadecimal digits")
    return int(digits, 16)


def _mix(words: Keys) -> Keys:
    """Apply the finalizer of SplitMix64: a bijection of 64-bit words that behaves like a random one."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))

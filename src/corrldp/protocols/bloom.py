"""LoPub's reports: Bloom filters under permanent randomised response; joint tables by EM and Lasso (Ren et al.)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Bits, Floats, Integers
from corrldp.extras import require
from corrldp.mechanisms.hashing import hash_values
from corrldp.mechanisms.pure import LARGEST_EPSILON
from corrldp.mechanisms.validation import check_epsilon
from corrldp.protocols.records import check_records
from corrldp.protocols.tables import check_bytes

if TYPE_CHECKING:  # imports are dear, and few programs need them
    from scipy import sparse

MOST_STEPS = 300


@dataclass(frozen=True, eq=False)
class BloomResponse:
    """Report every attribute as a Bloom filter whose bits are replaced by fair coins with probability f.

    A bit is reported truthfully with probability 1 - f/2. Two values differ in at most 2h bits, h the number of
    `hashes`, so an attribute spends 2 h ln((2 - f) / f), so f = 2 / (1 + e^(epsilon_per_attribute / 2h)). (The paper
    sums over d attributes.) The `filters` (k_j, bits) of the values of each attribute come from `draw`.
    """

    epsilon_per_attribute: float
    filters: list[Bits]
    hashes: int

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon_per_attribute, "epsilon_per_attribute")
        largest = 2 * self.hashes * LARGEST_EPSILON
        if self.epsilon_per_attribute > largest:
            raise ValueError(
                f"epsilon_per_attribute={self.epsilon_per_attribute} must be at most {largest} with "
                f"hashes={self.hashes}: beyond, bits are never flipped in floating point"
            )

    @classmethod
    def draw(
        cls,
        epsilon_per_attribute: float,
        sizes: tuple[int, ...],
        rng: np.random.Generator,
        bits: int = 64,
        hashes: int = 5,
    ) -> BloomResponse:
        """Draw the hash functions of each attribute (defaults: Castell paper, Section IV-B)."""
        filters = []
        for k in sizes:
            keys = rng.integers(2**64, size=hashes, dtype=np.uint64)
            positions = hash_values(keys, np.arange(k)[:, None], bits).astype(np.int64)
            filters.append((positions[:, :, None] == np.arange(bits)).any(axis=1))
        return cls(epsilon_per_attribute, filters, hashes)

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(filters) for filters in self.filters)

    @property
    def flip(self) -> float:
        """Probability f that a bit is replaced by a fair coin."""
        return float(2 / (1 + np.exp(self.epsilon_per_attribute / (2 * self.hashes))))

    def exact_epsilons(self) -> list[float]:
        """Return the actual epsilon of each attribute: values whose filters overlap differ in fewer bits."""
        odds = np.log((2 - self.flip) / self.flip)
        return [float(odds * differing) for differing in self.most_differing_bits()]

    def most_differing_bits(self) -> list[int]:
        """Count for each attribute the bits in which the filters of two values differ, at most."""
        most = []
        for filters in self.filters:
            bits = filters.astype(np.int64)
            ones = bits.sum(axis=1)
            most.append(int((ones[:, None] + ones - 2 * bits @ bits.T).max()))
        return most

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> list[Bits]:
        """Perturb the `records` (n, d) of users into the bits (n, bits) of each attribute."""
        records = check_records(records, self.sizes)
        true = [filters[records[:, j]] for j, filters in enumerate(self.filters)]
        return [bits ^ (rng.random(bits.shape) < self.flip / 2) for bits in true]

    def ones(self, reports: list[Bits]) -> Integers:
        """Count for each attribute the reports with each bit set, (d, bits)."""
        return np.stack([bits.sum(axis=0) for bits in reports])

    def simulate(self, marginals: list[Integers], rng: np.random.Generator) -> Integers:
        """Draw the result of `ones` for users with counts (k_j,) of each attribute: exact, as bits are independent."""
        drawn = []
        for counts, filters in zip(marginals, self.filters, strict=True):
            set_bits = counts @ filters.astype(np.int64)
            kept = rng.binomial(set_bits, 1 - self.flip / 2)
            drawn.append(kept + rng.binomial(counts.sum() - set_bits, self.flip / 2))
        return np.stack(drawn)

    def unbias(self, ones: Integers, n: int) -> Floats:
        """Unbiased share (..., d, bits) of users with each bit set, from how many of `n` reports have it."""
        return (ones / n - self.flip / 2) / (1 - self.flip)


USERS_AT_A_TIME = 4096


def expectation_maximisation(
    lopub: BloomResponse, reports: list[Bits], start: Floats | None = None, iterations: int = 50
) -> Floats:
    """Maximum-likelihood distribution (k_1, ..., k_w) given the reported bits (n, bits) of every attribute.

    It starts from a distribution of that shape, such as the Lasso's, or the uniform one by default or if all is 0.
    Cells at 0 would stay at 0, so 1 % of the uniform distribution is mixed in. For the other parameters see
    `until_stable`.
    """
    cells, n = math.prod(lopub.sizes), len(reports[0])
    check_bytes(n * sum(lopub.sizes), "the users' likelihoods", "take fewer attributes at once")
    likelihoods = [_likelihood(lopub, bits, filters) for bits, filters in zip(reports, lopub.filters, strict=True)]
    law = np.full(cells, 1 / cells)
    if start is not None and start.any():
        law = 0.99 * start.ravel() / start.sum() + 0.01 * law

    # A record's likelihood is the product of those of its first and of its other attributes: no table (n, cells).
    half = (len(lopub.sizes) + 1) // 2

    def update(law: Floats) -> Floats:
        updated = np.zeros_like(law)
        for first in range(0, n, USERS_AT_A_TIME):
            users = [part[first : first + USERS_AT_A_TIME] for part in likelihoods]
            left, right = _joint(users[:half]), _joint(users[half:])
            expected = np.einsum("ij,ij->i", left @ law, right)
            updated += left.T @ (right / expected[:, None])
        return updated * (law / n)

    table = law.reshape(math.prod(lopub.sizes[:half]), -1)
    return until_stable(update, table, iterations, tolerance=1e-3).reshape(lopub.sizes)


def until_stable(update: Callable[[Floats], Floats], law: Floats, iterations: int, tolerance: float) -> Floats:
    """Repeat the step `update` of EM on a distribution, at most so many `iterations`.

    Stop when no cell changes by more than the `tolerance` times the largest cell.
    """
    for _ in range(iterations):
        updated = update(law)
        change = np.abs(updated - law).max()
        law = updated
        if change <= tolerance * law.max():
            break
    return law


def _likelihood(lopub: BloomResponse, bits: Bits, filters: Bits) -> Floats:
    """Likelihood (n, k) of each value given a user's bits, up to a factor per user."""
    odds = np.log((2 - lopub.flip) / lopub.flip)
    both = bits.astype(np.float32) @ filters.T.astype(np.float32)  # few bits: whole numbers, so exact
    logs = odds * (2.0 * both - filters.sum(axis=1))
    return np.exp(logs - logs.max(axis=1, keepdims=True))


def _joint(parts: list[Floats]) -> Floats:
    """Likelihood (users, k_1 ... k_m) of each combination of values of these attributes; of none, (users, 1)."""
    if not parts:
        return np.ones((1, 1))
    joint, *others = parts
    for part in others:
        joint = (joint[:, :, None] * part[:, None, :]).reshape(len(part), -1)
    return joint


def candidate_matrix(all_filters: Sequence[Bits], weights: Floats) -> sparse.csc_matrix:
    """Sparse matrix (rows, k_1 ... k_w): the concatenated filters (k_j, rows_j) of every combination of values.

    Each row is multiplied by its weight, of `weights` (rows,). More than 8 GiB are a ValueError.
    """
    from scipy import sparse

    sizes, most = tuple(map(len, all_filters)), [int(filters.sum(axis=1).max()) for filters in all_filters]
    needed = math.prod(sizes) * sum(most)
    check_bytes(needed, f"LoPub's candidate matrix of sizes {sizes}", "take fewer attributes at once", item=12)
    blocks = []
    for axis, filters in enumerate(all_filters):
        before, after = math.prod(sizes[:axis]), math.prod(sizes[axis + 1 :])
        blocks.append(np.tile(np.repeat(filters, after, axis=0), (before, 1)))
    filters_of_cells = np.hstack(blocks)
    rows = np.nonzero(filters_of_cells)[1].astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(filters_of_cells, axis=1))], dtype=np.int32)
    return sparse.csc_matrix((weights[rows], rows, starts), shape=filters_of_cells.T.shape)


def lasso(lopub: BloomResponse, shares: Floats, penalty: float) -> Floats:
    """Joint frequencies (k_1, ..., k_w) from the unbiased `shares` (w, bits) of set bits, non-negative (Algorithm 2).

    The shares tell only the marginals: many joint distributions fit equally well, and the penalty, the weight of the
    sum of the frequencies relative to half the mean squared residual of a bit's share, does not choose.
    """
    require("lopub", "LoPub's regression", "scikit-learn")
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import Lasso

    filters, weights, targets = _merged(lopub.filters, shares)
    model = Lasso(alpha=penalty * shares.size / len(targets), fit_intercept=False, positive=True, max_iter=MOST_STEPS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # among equally good fits convergence is slow
        model.fit(candidate_matrix(filters, weights), targets)
    return model.coef_.reshape(lopub.sizes)


def _merged(all_filters: Sequence[Bits], all_shares: Floats) -> tuple[list[Bits], Floats, Floats]:
    """Return fewer rows with the same sums of squares: filters (k_j, rows_j), and the rows' weights and targets.

    Bits of an attribute that the same values set are one row, with their mean share, that counts as often as there are
    such bits. What no combination of values can fit is the target of a last row without a value.
    """
    merged, weights, targets = [], [], []
    for filters, shares in zip(all_filters, all_shares, strict=True):
        rows, row_of, counts = np.unique(filters, axis=1, return_inverse=True, return_counts=True)
        used = rows.any(axis=0)
        merged.append(rows[:, used])
        weights.append(np.sqrt(counts[used]))
        targets.append(np.bincount(row_of, shares)[used] / weights[-1])
    fitted = np.concatenate(targets)
    rest = max(0.0, float(np.vdot(all_shares, all_shares) - fitted @ fitted))
    return [*merged, np.zeros((1, 1), dtype=bool)], np.concatenate([*weights, [1]]), np.append(fitted, math.sqrt(rest))

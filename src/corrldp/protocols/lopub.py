"""LoPub (Ren et al. 2018): Bloom filters under permanent randomised response; joint tables by EM and Lasso."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.arrays import Bits, Floats, Integers, check_bytes, row_products
from corrldp.data.table import Table
from corrldp.extras import require
from corrldp.mechanisms import pure
from corrldp.mechanisms.hashing import hash_values
from corrldp.mechanisms.pure import LARGEST_EPSILON, Report
from corrldp.mechanisms.validation import check_bits, check_epsilon, check_flag, check_integer, check_runs
from corrldp.protocols.castell import check_attributes
from corrldp.protocols.estimates import Estimate, Key, Tally
from corrldp.protocols.protocol import Guarantee, RecordProtocol
from corrldp.protocols.records import Population, as_population, check_records, cut, padded
from corrldp.protocols.reports import is_cell, split
from corrldp.randomness import chance_of_uniform, exact_log_ratio, generator

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
            left, right = row_products(users[:half]), row_products(users[half:])
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


MOST_BITS, MOST_HASHES = 2**12, 2**6
MOST_KEPT = 2**28  # bits of whole reports that an aggregator keeps: some hundred megabytes
MOST_WORK = 2**31  # operations to solve for the frequencies, k^2 bits for each attribute: some seconds


@dataclass(frozen=True)
class LoPub(RecordProtocol):
    """Report every attribute as a Bloom filter with permanent randomised response (Ren et al. 2018).

    The budget of a record is divided evenly over the attributes; values whose filters overlap spend less. A filter has
    up to 4096 `bits` and 64 `hashes` (defaults: Castell paper, Section IV-B), which are public and chosen by the
    `seed`; those of an attribute's values must be linearly independent, else it is a ValueError. The collector's linear
    estimate of an attribute fits the shares of set bits by least squares; it is unbiased.

    With `joint`, an aggregator keeps whole reports, up to `most_counts` different ones, from which it estimates joint
    tables by maximum likelihood; else it keeps how many reports have each bit set, whatever their number.
    """

    name = "LoPub"
    needs = "marginals"
    error_of = "frequencies"

    epsilon: float
    sizes: tuple[int, ...]
    bits: int = 64
    hashes: int = 5
    seed: int = 0
    joint: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        check_integer(self.bits, "bits", 1, MOST_BITS)
        check_integer(self.hashes, "hashes", 1, MOST_HASHES)
        check_integer(self.seed, "seed", 0, 2**64 - 1)
        check_flag(self.joint, "joint")
        if sum(k**2 for k in self.sizes) * self.bits > MOST_WORK:
            raise ValueError(f"bits={self.bits} and {max(self.sizes)} values are too many: take fewer, or merge values")
        for j, filters in enumerate(self.response.filters):
            if np.linalg.matrix_rank(filters.astype(float)) < len(filters):
                raise ValueError(
                    f"bits={self.bits}, hashes={self.hashes}, seed={self.seed} give filters that cannot tell the "
                    f"{len(filters)} values of attribute {j} apart: take more bits or another seed"
                )

    @cached_property
    def response(self) -> BloomResponse:
        rng = generator(self.seed, "LoPub", self.sizes, self.bits, self.hashes)
        return BloomResponse.draw(self.epsilon / self.d, self.sizes, rng, self.bits, self.hashes)

    @cached_property
    def solutions(self) -> list[Floats]:
        """For each attribute the matrix (k, bits) that turns shares of set bits into frequencies."""
        return [np.linalg.pinv(filters.T.astype(float)) for filters in self.response.filters]

    def guarantee(self) -> Guarantee:
        """Values whose filters overlap spend less than the budget."""
        budgets = tuple(self.response.exact_epsilons())
        return Guarantee(math.fsum(budgets), budgets)

    def sampled_epsilon(self) -> float:
        """Exact epsilon of a record as reports are drawn: that of all bits in which two records differ."""
        wrong = chance_of_uniform(self.response.flip / 2)
        return float(sum(self.response.most_differing_bits())) * exact_log_ratio(1 - wrong, wrong)

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> list[Bits]:
        """Perturb the `records` (n, d) of users into the bits (n, bits) of each attribute."""
        return self.response.privatize(records, rng)

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K) from the exact distribution of the counts of set bits.

        The bits of a user are perturbed independently, so those of each attribute are too, given the records.
        """
        table = as_population(table, self.sizes)
        check_runs(runs, self.d * self.bits)
        ones = [self.response.simulate(cut(marginals, self.sizes), rng) for marginals in table.marginals_of(runs)]
        return self.unbias(np.stack(ones), table.n)

    def unbias(self, ones: Integers, n: int) -> Floats:
        """Unbiased frequencies (..., d, K) from how many of `n` reports have each bit set, (..., d, bits)."""
        shares = self.response.unbias(ones, n)
        return padded([shares[..., j, :] @ solution.T for j, solution in enumerate(self.solutions)])

    @property
    def noise(self) -> Floats:
        """Variance (d, K) of an estimate from one report, whatever its record."""
        flip = self.response.flip
        of_bit = flip / 2 * (1 - flip / 2) / (1 - flip) ** 2
        return padded([(solution**2).sum(axis=1) * of_bit for solution in self.solutions])

    def expected_mse(self, table: Population | Table) -> Floats:
        """Exact expected squared error of each frequency, (d, K) or (runs, d, K): its variance."""
        table = as_population(table, self.sizes)
        return np.broadcast_to(self.noise / table.n, table.frequencies().shape)

    def check(self, reports: list[Bits]) -> list[Bits]:
        """Return the bits (n, bits) of each attribute, or raise ValueError unless they are those of n >= 1 users."""
        return [check_bits(column, self.bits) for column in split(reports, self.sizes, "bits")]

    def encode(self, reports: list[Bits]) -> list[Report]:
        """Return the JSON of each user's report: the places of the bits set in each filter."""
        return [list(report) for report in zip(*map(pure.encode_bits, reports), strict=True)]

    def decode(self, reports: Sequence[Report]) -> list[Bits]:
        rows = [pure.parts(report, self.d) for report in reports]
        return [pure.decode_bits([row[j] for row in rows], self.bits) for j in range(self.d)]

    @property
    def most_counts(self) -> int:
        return MOST_KEPT // (self.d * self.bits) if self.joint else self.d * self.bits

    def tally(self, reports: list[Bits]) -> Tally:
        """Count equal reports, a binary number for each attribute, or the reports with bit b of attribute j, (j, b)."""
        checked = self.check(reports)
        if not self.joint:
            return Tally.of_support(self.response.ones(checked), len(checked[0]))
        columns = [map(_number, np.packbits(bits, axis=1, bitorder="little")) for bits in checked]
        return Tally(len(checked[0]), Counter(zip(*columns, strict=True)))

    def admits(self, key: Key) -> bool:
        if self.joint:
            return len(key) == self.d and all(0 <= number < 1 << self.bits for number in key)
        return is_cell(key, (self.bits,) * self.d)

    def possible(self, tally: Tally) -> bool:
        return tally.counts.total() == tally.n if self.joint else True

    def estimate_from(self, tally: Tally) -> Estimate:
        n = tally.check().n
        if self.joint:
            counts = np.array(list(tally.counts.values()))
            ones = np.stack([counts @ part for part in self._bits_of(tally)])
        else:
            ones = tally.support((self.bits,) * self.d)
        return Estimate(self.unbias(ones, n), np.sqrt(self.noise / n), n)

    def _bits_of(self, tally: Tally) -> list[Bits]:
        width = -(-self.bits // 8)
        found = []
        for j in range(self.d):
            packed = b"".join(key[j].to_bytes(width, "little") for key in tally.counts)
            rows = np.frombuffer(packed, dtype=np.uint8).reshape(-1, width)
            found.append(np.unpackbits(rows, axis=1, count=self.bits, bitorder="little").astype(bool))
        return found

    def estimate_joint_from(self, tally: Tally, attributes: Sequence[int]) -> Estimate:
        """Estimate the joint table by maximum likelihood, whose error is unknown."""
        if not self.joint:
            raise ValueError("LoPub with joint=False keeps no joint counts: leave joint out")
        columns, bits = check_attributes(attributes, self.d), self._bits_of(tally.check())
        part = replace(self.response, filters=[self.response.filters[j] for j in columns])
        law = expectation_maximisation(part, [tally.expand(bits[j]) for j in columns])
        return Estimate(law, np.full(law.shape, np.nan), tally.n)


def _number(packed: NDArray[np.uint8]) -> int:
    return int.from_bytes(packed.tobytes(), "little")

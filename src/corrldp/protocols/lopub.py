"""LoPub for whole records: Bloom filters with a record's budget, unbiased frequencies, and joint tables by EM."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corrldp.arrays import Bits, Floats, Integers
from corrldp.data.table import Table
from corrldp.mechanisms import pure
from corrldp.mechanisms.pure import Report
from corrldp.mechanisms.validation import check_bits, check_flag, check_integer, check_runs
from corrldp.protocols.bloom import BloomResponse, expectation_maximisation
from corrldp.protocols.castell import check_attributes
from corrldp.protocols.estimates import Estimate, Key, Tally
from corrldp.protocols.protocol import Guarantee, RecordProtocol
from corrldp.protocols.records import Population, as_population, cut, padded
from corrldp.protocols.reports import is_cell, split
from corrldp.randomness import chance_of_uniform, exact_log_ratio, generator

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

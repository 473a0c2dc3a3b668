"""Talliers that keep whole reports, so that joint tables can be estimated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from corrldp.arrays import Integers
from corrldp.protocols.castell.axes import apply_axes, inverse_pair
from corrldp.protocols.castell.inversion import castell
from corrldp.protocols.castell.protocol import check_attributes
from corrldp.protocols.castell.tables import check_bytes
from corrldp.protocols.collection import coding
from corrldp.protocols.collection.coding import Report
from corrldp.protocols.collection.estimate import Estimate
from corrldp.protocols.collection.support import SupportTallier, ValueTallier
from corrldp.protocols.collection.tally import Key, Tallier, Tally, expanded
from corrldp.protocols.records import check_records


class RowTallier(ValueTallier):
    """Whole reports (n, d), tallied by report; for a protocol whose estimate is a mean over the users' reports."""

    def count(self, reports: Any) -> Tally:  # noqa: ANN401
        """Count the reports."""
        return rows_of(check_records(reports, self.protocol.sizes))

    def fits(self, key: Key) -> bool:
        """Whether a tally may have this key."""
        return len(key) == self.protocol.d and all(0 <= v < k for v, k in zip(key, self.protocol.sizes, strict=True))

    def totals(self, tally: Tally) -> list[int]:
        """Return sums of counts that must all be the number of reports."""
        return [tally.total()]

    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate as the protocol does; the spread of the single reports' estimates gives the standard error.

        Raises
        ------
        ValueError
            The protocol's estimate is not the mean of those of single reports.
        """
        rows, counts = np.array(list(tally)), np.array(list(tally.values()))
        frequencies = self.protocol.estimate(expanded(rows, tally))
        single = np.stack([self.protocol.estimate(row[None]) for row in rows])
        mean = np.tensordot(counts / n, single, 1)
        if not np.allclose(mean, frequencies, rtol=1e-9, atol=1e-9, equal_nan=True):
            raise ValueError(
                f"{type(self.protocol).__name__} needs a `tallier()`: its estimate is no mean over reports"
            )
        spread = np.tensordot(counts / n, (single - mean) ** 2, 1)
        return Estimate(frequencies, np.sqrt(spread / max(n - 1, 1)), n)


class CastellTallier(RowTallier):
    """Castell's reports, kept whole for joint tables."""

    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate frequencies (d, K) with their errors."""
        support = np.zeros((self.protocol.d, max(self.protocol.sizes)), dtype=np.int64)
        rows, counts = np.array(list(tally)), np.array(list(tally.values()))
        for j, column in enumerate(rows.T):
            np.add.at(support[j], column, counts)
        frequencies = self.protocol.unbias(support, n)
        errors = SupportTallier(self.protocol).variance(np.clip(frequencies, 0, 1), n)
        return Estimate(frequencies, np.sqrt(errors), n)

    def estimate_joint(self, tally: Tally, n: int, attributes: Sequence[int]) -> Estimate:
        """Estimate by RR-Ind-Joint; a cell's error follows from the spread of what single reports contribute to it."""
        columns = check_attributes(attributes, self.protocol.d)
        sizes = tuple(self.protocol.sizes[j] for j in columns)
        check_bytes(int(np.prod(sizes, dtype=object)), f"the joint table of sizes {sizes}", "take fewer attributes")
        observed = np.zeros(sizes)
        np.add.at(observed, tuple(np.array(list(tally))[:, columns].T), np.array(list(tally.values())) / n)
        mechanisms = self.protocol.randomizers(columns)
        estimate = castell(observed, mechanisms)
        squares = [(a * a + 2 * a * b, b * b) for a, b in map(inverse_pair, mechanisms)]
        spread = apply_axes(observed.copy(), squares) - estimate**2
        return Estimate(estimate, np.sqrt(np.maximum(spread, 0) / max(n - 1, 1)), n)


class BloomTallier(Tallier):
    """LoPub's reports, kept whole: the places of all set bits, those of attribute j shifted by j filters."""

    def encode(self, reports: Any) -> list[Report]:  # noqa: ANN401
        """Return the JSON of each user's report."""
        coded = [coding.encode_bits(bits) for bits in reports]
        return [list(report) for report in zip(*coded, strict=True)]

    def decode(self, reports: Sequence[Report]) -> Any:  # noqa: ANN401
        """Return reports as `privatize` does."""
        rows = [coding.parts(report, self.protocol.d) for report in reports]
        return [coding.decode_bits([row[j] for row in rows], self.protocol.bits) for j in range(self.protocol.d)]

    def count(self, reports: Any) -> Tally:  # noqa: ANN401
        """Count the reports."""
        bits = np.concatenate(self.protocol.check(reports), axis=1)
        return Counter(tuple(np.flatnonzero(row).tolist()) for row in bits)

    def fits(self, key: Key) -> bool:
        """Whether a tally may have this key."""
        return list(key) == sorted(set(key)) and all(0 <= bit < self.protocol.d * self.protocol.bits for bit in key)

    def totals(self, tally: Tally) -> list[int]:
        """Return sums of counts that must all be the number of reports."""
        return [tally.total()]

    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate frequencies (d, K) with their errors."""
        ones = np.zeros((self.protocol.d, self.protocol.bits), dtype=np.int64)
        for key, count in tally.items():
            ones.flat[list(key)] += count
        frequencies = self.protocol.unbias(ones, n)
        return Estimate(frequencies, np.sqrt(self.protocol.noise / n), n)

    def estimate_joint(self, tally: Tally, n: int, attributes: Sequence[int]) -> Estimate:
        """Estimate by maximum likelihood, whose error is unknown."""
        law = self.protocol.estimate_joint(self._reports(tally), attributes)
        return Estimate(law, np.full(law.shape, np.nan), n)

    def _reports(self, tally: Tally) -> list[Any]:
        rows = np.zeros((len(tally), self.protocol.d * self.protocol.bits), dtype=bool)
        for row, key in zip(rows, tally, strict=True):
            row[list(key)] = True
        return np.split(expanded(rows, tally), self.protocol.d, axis=1)


def rows_of(rows: Integers) -> Tally:
    """Count equal rows (n, d)."""
    distinct, counts = np.unique(rows, axis=0, return_counts=True)
    return Counter(dict(zip(map(tuple, distinct.tolist()), counts.tolist(), strict=True)))

"""Talliers that count, for each value of each attribute, the reports that support it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from corrldp.arrays import Floats
from corrldp.mechanisms.pure import IndependentSupport
from corrldp.protocols.collection import coding
from corrldp.protocols.collection.coding import Report
from corrldp.protocols.collection.estimate import Estimate
from corrldp.protocols.collection.tally import Key, Tallier, Tally, is_cell, support_of, tally_of
from corrldp.protocols.fake_data import FakeDataProtocol, variance
from corrldp.protocols.records import check_records
from corrldp.protocols.reports import count_support, join


class SupportTallier(Tallier):
    """Reports by oracles on every attribute; the tally has how many support value v of attribute j, (j, v)."""

    def encode(self, reports: Any) -> list[Report]:  # noqa: ANN401
        """Return the JSON of each user's report."""
        columns = reports.T if isinstance(reports, np.ndarray) else reports
        coded = [coding.encode(oracle, column) for oracle, column in zip(self.oracles, columns, strict=True)]
        return [list(report) for report in zip(*coded, strict=True)]

    def decode(self, reports: Sequence[Report]) -> Any:  # noqa: ANN401
        """Return reports as `privatize` does."""
        rows = [coding.parts(report, self.protocol.d) for report in reports]
        columns = [coding.decode(oracle, [row[j] for row in rows]) for j, oracle in enumerate(self.oracles)]
        return join(columns, self.protocol.oracle)

    def count(self, reports: Any) -> Tally:  # noqa: ANN401
        """Count the reports."""
        columns = reports.T if isinstance(reports, np.ndarray) else reports
        return tally_of(count_support(enumerate(columns), self.oracles))

    def fits(self, key: Key) -> bool:
        """Whether a tally may have this key."""
        return is_cell(key, self.protocol.sizes)

    def totals(self, tally: Tally) -> list[int]:
        """Return sums of counts that must all be the number of reports."""
        sums = support_of(tally, self.protocol.sizes).sum(axis=1).tolist()
        sizes = map(fixed_size, self.oracles)
        return [total / size for total, size in zip(sums, sizes, strict=True) if size]

    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate frequencies (d, K) with their errors."""
        frequencies = self.protocol.unbias(support_of(tally, self.protocol.sizes), n)
        return Estimate(frequencies, np.sqrt(self.variance(np.clip(frequencies, 0, 1), n)), n)

    def variance(self, frequencies: Floats, n: int) -> Floats:
        """Variance (d, K) of the estimates from `n` users who have these frequencies (d, K)."""
        if isinstance(self.protocol, FakeDataProtocol):
            return variance(frequencies, n, self.protocol.faked, self.protocol.fakes)
        errors = frequencies.copy()
        for j, oracle in enumerate(self.oracles):
            errors[j, : oracle.k] = oracle.variance(errors[j, : oracle.k], n)
        return errors

    @property
    def oracles(self) -> list[Any]:
        """The randomizer of each attribute."""
        return self.protocol.mechanisms


class SampledTallier(Tallier):
    """Reports on one attribute each; the tally also has how many users report attribute j, (j,)."""

    def encode(self, reports: Any) -> list[Report]:  # noqa: ANN401
        """Return the JSON of each user's report."""
        if isinstance(reports, np.ndarray):
            return reports.tolist()
        mechanisms = self.protocol.mechanisms
        return [[j, report] for j, column in reports.items() for report in coding.encode(mechanisms[j], column)]

    def decode(self, reports: Sequence[Report]) -> Any:  # noqa: ANN401
        """Return reports as `privatize` does."""
        by_attribute: dict[int, list[Report]] = {}
        for report in reports:
            attribute, content = coding.parts(report, 2)
            by_attribute.setdefault(coding.whole(attribute, self.protocol.d), []).append(content)
        mechanisms = self.protocol.mechanisms
        return {j: coding.decode(mechanisms[j], column) for j, column in sorted(by_attribute.items())}

    def count(self, reports: Any) -> Tally:  # noqa: ANN401
        """Count the reports."""
        columns = self.protocol.by_attribute(reports)
        tally = tally_of(count_support(columns.items(), self.protocol.mechanisms))
        tally.update({(j,): len(column) for j, column in columns.items()})
        return tally

    def fits(self, key: Key) -> bool:
        """Whether a tally may have this key."""
        return is_cell(key, self.protocol.sizes) or (len(key) == 1 and 0 <= key[0] < self.protocol.d)

    def possible(self, tally: Tally, n: int) -> bool:
        """Whether `n` reports can have this tally: no value has more of them than its attribute."""
        support, mechanisms = support_of(tally, self.protocol.sizes), self.protocol.mechanisms
        for j, (row, size) in enumerate(zip(support, map(fixed_size, mechanisms), strict=True)):
            if row.max() > tally[j,] or (size and row.sum() != size * tally[j,]):
                return False
        return super().possible(tally, n)

    def totals(self, tally: Tally) -> list[int]:
        """Return sums of counts that must all be the number of reports."""
        return [sum(tally[j,] for j in range(self.protocol.d))]

    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate each attribute from the reports on it; its users are a random sample of all."""
        heard = np.array([tally[j,] for j in range(self.protocol.d)])
        frequencies = self.protocol.unbias(support_of(tally, self.protocol.sizes), heard)
        errors = np.full(frequencies.shape, np.nan)
        for j, oracle in enumerate(self.protocol.mechanisms):
            f, m = np.clip(frequencies[j, : oracle.k], 0, 1), int(heard[j])
            sampling = f * (1 - f) * (n - m) / (max(m, 1) * max(n - 1, 1))
            errors[j, : oracle.k] = np.sqrt(oracle.variance(f, m) + sampling) if m else np.inf
        return Estimate(frequencies, errors, n)


def fixed_size(oracle: Any) -> int | None:  # noqa: ANN401
    """Return how many values each report by an oracle supports, or None if reports differ in that."""
    fewest, most = oracle.support_sizes
    return None if fewest != most or isinstance(oracle, IndependentSupport) else fewest


class ValueTallier(Tallier):
    """Reports that are values of every attribute, (n, d); the tally has how many report each, (j, v)."""

    def encode(self, reports: Any) -> list[Report]:  # noqa: ANN401
        """Return the JSON of each user's report."""
        return np.asarray(reports).tolist()

    def decode(self, reports: Sequence[Report]) -> Any:  # noqa: ANN401
        """Return reports as `privatize` does."""
        sizes = self.protocol.sizes
        rows = [coding.parts(report, len(sizes)) for report in reports]
        codes = [[coding.whole(value, k) for value, k in zip(row, sizes, strict=True)] for row in rows]
        return np.array(codes, dtype=np.int64)

    def count(self, reports: Any) -> Tally:  # noqa: ANN401
        """Count the reports."""
        codes, sizes = check_records(reports, self.protocol.sizes), self.protocol.sizes
        support = np.zeros((len(sizes), max(sizes)), dtype=np.int64)
        for j, k in enumerate(sizes):
            support[j, :k] = np.bincount(codes[:, j], minlength=k)
        return tally_of(support)

    def fits(self, key: Key) -> bool:
        """Whether a tally may have this key."""
        return is_cell(key, self.protocol.sizes)

    def totals(self, tally: Tally) -> list[int]:
        """Return sums of counts that must all be the number of reports."""
        return support_of(tally, self.protocol.sizes).sum(axis=1).tolist()


class PairedTallier(ValueTallier):
    """Reports of JRR."""

    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate frequencies (d, K) with their errors."""
        mechanism = self.protocol.mechanism
        frequencies = mechanism.unbias(support_of(tally, self.protocol.sizes), n)
        return Estimate(frequencies, np.sqrt(mechanism.variance(np.clip(frequencies, 0, 1), n)), n)


class PivotTallier(ValueTallier):
    """Reports of a second phase of Corr-RR or Cond-RR, whose bias the reports alone do not tell."""

    def estimate(self, tally: Tally, n: int) -> Estimate:
        """Estimate frequencies (d, K) with their errors."""
        frequencies = self.protocol.unbias(support_of(tally, self.protocol.sizes), n)
        return Estimate(frequencies, np.full(frequencies.shape, np.nan), n)

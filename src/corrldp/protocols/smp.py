"""SPL: each user reports all attributes with shares of the budget. SMP: one random attribute, named, with all of it.

L-SPL and L-SMP are for repeated collection: their clients keep permanent responses.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corrldp.arrays import Floats, Integers, in_short, make_plain
from corrldp.data.table import Table
from corrldp.mechanisms import pure
from corrldp.mechanisms.longitudinal import LONGITUDINAL, Longitudinal, check_permanent
from corrldp.mechanisms.pure import RawReports, Report
from corrldp.mechanisms.validation import check_epsilon
from corrldp.privacy import check_channel, record_channel
from corrldp.protocols.estimates import Estimate, Key, Tally
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.records import Population, as_population, check_records, check_support, cut, padded, within
from corrldp.protocols.reports import AttributeOracles, OracleProtocol, count_support, is_cell, join


@dataclass(frozen=True)
class SPL(AttributeOracles, OracleProtocol):
    """Each user reports every attribute by one of `oracles` with budget epsilon / d; see `Oracles`."""

    name = "SPL"
    all_reported = True

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> RawReports:
        """Perturb the `records` (n, d) of users into reports: (n, d) for GRR, else a list."""
        records = check_records(records, self.sizes)
        columns = [oracle.privatize(records[:, j], rng) for j, oracle in enumerate(self.mechanisms)]
        return join(columns, self.oracle)

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K): exact, as reports of different attributes are independent given the records."""
        table = as_population(table, self.sizes)
        columns = zip(self.mechanisms, cut(table.marginals_of(runs), self.sizes), strict=True)
        return self.unbias(padded([oracle.perturb_counts(counts, rng) for oracle, counts in columns]), table.n)

    def channel(self) -> Floats:
        """Pr[report | record] of whole records, both in the order of `numpy.ravel_multi_index`."""
        return record_channel(oracle.channel() for oracle in self.mechanisms)


# Expectations omit numbers of reports farther from the mean than DEVIATIONS standard deviations + MARGIN users.
DEVIATIONS, MARGIN = 10, 50


@dataclass(frozen=True)
class SMP(AttributeOracles):
    """Sample an attribute uniformly and report only it, by an oracle as for `SPL`, with budget epsilon; d >= 2.

    The estimate of an attribute is the oracle's from the reports on it; an attribute that nobody reports is estimated
    as uniform.
    """

    name = "SMP"
    all_reported = False
    fewest_attributes = 2

    def privatize(self, records: ArrayLike, rng: np.random.Generator) -> dict[int, Any]:
        """Perturb the `records` (n, d) of users into the reports on each attribute that somebody reports."""
        return self._perturb(records, rng)[1]

    def report(self, records: Integers, rng: np.random.Generator, token: int | None = None) -> list[Report]:
        order, reports = self._perturb(records, rng)
        found = self.encode(reports)
        return [found[place] for place in np.argsort(order)]

    def _perturb(self, records: ArrayLike, rng: np.random.Generator) -> tuple[Integers, dict[int, Any]]:
        """Return the users (n,) in the order of the attributes that they report, and the reports on each."""
        records = check_records(records, self.sizes)
        attributes = rng.integers(self.d, size=len(records))
        # Numbers of 16 bits are sorted by radix, which is faster than a mask for each attribute.
        order = np.argsort(attributes.astype(np.min_scalar_type(self.d)), kind="stable")
        borders = np.cumsum(np.bincount(attributes, minlength=self.d))[:-1]
        sampled = np.split(records[order, attributes[order]], borders)
        reports = {j: self.mechanisms[j].privatize(column, rng) for j, column in enumerate(sampled) if len(column)}
        return order, reports

    def simulate(self, table: Population | Table, runs: int, rng: np.random.Generator) -> Floats:
        """Draw estimates (runs, d, K) from their exact distribution."""
        table = as_population(table, self.sizes)
        counts = table.draw_one_attribute(runs, rng)
        heard = counts.sum(axis=-1)
        for j, oracle in enumerate(self.mechanisms):
            counts[:, j, : oracle.k] = oracle.perturb_counts(counts[:, j, : oracle.k], rng)
        return self.unbias(counts, heard)

    def unbias(self, support: Integers, heard: Integers) -> Floats:
        """Frequencies (..., d, K) from the support counts (..., d, K) of the reports on each attribute (..., d)."""
        support, heard = check_support(support, self.sizes), np.asarray(heard)
        if heard.shape != support.shape[:-1] or (heard < 0).any():
            raise ValueError(f"heard of shape {heard.shape} must be {support.shape[:-1]} numbers of reports >= 0")
        estimates = np.full(support.shape, np.nan)
        for j, oracle in enumerate(self.mechanisms):
            reports = heard[..., j, None]
            shares = support[..., j, : oracle.k] / np.maximum(reports, 1)
            raw = (shares - oracle.q_support) / oracle.gap
            estimates[..., j, : oracle.k] = np.where(reports > 0, raw, 1 / oracle.k)
        return estimates

    def expected_mse(self, table: Population | Table) -> Floats:
        """Exact expected squared error of each frequency, (d, K) or (runs, d, K).

        Given that m users report an attribute, they are a random sample of all, so the error is the variance of the
        oracle with m users plus the sampling variance f (1 - f) (n - m) / (m (n - 1)); m is binomial.
        """
        table = as_population(table, self.sizes)
        frequencies, n = table.frequencies(), table.n
        silent = (1 - 1 / table.d) ** n
        inverse = self._mean_inverse(n)
        sampling = frequencies * (1 - frequencies) * max(n * inverse - (1 - silent), 0.0) / max(n - 1, 1)
        errors = sampling + silent * (1 / np.asarray(self.sizes)[:, None] - frequencies) ** 2
        for j, oracle in enumerate(self.mechanisms):
            errors[..., j, : oracle.k] += inverse * oracle.variance(frequencies[..., j, : oracle.k], 1)
        return np.where(within(self.sizes), errors, np.nan)

    def _mean_inverse(self, n: int) -> float:
        """E[1/m; m > 0] for m binomial with n trials and probability 1/d, from ratios of its probabilities."""
        d = self.d
        half = DEVIATIONS * np.sqrt(n * (d - 1)) / d + MARGIN
        m = np.arange(max(0, np.floor(n / d - half)), min(n, np.ceil(n / d + half)) + 1)
        logs = np.append(0, np.cumsum(np.log((n - m[:-1]) / (m[1:] * (d - 1)))))
        law = np.exp(logs - logs.max())
        heard = m > 0
        return float(np.sum(law[heard] / m[heard]) / law.sum())

    def channel(self) -> Floats:
        """Pr[report | record]: records in the order of `numpy.ravel_multi_index`, reports attribute by attribute."""
        check_channel(math.prod(self.sizes), 1)
        records = np.column_stack(np.unravel_index(np.arange(np.prod(self.sizes)), self.sizes))
        blocks = [oracle.channel()[records[:, j]] for j, oracle in enumerate(self.mechanisms)]
        return np.hstack(blocks) / self.d

    def encode(self, reports: RawReports) -> list[Report]:
        return [[j, report] for j, column in reports.items() for report in self.mechanisms[j].encode(column)]

    def decode(self, reports: Sequence[Report]) -> dict[int, Any]:
        columns: dict[int, list[Report]] = {}
        for report in reports:
            attribute, content = pure.parts(report, 2)
            columns.setdefault(pure.whole(attribute, self.d), []).append(content)
        return {j: self.mechanisms[j].decode(column) for j, column in sorted(columns.items())}

    def tally(self, reports: RawReports) -> Tally:
        """Count the reports that support value v of attribute j, (j, v), and those on attribute j, (j,)."""
        if not isinstance(reports, dict) or not reports or set(reports) - set(range(self.d)):
            raise ValueError(f"reports={in_short(reports)} must be those on each of some attributes of 0..{self.d - 1}")
        heard = {(j,): len(column) for j, column in reports.items()}
        tally = Tally.of_support(count_support(reports.items(), self.mechanisms), sum(heard.values()))
        tally.counts.update(heard)
        return tally

    def admits(self, key: Key) -> bool:
        return is_cell(key, self.sizes) or (len(key) == 1 and 0 <= key[0] < self.d)

    def possible(self, tally: Tally) -> bool:
        """Whether some reports have this tally: no value has more of them than its attribute."""
        heard = self._heard(tally)
        for row, oracle, reports in zip(tally.support(self.sizes), self.mechanisms, heard, strict=True):
            size = oracle.fixed_size
            if row.max() > reports or (size and row.sum() != size * reports):
                return False
        return int(heard.sum()) == tally.n

    def estimate_from(self, tally: Tally) -> Estimate:
        """Estimate each attribute from the reports on it; its users are a random sample of all."""
        n, heard = tally.check().n, self._heard(tally)
        frequencies = self.unbias(tally.support(self.sizes), heard)
        errors = np.full(frequencies.shape, np.nan)
        for j, oracle in enumerate(self.mechanisms):
            f, m = np.clip(frequencies[j, : oracle.k], 0, 1), int(heard[j])
            sampling = f * (1 - f) * (n - m) / (max(m, 1) * max(n - 1, 1))
            errors[j, : oracle.k] = np.sqrt(oracle.variance(f, m) + sampling) if m else np.inf
        return Estimate(frequencies, errors, n)

    def _heard(self, tally: Tally) -> Integers:
        return np.array([tally.counts[j,] for j in range(self.d)])


@dataclass(frozen=True)
class Memoised(AttributeOracles):
    """A protocol whose client keeps permanent responses, one for each attribute that it reports and each value of it.

    Source: Arcolezi et al., arXiv:2111.04636; see `corrldp.mechanisms.longitudinal`. One report has the law of SPL or
    SMP with budget epsilon, which is what counts, estimates, errors and simulations are inherited from. As in that
    paper, a user of L-SMP samples one attribute once and for all: sampling anew would spend `permanent` on each of them
    in turn.

    All reports on a record that stays spend `permanent`, which is more than epsilon, the budget of one report. A new
    value of an attribute gets a permanent response of its own, which spends `permanent` on it again (with L-SPL its
    part); besides, many reports reveal that a value has changed, against which no protocol with memoisation protects.
    """

    oracles = tuple(LONGITUDINAL)

    permanent: float = field(kw_only=True)

    def __post_init__(self) -> None:
        make_plain(self)
        check_permanent(self.permanent, check_epsilon(self.epsilon))
        super().__post_init__()

    @cached_property
    def lasting(self) -> SPL | SMP:
        """What draws the permanent responses, with budget `permanent`; those of OSUE are drawn by OUE."""
        kind: type[SPL] | type[SMP] = SPL if self.all_reported else SMP
        return kind(self.permanent, self.sizes, "OUE" if self.oracle == "OSUE" else self.oracle)

    def estimator(self, name: str, attribute: int) -> Longitudinal:
        permanent = self.lasting.epsilon_per_attribute
        return LONGITUDINAL[name](self.epsilon_per_attribute, self.sizes[attribute], permanent)

    @property
    def rounds(self) -> list[Longitudinal]:
        return self.estimators

    def reported(self, rng: np.random.Generator) -> list[int]:
        """Return the attributes that one user reports in every round: all, or one that is drawn."""
        return list(range(self.d)) if self.all_reported else [int(rng.integers(self.d))]

    def guarantee_after(self, reports: float) -> Guarantee:
        """Return the exact epsilon of so many reports on a record that stays; `math.inf` gives the limit."""
        budgets = tuple(oracle.epsilon_after(reports) for oracle in self.rounds)
        return Guarantee(self.of_record(budgets), budgets)


@dataclass(frozen=True)
class LSPL(Memoised, SPL):
    """Split both budgets evenly over the attributes and report all of them by longitudinal oracles; see `Memoised`.

    The `oracle` is GRR for L-GRR, SUE for L-SUE (basic RAPPOR) or OSUE for L-OSUE.
    """

    name = "L-SPL"


@dataclass(frozen=True)
class LSMP(Memoised, SMP):
    """Sample an attribute once and report it in every round by a longitudinal oracle, with both whole budgets.

    Parameters are those of `LSPL`; d >= 2.
    """

    name = "L-SMP"

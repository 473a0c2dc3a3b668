"""Protocols with one planted fault each, for the tests of whatever should find it."""

from dataclasses import dataclass, replace

import numpy as np

from corrldp.protocols.protocol import Guarantee, RecordProtocol
from corrldp.protocols.smp import SPL


@dataclass(frozen=True)
class TooTruthful(SPL):
    """Spends twice the budget, but says it does not."""

    def privatize(self, records, rng):
        return SPL(2 * self.epsilon, self.sizes).privatize(records, rng)


class WrongChannel(SPL):
    def channel(self):
        return SPL(1.5 * self.epsilon, self.sizes).channel()


class Modest(SPL):
    """States less than it spends."""

    def guarantee(self):
        return Guarantee(self.epsilon / 2, (self.epsilon / 4,) * self.d)


class ModestOfAttributes(SPL):
    """States less than it spends on an attribute, and has no channel that tells."""

    channel = property()

    def guarantee(self):
        return Guarantee(self.epsilon, (self.epsilon / 4,) * self.d)


class Boastful(SPL):
    """States more than it spends on an attribute, and calls that exact."""

    def guarantee(self):
        return Guarantee(self.epsilon, (self.epsilon,) * self.d)


class Biased(SPL):
    def unbias(self, support, n):
        return super().unbias(support, n) + 0.05


class OtherLevel(SPL):
    def simulate(self, table, runs, rng):
        return SPL(0.5 * self.epsilon, self.sizes).simulate(table, runs, rng)


class WrongVariance(SPL):
    def expected_mse(self, table):
        return 1.5 * super().expected_mse(table)


class WrongMerge(SPL):
    """Loses a third of the reports on each server."""

    def tally(self, reports):
        return replace(super().tally(reports[len(reports) // 3 :]), n=len(reports))

    def estimate(self, reports):
        return SPL(self.epsilon, self.sizes).estimate(reports)

    def possible(self, tally):
        return True


class TooSure(SPL):
    def estimate_from(self, tally):
        estimate = super().estimate_from(tally)
        return replace(estimate, standard_errors=estimate.standard_errors / 2)


class Lenient(SPL):
    """Takes any integers for records."""

    def privatize(self, records, rng):
        records = np.asarray(records) % np.array(self.sizes)
        return super().privatize(records, rng)


class RawError(SPL):
    def simulate(self, table, runs, rng):
        if tuple(table.sizes) != self.sizes:
            raise IndexError("out of bounds")
        return super().simulate(table, runs, rng)


class Doubled(SPL):
    """Spends twice the budget on each attribute, and says so."""

    @property
    def epsilon_per_attribute(self):
        return 2 * self.epsilon / self.d


class DoubledBeyondThree(SPL):
    """Spends twice the budget, and says so, where it has more than three attributes."""

    @property
    def epsilon_per_attribute(self):
        return (2 if self.d > 3 else 1) * self.epsilon / self.d


class ClearBeyondTwo(SPL):
    """Sends values in the clear where it has more than two attributes."""

    def privatize(self, records, rng):
        return np.asarray(records) if self.d > 2 else super().privatize(records, rng)


class NoClientBeyondTwo(SPL):
    def encode(self, reports):
        if self.d > 2:
            raise NotImplementedError("two attributes only")
        return super().encode(reports)


class Slightly(SPL):
    """Spends 5 % more than it says."""

    def privatize(self, records, rng):
        return SPL(1.05 * self.epsilon, self.sizes).privatize(records, rng)


class Deaf(SPL):
    """Takes any budget for 1."""

    @property
    def epsilon_per_attribute(self):
        return 1 / self.d

    def guarantee(self):
        return Guarantee(1.0, (1 / self.d,) * self.d)


class OwnGenerator(SPL):
    """Draws from a generator of its own, so that no result can be repeated."""

    def privatize(self, records, rng):
        return super().privatize(records, np.random.default_rng())


class ChangesRecords(SPL):
    """Writes its reports over the records."""

    def privatize(self, records, rng):
        reports = super().privatize(records, rng)
        np.asarray(records)[...] = reports
        return reports


class WrongShape(SPL):
    def simulate(self, table, runs, rng):
        return super().simulate(table, runs, rng)[..., :-1]


class Incomplete(SPL):
    """States the budget of the first attribute only."""

    def guarantee(self):
        return Guarantee(self.epsilon, (self.epsilon_per_attribute,))


class NoDistribution(SPL):
    def channel(self):
        return 0.9 * super().channel()


class Clipped(SPL):
    """Repairs estimates of users, but not those that it simulates."""

    def estimate(self, reports):
        return np.clip(super().estimate(reports), 0.1, 0.9)


def lenient_budget(epsilon, sizes):
    return SPL(float(epsilon), sizes)


def leaks_in_the_order(epsilon, sizes):
    """A report of a set whose first member is its user's value whenever it can be."""

    class Ordered(SPL):
        def privatize(self, records, rng):
            reports = super().privatize(records, rng)
            reports[:, 0] = np.where(rng.random(len(reports)) < 0.4, np.asarray(records)[:, 0], reports[:, 0])
            return reports

    return Ordered(epsilon, sizes)


def overspends(share):
    """Return a class that gives each attribute `share(d)` of the budget and says that a record keeps it."""

    class Overspends(SPL):
        sampled_epsilon = RecordProtocol.sampled_epsilon

        @property
        def epsilon_per_attribute(self):
            return share(self.d) * self.epsilon

        def guarantee(self):
            return Guarantee(self.epsilon, (self.epsilon_per_attribute,) * self.d, exact=False)

        @property
        def channel(self):
            raise AttributeError("none")

    return Overspends


class PairsShare(overspends(lambda d: 1 / (2 * max(d // 2, 1)))):
    """Pairs of attributes share the budget, and an odd last attribute is extra."""


class AtMostFour(overspends(lambda d: 1 / min(d, 4))):
    """Divides the budget by four attributes at most."""


class Padded(overspends(lambda d: 1 / d)):
    """A client sends a zero more for every value of its record that is not 0; whoever reads that ignores it."""

    def privatize(self, records, rng):
        reports = super().privatize(records, rng).view(WithZeros)
        reports.zeros = np.count_nonzero(np.asarray(records), axis=1)
        return reports

    def encode(self, reports):
        zeros = getattr(reports, "zeros", np.zeros(len(reports), dtype=int))
        return [row + [0] * more for row, more in zip(super().encode(reports), zeros, strict=True)]

    def decode(self, reports):
        return super().decode([row[: self.d] if isinstance(row, list) else row for row in reports])


class WithZeros(np.ndarray):
    """Reports with the number of zeros that each user adds."""

    zeros = 0

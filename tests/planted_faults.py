"""Protocols with one planted fault each, for the tests of whatever should find it."""

from dataclasses import replace

import numpy as np

from corrldp.protocols.protocol import Guarantee, RecordProtocol
from corrldp.protocols.smp import SPL


def with_budget(one, factor):
    """Return SPL with a multiple of a protocol's budget."""
    return SPL(factor * one.epsilon, one.sizes)


def planted(name, **members):
    """Return a class of SPL with some members of its own."""
    return type(name, (SPL,), {"__module__": __name__, **members})


def drawn_with(name, factor):
    """Return a class that spends a multiple of the budget, but says it does not."""
    return planted(name, privatize=lambda one, records, rng: with_budget(one, factor).privatize(records, rng))


def divided(name, share):
    """Return a class that spends a share of the budget on each attribute, a function of the protocol, and says so."""
    return planted(name, epsilon_per_attribute=property(share))


def stated(name, record, attribute, **members):
    """Return a class that states a share of the budget for a record and for each attribute."""

    def guarantee(one):
        return Guarantee(record * one.epsilon, (attribute * one.epsilon,) * one.d)

    return planted(name, guarantee=guarantee, **members)


TooTruthful, Slightly = drawn_with("TooTruthful", 2), drawn_with("Slightly", 1.05)
Doubled = divided("Doubled", lambda one: 2 * one.epsilon / one.d)
DoubledBeyondThree = divided("DoubledBeyondThree", lambda one: (2 if one.d > 3 else 1) * one.epsilon / one.d)
Modest, Boastful = stated("Modest", 1 / 2, 1 / 4), stated("Boastful", 1, 1)
ModestOfAttributes = stated("ModestOfAttributes", 1, 1 / 4, channel=property())  # it has no channel that tells
WrongChannel = planted("WrongChannel", channel=lambda one: with_budget(one, 1.5).channel())
NoDistribution = planted("NoDistribution", channel=lambda one: 0.9 * SPL.channel(one))
Biased = planted("Biased", unbias=lambda one, support, n: SPL.unbias(one, support, n) + 0.05)
OtherLevel = planted("OtherLevel", simulate=lambda one, *given: with_budget(one, 0.5).simulate(*given))
WrongVariance = planted("WrongVariance", expected_mse=lambda one, table: 1.5 * SPL.expected_mse(one, table))
WrongShape = planted("WrongShape", simulate=lambda one, *given: SPL.simulate(one, *given)[..., :-1])
Incomplete = planted("Incomplete", guarantee=lambda one: Guarantee(one.epsilon, (one.epsilon_per_attribute,)))
Clipped = planted("Clipped", estimate=lambda one, reports: np.clip(SPL.estimate(one, reports), 0.1, 0.9))
ClearBeyondTwo = planted(
    "ClearBeyondTwo",
    privatize=lambda one, records, rng: np.asarray(records) if one.d > 2 else SPL.privatize(one, records, rng),
)
Lenient = planted(  # takes any integers for records
    "Lenient", privatize=lambda one, records, rng: SPL.privatize(one, np.asarray(records) % np.array(one.sizes), rng)
)
OwnGenerator = planted(
    "OwnGenerator", privatize=lambda one, records, rng: SPL.privatize(one, records, np.random.default_rng())
)
Simulated = planted("Simulated", error_of=None)
Unstated = planted("Unstated", guarantee=RecordProtocol.guarantee)  # its channel is all that tells


class UnstatedDoubled(Unstated, Doubled):
    pass


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


class RawError(SPL):
    def simulate(self, table, runs, rng):
        if tuple(table.sizes) != self.sizes:
            raise IndexError("out of bounds")
        return super().simulate(table, runs, rng)


class NoClientBeyondTwo(SPL):
    def encode(self, reports):
        if self.d > 2:
            raise NotImplementedError("two attributes only")
        return super().encode(reports)


class Deaf(SPL):
    """Takes any budget for 1."""

    @property
    def epsilon_per_attribute(self):
        return 1 / self.d

    def guarantee(self):
        return Guarantee(1.0, (1 / self.d,) * self.d)


class ChangesRecords(SPL):
    """Writes its reports over the records."""

    def privatize(self, records, rng):
        reports = super().privatize(records, rng)
        np.asarray(records)[...] = reports
        return reports


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

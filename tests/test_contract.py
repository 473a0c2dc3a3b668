"""Every protocol with every oracle keeps the contract, and the checks find planted faults."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest

import corrldp
from corrldp.budgets import MANY, ContractError, check_sent, whole_budget
from corrldp.privacy import exceeds_budget
from corrldp.protocols.protocol import Guarantee
from corrldp.protocols.records import check_sizes
from corrldp.protocols.registry import PROTOCOLS, list_protocols, protocol
from corrldp.protocols.rs_fd import amplified
from corrldp.protocols.spl import SPL
from corrldp.testing import check_protocol

PRIORS = [[0.3, 0.7], [0.2, 0.2, 0.6]]


def known_priors(oracle, epsilon, sizes):
    if sizes != (2, 3):
        raise ValueError(f"sizes={sizes} must be (2, 3)")
    return protocol("RS+RFD", epsilon, sizes, oracle, priors=PRIORS)


FACTORIES = {name: partial(protocol, name) for name in list_protocols()}
FACTORIES |= {f"RS+RFD[{oracle}]": partial(known_priors, oracle) for oracle in PROTOCOLS["RS+RFD"].oracles}
FACTORIES |= {
    f"{base}[{oracle}]": partial(protocol, base, oracle=oracle, permanent=6.0)
    for base in ("L-SPL", "L-SMP")
    for oracle in PROTOCOLS[base].oracles
}
FACTORIES["LoPub, counted"] = partial(protocol, "LoPub", joint=False)
FACTORIES["RS+FD amplified"] = partial(protocol, "RS+FD[OUE-r]", amplify=True)


@pytest.mark.parametrize("name", FACTORIES)
def test_every_protocol_keeps_the_contract(name):
    budget = amplified if name == "RS+FD amplified" else whole_budget
    check_protocol(FACTORIES[name], unbiased=name not in ("Corr-RR", "Cond-RR"), budget=budget)


def test_an_amplified_budget_is_named():
    with pytest.raises(ContractError, match=r"sizes=.* a record spends .* above the budget"):
        check_protocol(FACTORIES["RS+FD amplified"])


def test_a_factory_of_any_number_of_attributes_is_checked():
    def five(epsilon, sizes):
        if check_sizes(sizes) and len(sizes) != 5:
            raise ValueError(f"sizes={sizes} must be five")
        return SPL(epsilon, sizes)

    check_protocol(five, sizes=[(2, 2, 2, 2, 2)])
    with pytest.raises(ContractError, match="pass sizes="):
        check_protocol(five)


@pytest.mark.parametrize("name", ["SPL", "SMP", "SPL[OUE]", "SPL[SUE]", "SMP[SS]"])
def test_an_overspend_in_what_users_send_is_found(name):
    """The chance of a miss is below 0.01 for each, and seeds are fixed."""
    for seed in range(3):
        check_sent(protocol(name, 2.0, (2, 2)), 2.0, MANY, np.random.default_rng(seed))
        for overspend in (1.05, 1.2):
            with pytest.raises(ContractError, match="more than epsilon"):
                check_sent(protocol(name, 2.0 * overspend, (2, 2)), 2.0, MANY, np.random.default_rng(seed))


def test_whether_a_protocol_exceeds_its_budget():
    assert not exceeds_budget(protocol("RS+FD", 1.0, (2, 3)))
    assert exceeds_budget(protocol("RS+FD", 1.0, (2, 3), amplify=True))
    assert not exceeds_budget(protocol("RS+FD", 1.0, (2, 3), amplify=True), amplified(1.0, 2))
    assert exceeds_budget(WrongChannel(1.0, (2, 2)))


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


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (TooTruthful, "more than epsilon"),
        (Doubled, "above the budget"),
        (DoubledBeyondThree, "sizes=(2, 2, 2, 2): a record spends"),
        (ClearBeyondTwo, "more than epsilon"),
        (NoClientBeyondTwo, "fails: NotImplementedError"),
        (Slightly, "more than epsilon"),
        (WrongChannel, "above the budget"),
        (Modest, "as drawn, above"),
        (Boastful, "is not exact"),
        (Biased, "biased by"),
        (OtherLevel, "users and simulate differ"),
        (WrongVariance, "differ from expected_mse"),
        (WrongMerge, "merged aggregators differ"),
        (TooSure, "times the standard errors"),
        (Lenient, "must be a ValueError"),
        (RawError, "IndexError instead of a ValueError"),
        (Deaf, "above the budget"),
        (OwnGenerator, "the same generator"),
        (ChangesRecords, "changes the records"),
        (WrongShape, "simulate gives"),
        (Incomplete, "is incomplete"),
        (NoDistribution, "every row of a channel must sum to 1"),
        (Clipped, "users and simulate differ"),
        (lenient_budget, "epsilon='1' must be a ValueError"),
        (leaks_in_the_order, "more than epsilon"),
    ],
)
def test_planted_faults_are_found(fault, words):
    with pytest.raises(ContractError) as error:
        check_protocol(fault)
    assert words in str(error.value)


def test_a_factory_that_builds_nothing_says_what_it_refuses():
    def refuse(epsilon, sizes):
        raise ValueError(f"never {sizes}")

    with pytest.raises(ContractError, match=r"refuses all of .*never \(2, 3\)"):
        check_protocol(refuse)


def test_the_checks_are_public():
    assert corrldp.testing.check_protocol is check_protocol

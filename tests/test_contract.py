"""Every protocol with every oracle keeps the contract, and the checks find planted faults."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import planted_faults
import pytest
from planted_faults import AtMostFour, Padded, PairsShare, WrongChannel
from scipy.linalg import hadamard

from corrldp.data.table import Table
from corrldp.mechanisms.pure import Budgeted, FrequencyOracle, whole
from corrldp.mechanisms.validation import check_codes
from corrldp.privacy_tests import MANY, ContractError, epsilon_of_reports, exceeds_budget, whole_budget
from corrldp.protocols.records import check_sizes
from corrldp.protocols.registry import PROTOCOLS, list_protocols, protocol
from corrldp.protocols.rs_fd import amplified
from corrldp.protocols.smp import SPL
from corrldp.runners.protocols import errors
from corrldp.study.study import Study
from corrldp.testing import check_protocol

pytestmark = pytest.mark.thorough

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


@dataclass(frozen=True)
class HadamardResponse(Budgeted, FrequencyOracle):
    """Report a column of a Hadamard matrix, e^epsilon times likelier if the value's row has a 1 there.

    Source: Acharya, Sun and Zhang, AISTATS 2019. Its support may be every value, or none.
    """

    q_support = 0.5

    @property
    def p_support(self):
        return float(1 / (1 + np.exp(-self.epsilon)))

    @property
    def support_sizes(self):
        held = self.rows.sum(axis=0)
        held = held[(held > 0) & (held < self.k)]
        return int(held.min()), int(held.max())

    @cached_property
    def rows(self):
        return hadamard(1 << self.k.bit_length())[1 : self.k + 1] > 0

    def channel(self):
        return np.where(self.rows, self.p_support, 1 - self.p_support) * 2 / self.rows.shape[1]

    def privatize(self, values, rng):
        bounds = self.channel().cumsum(axis=1)[check_codes(values, self.k), :-1]
        return (rng.random((len(bounds), 1)) >= bounds).sum(axis=1)

    def support(self, reports):
        return self.rows[:, check_codes(reports, self.rows.shape[1])].sum(axis=1)

    def perturb_counts(self, counts, rng):
        return rng.multinomial(counts, self.channel()).sum(axis=-2) @ self.rows.T

    def sampled_epsilon(self):
        return self.epsilon

    def encode(self, reports):
        return np.asarray(reports).tolist()

    def decode(self, reports):
        return np.array([whole(report, self.rows.shape[1]) for report in reports])


@dataclass(frozen=True)
class HadamardResponses(SPL):
    oracle: str = "SUE"  # reports of any oracle but GRR are a list by attribute

    @cached_property
    def mechanisms(self):
        return [HadamardResponse(self.epsilon_per_attribute, k) for k in self.sizes]


def test_reports_may_support_all_values_or_none():
    assert HadamardResponse(1.0, 2).support_sizes == (1, 1)
    check_protocol(HadamardResponses)


def test_a_factory_of_any_number_of_attributes_is_checked():
    def six(epsilon, sizes):
        if check_sizes(sizes) and len(sizes) != 6:
            raise ValueError(f"sizes={sizes} must be six")
        return SPL(epsilon, sizes)

    check_protocol(six, sizes=[(2,) * 6])
    with pytest.raises(ContractError, match="pass sizes="):
        check_protocol(six)


@pytest.mark.parametrize("name", ["SPL", "SMP", "SPL[OUE]", "SPL[SUE]", "SMP[SS]"])
def test_an_overspend_in_what_users_send_is_found(name):
    """The chance of a miss is below 0.01, and the seed is fixed; what finds 5 % finds more."""
    for overspend in (1, 1.05):
        one, rng = protocol(name, 2.0 * overspend, (2, 2)), np.random.default_rng(0)
        assert np.isnan(epsilon_of_reports(one, 2.0, MANY, rng)) == (overspend == 1)
        of_attribute = 2.0 * max(one.guarantee().attributes) / one.epsilon
        assert np.isnan(epsilon_of_reports(one, of_attribute, MANY, rng, attribute=1)) == (overspend == 1)


def test_whether_a_protocol_exceeds_its_budget():
    assert not exceeds_budget(protocol("RS+FD", 1.0, (2, 3)))
    assert exceeds_budget(protocol("RS+FD", 1.0, (2, 3), amplify=True))
    assert not exceeds_budget(protocol("RS+FD", 1.0, (2, 3), amplify=True), amplified(1.0, 2))
    assert exceeds_budget(WrongChannel(1.0, (2, 2)))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("TooTruthful", "more than epsilon"),
        ("Doubled", "above the budget"),
        ("DoubledBeyondThree", "sizes=(2, 2, 2, 2): a record spends"),
        ("ClearBeyondTwo", "more than epsilon"),
        ("NoClientBeyondTwo", "fails: NotImplementedError"),
        ("Slightly", "more than epsilon"),
        ("WrongChannel", "above the budget"),
        ("Modest", "as drawn, above"),
        ("ModestOfAttributes", "records that differ in attribute 1 show an epsilon"),
        ("Boastful", "is not exact"),
        ("Biased", "biased by"),
        ("OtherLevel", "users and simulate differ"),
        ("WrongVariance", "differ from expected_mse"),
        ("WrongMerge", "merged aggregators differ"),
        ("TooSure", "times the standard errors"),
        ("Lenient", "must be a ValueError"),
        ("RawError", "IndexError instead of a ValueError"),
        ("Deaf", "above the budget"),
        ("OwnGenerator", "the same generator"),
        ("ChangesRecords", "changes the records"),
        ("WrongShape", "simulate gives"),
        ("Incomplete", "is incomplete"),
        ("NoDistribution", "every row of a channel must sum to 1"),
        ("Clipped", "users and simulate differ"),
        ("lenient_budget", "epsilon='1' must be a ValueError"),
        ("leaks_in_the_order", "more than epsilon"),
        ("PairsShare", "more than epsilon"),
        ("AtMostFour", "sizes=(2, 2, 2, 2, 2): reports show"),
        ("Padded", "texts that clients send show"),
    ],
)
def test_planted_faults_are_found(fault, words):
    with pytest.raises(ContractError) as error:
        check_protocol(getattr(planted_faults, fault))
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("fault", "sizes"), [(PairsShare, (4, 3, 2, 5, 3)), (AtMostFour, (6,) * 12), (Padded, (6,) * 12)]
)
def test_what_the_class_alone_states_is_not_certified(fault, sizes):
    """Though each report of twelve attributes is seen only once."""
    assert exceeds_budget(fault(2.0, sizes))


@pytest.mark.parametrize(("fault", "sizes"), [(PairsShare, (2, 2, 2)), (AtMostFour, (2,) * 5), (Padded, (2, 2))])
def test_a_study_and_a_comparison_do_not_certify_what_the_class_alone_states(fault, sizes, table):
    name = f"planted_faults:{fault.__name__}"
    codes = np.random.default_rng(1).integers(sizes, size=(200, len(sizes)))
    records = Table(codes, tuple("abcde")[: len(sizes)], (("0", "1"),) * len(sizes))
    study = Study(records, protocols=("SPL", name), epsilons=(2.0,))
    assert study.privacy.set_index("protocol")["holds"].to_dict() == {"SPL": "yes", name: "no"}
    setting = {"uniform": {"one": {"n": 200, "sizes": sizes}}, "epsilon": [2], "protocols": ["SPL", name]}
    assert set(table(errors, setting, runs=2)["mechanism"]) == {"SPL", f"{fault.__name__} over its budget"}


def test_a_factory_that_builds_nothing_says_what_it_refuses():
    def refuse(epsilon, sizes):
        raise ValueError(f"never {sizes}")

    with pytest.raises(ContractError, match=r"refuses all of .*never \(2, 3\)"):
        check_protocol(refuse)


@pytest.mark.parametrize("name", list_protocols())
def test_sizes_may_be_an_array(name):
    sizes = (2,) if name.startswith("JRR") else (2, 2)
    assert protocol(name, 1.0, np.array(sizes)).describe() == protocol(name, 1.0, sizes).describe()

"""L-SPL and L-SMP: what a client with a memory sends in several rounds is enumerated, and estimates are unbiased."""

import json
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2
from support_laws import several_reports

import corrldp
from corrldp.collection import Aggregator, Client, Memory
from corrldp.privacy import epsilon_of_channel

pytestmark = pytest.mark.thorough

SIZES = (2, 3)
NAMES = [f"{base}[{oracle}]" for base in ("L-SPL", "L-SMP") for oracle in ("GRR", "SUE", "OSUE")]
every = pytest.mark.parametrize("name", NAMES)


def built(name, epsilon=1.0, permanent=3.0, sizes=SIZES):
    return corrldp.protocol(name, epsilon, sizes, permanent=permanent)


@every
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_guarantee_of_several_reports_is_exact(name, rounds):
    one = built(name, sizes=(2, 2))
    parts = [several_reports(oracle, rounds) for oracle in one.rounds]
    records = np.array(list(product(range(2), repeat=2)))
    if name.startswith("L-SPL"):
        channel = np.stack([np.kron(parts[0][a], parts[1][b]) for a, b in records])
    else:
        channel = np.stack([np.concatenate([parts[0][a], parts[1][b]]) / 2 for a, b in records])
    stated = one.guarantee_after(rounds)
    assert epsilon_of_channel(channel) == pytest.approx(stated.record)
    assert stated.attributes == tuple(pytest.approx(epsilon_of_channel(part)) for part in parts)


@pytest.mark.parametrize("name", ["L-SPL[GRR]", "L-SMP[SUE]", "L-SPL[OSUE]"])
def test_a_client_s_rounds_follow_the_law_that_is_enumerated(name):
    """The chi-square of 1500 pairs of reports of one attribute is below its 1 - 1e-7 quantile."""
    one, rng = built(name, sizes=(2, 2)), np.random.default_rng(1)
    client, oracle, pairs = Client(one), one.rounds[0], Counter()
    while pairs.total() < 1500:
        client.memory, client.ledger = Memory(one), corrldp.Ledger(one.permanent)  # as a new client has them
        first, second = (client.report([1, 0], rng) for _ in range(2))
        if name.startswith("L-SMP"):
            assert first[0] == second[0]
            if first[0]:
                continue
            first, second = [first[1]], [second[1]]
        pairs[number(first[0]), number(second[0])] += 1
    law = several_reports(oracle, 2)[1].reshape((2, 2) if "GRR" in name else (4, 4)) * 1500
    found = np.array([[pairs[a, b] for b in range(len(law))] for a in range(len(law))])
    assert ((found - law) ** 2 / law).sum() < chi2.isf(1e-7, law.size - 1)


def number(report):
    """Place of a report of one attribute with two values in the order of the channel."""
    return report if isinstance(report, int) else sum(2 ** (1 - bit) for bit in report)


@every
def test_a_memory_survives_json_and_keeps_its_responses(name):
    one, rng = built(name), np.random.default_rng(3)
    client = Client(one)
    client.report([1, 2], rng)
    again = Memory.from_json(client.memory.to_json())
    assert (again.protocol, again.attributes, again.responses) == (
        one,
        client.memory.attributes,
        client.memory.responses,
    )
    later = Client(one, memory=again)
    reports = [later.report([1, 2], rng) for _ in range(20)]
    assert again.responses == client.memory.responses
    assert Aggregator(one).add(reports).n == 20


@every
def test_a_changed_record_spends_again_and_is_refused_without_budget(name):
    one, rng = built(name), np.random.default_rng(4)
    client = Client(one)
    client.report([1, 2], rng)
    with pytest.raises(ValueError, match="nothing is reported"):
        client.report([0, 0], rng)
    assert client.report([1, 2], rng)
    again = Client(one, memory=Memory.from_json(client.memory.to_json()))
    with pytest.raises(ValueError, match="nothing is reported"):
        again.report([0, 0], rng)
    ledger = corrldp.Ledger(6.0)
    rich = Client(one, ledger=ledger)
    for record in ([1, 2], [0, 0], [1, 2], [0, 0]):
        rich.report(record, rng)
    assert ledger.spent == pytest.approx(6.0)


def test_of_l_spl_only_the_attribute_that_changed_spends_again():
    one, rng, ledger = built("L-SPL[OSUE]"), np.random.default_rng(5), corrldp.Ledger(5.0)
    client = Client(one, ledger=ledger)
    client.report([1, 2], rng)
    client.report([1, 0], rng)
    assert ledger.spent == pytest.approx(4.5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"attributes": [2]}, "attribute=2"),
        ({"attributes": 3}, "must be lists"),
        ({"attributes": [0]}, "must be those that a user reports"),
        ({"attributes": [0, 0]}, "must be those that a user reports"),
        *(({"responses": [[attribute, 1, [1]]]}, "attribute") for attribute in (0.0, -0.0, False, 2, [0])),
        ({"responses": [[0, 1, [5]]]}, "5 in a report"),
        ({"responses": [[0, 3, [1]]]}, "value=3"),
        ({"responses": [[0, 1]]}, "must be an attribute, a value and a response"),
        ({"protocol": corrldp.protocol("SPL", 1.0, SIZES).describe()}, "keeps no responses"),
    ],
)
def test_a_damaged_memory_is_refused_in_one_line(change, words):
    client = Client(built("L-SPL[OSUE]"))
    client.report([1, 2], np.random.default_rng(6))
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        Memory.from_json(json.dumps({**json.loads(client.memory.to_json()), **change}))
    assert words in str(error.value)


def test_a_memory_is_of_one_protocol():
    one = built("L-SPL[OSUE]")
    with pytest.raises(ValueError, match="the memory is of"):
        Client(built("L-SPL[GRR]"), memory=Memory(one))
    with pytest.raises(ValueError, match="leave the memory out"):
        Client(corrldp.protocol("SPL", 1.0, SIZES), memory=Memory(one))
    with pytest.raises(ValueError, match="keeps no responses"):
        Memory(corrldp.protocol("SPL", 1.0, SIZES))


def test_the_second_budget_is_needed_and_larger():
    with pytest.raises(ValueError, match="permanent"):
        corrldp.protocol("L-SPL", 1.0, SIZES)
    assert not any(name.startswith("L-S") for name in corrldp.list_protocols())

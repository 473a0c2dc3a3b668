"""Two phases and pairs, with clients and servers apart."""

import json

import numpy as np
import pytest

from corrldp.collection import Aggregator, Client
from corrldp.protocols.registry import protocol, protocol_from_json
from corrldp.protocols.two_phase import TwoPhaseReports

NAMES = ["RS+RFD", "Corr-RR", "Cond-RR"]


def run(one, data, rng):
    """Both aggregators, filled by clients that got their parameters as JSON, and the reports."""
    first = one.first_phase()
    client, n1 = Client.from_json(Client(first).to_json()), len(data) // 4
    early = json.loads(json.dumps([client.report(row, rng) for row in data[:n1]]))
    learned = Aggregator.from_json(Aggregator(first).add(early).to_json())
    second = protocol_from_json(one.second_phase(learned).to_json())
    client = Client(second)
    late = [client.report(row, rng) for row in data[n1:]]
    reported = Aggregator.from_json(Aggregator(second).add(late).to_json())
    return learned, reported, TwoPhaseReports(first.decode(early), second.decode(late))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("sizes", [(3, 3), (2, 4, 3)])
def test_phases_apart_give_the_protocol_s_estimate(name, sizes):
    one, rng = protocol(name, 2.0, sizes, phase1_fraction=0.25), np.random.default_rng(2)
    assert protocol_from_json(one.to_json()) == one
    first, second, reports = run(one, np.random.default_rng(1).integers(sizes, size=(400, len(sizes))), rng)
    combined = one.combine(first, second).raw
    if not hasattr(one, "mappings"):
        np.testing.assert_allclose(combined.frequencies, one.estimate(reports), rtol=1e-9)
    assert combined.n == 400
    known = ~np.isnan(combined.frequencies)
    np.testing.assert_allclose(np.where(known, combined.frequencies, 0).sum(axis=1), 1)
    assert (combined.standard_errors[known] > 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_two_phase_protocol_has_no_client_of_its_own(name):
    one = protocol(name, 1.0, (2, 3))
    for kind in (Client, Aggregator):
        with pytest.raises(ValueError, match="two phases"):
            kind(one)


@pytest.mark.parametrize("name", NAMES)
def test_aggregators_of_other_protocols_are_refused(name):
    one, other = protocol(name, 1.0, (2, 3)), protocol("SPL", 1.0, (3, 3))
    filled = Aggregator(other).add([[0, 0]])
    with pytest.raises(ValueError, match="must be of first_phase"):
        one.second_phase(filled)
    with pytest.raises(ValueError, match="no reports"):
        one.second_phase(Aggregator(one.first_phase()))
    first = Aggregator(one.first_phase()).add([[0, 0], [1, 1]])
    with pytest.raises(ValueError, match="another protocol"):
        one.combine(first, filled)


@pytest.mark.parametrize("k", [2, 5])
def test_tokens_come_in_opposite_pairs_and_make_truthfulness_correlate(k):
    one, rng = protocol("JRR", 1.0, (k,)), np.random.default_rng(4)
    tokens = one.deal(101, rng)
    assert abs(sum(tokens)) == 1
    high, low = one.truth(1), one.truth(-1)
    law = one.mechanism
    assert (high + low) / 2 == pytest.approx(law.p)
    assert -(((high - low) / 2) ** 2) == pytest.approx(law.correlation * law.p * law.lie)


def test_jrr_without_a_token_or_a_number_of_users_is_refused():
    one = protocol("JRR", 1.0, (2,), users=10, colluders=1)
    with pytest.raises(ValueError, match=r"deal tokens with deal"):
        Client(one)
    for token in (0, 2, True, "1"):
        with pytest.raises(ValueError, match="token="):
            Client(one, token)
    for n in (9, 0, 2.0, True):
        with pytest.raises(ValueError, match="number of users"):
            one.deal(n, np.random.default_rng(0))
    with pytest.raises(ValueError, match="deployment_rng"):
        one.deal(10, None)
    assert len(one.deal(10, np.random.default_rng(0))) == 10

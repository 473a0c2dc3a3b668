"""Clients, aggregators and JSON: what servers keep adds up to what the protocol estimates from all reports."""

import json
import re
from dataclasses import dataclass

import numpy as np
import pytest

from corrldp.collection import Aggregator, Client, Reports
from corrldp.protocols.protocol import RecordProtocol
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import protocol
from corrldp.protocols.smp import SPL

SIZES = (2, 4, 3)


def records(n):
    return np.random.default_rng(0).integers(SIZES, size=(n, len(SIZES)))


@pytest.mark.parametrize("name", ["Castell", "LoPub"])
def test_joint_tables_from_an_aggregator(name):
    one, rng = protocol(name, 30.0, SIZES), np.random.default_rng(4)
    data = records(4000)
    data[:, 2] = data[:, 0]
    estimate = Aggregator(one).add(Reports.draw(one, data, rng)).estimate_joint([2, 0])
    truth = RecordTable.from_records(data[:, [2, 0]], (3, 2))
    table = np.zeros((3, 2))
    table[tuple(truth.rows.T)] = truth.counts / truth.n
    np.testing.assert_allclose(estimate.frequencies, table, atol=0.05)
    assert estimate.standard_errors.shape == (3, 2)
    with pytest.raises(ValueError, match="distinct attributes"):
        Aggregator(one).add(Reports.draw(one, data, rng)).estimate_joint([0, 0])


@dataclass(frozen=True)
class Mine(RecordProtocol):
    """Each different report is a key, and the estimate is no mean over reports."""

    epsilon: float
    sizes: tuple[int, ...]

    def privatize(self, records, rng):
        return SPL(self.epsilon, self.sizes).privatize(records, rng)

    def estimate(self, reports):
        return np.clip(SPL(self.epsilon, self.sizes).estimate(reports), 0, 1)


def test_an_estimate_that_is_no_mean_over_reports_needs_a_tally():
    """What one needs no more for, docs/library.md shows, where `check_protocol` tries it."""
    one = Mine(1.0, SIZES)
    filled = Aggregator(one).add(Reports.draw(one, records(100), np.random.default_rng(6)))
    with pytest.raises(ValueError, match=r"Mine needs tally"):
        filled.estimate()
    with pytest.raises(ValueError, match="another protocol"):
        Aggregator.from_json(filled.to_json(), protocol=SPL_GRR)


LARGER = protocol("SPL", 1.1, SIZES)
SPL_GRR, OUE, SMP, SS = (protocol(name, 1.0, SIZES) for name in ("SPL", "SPL[OUE]", "SMP", "SPL[SS]"))


@pytest.mark.parametrize(
    ("one", "report", "words"),
    [
        (SPL_GRR, [0, 4, 0], "4 in a report must be an integer of 0..3"),
        (SPL_GRR, [0, True, 0], "True in a report"),
        (SPL_GRR, [0, 1.0, 0], "1.0 in a report"),
        (OUE, [[], [4], []], "4 in a report"),
        (SMP, [3, 0], "3 in a report"),
        (SMP, [-1, 0], "-1 in a report"),
        (SMP, [0, 2], "2 in a report"),
        (SS, [[0], [0, 1, 2, 3], [0]], "must be a list of"),
    ],
)
def test_a_report_that_nobody_can_send_is_refused_and_nothing_is_added(one, report, words):
    """Other reports are those of the vectors, see `deployment/test_wire.py`."""
    good = Client(one).report([0, 0, 0], np.random.default_rng(7))
    aggregator = Aggregator(one)
    with pytest.raises(ValueError, match=rf"\A.*{re.escape(words)}.*\Z"):
        aggregator.add([good, report])
    assert aggregator == Aggregator(one)


def test_what_is_no_list_of_reports_no_generator_and_no_other_part_is_refused():
    for call, words in (
        *((lambda w=w: Aggregator(SPL_GRR).add(w), "put a single one in brackets") for w in ("0", {"a": 1}, 3)),
        (lambda: Client(SPL_GRR).report([0, 0, 0], None), r"deployment_rng\(\)"),
        *((lambda w=w: Aggregator(SPL_GRR).merge(Aggregator(w)), "cannot be merged") for w in (LARGER, OUE)),
    ):
        with pytest.raises(ValueError, match=words):
            call()


DOCUMENT = json.loads(Aggregator(SPL_GRR).add([[0, 3, 2], [1, 3, 0]]).to_json())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"version": 2}, "another version than 1"),
        ({"corrldp": "protocol"}, "no corrldp aggregator"),
        ({"n": -1}, "n=-1"),
        ({"n": 3}, "do not add up"),
        ({"n": 2.0}, "n=2.0"),
        ({"counts": [[0, 0, 2], [0, 0, 2]]}, "names nothing that SPL reports once"),
        ({"counts": [[0, 5, 2]]}, "names nothing"),
        ({"counts": [[0, 0, -2]]}, "must be integers"),
        ({"counts": [[0, 0, 9]]}, "more reports than"),
        ({"counts": {}}, "a list"),
        ({"extra": 1}, "must have"),
        ({"protocol": None}, "must have name"),
        ({"protocol": {**DOCUMENT["protocol"], "name": "os:system"}}, "a document never runs"),
    ],
)
def test_documents_that_are_damaged_are_refused_in_one_line(changes, words):
    with pytest.raises(ValueError, match=rf"\A.*{re.escape(words)}.*\Z"):
        Aggregator.from_json(json.dumps({**DOCUMENT, **changes}))

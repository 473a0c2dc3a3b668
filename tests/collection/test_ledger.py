"""What a user allows: a ceiling on one protocol, and a ledger over all collections."""

import json

import numpy as np
import pytest

import corrldp
from corrldp.collection import Client, Collection, Ledger
from corrldp.collection.client import epsilon_of_use

RNG = np.random.default_rng(1)


def test_sums_are_exact_in_decimals_and_nothing_is_entered_beyond_the_ceiling():
    ledger = Ledger(0.3)
    for _ in range(3):
        ledger.spend(0.1, "a")
    assert (ledger.spent, ledger.left) == (0.3, 0.0)
    with pytest.raises(ValueError, match=r"epsilon=1e-09 for 'b' is more than the 0 that is left of the ceiling 0.3"):
        ledger.spend(1e-9, "b")
    assert ledger.entries == {("a", 0.1): 3}
    again = Ledger.from_json(ledger.to_json())
    assert (again.ceiling, again.entries, again.spent) == (0.3, ledger.entries, 0.3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ceiling": 0}, "ceiling=0"),
        ({"ceiling": "2"}, "ceiling='2'"),
        ({"spent": {}}, "must be a list"),
        ({"spent": [["a", 0.1]]}, "a purpose, an epsilon and how often"),
        ({"spent": [["a", -0.1, 1]]}, "epsilon=-0.1"),
        ({"spent": [["a", 0.1, 0]]}, "how often=0"),
        ({"spent": [[1, 0.1, 1]]}, "purpose=1"),
        ({"version": 2}, "another version"),
    ],
)
def test_a_damaged_ledger_is_refused_in_one_line(change, words):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as error:
        Ledger.from_json(json.dumps({**json.loads(Ledger(2).to_json()), **change}))
    assert words in str(error.value)


def test_reports_are_entered_under_their_collection_until_nothing_is_left():
    first, second = (Collection(corrldp.protocol("SMP", 0.5, (2, 3))).start() for _ in range(2))
    ledger = Ledger(1.2)
    Client(first, ledger=ledger).report([0, 1], RNG)
    Client(second, ledger=Ledger.from_json(ledger.to_json())).report([0, 1], RNG)
    client = Client(second, ledger=ledger)
    client.report([0, 1], RNG)
    assert ledger.entries == {(first.id, 0.5): 1, (second.id, 0.5): 1}
    with pytest.raises(ValueError, match=r"more than the 0\.2 that is left of the ceiling 1\.2: nothing is reported$"):
        client.report([0, 1], RNG)


def test_a_record_that_is_refused_spends_nothing():
    ledger = Ledger(1.0)
    client = Client(corrldp.protocol("SPL", 0.5, (2, 3)), ledger=ledger)
    for record in ([0, 3], [0], [[0, 1]], {"smokes": "yes"}):
        with pytest.raises(ValueError, match=r"^[^\n]*$"):
            client.report(record, RNG)
    assert not ledger.entries


def test_a_client_has_a_ceiling():
    with pytest.raises(ValueError, match=r"a report spends epsilon=3, above the user's ceiling 2: nothing is reported"):
        Client(corrldp.protocol("SPL", 3.0, (2, 3)), ceiling=2)
    with pytest.raises(ValueError, match="all reports on a record spend epsilon=3, above"):
        Client(corrldp.protocol("L-SPL", 1.0, (2, 3), permanent=3.0), ceiling=2.0)
    Client(corrldp.protocol("SPL", 2.0, (2, 3)), ceiling=2)
    document = corrldp.protocol("RS+FD", 2.0, (2, 3), amplify=True).to_json()
    with pytest.raises(ValueError, match="above the user's ceiling 2"):
        Client(Collection.from_json(document), ceiling=2.0)
    with pytest.raises(ValueError, match="ceiling=-1"):
        Client(Collection.from_json(document), ceiling=-1)


def test_what_a_use_spends_is_the_budget_but_for_rounding():
    assert epsilon_of_use(corrldp.protocol("SPL", 0.3, (2, 3, 4))) == 0.3
    assert epsilon_of_use(corrldp.protocol("L-SPL", 0.1, (2, 3, 4), permanent=0.3)) == 0.3
    assert epsilon_of_use(corrldp.protocol("RS+FD", 1.0, (2, 2), amplify=True)) > 1.4

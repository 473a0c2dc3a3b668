"""The client in JavaScript keeps permanent responses as the one in Python does, takes names and has a ceiling.

It draws without a seed: a right client fails a test of its law with probability 1e-6, and there are five of them.
"""

import json
from collections import Counter

import numpy as np
import pytest
from support_laws import same_law

import corrldp
from corrldp.collection import Collection

pytestmark = pytest.mark.thorough

DRAWS, FALSE_ALARM = 10_000, 1e-6


@pytest.mark.parametrize("name", ["L-SPL", "L-SPL[SUE]", "L-SPL[OSUE]", "L-SMP", "L-SMP[OSUE]"])
def test_javascript_repeats_from_what_it_keeps(ask, name):
    """Pairs of reports of one client have the law of pairs from one permanent response, not that of single reports."""
    one, rng, record = corrldp.protocol(name, 2.0, (2, 2), permanent=4.0), np.random.default_rng(4), [0, 1]
    [pairs] = ask(draws=[{"text": one.to_json(), "record": record, "n": DRAWS, "rounds": 2}])["draws"]
    kept = one.remember(np.tile(record, (DRAWS, 1)), rng)
    expected = zip(*(one.encode(one.repeat(kept, rng)) for _ in range(2)), strict=True)
    single = zip(*(one.encode(one.privatize(np.tile(record, (DRAWS, 1)), rng)) for _ in range(2)), strict=True)
    theirs, ours, others = (Counter(str(list(pair)) for pair in found) for found in (pairs, expected, single))
    assert same_law(theirs, ours) > FALSE_ALARM
    assert same_law(theirs, others) < FALSE_ALARM


@pytest.mark.parametrize("name", ["L-SPL", "L-SPL[OSUE]", "L-SMP", "L-SMP[SUE]"])
def test_the_memory_of_javascript_is_that_of_python(ask, name):
    one = corrldp.protocol(name, 1.0, (2, 3), permanent=3.0)
    text = Collection(one).start().to_json()
    [first] = ask(memories=[{"text": text, "given": [[1, 2], [1, 2]]}])["memories"]
    memory = corrldp.Memory.from_json(first["memory"])
    assert {*memory.responses} <= {(0, 1), (1, 2)}
    theirs = json.loads(first["memory"])
    assert json.loads(memory.to_json()) == {**theirs, "responses": sorted(theirs["responses"])}
    client = corrldp.Client(one, memory=memory)
    client.report([1, 2], np.random.default_rng(5))
    kept = memory.to_json()
    same = {"text": text, "given": [[1, 2]], "options": {"memory": kept}}
    asked = [
        same,
        {**same, "given": [[0, 0]]},
        {**same, "given": [[0, 0]], "options": {"memory": kept, "ceiling": 6}},
        {**same, "text": text.replace('"epsilon": 1.0', '"epsilon": 1.5')},
        {**same, "options": {"memory": kept.replace('"responses": [[', '"responses": [[9, ')}},
    ]
    again, changed, more, other, damaged = ask(memories=asked)["memories"]
    assert json.loads(again["memory"])["responses"] == json.loads(memory.to_json())["responses"]
    assert "nothing is reported" in changed["refused"]
    assert len(json.loads(more["memory"])["responses"]) == 2 * len(memory.responses)
    assert other["refused"] == "the memory is of another protocol"
    assert damaged["refused"] == "the memory is damaged"


def test_javascript_takes_names_and_has_a_ceiling(ask):
    domain = corrldp.Domain(("smokes", "age"), (("no", "yes"), ("a", "b", "c")))
    named = Collection(corrldp.protocol("SPL", 2.0, (2, 3)), domain=domain)
    asked = [
        ({"smokes": "no", "age": "c", "name": "Ann"}, {}),
        ([0, 2], {"ceiling": 2}),
        ({"smokes": "no"}, {}),
        ({"smokes": "no", "age": "C"}, {}),
        ({"smokes": 0, "age": 1}, {}),
        ([0, 2], {"ceiling": 1.9}),
    ]
    texts = (named.to_json(), named.start().to_json())
    found = ask(records=[{"text": text, "record": record, "options": more} for text in texts for record, more in asked])
    assert ["refused" in one for one in found["records"]] == [False, False, True, True, True, True] * 2
    assert "above the user's ceiling 1.9" in found["records"][5]["refused"]

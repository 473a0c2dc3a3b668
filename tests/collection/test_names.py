"""Names of attributes and values in documents, records and estimates."""

import json
import math
import re

import numpy as np
import pytest

import corrldp
from corrldp import Aggregator, Client, Collection, Domain

DOMAIN = Domain(("smokes", "age group"), (("no", "yes"), ("18-29", "30-49", "50+")))
PROTOCOL = corrldp.protocol("SPL", 36.0, (2, 3))
NAMED = Collection(PROTOCOL, domain=DOMAIN)
RNG = np.random.default_rng(1)
LAST = {"name": "b", "values": ["x", "y", "z"]}


@pytest.mark.parametrize("collection", [NAMED, NAMED.start()])
def test_names_travel_with_documents(collection):
    assert Collection.from_json(collection.to_json()) == collection
    assert corrldp.protocol_from_json(NAMED.to_json()) == PROTOCOL
    client = Client.from_json(Client(collection).to_json())
    records = [{"smokes": "yes", "age group": "50+", "name": "Ann"}, {"age group": "18-29", "smokes": "no"}, [1, 2]]
    total = Aggregator(collection).add([client.report(record, RNG) for record in records])
    found = Aggregator.from_json(total.to_json()).merge(Aggregator(collection)).estimate()
    assert found["smokes"] == pytest.approx({"no": 1 / 3, "yes": 2 / 3}, abs=1e-6)
    assert found["age group"] == pytest.approx({"18-29": 1 / 3, "30-49": 0, "50+": 2 / 3}, abs=1e-6)
    assert found[0] == found["smokes"]


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"smokes": "maybe", "age group": "50+"}, "smokes: 'maybe' must be one of 'no, yes'"),
        ({"smokes": "yes"}, "must have 'age group'"),
        ({"smokes": 1, "age group": "50+"}, "smokes: 1 must be"),
        ({}, "must have 'smokes'"),
    ],
)
def test_unknown_values_are_refused_in_one_line(record, words):
    with pytest.raises(ValueError, match=rf"\A.*{re.escape(words)}.*\Z"):
        Client(NAMED).report(record, RNG)


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ([], "sizes are (2, 3)"),
        (3, "must be a list"),
        ([{"name": "a", "values": ["x", "y"]}], "sizes are (2, 3)"),
        ([{"name": "b", "values": ["x", "y"]}, LAST], "must be different texts"),
        ([{"name": "a", "values": ["x", "x"]}, LAST], "must be different texts"),
        ([{"name": "a", "values": ["x", ""]}, LAST], "none empty"),
        ([{"name": "a", "values": [["x"], "y"]}, LAST], "must be different texts"),
        ([{"name": "a", "values": "xy"}, LAST], "each with name and values"),
        ([{"name": "a"}], "each with name and values"),
    ],
)
def test_damaged_names_are_refused_in_one_line(attributes, words):
    for document in (PROTOCOL.to_json(), Collection(PROTOCOL).start().to_json(), Aggregator(PROTOCOL).to_json()):
        read = Aggregator.from_json if '"counts"' in document else Collection.from_json
        with pytest.raises(ValueError, match=rf"\A.*{re.escape(words)}.*\Z"):
            read(json.dumps({**json.loads(document), "attributes": attributes}))


BINNED = Domain(("age", "smokes"), (("[0, 18)", "[18, 65]", "missing"), ("no", "yes")), ((0, 18, 65), ()))


def test_a_number_counts_in_its_bin():
    collection = Collection(corrldp.protocol("SPL", 1.0, (3, 2)), domain=BINNED)
    assert Collection.from_json(collection.to_json()) == collection
    for given, code in ((-3, 0), ("17.9", 0), (18, 1), (np.float32(65), 1), (1e300, 1), ("missing", 2)):
        assert collection.codes({"age": given, "smokes": "yes"}) == [code, 1]


@pytest.mark.parametrize("age", ["nan", math.inf, "1e999", "18,5", True, None, "", 10**400])
def test_what_is_no_number_is_in_no_bin(age):
    with pytest.raises(ValueError, match=r"^age: .* must be a number, or one of '\[0, 18\), \[18, 65\], missing'$"):
        BINNED.codes({"age": age, "smokes": "yes"})


@pytest.mark.parametrize("bins", [[1, 1], [2, 1], [1], [1, 2, 3, 4, 5], [1, "2"], [1, math.nan], "12", [True, 2], 3])
def test_bounds_that_are_none_are_refused_in_one_line(bins):
    with pytest.raises(ValueError, match=r"^bins of 'age', .* must be 2 to 4 increasing numbers$"):
        Domain(BINNED.names, BINNED.values, (bins, ()))
    with pytest.raises(ValueError, match=r"^bins=.* must be bounds, or none, for each of the attributes$"):
        Domain(BINNED.names, BINNED.values, ((0, 1),))


def test_names_need_a_collection_that_has_them():
    with pytest.raises(ValueError, match="must be codes: the collection has no names"):
        Client(PROTOCOL).report({"smokes": "yes"}, RNG)
    other = Aggregator(Collection(PROTOCOL, domain=Domain(("smokes", "age"), DOMAIN.values)))
    with pytest.raises(ValueError, match="names of attributes or values differ"):
        other.merge(Aggregator(NAMED))

"""The wire format is what docs/wire.md says: test vectors, and a client in JavaScript that follows them.

Clients in JavaScript draw from the system's generator, which has no seed. A right client fails a test of its law with
probability 1e-6, and there are fewer than 30 of them.
"""

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from support_laws import same_law

import corrldp
from corrldp.collection import Collection, Ledger
from corrldp.domain import Domain
from corrldp.mechanisms.hashing import hash_values
from corrldp.protocols.reports import ORACLES
from corrldp.randomness import chance_of_uniform, exact_log_ratio

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "tests/deployment/vectors/wire.json").read_text())
PROTOCOLS = {f"{one['document']['name']} {one['document']['options']}": one for one in VECTORS["protocols"]}
DRAWS, FALSE_ALARM = 30_000, 1e-6
MASK = 2**64 - 1


def by_integers(key, value, g):
    """The hash as docs/wire.md has it, by integers without a width."""
    word = (key + value * 0x9E3779B97F4A7C15) & MASK
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & MASK
    return (word ^ word >> 31) % g


def by_definition(expected, k):
    """How probably a first report supports its user's value and another one, by both rounds of docs/wire.md."""
    budget, flip = expected["permanent"], expected["flip"]
    if expected["oracle"] == "GRR":
        p, stay = np.exp(budget) / (np.exp(budget) + k - 1), 1 - (k - 1) * flip
        q = (1 - p) / (k - 1)
        return [p * stay + (1 - p) * flip, q * stay + p * flip + (1 - p - q) * flip]
    p, q = (0.5, 1 / (np.exp(budget) + 1)) if expected["oracle"] == "OSUE" else (1 / (1 + np.exp(-budget / 2)), None)
    return [one * (1 - flip) + (1 - one) * flip for one in (p, 1 - p if q is None else q)]


def build(vector):
    return corrldp.protocol_from_json(json.dumps(vector["document"]))


def test_hashes():
    for one in VECTORS["hashes"]:
        key, value, g = int(one["key"], 16), one["value"], one["g"]
        assert hash_values(np.array([key], dtype=np.uint64), np.array([value]), g).tolist() == [one["hash"]]
        assert by_integers(key, value, g) == one["hash"]


@pytest.mark.parametrize("vector", PROTOCOLS.values(), ids=PROTOCOLS)
def test_a_protocol_has_the_parameters_reports_and_counts_of_its_vector(vector):
    one = build(vector)
    assert json.loads(one.to_json()) == vector["document"]
    for oracle, expected in zip(one.mechanisms, vector["attributes"], strict=True):
        assert [oracle.p_support, oracle.q_support] == pytest.approx([expected["p"], expected["q"]], rel=1e-14)
        assert {name: getattr(oracle, name) for name in ("g", "size") if name in expected}.items() <= expected.items()
        if "flip" in expected:
            assert by_definition(expected, oracle.k) == pytest.approx([expected["p"], expected["q"]], rel=1e-13)
            both = [expected["permanent"], expected["flip"]]
            assert [oracle.permanent, oracle.flip] == pytest.approx(both, rel=1e-13)
    reports = vector["reports"]
    assert [one.encode(one.decode([report]))[0] for report in reports] == reports
    total = corrldp.Aggregator(one).add(reports)
    assert json.loads(total.to_json()) == vector["state"]
    frequencies = total.estimate().frequencies
    for j, expected in enumerate(vector["frequencies"]):
        assert frequencies[j].tolist() == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("vector", PROTOCOLS.values(), ids=PROTOCOLS)
def test_a_report_that_nobody_can_send_is_refused(vector):
    total = corrldp.Aggregator(build(vector))
    for report in vector["refused"]:
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            total.add([vector["reports"][0], report])
    assert total.n == 0


def test_javascript_has_the_hashes_and_the_parameters_of_the_vectors(ask):
    documents = [json.dumps(one["document"]) for one in VECTORS["protocols"]]
    answers = ask(hashes=VECTORS["hashes"], documents=documents)
    assert answers["hashes"] == [one["hash"] for one in VECTORS["hashes"]]
    for found, vector in zip(answers["oracles"], VECTORS["protocols"], strict=True):
        for one, expected in zip(found, vector["attributes"], strict=True):
            assert one["name"] == expected["oracle"]
            numbers = {name: value for name, value in expected.items() if name != "oracle"}
            assert {name: one[name] for name in numbers} == pytest.approx(numbers, rel=1e-13)


def test_javascript_chooses_oracles_as_python_does(ask):
    names = ("SPL[adaptive]", "SMP[adaptive]", "SPL[SS]", "SMP[OLH]", "RS+FD[adaptive]")
    cases = [
        corrldp.protocol(name, epsilon, (k, k + 1))
        for name in names
        for epsilon in (0.05, 0.5, 1.0, 2.5, 4.0, 7.0)
        for k in (2, 3, 5, 8, 13, 40, 200)
    ]
    found = ask(documents=[one.to_json() for one in cases])["oracles"]
    for one, oracles in zip(cases, found, strict=True):
        for theirs, name, ours in zip(oracles, one.chosen, one.mechanisms, strict=True):
            assert theirs["name"] == name
            assert [theirs["p"], theirs["q"]] == pytest.approx([ours.p_support, ours.q_support], rel=1e-12)


def kinds(one, reports):
    """Count reports by what they say; those with hash keys, which never recur, by the values that they support."""

    def kind(oracle, report):
        if not hasattr(oracle, "g"):
            return str(report)
        return str([by_integers(int(report[0], 16), v, oracle.g) == report[1] for v in range(oracle.k)])

    if isinstance(one, corrldp.SMP):
        return Counter(f"{j} {kind(one.mechanisms[j], report)}" for j, report in reports)
    return Counter(" ".join(map(kind, one.mechanisms, report)) for report in reports)


@pytest.mark.parametrize("name", [name for name in PROTOCOLS if not name.startswith("L-")])
def test_javascript_draws_reports_from_the_law_of_the_protocol(ask, name):
    vector = PROTOCOLS[name]
    one, rng = build(vector), np.random.default_rng(3)
    record = [0, one.sizes[1] - 1]
    [reports] = ask(draws=[{"text": one.to_json(), "record": record, "n": DRAWS}])["draws"]
    assert [one.encode(one.decode([report]))[0] for report in reports[:100]] == reports[:100]
    if max(one.sizes) > 10:  # too many kinds of reports: the values that they support, instead
        total = corrldp.Aggregator(one).add(reports).estimate().raw
        truth = np.arange(max(one.sizes)) == np.array(record)[:, None]
        z = np.abs(total.frequencies - truth) / total.standard_errors
        assert np.nanmax(z) < 6
        return
    theirs, ours = kinds(one, reports), one.encode(one.privatize(np.tile(record, (DRAWS, 1)), rng))
    assert same_law(theirs, kinds(one, ours)) > FALSE_ALARM
    richer = corrldp.protocol(vector["document"]["name"], 1.4 * one.epsilon, one.sizes, **vector["document"]["options"])
    ranges = [[getattr(oracle, "g", 0) for oracle in each.mechanisms] for each in (one, richer)]
    if ranges[0] == ranges[1]:
        others = richer.encode(richer.privatize(np.tile(record, (DRAWS, 1)), rng))
        assert same_law(theirs, kinds(one, others)) < FALSE_ALARM


@pytest.mark.parametrize("name", ["SPL", "SPL[OUE]", "SMP", "SMP[OLH]", "SMP[SS]", "RS+FD[OUE-z]", "Castell", "LoPub"])
def test_reports_of_a_batch_have_the_law_of_single_ones_and_the_order_of_the_records(name):
    """Each of eight tests is wrong with probability 1e-6; the seed is fixed."""
    one, rng = corrldp.protocol(name, 2.0, (2, 3)), np.random.default_rng(7)
    client, records = corrldp.Client(one), [[0, 2], [1, 0]]
    batch = client.reports(records * 1000, rng)
    for place, record in enumerate(records):
        singles = [client.report(record, rng) for _ in range(1000)]
        laws = [Counter(map(json.dumps, reports)) for reports in (batch[place::2], singles)]
        if name != "SMP[OLH]":
            assert same_law(*laws) > FALSE_ALARM / 2
            continue
        totals = [corrldp.Aggregator(one).add(reports).estimate().raw for reports in (batch[place::2], singles)]
        gap = np.abs(totals[0].frequencies - totals[1].frequencies)
        assert np.nanmax(gap / np.hypot(*(total.standard_errors for total in totals))) < 6


def test_a_batch_is_refused_or_sealed_like_single_reports():
    collection = Collection(corrldp.protocol("SMP[OUE]", 1.0, (2, 3))).start()
    client, rng = corrldp.Client(collection), np.random.default_rng(1)
    assert corrldp.Aggregator(collection).add(client.reports([[0, 1], [1, 2], [0, 0]], rng)).n == 3
    for wrong in ([[0, 1], [0, 3]], [[0, 1], [0]], [{"x": 1}], []):
        with pytest.raises(ValueError, match=r"^[^\n]*$"):
            client.reports(wrong, rng)
    with pytest.raises(ValueError, match="rng"):
        client.reports([[0, 1]], None)
    spending = corrldp.Client(collection, ledger=Ledger(2.0))
    assert len(spending.reports([[0, 1], [1, 2]], rng)) == 2
    with pytest.raises(ValueError, match="nothing is reported"):
        spending.reports([[0, 1]], rng)


def test_hash_keys_of_javascript_are_uniform(ask):
    one = corrldp.protocol("SMP[OLH]", 1.0, (2, 3))
    [reports] = ask(draws=[{"text": one.to_json(), "record": [0, 0], "n": DRAWS}])["draws"]
    keys = [int(key, 16) for _, (key, _) in reports]
    assert len(set(keys)) == DRAWS
    bits = np.array([[key >> place & 1 for place in range(64)] for key in keys]).mean(axis=0)
    assert np.abs(bits - 0.5).max() < 6 * 0.5 / np.sqrt(DRAWS)


def document(**changes):
    known = {"corrldp": "protocol", "version": 1, "name": "SPL", "epsilon": 1.0, "sizes": [2, 3], "options": {}}
    return json.dumps({**known, **changes})


def test_javascript_reports_to_a_collection(ask):
    collection = Collection(corrldp.protocol("SMP[OUE]", 1.0, (2, 3))).start()
    [sent] = ask(draws=[{"text": collection.to_json(), "record": [1, 2], "n": 100}])["draws"]
    ids, reports = zip(*map(collection.unseal, sent), strict=True)
    assert len(set(ids)) == 100
    assert corrldp.Aggregator(collection.protocol).add(reports).n == 100


def test_javascript_counts_a_number_in_its_bin(ask):
    """At a budget of 16 for each attribute, a report is the record but with probability 1e-6."""
    codes = {-1: 0, 17.9: 0, 18: 1, 65: 1, 1e300: 1, "missing": 2}
    domain = Domain(("age", "smokes"), (("[0, 18)", "[18, 65]", "missing"), ("no", "yes")), ((0, 18, 65), ()))
    text = Collection(corrldp.protocol("SPL", 32.0, (3, 2)), domain=domain).to_json()
    records = [{"age": age, "smokes": "yes", "name": "Ann"} for age in (*codes, "old")]
    found = ask(
        draws=[{"text": text, "record": record, "n": 5} for record in records[:-1]],
        records=[{"text": text, "record": record} for record in records[-1:]],
    )
    assert found["draws"] == [[[code, 1]] * 5 for code in codes.values()]
    assert [domain.codes(record) for record in records[:-1]] == [[code, 1] for code in codes.values()]
    assert "refused" in found["records"][0]


FIRST, SECOND = {"name": "a", "values": ["x", "y"]}, {"name": "b", "values": ["x", "y", "z"]}
DOCUMENTS = {
    "a collection without an id": f'{{"corrldp": "collection", "version": 1, "protocol": {document()}}}',
    "no JSON": "{",
    "no object": "null",
    "another kind": document(corrldp="aggregator"),
    "another version": document(version=2),
    "another protocol": document(name="LoPub"),
    "an inherited protocol": document(name="constructor"),
    "another oracle": document(name="SPL[RAPPOR]"),
    "an inherited oracle": document(name="SPL[constructor]"),
    "no name": document(name="SPL[OUE"),
    "an oracle of Castell": document(name="Castell[OUE]"),
    "fakes that are none": document(name="RS+FD[SS-z]"),
    "fakes of SPL": document(name="SPL[OUE-z]"),
    "no budget": document(epsilon=0),
    "a text": document(epsilon="1"),
    "too large a budget": document(epsilon=40),
    "a domain of one value": document(sizes=[1, 2]),
    "no domains": document(sizes=[]),
    "one attribute": document(name="SMP", sizes=[2]),
    "one budget": document(name="L-SPL[OSUE]"),
    "a second budget of others": document(options={"permanent": 2.0}),
    "a second budget below the first": document(name="L-SPL", options={"permanent": 0.5}),
    "an oracle of one round": document(name="L-SPL[OUE]", options={"permanent": 2.0}),
    "names of other attributes": document(attributes=[FIRST]),
    "a name twice": document(attributes=[FIRST, {**SECOND, "name": "a"}]),
    "bounds that do not increase": document(attributes=[{**FIRST, "bins": [0, 2, 1]}, SECOND]),
    "bounds of more bins": document(attributes=[{**FIRST, "bins": [0, 1, 2, 3]}, SECOND]),
    "an option of others": document(options={"amplify": True}),
    "an unknown option": document(name="RS+FD", options={"amplify": True, "seed": 1}),
}


def test_javascript_refuses_what_it_does_not_know(ask):
    found = ask(documents=list(DOCUMENTS.values()))["oracles"]
    assert [name for name, one in zip(DOCUMENTS, found, strict=True) if "refused" not in one] == []


def test_javascript_refuses_records_beyond_the_domains(ask):
    text = corrldp.protocol("SPL", 1.0, (2, 3)).to_json()
    wrong = [[0], [0, 3], [-1, 0], [0.5, 0], ["0", 0], None, {}, [0, 0, 0], [True, 0]]
    found = ask(records=[{"text": text, "record": record} for record in [*wrong, [1, 2]]])["records"]
    assert ["refused" in one for one in found] == [True] * len(wrong) + [False]


@pytest.mark.parametrize("name", ["L-SPL", "L-SPL[SUE]", "L-SPL[OSUE]", "L-SMP", "L-SMP[OSUE]"])
def test_javascript_repeats_from_what_it_keeps(ask, name):
    """Pairs of reports of one client have the law of pairs from one permanent response, not that of single reports."""
    one, rng, record = corrldp.protocol(name, 2.0, (2, 2), permanent=4.0), np.random.default_rng(4), [0, 1]
    [pairs] = ask(draws=[{"text": one.to_json(), "record": record, "n": 10_000, "rounds": 2}])["draws"]
    memories = (corrldp.Memory(one) for _ in range(10_000))
    expected = ([memory.report(record, rng) for _ in range(2)] for memory in memories)
    single = zip(*(one.encode(one.privatize(np.tile(record, (10_000, 1)), rng)) for _ in range(2)), strict=True)
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


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 8.0, 16.0])
@pytest.mark.parametrize("k", [2, 5, 1000])
def test_53_digits_are_enough_for_the_budgets_that_the_client_takes(epsilon, k):
    """The client in JavaScript compares every probability with a uniform multiple of 2^-53."""
    drawn = {
        "GRR": lambda one, p, q: exact_log_ratio(p * (k - 1), 1 - p),
        "SUE": lambda one, p, q: exact_log_ratio(p * (1 - q), (1 - p) * q),
        "OUE": lambda one, p, q: exact_log_ratio(p * (1 - q), (1 - p) * q),
        "OLH": lambda one, p, q: exact_log_ratio(p * (one.g - 1), 1 - p),
        "SS": lambda one, p, q: exact_log_ratio(p * (k - one.size), (1 - p) * one.size),
    }
    for name, epsilon_of in drawn.items():
        oracle = ORACLES[name](epsilon, k)
        p, q = map(chance_of_uniform, (oracle.p_support, oracle.q_support))
        assert epsilon_of(oracle, p, q) == pytest.approx(epsilon, abs=1e-6)


def test_the_page_shows_a_vector():
    page = (ROOT / "docs/wire.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| `([0-9a-f]{16})` \| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE)
    assert shown
    known = {(one["key"], str(one["value"]), str(one["g"]), str(one["hash"])) for one in VECTORS["hashes"]}
    assert set(shown) <= known

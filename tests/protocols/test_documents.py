"""What a stranger's document may do: be a protocol of the package within bounds, or be refused in one line, at once."""

import json
import time
from collections import Counter
from importlib.metadata import EntryPoint

import numpy as np
import pytest
from fuzzing import draws

from corrldp.collection import Aggregator, Client, Reports
from corrldp.protocols import names
from corrldp.protocols.estimates import Tally
from corrldp.protocols.names import Name, parse
from corrldp.protocols.registry import protocol, protocol_from_json
from corrldp.protocols.two_phase import Phased

HUGE = 10**30
LONGEST = 2.0  # seconds that the refusal of a document may take, two thousand times what it takes


def document(name="SPL", epsilon=1.0, sizes=(2, 3), **options):
    content = {"name": name, "epsilon": epsilon, "sizes": list(sizes), "options": options}
    return json.dumps({"corrldp": "protocol", "version": 1, **content})


def refused(text, read=protocol_from_json):
    start = time.perf_counter()
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        read(text)
    assert time.perf_counter() - start < LONGEST
    assert len(str(error.value)) < 1000
    return str(error.value)


@pytest.mark.parametrize("name", ["SPL[x.py:Mine", "{}:Mine", "x.py:Mine[OUE]", "SPL[OUE]:Mine", "x:Mine", "Theirs"])
def test_a_document_runs_no_code(name, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAIMAUDIT_PROJECT", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for path in ("SPL[x.py", "x.py", "SPL[OUE].py"):
        (tmp_path / path).write_text("open('ran', 'w').close()\nclass Mine: ...\n")
    point = EntryPoint("Theirs", "x:Mine", names.GROUP)
    monkeypatch.setattr(names, "offered", lambda: {"Theirs": point})
    for read in (protocol_from_json, Client.from_json):
        assert "no protocol" in refused(document(name.format(tmp_path / "x.py")), read)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "name", ["SPL[x.py:Mine", "SPL]", "[OUE]", "SPL[]", "SPL[OUE][OUE]", "SPL[OUE]x", "", None, "S\nP"]
)
def test_no_name_of_the_grammar(name):
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        parse(name)
    assert names.source_of(name) is None


def test_names_have_parts():
    assert parse("RS+FD[OUE-z]") == Name("RS+FD", "OUE-z")
    found = parse("own/x.py:Mine[OUE]")
    assert (found.place, names.label(found.base), found.oracle) == ("own/x.py", "Mine", "OUE")
    assert [parse(name).place for name in ("SPL", "a.b:C", "a b:C", "x.py:")] == [None, "a.b", None, None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (document("LoPub", hashes=10**9), "hashes=1000000000 must be an integer from 1 to"),
        (document("LoPub", sizes=[4096] * 50, bits=4096), "too many"),
        (document("LoPub", seed=HUGE), "seed="),
        (document("RS+FD", amplify="no"), "amplify='no' must be True or False"),
        (document("RS+RFD", amplify=1), "amplify=1 must be True or False"),
        (document("RS+RFD", priors=[[0.5, None], [1, 0, 0]]), "must be rows of numbers"),
        (document("Corr-RR", mappings=[[0, 10**7], [0, 1, 0]]), "must reach each of the classes"),
        (document("Corr-RR", phase1_fraction="x"), "phase1_fraction='x' must lie in (0, 1)"),
        (document("JRR", sizes=[2], users=HUGE), "users="),
        (document("JRR", sizes=[2], users=10**12, colluders=10**6), "takes too long"),
        (document(sizes=[HUGE, 2]), "k="),
        (document(sizes=[2**23, 2, 2]), "the number of attributes times the largest domain"),
        (document(sizes=[2] * 10**5), "the number of sizes"),
        (document(epsilon=True), "epsilon=True"),
        (document(epsilon=HUGE**20), "epsilon="),
        (document(fast=True), "SPL has no option 'fast'"),
        (document(**{"a\nb\x1b": 1}), r"SPL has no option 'a\nb\x1b'"),
        (document()[:-1] + ', "x": 1}', "['epsilon', 'name', 'options', 'sizes', 'x'] but must have"),
        (document()[:-1] + ', "' + "x" * 10**6 + '": 1}', "but must have"),
        (document().replace('"version": 1', '"version": true'), "of another version"),
        (document()[:-1] + ', "epsilon": 5.0}', "the key 'epsilon' appears twice"),
        (document().replace("{}", '{"a": 1, "a": 2}'), "the key 'a' appears twice"),
        (document().replace("1.0", "9" * 5000), "no JSON"),
        (document("pivot phase", sizes=[2, 2], channels=[[["x"]]]), "channels must be numbers"),
        (document("aligned phase", protocol={"name": "SMP"}, mappings=[[0, 1]]), "on merged values must be one of"),
    ],
)
def test_parameters_have_bounds(text, words):
    assert words in refused(text)


def test_a_phase_states_the_budget_of_its_parts():
    inner = {"name": "SPL", "epsilon": 9.0, "sizes": [2, 2], "options": {}}
    mappings = [[0, 1], [0, 1, 1]]
    assert protocol_from_json(document("aligned phase", 9.0, protocol=inner, mappings=mappings)).epsilon == 9
    assert "must be those of its parts" in refused(document("aligned phase", 1.0, protocol=inner, mappings=mappings))


def tally(name, counts, n):
    content = json.loads(Aggregator(protocol(name, 1.0, (4, 5))).to_json())
    return json.dumps({**content, "n": n, "counts": counts})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (tally("SMP", [[0, 1], [1, 20], [0, 0, 21]], 21), "do not add up"),
        (tally("SMP", [[0, 1], [1, 1], [0, 0, 1], [0, 1, 1], [1, 0, 1]], 2), "do not add up"),
        (tally("SMP[OUE]", [[0, 1], [1, 20], [0, 0, 2]], 21), "do not add up"),
        (tally("SMP[SS]", [[0, 1], [1, 1], [0, 0, 1], [1, 1, 1]], 2), ""),
        (tally("SPL[SS]", [[0, 0, 3], [0, 1, 3], [1, 1, 3]], 3), "do not add up"),
        (tally("SPL", [[0, 0, HUGE], [1, 0, HUGE]], HUGE), "n="),
        (tally("LoPub", [[0, 1, 10**13]], 10**13), "n="),
    ],
)
def test_counts_that_cannot_be(text, words):
    if words:
        assert words in refused(text, Aggregator.from_json)
    else:
        assert Aggregator.from_json(text).n == 2


def test_a_number_of_users_alone_costs_nothing():
    """Without colluders JRR is plain randomized response, however many users there are."""
    [found] = {protocol("JRR", 1.0, (3,), users=users).guarantee() for users in (None, 2, 10**12)}
    assert found.record == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", ["LoPub", "Castell"])
def test_many_reports_are_not_expanded(name):
    """Estimates of frequencies add counts up; a joint table by maximum likelihood needs single reports."""
    one = protocol(name, 1.0, (2, 3))
    few = Aggregator(one).add(Reports.draw(one, [[0, 1], [1, 2]], np.random.default_rng(1)))
    counts = Counter({key: 10**11 * count for key, count in few.tally.counts.items()})
    many = Aggregator(one, Tally(2 * 10**11, counts))
    np.testing.assert_allclose(many.estimate().raw.frequencies, few.estimate().raw.frequencies, rtol=1e-12)
    if name == "LoPub":
        with pytest.raises(ValueError, match="too many for this estimate"):
            many.estimate_joint([0, 1])


ODD = [0, -1, 0.5, HUGE, 1e308, "1", "", "no", None, True, [], {}, [[]], [None], [[0, 1]], {"name": "SPL"}, [[[[[0]]]]]]
NAMES = ["SPL", "SMP[SS]", "RS+FD[OUE-z]", "RS+RFD", "Corr-RR", "Cond-RR", "JRR", "LoPub", "Castell"]


def hostile(content, rng):
    """Return JSON of which one place, drawn at random, is replaced, removed or repeated."""
    places = [(None, None)]
    pending = [content]
    while pending:
        holder = pending.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder)) if isinstance(holder, list) else []
        places += [(holder, key) for key in keys]
        pending += [holder[key] for key in keys]
    holder, key = places[rng.integers(len(places))]
    value = ODD[rng.integers(len(ODD))]
    if holder is None:
        return value
    if isinstance(holder, list) and rng.random() < 0.3:
        holder.append(holder[key])
    elif rng.random() < 0.3:
        del holder[key]
    else:
        holder[key] = value
    return content


@pytest.mark.thorough
def test_documents_and_reports_that_were_tampered_with_are_refused_in_one_line_or_mean_something():
    rng = np.random.default_rng(3)
    right = 0
    for case in range(draws(500, 5000)):
        name = NAMES[rng.integers(len(NAMES))]
        whole = protocol(name, 1.0, (3,) if name == "JRR" else (2, 3))
        one = whole.first_phase() if isinstance(whole, Phased) else whole
        records = np.zeros((4, one.d), dtype=int)
        clients = [Client(one, 1)] * 4 if name == "JRR" else [Client(one)] * 4
        reports = [client.report(record.tolist(), rng) for client, record in zip(clients, records, strict=True)]
        state = json.loads(Aggregator(one).add(reports).to_json())
        start = time.perf_counter()
        try:
            if case % 3 == 2:
                assert protocol_from_json(json.dumps(hostile(json.loads(whole.to_json()), rng))).guarantee().record > 0
                right += 1
                continue
            if case % 3:
                found = Aggregator(one).add(hostile(json.loads(json.dumps(reports)), rng))
            else:
                found = Aggregator.from_json(json.dumps(hostile(state, rng)))
            assert 0 <= found.n <= 10**12
            if found.n:
                assert not np.isposinf(found.estimate().raw.frequencies).any()
            again = Aggregator.from_json(found.to_json())
            assert again == found
            right += 1
        except ValueError as refusal:
            lines = str(refusal).splitlines()
            assert len(lines) == 1, case
        finally:
            assert time.perf_counter() - start < LONGEST, case
    assert right > 10


def test_deep_documents():
    inner = {"name": "SPL", "epsilon": 1.0, "sizes": [2, 2], "options": {}}
    for _ in range(200):
        inner = {"name": "aligned phase", "epsilon": 1.0, "sizes": [2, 2], "options": {"protocol": inner}}
    refused(json.dumps({"corrldp": "protocol", "version": 1, **inner}))
    refused('{"corrldp": "protocol", "options": ' + "[" * 10**5)

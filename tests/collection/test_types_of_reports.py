"""Reports of many users, and estimates, as users of the library see them."""

import json

import numpy as np
import pytest

import corrldp
from corrldp import Aggregator, Collection, Domain, Reports
from corrldp.collection import ReplayError
from corrldp.protocols.estimates import Estimate, Estimates

NAMES = ["SPL", "SPL[OUE]", "SMP[OLH]", "SMP[SS]", "RS+FD[OUE-z]", "Castell", "LoPub", "L-SPL[OSUE]", "L-SMP[GRR]"]
SIZES = (2, 4, 3)
RECORDS = np.random.default_rng(1).integers(SIZES, size=(50, 3))
every = pytest.mark.parametrize("name", NAMES)


def drawn(name):
    options = {"permanent": 4.0} if name.startswith("L-") else {}
    one = corrldp.protocol(name, 2.0, SIZES, **options)
    return one, Reports.draw(one, RECORDS, np.random.default_rng(2))


@every
def test_reports_have_a_length_slices_and_lines(name):
    one, reports = drawn(name)
    listed = list(reports)
    assert len(reports) == len(listed) == 50
    for users in (slice(0, 10), slice(7, None, 3), slice(-5, None)):
        assert len(reports[users]) == len(listed[users])
        assert list(reports[users]) == listed[users]
    lines = list(reports.to_lines())
    assert [json.loads(line) for line in lines] == listed
    again = Reports.from_lines(one, [*lines, "\n"])
    assert Aggregator(one).add(again) == Aggregator(one).add(reports) == Aggregator(one).add(listed)
    parts = Aggregator(one).add(reports[:20]).merge(Aggregator(one).add(reports[20:]))
    assert parts == Aggregator(one).add(reports)
    np.testing.assert_array_equal(reports.estimate()[1], parts.estimate()[1])


def test_reports_of_another_protocol_are_refused():
    one, reports = drawn("SPL")
    with pytest.raises(ValueError, match=r"^the reports are of .*'SPL'.*, not of .*'SMP'"):
        Aggregator(corrldp.protocol("SMP", 2.0, SIZES)).add(reports)
    with pytest.raises(ValueError, match="have no ids"):
        Aggregator(Collection(one).start()).add(reports)
    with pytest.raises(ValueError, match="take a slice"):
        reports[0]
    for line in ("[0,", "[" * 10**5, '{"a":' * 10**5, "9" * 5000, '[{"a": 0, "a": 0}, 0]'):
        with pytest.raises(ValueError, match=r"^no JSON: .*$|appears twice"):
            Reports.from_lines(one, [line])


@pytest.mark.parametrize(
    "raw", [None, 3, "reports", [1, 2], [], {}, {0: [1, 2]}, np.int64(3), [np.zeros(2), np.zeros(3)], (np.zeros(2),)]
)
def test_reports_of_no_known_form_are_refused_in_one_line(raw):
    """Also what `privatize` of a user's own protocol returns."""
    mine = type("Mine", (corrldp.SPL,), {"privatize": lambda self, records, rng: raw})(1.0, SIZES)
    with pytest.raises(ValueError, match=r"^reports=[^\n]* of Mine must be an array with a row for each user, a list"):
        Reports.draw(mine, RECORDS, np.random.default_rng(1))


def test_a_collection_counts_every_report_once_without_commands():
    collection = Collection(corrldp.protocol("SMP", 2.0, SIZES)).start()
    sent = [collection.seal([j % 3, 0]) for j in range(10)]
    total = Aggregator(collection).add(sent[:6])
    for again in (sent[5:7], [sent[7], sent[7]]):
        with pytest.raises(ReplayError, match="has been counted already"):
            total.add(again)
    assert total.add(sent[6:]).n == 10
    with pytest.raises(ReplayError, match="count twice"):
        total.merge(total)
    snapshot = Aggregator.from_json(total.to_json())
    with pytest.raises(ReplayError, match="is there already"):
        snapshot.merge(total)
    other = Aggregator(Collection(collection.protocol).start())
    with pytest.raises(ValueError, match="the state is of collection"):
        total.merge(other)


def test_counts_are_bounded_by_what_was_added():
    class Generous(corrldp.SPL):
        def tally(self, reports):
            found = super().tally(reports)
            found.counts[0, 0] += len(reports)
            return found

    one = Generous(1.0, (2, 2))
    total = Aggregator(one)
    with pytest.raises(ValueError, match="counts more than the 2 reports there are"):
        total.add(Reports(one, np.array([[0, 1], [1, 1]])))
    assert total.n == 0


def test_whole_reports_are_bounded(monkeypatch):
    one = corrldp.protocol("LoPub", 1.0, (2, 2), bits=64)
    kept, rng = Aggregator(one), np.random.default_rng(3)
    with monkeypatch.context() as patch:
        patch.setattr(type(one), "most_counts", property(lambda self: 30))
        with pytest.raises(ValueError, match=r"^LoPub keeps at most 30 different reports.*joint=False counts bits"):
            kept.add(Reports.draw(one, np.zeros((40, 2), dtype=int), rng))
        half = [Aggregator(one).add(Reports.draw(one, np.zeros((20, 2), dtype=int), rng)) for _ in range(2)]
        with pytest.raises(ValueError, match="add up fewer"):
            half[0].merge(half[1])
    counted = corrldp.protocol("LoPub", 1.0, (2, 2), joint=False)
    total = Aggregator(counted).add(Reports.draw(counted, np.zeros((40, 2), dtype=int), rng))
    assert len(total.tally.counts) <= 128
    assert Aggregator.from_json(total.to_json()) == total
    with pytest.raises(ValueError, match="keeps no joint counts"):
        total.estimate_joint([0, 1])


def test_both_tallies_of_lopub_give_one_estimate():
    whole, counted = (corrldp.protocol("LoPub", 2.0, (2, 3), joint=joint) for joint in (True, False))
    raw = whole.privatize(np.zeros((100, 2), dtype=int), np.random.default_rng(4))
    for one, other in zip(*(list(Reports(p, raw).estimate().rows()) for p in (whole, counted)), strict=True):
        assert one == pytest.approx(other)


FOUND = Estimate(np.array([[-0.1, 1.1, np.nan], [0.2, 0.5, 0.3]]), np.array([[0.1, 0.1, np.nan], [0.2, 0.2, 0.2]]), 9)
DOMAIN = Domain(("smokes", "age"), (("no", "yes"), ("a", "b", "c")))


def test_estimates_have_no_padding():
    found = Estimates(FOUND, (2, 3))
    assert [part.tolist() for part in found.frequencies] == [[-0.1, 1.1], [0.2, 0.5, 0.3]]
    assert [part.tolist() for part in found.standard_errors] == [[0.1, 0.1], [0.2, 0.2, 0.2]]
    assert [len(part) for part in found.interval(0.9)[0]] == [2, 3]
    assert found.n == 9
    assert (list(found.attributes), list(found.values(1)), found[1]) == ([0, 1], [0, 1, 2], {0: 0.2, 1: 0.5, 2: 0.3})


def test_estimates_have_names_and_can_be_repaired():
    found = Estimates(FOUND, (2, 3), DOMAIN)
    repaired = found.postprocess("norm_sub")
    assert found["smokes"] == {"no": -0.1, "yes": 1.1}
    assert repaired["smokes"] == pytest.approx({"no": 0.0, "yes": 1.0})
    assert repaired.interval()[0][0].tolist() == found.interval()[0][0].tolist()
    rows = list(repaired.rows())
    assert " ".join(f"{row.attribute}:{row.value}" for row in rows) == "smokes:no smokes:yes age:a age:b age:c"
    assert rows[0].low == 0
    frame = found.to_frame()
    assert list(frame.columns) == ["attribute", "value", "frequency", "standard_error", "low", "high"]
    assert frame.set_index(["attribute", "value"]).loc[("age", "b"), "frequency"] == 0.5
    for name in ("Age", 2, -1):
        with pytest.raises(KeyError, match="there are 'smokes, age'"):
            found[name]

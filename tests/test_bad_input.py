"""The public library gives right results or errors of one line, whatever it is given.

The cases that once failed stand one by one here; `test_fuzz` draws others.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from listed_mechanisms import BUILDERS

from corrldp.collection import Aggregator, Client, Reports
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import UnaryEncoding
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import list_protocols, protocol
from corrldp.protocols.rs_fd import RSFD, amplified
from corrldp.protocols.smp import SPL

RNG = np.random.default_rng(0)


def refused(call):
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        call()
    return str(error.value)


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
class TestMechanisms:
    """The contract of every mechanism for one attribute."""

    def test_parameters(self, build):
        for epsilon in (0, -1, math.nan, math.inf, "1", None, True, 1j, [1.0], 701.0):
            assert "epsilon=" in refused(lambda e=epsilon: build(e, 4))
        for k in (1, 0, -2, 2.0, "3", None, True, 10**30):
            assert "k=" in refused(lambda k=k: build(1.0, k))

    def test_values(self, build):
        one = build(1.0, 4)
        for values in ([], [4], [-1], [0.5], ["1"], [[0]], 0, None, [math.nan], [[0], [0, 1]]):
            refused(lambda v=values: one.privatize(v, RNG))
        for counts in ([1, 2, 3], [1, 2, 3, 4, 5], [-1, 2, 3, 4], [0, 0, 0, 0], [0.5] * 4, None, "1234"):
            refused(lambda c=counts: one.simulate(c, 2, RNG))

    @pytest.mark.parametrize("rng", [None, 0, np.random, np.random.RandomState(0)])
    def test_generator(self, build, rng):
        for call in (
            lambda: build(1.0, 4).privatize([0], rng),
            lambda: build(1.0, 4).simulate([1, 2, 3, 4], 2, rng=rng),
        ):
            assert "must be a Generator: numpy.random.default_rng(seed)" in refused(call)

    def test_reports_of_a_wrong_width(self, build):
        one, other = build(1.0, 4), build(1.0, 5)
        if isinstance(one, GRR):
            refused(lambda: one.estimate([4, 0]))
        elif isinstance(one, SubsetSelection):
            refused(lambda: one.estimate([[0, 0]]))
            refused(lambda: one.estimate([[0, 1, 2]]))
        elif isinstance(one, LocalHashing):
            refused(lambda: one.estimate(one.privatize([0, 1], RNG)[:, :1]))
            refused(lambda: one.estimate(np.full((2, 2), 99, dtype=np.uint64)))
        else:
            refused(lambda: one.estimate(other.privatize([0, 4], RNG)))
        for reports in ([], [[math.nan] * 4], [[0, 1, 2, 3, 4]], [["a"] * 4]):
            refused(lambda r=reports: one.estimate(r))

    def test_support_of_a_wrong_length_and_numbers_of_users(self, build):
        one = build(1.0, 4)
        for support in ([1, 2, 3], [1, 2, 3, 4, 5], 3, [], ["a"] * 4, None):
            refused(lambda s=support: one.unbias(s, 10))
        for n in (0, -1, 1.5, math.nan, "3", None, True):
            refused(lambda n=n: one.unbias([1, 2, 3, 4], n))
            refused(lambda n=n: one.variance(0.5, n))
        for frequency in (-0.1, 1.1, "x"):
            refused(lambda f=frequency: one.variance(f, 10))

    def test_numbers_of_runs(self, build):
        for runs in (0, -1, 1.5, "3", None, True, 10**12, 10**30):
            assert "runs=" in refused(lambda r=runs: build(1.0, 4).simulate([1, 2, 3, 4], r, RNG))


@pytest.mark.parametrize("name", list_protocols())
def test_domains_and_runs_that_no_memory_holds(name):
    sizes = (2,) if name == "JRR" else (2, 3)
    table = RecordTable.from_records([[0] * len(sizes)] * 100, sizes)
    for runs in (10**12, 10**30):
        assert "runs=" in refused(lambda r=runs: protocol(name, 1.0, sizes).simulate(table, r, RNG))
    assert "k=" in refused(lambda: protocol(name, 1.0, (10**30, *sizes[1:])))


@pytest.mark.parametrize("level", [0, 1, -1, math.nan, True, None, "0.9", [], [0.9], np.array([0.9])])
def test_levels_of_intervals(level):
    found = Aggregator(SPL(1.0, (2, 3))).add([[0, 1], [1, 2]]).estimate().raw
    assert "level=" in refused(lambda: found.interval(level))
    np.testing.assert_array_equal(found.interval(np.float64(0.5)), found.interval(Fraction(1, 2)))


def test_what_is_no_protocol_or_no_aggregator():
    for one in (3, None, "SPL", SPL):
        assert "is no protocol" in refused(lambda o=one: Client(o))
        assert "is no protocol" in refused(lambda o=one: Aggregator(o))
        assert "is no aggregator" in refused(lambda o=one: Aggregator(SPL(1.0, (2, 3))).merge(o))
    for reports in (0, None, "x", [], {}):
        refused(lambda r=reports: Aggregator(SPL(1.0, (2, 3))).add(Reports(SPL(1.0, (2, 3)), r)))


def test_budgets_at_the_edge_of_floating_point():
    assert amplified(800, 3) == pytest.approx(800 + math.log(3))
    assert amplified(700, 3) == pytest.approx(700 + math.log(3))
    refused(lambda: UnaryEncoding.optimized(800, 4))
    refused(lambda: RSFD(800.0, (2, 3), amplify=True))
    refused(lambda: RSFD(699.9, (2, 3), amplify=True))
    channel = UnaryEncoding.optimized(700, 4).effective_channel()
    assert np.isfinite(channel).all()
    np.testing.assert_allclose(channel.sum(axis=1), 1)


def test_many_attributes():
    sizes = (3,) * 70
    records = RNG.integers(3, size=(50, 70))
    for name in ("SPL", "SMP", "RS+FD", "RS+FD[OUE-z]"):
        one, table = protocol(name, 1.0, sizes), RecordTable.from_records(records, sizes)
        assert one.estimate(one.privatize(records, RNG)).shape == (70, 3)
        assert one.simulate(table, 2, RNG).shape == (2, 70, 3)
        assert one.expected_mse(table).shape == (70, 3)
        assert len(one.guarantee().attributes) == 70
        assert "too large" in refused(one.channel)

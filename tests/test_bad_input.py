"""The public library gives right results or errors of one line, whatever it is given.

The cases that once failed stand one by one; the fuzz draws others. `CORRLDP_FUZZ=5000` draws more of them.
"""

import math
import os
import warnings

import numpy as np
import pytest

from corrldp import dependence
from corrldp.collection import Aggregator, Client
from corrldp.data.synthetic import syn_a, syn_b
from corrldp.leakage.cpl import conditional, leakage_bound, leakage_limit
from corrldp.mechanisms.grr import GRR, Exponential
from corrldp.mechanisms.hashing import LocalHashing
from corrldp.mechanisms.histogram import SummationHistogram
from corrldp.mechanisms.subset import SubsetSelection
from corrldp.mechanisms.unary import RAPPOR, UnaryEncoding
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.records import RecordTable
from corrldp.protocols.registry import list_protocols, protocol
from corrldp.protocols.rs_fd import RSFD, amplified
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL

MECHANISMS = {
    "GRR": GRR,
    "exponential": Exponential,
    "SUE": UnaryEncoding.symmetric,
    "OUE": UnaryEncoding.optimized,
    "OLH": LocalHashing.optimal,
    "BLH": LocalHashing.binary,
    "SS": SubsetSelection.rounded,
    "SHE": SummationHistogram,
    "RAPPOR": lambda epsilon, k: RAPPOR(k) if GRR(epsilon, k) else None,
}
LARGER = RecordTable.from_records([[2, 4], [0, 0]], (3, 5))
RNG = np.random.default_rng(0)
EXAMPLES = int(os.environ.get("CORRLDP_FUZZ", "300"))


def refused(call):
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        call()
    return str(error.value)


@pytest.mark.parametrize("build", MECHANISMS.values(), ids=MECHANISMS)
class TestMechanisms:
    """The contract of every mechanism for one attribute."""

    def test_parameters(self, build):
        for epsilon in (0, -1, math.nan, math.inf, "1", None, True, 1j, [1.0], 701.0):
            assert "epsilon=" in refused(lambda e=epsilon: build(e, 4))
        for k in (1, 0, -2, 2.0, "3", None, True):
            assert "k=" in refused(lambda k=k: build(1.0, k))

    def test_values(self, build):
        one = build(1.0, 4)
        for values in ([], [4], [-1], [0.5], ["1"], [[0]], 0, None, [math.nan], [[0], [0, 1]]):
            refused(lambda v=values: one.privatize(v, RNG))
        for counts in ([1, 2, 3], [1, 2, 3, 4, 5], [-1, 2, 3, 4], [0, 0, 0, 0], [0.5] * 4, None, "1234"):
            refused(lambda c=counts: one.simulate(c, 2, RNG))

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
        for frequency in (-0.1, 1.1, "x", None):
            if frequency is not None:
                refused(lambda f=frequency: one.variance(f, 10))


@pytest.mark.parametrize("build", [SPL, SMP, RSFD])
def test_a_population_with_larger_domains(build):
    one = build(1.0, (2, 4))
    assert "sizes=(3, 5)" in refused(lambda: one.simulate(LARGER, 2, RNG))
    assert "sizes=(3, 5)" in refused(lambda: one.expected_mse(LARGER))


def test_reports_on_attribute_minus_one():
    assert "[-1]" in refused(lambda: SMP(1.0, (2, 4)).estimate([[0, 1], [-1, 0]]))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1])
def test_dependence_of_what_is_no_table(bad):
    table = [[1, bad], [2, 3]]
    for measure in (dependence.cramers_v, dependence.pcc, dependence.mutual_information):
        refused(lambda m=measure: m(table))
    refused(lambda: conditional(table))


@pytest.mark.parametrize("d", [0, -1, 2.0, True, "2"])
def test_synthetic_data_of_no_attributes(d):
    refused(lambda: syn_a(d, 0.5, (0.5, 0.5), "any"))
    refused(lambda: syn_b(d, 0.5, (0.5, 0.5), "any", "user", RNG))


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


ODD = [0, 1, 2, 3, -1, 0.5, 1e-9, 1e-300, 1e9, 800, 37.0, math.nan, math.inf, "1", "", None, True, (), [], {}, 1j]


def draw(rng, depth=0):
    """Something that a user may pass by mistake, or rightly."""
    kind = rng.integers(6 if depth < 2 else 2)
    if kind < 3:
        return ODD[rng.integers(len(ODD))]
    if kind == 3:
        return [draw(rng, depth + 1) for _ in range(rng.integers(4))]
    if kind == 4:
        return tuple(rng.integers(0, 4, size=rng.integers(1, 4)).tolist())
    return rng.integers(-1, 4, size=tuple(rng.integers(0, 4, size=rng.integers(1, 3)))).astype(
        rng.choice(["int64", "float64", "bool", "int32"])
    )


def calls(rng):
    """One use of the library with drawn arguments, half of which are right."""

    def maybe(right):
        return right if rng.random() < 0.6 else draw(rng)

    name, sizes = str(rng.choice(list_protocols())), (3,) if rng.random() < 0.2 else (2, 3)
    records = np.zeros((4, len(sizes)), dtype=int)

    def use_protocol():
        one = protocol(maybe(name), maybe(1.0), maybe(sizes), **({"amplify": draw(rng)} if rng.random() < 0.1 else {}))
        with_reports = one.privatize(maybe(records), rng)
        found = one.estimate(with_reports if rng.random() < 0.6 else draw(rng))
        shares = one.simulate(RecordTable.from_records(maybe(records), maybe(sizes)), maybe(2), rng)
        return found, shares[0]

    def use_mechanism():
        one = MECHANISMS[str(rng.choice(list(MECHANISMS)))](maybe(1.0), maybe(3))
        found = one.unbias(maybe([1, 2, 3]), maybe(6)), one.variance(maybe(0.3), maybe(7))
        reports = one.privatize(maybe([0, 1, 2]), rng)
        return (
            *found,
            one.estimate(reports if rng.random() < 0.6 else draw(rng)),
            one.simulate(maybe([1, 2, 3]), 2, rng),
        )

    def use_client():
        one = protocol(name, 1.0, (3,) if name == "JRR" else (2, 3))
        one = one.first_phase() if one.phases > 1 else one
        client = Client(one, maybe(1)) if name == "JRR" else Client(one)
        report = client.report(maybe([0] * one.d), maybe(rng))
        return Aggregator(one).add(maybe([report])).add([maybe(report)]).estimate().raw.frequencies

    def use_measures():
        table = maybe([[1, 2], [3, 4]])
        laws = conditional(table)
        epsilon_of_channel(maybe(laws))  # rightly infinite where a report excludes a value
        return leakage_bound(laws, maybe(1.0)), dependence.cramers_v(table)

    return [use_protocol, use_mechanism, use_client, use_measures][rng.integers(4)]


@pytest.mark.parametrize("part", range(10))
def test_drawn_arguments_give_results_or_errors_of_one_line(part):
    rng, right = np.random.default_rng([2, part]), 0
    for _ in range(EXAMPLES // 10):
        use = calls(rng)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                result = use()
        except ValueError as error:
            message = str(error)
        else:
            message, right = "right", right + 1
            for numbers in result if isinstance(result, tuple) else (result,):
                assert not np.isinf(np.asarray(numbers, dtype=float)).any(), (use, result)
        assert message
        assert "\n" not in message
    assert 0 < right < EXAMPLES // 10
    assert leakage_limit(np.eye(2)) == math.inf  # an infinite result that is right

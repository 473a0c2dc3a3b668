"""Every protocol with every oracle on small domains of unequal sizes: exact privacy, bias and variance, and laws."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support_laws import estimates_of, law_of_estimates, one_user, p_of_projections

from corrldp.privacy import attribute_epsilon, epsilon_of_channel
from corrldp.protocols.records import RecordTable
from corrldp.protocols.reports import ADAPTIVE, ORACLES
from corrldp.protocols.rs_fd import RSFD, amplified
from corrldp.protocols.rs_rfd import RSRFD
from corrldp.protocols.smp import SMP, SPL

pytestmark = pytest.mark.thorough

# A correct program fails a test of this file with probability at most 1e-4 (seeds are fixed): under 200 p-values.
FALSE_ALARM = 1e-4 / 200

SIZES = (2, 4)  # with the budgets below subset selection reports two of four values
PRIORS = ((0.3, 0.7), (0.1, 0.2, 0.3, 0.4))
RECORDS = np.array([[0, 3], [1, 1], [0, 1]])

PROTOCOLS = {
    **{("SPL", name): SPL(0.9, SIZES, name) for name in (*ORACLES, ADAPTIVE)},
    **{("SMP", name): SMP(0.45, SIZES, name) for name in (*ORACLES, ADAPTIVE)},
    **{("RS+FD", name): RSFD(0.45, SIZES, oracle=name) for name in (*RSFD.oracles, ADAPTIVE)},
    **{("RS+RFD", name): RSRFD(0.45, PRIORS, oracle=name) for name in (*RSRFD.oracles, ADAPTIVE)},
    **{("RS+FD amplified", name): RSFD(0.25, SIZES, True, name) for name in RSFD.oracles},
    **{("RS+RFD amplified", name): RSRFD(0.25, PRIORS, True, name) for name in RSRFD.oracles},
}


def those(chosen):
    names = [name for name in PROTOCOLS if chosen(name[0])]
    return pytest.mark.parametrize("protocol", [PROTOCOLS[name] for name in names], ids=map("-".join, names))


def table_of(records=RECORDS, sizes=SIZES):
    return RecordTable.from_records(records, sizes)


def one_hot(sizes):
    """Which value of each attribute each record has, (records, d, K), NaN beyond a domain."""
    records = np.stack(np.unravel_index(np.arange(np.prod(sizes)), sizes), axis=1)
    held = (records[:, :, None] == np.arange(max(sizes))).astype(float)
    held[:, np.arange(max(sizes)) >= np.array(sizes)[:, None]] = np.nan
    return held


def moments_of_users(protocol):
    """Mean and variance (records, d, K) of the estimate from one user with each record."""
    channel, flat = one_user(protocol)
    estimates = estimates_of(protocol, flat)
    mean = np.tensordot(channel, estimates, 1)
    return mean, np.tensordot(channel, estimates**2, 1) - mean**2


def error_from(variances, table):
    """Expected squared error (d, K) of the mean of independent, unbiased estimates of all users."""
    counts = np.zeros(len(variances))
    np.add.at(counts, np.ravel_multi_index(table.rows.T, table.sizes), table.counts)
    return np.tensordot(counts, variances, 1) / table.n**2


def test_subset_selection_differs_from_grr_here():
    assert {oracle.size for name, p in PROTOCOLS.items() if name[1][:2] == "SS" for oracle in p.mechanisms} == {1, 2}


@those(lambda name: name != "SMP")
def test_unbiased_with_the_closed_variance(protocol):
    mean, variance = moments_of_users(protocol)
    np.testing.assert_allclose(mean, one_hot(SIZES), atol=1e-9)
    np.testing.assert_allclose(error_from(variance, table_of()), protocol.expected_mse(table_of()), rtol=1e-9)


@pytest.mark.parametrize("name", [*ORACLES, ADAPTIVE])
def test_error_of_smp_with_its_chance_of_silence(name):
    """With 3 users an attribute is reported by nobody with probability 1/8, and then estimated as uniform."""
    protocol, truth = PROTOCOLS["SMP", name], table_of().frequencies()
    law = law_of_estimates(protocol, RECORDS)
    points, chances = np.array(list(law)), np.array(list(law.values()))
    inside = ~np.isnan(truth)
    expected = (7 / 8 * truth + 1 / 8 / np.array(SIZES)[:, None])[inside]
    np.testing.assert_allclose(chances @ points, expected, atol=1e-5)
    error = chances @ (points - truth[inside]) ** 2
    np.testing.assert_allclose(error, protocol.expected_mse(table_of())[inside], rtol=1e-4)


@those(lambda name: "amplified" not in name)
def test_both_levels_have_the_enumerated_law(protocol):
    law = law_of_estimates(protocol, RECORDS)
    rng = np.random.default_rng(1)
    assert p_of_projections(protocol.simulate(table_of(), 10_000, rng), law, rng) > FALSE_ALARM
    perturbed = [protocol.estimate(protocol.privatize(RECORDS, rng)) for _ in range(1000)]
    assert p_of_projections(perturbed, law, rng) > FALSE_ALARM


def test_the_enumeration_rejects_fakes_of_another_kind():
    law = law_of_estimates(RSFD(0.9, SIZES, oracle="OUE-z"), RECORDS)
    wrong, fault = RSFD(0.9, SIZES, oracle="OUE-r"), RSFD(0.9, SIZES, oracle="OUE-z")
    fault.__dict__["estimators"] = wrong.estimators
    rng = np.random.default_rng(3)
    assert p_of_projections(fault.simulate(table_of(), 10_000, rng), law, rng) < FALSE_ALARM
    with_own_reports = estimates_of(RSFD(0.9, SIZES, oracle="OUE-z"), one_user(wrong)[1])
    assert np.abs(np.tensordot(one_user(wrong)[0], with_own_reports, 1) - one_hot(SIZES))[..., :2].max() > 0.1


def channel_of(protocol):
    """Return the exact channel; an example with too many outputs to list, or to add up in no time, is none."""
    try:
        channel = protocol.channel()
    except ValueError as error:
        assume("outputs" not in str(error) and "too large" not in str(error))
        raise
    assume(channel.shape[1] < 50_000)
    return channel


names = st.sampled_from([("SPL", n) for n in ORACLES] + [("RS+FD", n) for n in RSFD.oracles] + [("SPL", ADAPTIVE)])
domains = st.lists(st.integers(2, 4), min_size=1, max_size=3).map(tuple).filter(lambda sizes: np.prod(sizes) < 20)


@given(names, st.floats(0.01, 10), domains, st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_budget_and_domains(name, epsilon, sizes, amplify):
    """Unbiased with the closed variance; no record and no attribute gets less privacy than the protocol spends."""
    protocol = SPL(epsilon, sizes, name[1]) if name[0] == "SPL" else RSFD(epsilon, sizes, amplify, name[1])
    channel = channel_of(protocol)
    spent = amplified(epsilon, len(sizes)) if name[0] != "SPL" and amplify else epsilon
    assert epsilon_of_channel(channel) == pytest.approx(spent, rel=1e-6)
    assert protocol.guarantee().record == pytest.approx(spent, rel=1e-9)
    found = [attribute_epsilon(channel, sizes, j) for j in range(len(sizes))]
    assert protocol.guarantee().attributes == pytest.approx(found, rel=1e-6)
    assert max(found) <= spent * (1 + 1e-9)
    mean, variance = moments_of_users(protocol)
    table = RecordTable.from_records(np.zeros((5, len(sizes)), dtype=int), sizes)
    expected = protocol.expected_mse(table)
    scale = np.sqrt(np.nanmax(expected))
    np.testing.assert_allclose(mean, one_hot(sizes), atol=1e-9 * (1 + scale))
    np.testing.assert_allclose(error_from(variance, table), expected, rtol=1e-6, atol=1e-9)


@given(st.sampled_from(RSRFD.oracles), st.floats(0.01, 3), domains, st.booleans(), st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_epsilon_of_an_attribute_with_any_priors(oracle, epsilon, sizes, amplify, seed):
    """Closed form against enumeration; priors are often close to 0 and, of the first attribute's first value, 0."""
    priors = [np.random.default_rng([seed, j]).dirichlet(np.full(k, 0.5)) for j, k in enumerate(sizes)]
    priors[0] = np.concatenate([[0], priors[0][1:] / priors[0][1:].sum()])
    protocol = RSRFD(epsilon, tuple(tuple(prior.tolist()) for prior in priors), amplify, oracle)
    channel = channel_of(protocol)
    for attribute in range(len(sizes)):
        exact = attribute_epsilon(channel, sizes, attribute)
        assert protocol.attribute_epsilon(attribute) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("oracle", ["SUE-z", "OUE-z", "OLH-z"])
@given(st.floats(0.01, 0.3), st.tuples(st.integers(2, 3), st.integers(2, 3)))
@settings(max_examples=10, deadline=None)
def test_empty_fakes_amplify_in_any_domains(oracle, epsilon, sizes):
    channel = RSFD(epsilon, sizes, True, oracle).channel()
    for attribute in range(2):
        assert attribute_epsilon(channel, sizes, attribute) == pytest.approx(epsilon, rel=1e-6)


@given(st.floats(0.01, 5), st.integers(2, 6), st.integers(2, 6), st.integers(2, 3))
@settings(max_examples=30)
def test_plain_fakes_amplify_only_in_domains_of_equal_size(epsilon, k, other, d):
    """The least ratio of real to fake is k q for a domain of size k: it grows with k, and a larger domain loses."""
    protocol = RSFD(epsilon, (k,) + (other,) * (d - 1), amplify=True)
    least = [oracle.k * oracle.q_support for oracle in protocol.mechanisms]
    expected = np.log1p(np.expm1(epsilon) * d * least[0] / sum(least))
    assert protocol.attribute_epsilon(0) == pytest.approx(expected)
    assert (expected > epsilon * (1 + 1e-9)) == (k > other)


def test_perturbed_fakes_do_not_amplify_over_three_values():
    """RS+FD[OUE-r] at the amplified budget: an attribute gets 0.781 instead of 0.7, see the least ratios of reports."""
    fakes = RSFD(0.7, (3, 3), True, "OUE-r")
    assert attribute_epsilon(fakes.channel(), (3, 3), 0) == pytest.approx(0.7811, abs=5e-5)
    odds = np.exp(amplified(0.7, 2))  # of a report with a user's bit to one without
    one_bit, two_bits = 3 / (odds + 2), 3 / (2 * odds + 1)  # least ratio of a real to a fake report with that many ones
    expected = np.log((odds * one_bit + two_bits) / (one_bit + two_bits))
    assert fakes.attribute_epsilon(0) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: SMP(1.0, SIZES, "OUE-z"), "oracle='OUE-z' must be one of GRR, SUE"),
        (lambda: RSFD(1.0, SIZES, oracle="OUE"), "oracle='OUE' must be one of GRR, SUE-z, OUE-z"),
        (lambda: RSRFD(1.0, PRIORS, oracle="OUE-z"), "oracle='OUE-z' must be one of GRR, SUE-r, OUE-r"),
        (lambda: SPL(60.0, SIZES, "OLH"), "use GRR for a larger epsilon"),
        (lambda: SPL(2.0, (4,) * 5, "OUE").channel(), "1024 records and 1048576 reports is too large"),
        (lambda: SPL(2.0, SIZES, "OUE").estimate([np.ones((3, 2))]), r"1 lists of \[3\] reports must be 2"),
    ],
)
def test_mistakes(build, message):
    with pytest.raises(ValueError, match=message):
        build()

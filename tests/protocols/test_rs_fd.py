import numpy as np
import pytest

from corrldp.protocols.postprocess import METHODS, Method
from corrldp.protocols.records import RecordTable
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD
from corrldp.protocols.smp import SMP, SPL

SIZES = (2, 4, 3)
PRIORS = ((0.5, 0.5), (0.1, 0.2, 0.3, 0.4), (0.2, 0.3, 0.5))


@pytest.fixture
def table():
    rows = np.stack(np.unravel_index(np.arange(24), SIZES), axis=1)
    return RecordTable(rows, np.arange(1, 25) * 200, SIZES)


@pytest.mark.parametrize(
    "protocol", [SPL(2.0, SIZES), SMP(1.0, SIZES), RSFD(1.0, SIZES), RSRFD(1.0, PRIORS), TwoPhaseRSRFD(2.0, SIZES, 0.3)]
)
def test_attributes_of_different_sizes(table, protocol):
    """Estimates are NaN exactly outside the domains, and within 5.5 deviations of the truth elsewhere."""
    rng = np.random.default_rng(1)
    records = np.repeat(table.rows, table.counts, axis=0)
    outside = np.isnan(table.frequencies())
    bound = 5.5 * np.sqrt(SPL(1.0, SIZES).expected_mse(table))
    for estimates in (protocol.estimate(protocol.privatize(records, rng)), *protocol.simulate(table, 5, rng)):
        assert (np.isnan(estimates) == outside).all()
        assert (np.abs(estimates - table.frequencies()) < bound)[~outside].all()


def test_uniform_priors_are_rs_fd(table):
    uniform = tuple((1 / k,) * k for k in SIZES)
    np.testing.assert_array_equal(RSFD(1.0, SIZES).channel(), RSRFD(1.0, uniform).channel())
    np.testing.assert_array_equal(RSFD(1.0, SIZES).expected_mse(table), RSRFD(1.0, uniform).expected_mse(table))


def test_variance_of_the_inventors_counts_the_sampling_of_records_too(table):
    """Their formula is d^2 g (1 - g) / (n (p - q)^2) with g the mean probability of a report of the value."""
    protocol, f = RSFD(1.0, SIZES), table.frequencies()
    for j, grr in enumerate(protocol.mechanisms):
        f_j = f[j, : grr.k]
        reported = (grr.q_support + grr.gap * f_j + 2 / grr.k) / 3
        theirs = 9 * reported * (1 - reported) / (table.n * grr.gap**2)
        ours = protocol.expected_mse(table)[j, : grr.k]
        np.testing.assert_allclose(theirs - ours, f_j * (1 - f_j) / table.n, rtol=1e-9)


def test_error_of_two_phase_rs_rfd_with_the_true_priors(table):
    """Users have equal weights: n1 in the first phase by SPL, n2 in the second by RS+RFD, whatever the split."""
    protocol, f = TwoPhaseRSRFD(1.0, SIZES, 0.25), np.nan_to_num(table.frequencies())
    priors = tuple(tuple(law[:k]) for law, k in zip(f.tolist(), SIZES, strict=True))
    expected = SPL(1.0, SIZES).expected_mse(table) * 0.25 + RSRFD(1.0, priors).expected_mse(table) * 0.75
    np.testing.assert_allclose(protocol.expected_mse(table, f), expected, rtol=1e-12)


def test_phases_alone(table):
    """The phases, weighted, make the estimate; each has the variance of its own users, within 5 deviations."""
    protocol, f = TwoPhaseRSRFD(1.0, SIZES, 0.25), table.frequencies()
    first, second = protocol.simulate_phases(table, 4000, np.random.default_rng(2))
    both = protocol.simulate(table, 4000, np.random.default_rng(2))
    np.testing.assert_allclose(both, (first + 3 * second) / 4)
    errors = ((first - f) ** 2).mean(axis=0)
    split_costs = f * (1 - f) / (0.25 * table.n) * 0.75 * table.n / (table.n - 1)
    expected = 4 * SPL(1.0, SIZES).expected_mse(table) + split_costs
    inside = ~np.isnan(f)
    np.testing.assert_allclose(errors[inside], expected[inside], rtol=5 * np.sqrt(2 / 4000))


@pytest.mark.parametrize("prior", [(0.5, 0.6), (-0.1, 1.1)])
def test_bad_priors(prior):
    with pytest.raises(ValueError, match="sum to 1"):
        RSRFD(1.0, (prior, (0.5, 0.5)))


@pytest.mark.parametrize("fraction", [0.0, 1.0, -0.1])
def test_bad_fraction(fraction):
    with pytest.raises(ValueError, match="phase1_fraction"):
        TwoPhaseRSRFD(1.0, (2, 2), fraction)


def test_a_phase_without_users():
    with pytest.raises(ValueError, match="leaves a phase empty"):
        TwoPhaseRSRFD(1.0, (2, 2), 0.1).privatize(np.zeros((3, 2), dtype=int), np.random.default_rng())


def test_priors_must_become_probabilities(monkeypatch):
    with pytest.raises(ValueError, match="repair='none' must be one of clip_normalise, floor_normalise"):
        TwoPhaseRSRFD(1.0, (2, 2), 0.5, repair="none")
    weighted = Method("weighted", "simplex by variances", METHODS["simplex"].apply, normalises=True, needs_errors=True)
    monkeypatch.setitem(METHODS, "weighted", weighted)
    with pytest.raises(ValueError, match="repair='weighted' must be one of clip_normalise"):
        TwoPhaseRSRFD(1.0, (2, 2), 0.5, repair="weighted")

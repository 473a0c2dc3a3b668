"""The joint distribution of all attributes' estimates: the user level against the count level.

On tiny populations both are compared with the law that enumerating every split, report and pivot of two phases gives
(test_oracles_of_records.py has one phase); on larger ones with each other, by Kolmogorov-Smirnov tests of projections
on random directions of all d k estimates.
"""

from collections import Counter, defaultdict
from itertools import combinations, product

import numpy as np
import pytest
from closed_errors import error_with_channels
from support_laws import (
    WIDEST,
    assert_one_joint_law,
    correlated_records,
    key,
    largest_covariance_difference,
    p_of_law,
)

from corrldp.protocols.corr_rr import pivot
from corrldp.protocols.corr_rr.alignment import Aligned
from corrldp.protocols.corr_rr.protocol import CondRR, CorrRR
from corrldp.protocols.corr_rr.rules import Fixed, exact, pets_appendix, pets_body
from corrldp.protocols.records import RecordTable
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD, TwoPhaseRSRFD
from corrldp.protocols.smp import SMP, SPL
from corrldp.protocols.two_phase import TwoPhaseReports, first_users, weigh

pytestmark = pytest.mark.thorough

# A correct program fails a test of this file with probability at most 1e-4 (seeds are fixed): under 100 p-values.
FALSE_ALARM = 1e-4 / 100

TINY = np.array([[0, 0], [1, 1], [0, 1]])
TINY_TABLE = RecordTable.from_records(TINY, (2, 2))
TWO_PHASE = {
    "rs_rfd": TwoPhaseRSRFD(1.0, (2, 2), 0.34),
    "fixed": CorrRR(1.0, (2, 2), 0.34, Fixed(0.8)),
    "body": CorrRR(1.5, (2, 2), 0.34, pets_body),
    "appendix": CorrRR(1.5, (2, 2), 0.67, pets_appendix),
    "exact": CorrRR(1.0, (2, 2), 0.34, exact),
    "cond_rr": CondRR(1.0, (2, 2), 0.67),
}


def all_reports(channel, values):
    """Every combination of the users' outputs, with its probability."""
    for outputs in product(range(channel.shape[1]), repeat=len(values)):
        yield outputs, np.prod([channel[value, output] for value, output in zip(values, outputs, strict=True)])


def second_channel(protocol, first):
    """Pr[report | record] of the second phase when the first one reported `first`."""
    if isinstance(protocol, TwoPhaseRSRFD):
        return protocol.learn(protocol.spl.tally(first), 3 - len(first)).channel()
    if isinstance(protocol, CondRR):
        return pivot.record_channel(protocol.mechanism, conditional_laws(protocol, first))
    copy = protocol.rule(protocol.spl.estimate(first), 3 - len(first), protocol.mechanism)
    return pivot.record_channel(protocol.mechanism, pivot.copy_channels(copy, 2))


def conditional_laws(protocol, first):
    """Cond-RR's channels for two binary attributes, written out."""
    inverse = np.linalg.inv(protocol.spl.mechanisms[0].channel())
    seen = np.zeros((2, 2))
    np.add.at(seen, tuple(first.T), 1 / len(first))
    joint = np.clip(np.einsum("ab,ax,by->xy", seen, inverse, inverse), 0, 1)
    joint /= joint.sum()
    channels = np.empty((2, 2, 2, 2))
    channels[0, 0] = channels[1, 1] = np.eye(2)
    for u in range(2):
        channels[0, 1, u] = joint[u] / joint[u].sum() if joint[u].sum() else joint.sum(axis=0)
        channels[1, 0, u] = joint[:, u] / joint[:, u].sum() if joint[:, u].sum() else joint.sum(axis=1)
    return channels


def two_phase_law(protocol, records):
    law = defaultdict(float)
    values, n = np.ravel_multi_index(records.T, (2, 2)), len(records)
    n1 = first_users(n, protocol.phase1_fraction)
    subsets = list(combinations(range(n), n1))
    for chosen in subsets:
        rest = [user for user in range(n) if user not in chosen]
        for first, first_chance in all_reports(protocol.spl.channel(), values[list(chosen)]):
            first = np.column_stack(np.unravel_index(first, (2, 2)))
            for second, chance in all_reports(second_channel(protocol, first), values[rest]):
                reports = TwoPhaseReports(first, np.column_stack(np.unravel_index(second, (2, 2))))
                law[key(protocol.estimate(reports))] += first_chance * chance / len(subsets)
    return law


def fit(samples, law):
    """p-value of the chi-square test of estimates (runs, d, k)."""
    return p_of_law(Counter(map(key, samples)), law)


def moments(law):
    points = np.array(list(law)).reshape(-1, 2, 2)
    chances = np.array(list(law.values()))
    return np.tensordot(chances, points, 1), np.tensordot(chances, (points - TINY_TABLE.frequencies()) ** 2, 1)


@pytest.fixture(scope="module")
def laws():
    return {name: two_phase_law(protocol, TINY) for name, protocol in TWO_PHASE.items()}


@pytest.mark.parametrize("name", TWO_PHASE)
def test_both_levels_have_the_enumerated_law(laws, name):
    protocol, rng = TWO_PHASE[name], np.random.default_rng(2)
    perturbed = [protocol.estimate(protocol.privatize(TINY, rng)) for _ in range(800)]
    for samples in (protocol.simulate(TINY_TABLE, 40_000, rng), perturbed):
        assert fit(samples, laws[name]) > FALSE_ALARM


def test_two_phase_rs_rfd_is_unbiased_however_the_priors_come_out(laws):
    np.testing.assert_allclose(moments(laws["rs_rfd"])[0], TINY_TABLE.frequencies(), atol=1e-5)


def test_exact_error_of_corr_rr_for_given_copies(laws):
    protocol = TWO_PHASE["fixed"]
    channels = pivot.copy_channels(np.array([[1, 0.8], [0.8, 1]]), 2)
    expected = error_with_channels(protocol, TINY_TABLE, channels)
    np.testing.assert_allclose(moments(laws["fixed"])[1], expected, rtol=1e-4)


def test_bias_of_corr_rr(laws):
    """Mean of mu of Theorem 5, for three users with f_1(0) = 2/3 and f_2(0) = 1/3, weighted with phase I."""
    mu = (np.array([2 / 3, 1 / 3]) + 0.2 + 0.6 * np.array([1 / 3, 2 / 3])) / 2
    expected = (1 * np.array([2 / 3, 1 / 3]) + 2 * mu) / 3
    np.testing.assert_allclose(moments(laws["fixed"])[0][:, 0], expected, atol=1e-5)


@pytest.mark.parametrize("fault", [CorrRR(1.0, (2, 2), 0.34, Fixed(0.7)), CorrRR(1.1, (2, 2), 0.34, Fixed(0.8))])
def test_the_enumeration_rejects_a_wrong_parameter(laws, fault):
    """A wrong epsilon yields impossible estimates; a wrong p_y must show in their frequencies."""
    samples = fault.simulate(TINY_TABLE, 40_000, np.random.default_rng(3))
    assert fit(samples, laws["fixed"]) < FALSE_ALARM


class SplitWithReplacement(CorrRR):
    """Planted fault: the phases draw their users independently."""

    def simulate(self, table, runs, rng):
        n1 = first_users(table.n, self.phase1_fraction)
        first, second = (
            RecordTable(table.rows, rng.multinomial(size, table.counts / table.n, size=runs), table.sizes)
            for size in (n1, table.n - n1)
        )
        estimates, learned = self.simulate_first(first, runs, rng)
        return weigh(estimates, n1, self.simulate_second(second, learned, rng), table.n - n1)


def test_the_enumeration_rejects_a_split_with_replacement(laws):
    wrong, rng = SplitWithReplacement(1.0, (2, 2), 0.34, Fixed(0.8)), np.random.default_rng(4)
    samples = wrong.simulate(TINY_TABLE, 40_000, rng)
    assert fit(samples, laws["fixed"]) < FALSE_ALARM


def larger(d, k):
    sizes = (k,) * d
    prior = tuple((np.arange(k, 0, -1) / (k * (k + 1) / 2)).tolist())
    return {
        "spl": SPL(2.0, sizes),
        "smp": SMP(1.0, sizes),
        "rs_fd": RSFD(1.0, sizes, amplify=True),
        "rs_rfd": RSRFD(1.0, (prior,) * d),
        "two_phase_rs_rfd": TwoPhaseRSRFD(2.0, sizes, 0.3),
        "body": CorrRR(2.0, sizes, 0.3, pets_body),
        "exact": CorrRR(2.0, sizes, 0.3, exact),
        "cond_rr": CondRR(3.0, sizes, 0.5),
        "aligned": Aligned(CorrRR(3.0, (2,) * d, 0.3, exact), (tuple(value % 2 for value in range(k)),) * d),
    }


@pytest.mark.parametrize("name", sorted({*larger(2, 2)} - {"spl", "smp", "rs_fd", "rs_rfd"}))  # those have oracles
def test_count_level_and_user_level_have_one_joint_law(name):
    rng, protocol = np.random.default_rng([5, 4, 4]), larger(4, 4)[name]
    records = correlated_records(150, len(protocol.sizes), protocol.sizes[0], rng)
    assert_one_joint_law(protocol, records, FALSE_ALARM, rng)


def test_the_comparison_rejects_independent_attributes():
    """Planted fault: the estimates of each attribute are right, but come from separate runs."""
    rng = np.random.default_rng(6)
    protocol, records = CorrRR(1.0, (3, 3), 0.2, Fixed(0.9)), correlated_records(150, 2, 3, rng)
    by_users = np.array([protocol.estimate(protocol.privatize(records, rng)) for _ in range(400)])
    by_counts = protocol.simulate(RecordTable.from_records(records, (3, 3)), 4000, rng)
    assert largest_covariance_difference(by_users, by_counts) < WIDEST
    by_counts[:, 1] = np.roll(by_counts[:, 1], 1, axis=0)
    assert largest_covariance_difference(by_users, by_counts) > WIDEST


@pytest.mark.parametrize("name", larger(2, 2))
def test_each_run_can_have_a_data_set_of_its_own(name):
    """Unbiased estimates lie within 6 deviations (of SPL at epsilon 1) of each run's own frequencies."""
    protocol, sizes = larger(3, 2)[name], (2, 2, 2)
    rows = np.stack(np.unravel_index(np.arange(8), sizes), axis=1)
    counts = np.array([6000, 1000, 2000, 1000, 500, 500, 3000, 2000])
    table = RecordTable(rows, np.stack([counts, counts[::-1]]), sizes)
    estimates = protocol.simulate(table, 2, np.random.default_rng(9))
    assert estimates.shape == (2, 3, 2)
    if name in ("spl", "smp", "rs_fd", "rs_rfd", "two_phase_rs_rfd"):
        error = np.sqrt(SPL(1.0, sizes).expected_mse(table))
        assert (np.abs(estimates - table.frequencies()) < 6 * error).all()
    with pytest.raises(ValueError, match="runs=3 differ from the 2 data sets"):
        protocol.simulate(table, 3, np.random.default_rng(9))

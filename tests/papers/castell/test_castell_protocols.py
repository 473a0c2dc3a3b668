"""RR-Independent, RR-Ind-Joint and RR-Joint: privacy, distributions at both levels, exact errors."""

import itertools

import numpy as np
import pytest
from castell.runners.schemes import RRJoint
from scipy.stats import chi2

from corrldp.privacy import attribute_epsilon, epsilon_of_channel
from corrldp.protocols.castell.schemes import IndependentRR, rr_ind_joint, rr_independent, squared_error
from corrldp.protocols.castell.tables import marginals, product, tabulate

RECORDS = np.array([[0, 0, 1]] * 50 + [[1, 2, 0]] * 30 + [[0, 1, 1]] * 20)
SIZES = (2, 3, 2)


def same_law(first, second):
    """P-value of the chi-square test that two samples (runs, cells) of counts have the same mean."""
    difference = first.mean(axis=0) - second.mean(axis=0)
    covariance = np.cov(first.T) / len(first) + np.cov(second.T) / len(second)
    return chi2.sf(difference @ np.linalg.pinv(covariance) @ difference, np.linalg.matrix_rank(covariance))


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_independent_rr_spends_epsilon_per_attribute_and_their_sum_on_a_record(epsilon):
    protocol = IndependentRR(epsilon, SIZES)
    channel = protocol.channel()
    assert epsilon_of_channel(channel) == pytest.approx(3 * epsilon) == pytest.approx(protocol.epsilon)
    for attribute in range(3):
        assert attribute_epsilon(channel, SIZES, attribute) == pytest.approx(epsilon)


def test_rr_joint_spends_its_epsilon():
    assert epsilon_of_channel(RRJoint(1.3, SIZES).channel()) == pytest.approx(1.3)


def test_rr_ind_joint_is_unbiased_and_its_squared_error_is_the_closed_form():
    """By listing the reports of every user: the estimate of n users is the mean of theirs."""
    protocol = IndependentRR(0.9, (2, 3))
    channel, cells = protocol.channel(), list(itertools.product(range(2), range(3)))
    law = np.array([[0.1, 0.2, 0.0], [0.3, 0.1, 0.3]])
    single = np.array([rr_ind_joint(tabulate([cell], (2, 3)).astype(float), protocol.mechanisms) for cell in cells])
    reported = law.ravel() @ channel
    assert np.tensordot(reported, single, axes=1) == pytest.approx(law)
    per_value = channel @ (single.reshape(6, 6) ** 2) - (channel @ single.reshape(6, 6)) ** 2
    assert per_value.sum(axis=1) == pytest.approx(np.full(6, squared_error(protocol.mechanisms, 1)))
    assert squared_error(protocol.mechanisms, 40) == pytest.approx(squared_error(protocol.mechanisms, 1) / 40)


def test_count_level_and_user_level_have_one_law():
    """Seeds are fixed; a p-value is below 1e-4 by chance once in ten thousand."""
    rng = np.random.default_rng(11)
    table = tabulate(RECORDS, SIZES)
    for protocol in (IndependentRR(1.0, SIZES), RRJoint(2.0, SIZES)):
        counted = protocol.simulate(table, 2000, rng).reshape(2000, -1)
        users = np.array([tabulate(protocol.privatize(RECORDS, rng), SIZES).ravel() for _ in range(2000)])
        assert (counted.sum(axis=1) == 100).all()
        assert same_law(counted, users) > 1e-4
        assert same_law(counted**2, users**2) > 1e-4


def test_a_wrong_channel_would_be_noticed():
    rng = np.random.default_rng(12)
    table = tabulate(RECORDS, SIZES)
    first = IndependentRR(1.0, SIZES).simulate(table, 2000, rng).reshape(2000, -1)
    second = IndependentRR(1.1, SIZES).simulate(table, 2000, rng).reshape(2000, -1)
    assert same_law(first, second) < 1e-4


def test_estimates_from_reports_with_a_huge_budget_are_the_truth():
    rng = np.random.default_rng(5)
    truth = tabulate(RECORDS, SIZES) / 100
    marginals = [truth.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1))]
    independent = IndependentRR(40.0, SIZES)
    reports = independent.privatize(RECORDS, rng)
    np.testing.assert_allclose(independent.estimate_joint(reports), truth, atol=1e-9)
    np.testing.assert_allclose(independent.estimate_product(reports), product(marginals), atol=1e-9)
    joint = RRJoint(40.0, SIZES)
    np.testing.assert_allclose(joint.estimate(joint.privatize(RECORDS, rng)), truth, atol=1e-9)


def test_rr_independent_is_exact_for_independent_attributes():
    law = product([np.array([0.2, 0.8]), np.array([0.5, 0.3, 0.2])])
    protocol = IndependentRR(0.5, (2, 3))
    observed = (law.ravel() @ protocol.channel()).reshape(2, 3)
    np.testing.assert_allclose(rr_independent(observed, protocol.mechanisms), law)


def test_marginals_of_every_axis():
    table = np.random.default_rng(6).random((2, 3, 4))
    for axis, found in enumerate(marginals(table)):
        np.testing.assert_allclose(found, table.sum(axis=tuple({0, 1, 2} - {axis})))

from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from jrr.runners.unary import JRRLocalHashing
from listed_pairings import moments, p_by_counts, p_by_users, support_law
from support_laws import largest_deviations

from corrldp.mechanisms.hashing import LocalHashing
from corrldp.protocols.jrr.mechanism import JointRandomizedResponse

pytestmark = pytest.mark.thorough

FALSE_ALARM = 1e-4 / 8  # per chi-square test: 1e-4 for the whole file; seeds are fixed
PROTOCOLS = [JRRLocalHashing(0.7, -0.4, 3, 2), JRRLocalHashing(0.6, 0.8, 2, 3), JRRLocalHashing(0.5, -1.5, 2, 3)]


def group_law(protocol):
    """Distribution of the support of a pair or of a user alone, by listing all hash functions and reports."""
    functions = list(product(range(protocol.g), repeat=protocol.k))

    def law(*values):
        total = defaultdict(float)
        for chosen in product(functions, repeat=len(values)):
            hashed = tuple(function[value] for function, value in zip(chosen, values, strict=True))
            joint = protocol.inner.pair_channel() if len(values) == 2 else protocol.inner.channel()
            for reports in np.ndindex(joint[hashed].shape):
                support = np.equal(chosen, np.reshape(reports, (-1, 1))).sum(axis=0)
                total[tuple(support.tolist())] += joint[hashed][reports] / len(functions) ** len(values)
        return dict(total)

    return law


@pytest.mark.parametrize("counts", [(2, 1, 1), (3, 0, 0), (1, 1, 2), (4, 0, 0)])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_unbiased_with_the_closed_variance(protocol, counts):
    counts = np.array(counts[: protocol.k])
    n = counts.sum()
    mean, covariance = moments(support_law(np.repeat(range(protocol.k), counts).tolist(), group_law(protocol)))
    np.testing.assert_allclose(protocol.estimate_counts(mean, n), counts, atol=1e-10)
    np.testing.assert_allclose(np.diag(covariance) / protocol.gap**2, protocol.variance_of_counts(counts, n))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_count_level_law(protocol):
    assert p_by_counts(protocol, [2, 1, 2][: protocol.k], group_law(protocol)) > FALSE_ALARM


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_user_level_law(protocol):
    assert p_by_users(protocol, [0, 0, 1, 2][: protocol.k + 1], group_law(protocol)) > FALSE_ALARM


def test_the_test_rejects_a_wrong_law():
    right, wrong = JRRLocalHashing(0.7, -0.4, 3, 2), JRRLocalHashing(0.7, 0.0, 3, 2)
    assert p_by_counts(wrong, [3, 1, 0], group_law(right)) < FALSE_ALARM


def test_empirical_variance_of_a_large_population():
    """The joint support of all values at n = 10,000; the variance falls for a frequent value, not for an absent one."""
    protocol, counts = JRRLocalHashing(0.6, -1.9, 4, 4), [9000, 0, 900, 100]
    assert max(largest_deviations(protocol, counts, seed=4)) < 4.6
    variance = protocol.variance_of_counts(counts, 10_000)
    plain = JRRLocalHashing(0.6, 0.0, 4, 4).variance_of_counts(counts, 10_000)
    assert variance[0] < 0.6 * plain[0]
    assert variance[1] == plain[1]


def test_without_correlation_it_is_local_hashing():
    plain = LocalHashing.optimal(1.0, 7)
    joint = JRRLocalHashing(plain.p_support, 0.0, 7, plain.g)
    np.testing.assert_allclose(joint.variance_of_counts([3, 0], 10), plain.variance_of_counts([3, 0], 10))
    assert joint.inner == JointRandomizedResponse(plain.p_support, 0.0, plain.g)


def test_bad_parameters():
    with pytest.raises(ValueError, match="rho=-5"):
        JRRLocalHashing(0.7, -5.0, 3, 2)
    with pytest.raises(ValueError, match="g=1"):
        JRRLocalHashing(0.7, 0.0, 3, 1)
    with pytest.raises(ValueError, match="k=1"):
        JRRLocalHashing(0.7, 0.0, 1, 2)

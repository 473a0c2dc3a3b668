"""The exact distribution of the collector's count, against enumeration, moments and simulation."""

import numpy as np
import pytest
from jrr.runners.exact import enumerate_law_of_ones, enumerate_truth_log_odds, law_of_ones, matchings

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse, lowest_correlation


@pytest.mark.parametrize("n1", range(9))
@pytest.mark.parametrize(("p", "rho"), [(0.6, -2 / 3), (0.75, -0.2), (0.9, 0.5), (0.55, 0.0)])
def test_small_populations_equal_the_enumeration(p, rho, n1):
    protocol = JointRandomizedResponse(p, rho)
    ones, law = law_of_ones(protocol, n1, 8)
    np.testing.assert_allclose(law, enumerate_law_of_ones([1] * n1 + [0] * (8 - n1), protocol)[ones], atol=1e-12)


THOUSANDS = [(10_000, 762), (20_000, 659), (23_486, 19_314), (2000, 1000), (2001, 2001)]


@pytest.mark.parametrize(("n", "n1"), [*THOUSANDS, *((2_000_000, n1) for n1 in (0, 2_000, 200_000))])
def test_moments_of_large_populations(n, n1):
    """Of millions the law is truncated most, and nearly normal: the mean of |X| is sqrt(2/pi) sd."""
    protocol = JointRandomizedResponse(0.5249, -0.4) if n < 10**6 else JointRandomizedResponse(0.5024, -0.9)
    precision = 1 if n < 10**6 else 100
    ones, law = law_of_ones(protocol, n1, n)
    errors = protocol.estimate_counts(np.column_stack([n - ones, ones]), n)[:, 1] - n1
    assert law.sum() == pytest.approx(1, abs=1e-11 * precision)
    assert law @ errors == pytest.approx(0, abs=1e-6 * n)
    assert law @ errors**2 == pytest.approx(float(protocol.variance_of_counts(n1, n)), rel=1e-8 * precision)
    if n > 10**6:
        assert law @ np.abs(errors) == pytest.approx(np.sqrt(2 / np.pi * (law @ errors**2)), rel=1e-4)


@pytest.mark.parametrize("n1", range(8))
def test_of_an_odd_number_of_users_one_is_alone(n1):
    protocol = JointRandomizedResponse(0.6, -0.5)
    ones, law = law_of_ones(protocol, n1, 7)
    alone_one, alone_zero = np.array([0.4, 0.6]), np.array([0.6, 0.4])
    expected = np.zeros(8)
    if n1 > 0:
        others = enumerate_law_of_ones([1] * (n1 - 1) + [0] * (7 - n1), protocol)
        expected += n1 / 7 * np.convolve(alone_one, others)
    if n1 < 7:
        others = enumerate_law_of_ones([1] * n1 + [0] * (6 - n1), protocol)
        expected += (7 - n1) / 7 * np.convolve(alone_zero, others)
    np.testing.assert_allclose(law, expected[ones], atol=1e-12)


@pytest.mark.parametrize("wrong", [3, 12])
def test_odd_or_too_many_users_are_refused(wrong):
    with pytest.raises(ValueError, match="users cannot be listed in pairs; take an even number up to 10"):
        list(matchings(range(wrong)))


def test_liars_at_the_lowest_correlation():
    """No pair lies together: two liars of four reveal that the others are truthful; three liars are impossible."""
    law = JointRandomizedResponse(0.6, lowest_correlation(0.6))
    assert enumerate_truth_log_odds(law, [0, 0], 4) == np.inf
    assert np.isnan(enumerate_truth_log_odds(law, [0, 0, 0], 4))
    assert enumerate_truth_log_odds(law, [], 4) == pytest.approx(np.log(1.5))

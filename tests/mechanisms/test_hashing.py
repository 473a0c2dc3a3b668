import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from corrldp.mechanisms.hashing import LocalHashing, draw_keys, hash_values

FALSE_ALARM = 1e-4  # per test, with a fixed seed


def test_published_variance():
    """Wang et al., USENIX Security 2017, Eq. 12: OLH with g = e^eps + 1 has 4 e^eps / (n (e^eps - 1)^2)."""
    epsilon = np.log(3)
    assert LocalHashing.optimal(epsilon, 9).variance(0.0, 500) == pytest.approx(4 * 3 / 4 / 500)


def test_the_last_bit_of_a_budget_does_not_choose_the_number_of_hash_values():
    """e^epsilon is 2.5, and halves are rounded to even."""
    budget = np.log(2.5)
    assert {LocalHashing.optimal(e, 9).g for e in (np.nextafter(budget, 0), budget, np.nextafter(budget, 1))} == {3}


@pytest.mark.parametrize("g", [2, 3, 7])
def test_hash_is_uniform_and_independent_between_values(g):
    """Chi-square of the joint hash of three values, near and distant, over 200,000 keys."""
    keys = draw_keys(200_000, np.random.default_rng(5))
    hashed = np.array([hash_values(keys, np.full(keys.size, value), g) for value in (0, 1, 1000)]).astype(int)
    seen = np.bincount(np.ravel_multi_index(hashed, (g, g, g)), minlength=g**3)
    assert chisquare(seen).pvalue > FALSE_ALARM / 3


def test_consecutive_keys_hash_independently():
    keys = np.arange(100_000, dtype=np.uint64)
    hashed = hash_values(keys, np.zeros(keys.size, dtype=int), 5).astype(int)
    table = np.bincount(5 * hashed[:-1] + hashed[1:], minlength=25).reshape(5, 5)
    assert chi2_contingency(table).pvalue > FALSE_ALARM


def test_user_level_estimates_many_values_in_chunks():
    mechanism, rng = LocalHashing.optimal(2.0, 300), np.random.default_rng(7)
    values = np.minimum(rng.geometric(0.1, size=20_000), 300) - 1
    truth = np.bincount(values, minlength=300) / values.size
    errors = (mechanism.estimate(mechanism.privatize(values, rng)) - truth) / np.sqrt(mechanism.variance(truth, 20_000))
    assert np.abs(errors).max() < 5.3
    assert np.mean(errors**2) == pytest.approx(1, abs=4 * np.sqrt(2 / 300))

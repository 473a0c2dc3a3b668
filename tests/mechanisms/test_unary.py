import numpy as np
import pytest

from corrldp.mechanisms.unary import UnaryEncoding


def test_published_probabilities():
    """Wang et al., USENIX Security 2017: OUE p = 1/2, q = 1/(e^eps + 1); variance 4 e^eps / (e^eps - 1)^2 / n."""
    mechanism = UnaryEncoding.optimized(1.0, 8)
    assert (mechanism.p_support, mechanism.q_support) == (0.5, pytest.approx(1 / (np.e + 1)))
    assert mechanism.variance(0.0, 1000) == pytest.approx(4 * np.e / (np.e - 1) ** 2 / 1000)
    symmetric = UnaryEncoding.symmetric(1.0, 8)
    assert symmetric.p_support + symmetric.q_support == pytest.approx(1)
    assert symmetric.variance(0.3, 1000) == pytest.approx(np.exp(0.5) / (np.exp(0.5) - 1) ** 2 / 1000)


def test_simulated_support_has_the_users_mean_and_variance():
    """z-tests of three means and three variances; a support with p and q exchanged fails clearly."""
    mechanism, rng, counts, runs = UnaryEncoding.optimized(1.0, 3), np.random.default_rng(3), [70, 20, 10], 40_000
    estimates = mechanism.estimate_counts(mechanism.simulate(counts, runs, rng), 100)
    variance = mechanism.variance_of_counts(counts, 100)
    assert (np.abs(estimates.mean(axis=0) - counts) < 4.4 * np.sqrt(variance / runs)).all()
    assert (np.abs(estimates.var(axis=0) / variance - 1) < 4.4 * np.sqrt(2 / runs)).all()
    correlations = np.corrcoef(estimates.T)[np.triu_indices(3, 1)]
    assert (np.abs(correlations) < 4.4 / np.sqrt(runs)).all()


def test_user_level_support():
    mechanism, rng = UnaryEncoding.symmetric(2.0, 4), np.random.default_rng(4)
    values = rng.integers(4, size=50_000)
    truth = np.bincount(values, minlength=4) / values.size
    spread = np.sqrt(mechanism.variance(truth, values.size))
    assert (np.abs(mechanism.estimate(mechanism.privatize(values, rng)) - truth) < 4.4 * spread).all()


def test_errors():
    with pytest.raises(ValueError, match="variant"):
        UnaryEncoding(1.0, 3, "best")
    with pytest.raises(ValueError, match="up to k=12"):
        UnaryEncoding.symmetric(1.0, 13).channel()

import numpy as np
import pytest
from scipy.stats import halfnorm
from scipy.stats.mstats import mjci

from corrldp.experiments.jrr import percentiles
from corrldp.metrics import are
from corrldp.protocols.jrr.binary import JointRandomizedResponse

AT = [5, 20, 50, 80, 95]


def test_percentiles_of_a_known_sample():
    values, _ = percentiles.of_sample(np.arange(101.0), AT)
    assert values.tolist() == AT


def test_standard_errors_are_those_of_scipy():
    sample = np.random.default_rng(4).gamma(2, size=999)
    np.testing.assert_allclose(percentiles.of_sample(sample, AT)[1], mjci(sample, prob=np.divide(AT, 100)))


def test_standard_errors_are_calibrated():
    """Over 400 samples of 300 uniform numbers: the mean square of the z-scores is 1 within five standard errors.

    That mean has standard error sqrt(2/400) = 0.07: false alarms 3e-6 in five rows.
    """
    samples = np.random.default_rng(5).random((400, 300))
    found = np.array([percentiles.of_sample(sample, AT) for sample in samples])
    for at, values, errors in zip(AT, found[:, 0].T, found[:, 1].T, strict=True):
        z = (values - at / 100) / errors
        assert 0.65 < np.mean(z**2) < 1.35
        expected = np.sqrt(at / 100 * (1 - at / 100) / 300)
        assert errors.mean() == pytest.approx(expected, rel=0.1)


def test_percentiles_of_the_relative_error(table):
    """Errors are nearly normal. |z| < 5 in 20 rows: false alarms 1e-5, the rest is for the lattice of counts."""
    runs, n, n1 = 4000, 10_000, 1000
    setting = {"populations": [{"dataset": "x", "n": n, "n1": n1}], "epsilon": [0.1, 1], "percentile": AT}
    found = table(percentiles, setting, {"choice": ["algorithm1", "smallest_rho"]}, runs)
    assert len(found) == 2 * 5 * 2 * 2
    assert set(found["metric"]) == {"are"}
    rr = found[(found["mechanism"] == "RR") & (found["reading"] == "strict")]
    assert rr["percentile"].tolist() == 2 * AT
    per_user = (1 / n1 + 1 / (n - n1)) / 2
    p = 1 / (1 + np.exp(-rr["epsilon"]))
    spread = np.sqrt(n * p * (1 - p)) / (2 * p - 1)
    expected = halfnorm.ppf(rr["percentile"] / 100) * spread * per_user
    assert (np.abs(rr["mean"] - expected) / rr["se"]).max() < 5
    assert set(found["runs"]) == {runs}


def test_a_value_that_nobody_holds_counts_in_the_domain(table):
    setting = {"n": [100], "ones_fraction": [1], "epsilon": [1], "percentile": AT}
    found = table(percentiles, setting, {"zero_frequency": ["skip", "domain"]}, 50)
    skip, domain = (found[found["reading"] == name] for name in ("strict", "zero_frequency=domain"))
    for column in ("mean", "theory"):
        np.testing.assert_allclose(domain[column], skip[column] / 2, rtol=1e-12)


def test_exact_percentiles_are_those_of_the_simulation():
    """The percentile lies between the shares of runs below it and up to it, within 5 standard errors: 6e-6 in 10."""
    runs, rr = 20_000, JointRandomizedResponse(0.6, -0.5)
    exact = percentiles.exact(rr, 300, 1000, AT)
    truth = np.array([700, 300])
    estimates = rr.estimate_counts(rr.simulate(truth, runs, np.random.default_rng(4)), 1000)
    errors = are(estimates, truth)
    for at, value in zip(AT, exact, strict=True):
        below, reached = np.mean(errors < value - 1e-12), np.mean(errors <= value + 1e-12)
        margin = 5 * np.sqrt(at / 100 * (1 - at / 100) / runs)
        assert below - margin <= at / 100 <= reached + margin

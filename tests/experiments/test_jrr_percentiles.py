import numpy as np
import pytest
from scipy.stats import halfnorm

from corrldp.experiments.jrr import percentiles
from corrldp.experiments.jrr.errors import Errors
from corrldp.metrics import are
from corrldp.protocols.jrr.binary import JointRandomizedResponse

AT = [5, 20, 50, 80, 95]


@pytest.fixture
def of_samples(experiment, monkeypatch):
    """Function (samples (settings, runs)) -> result table of percentiles of these samples."""

    def table(samples):
        rr = JointRandomizedResponse(0.6, 0.0)
        points = [{"setting": i, "n": 10, "n1": 4} for i in range(len(samples))]
        faked = [
            (point, ("strict", {}), "RR", Errors(row, row, 1.0, rr)) for point, row in zip(points, samples, strict=True)
        ]
        monkeypatch.setattr(percentiles, "simulate", lambda experiment: iter(faked))
        return percentiles.run(experiment({"percentile": AT}, runs=samples.shape[1]))

    return table


def test_percentiles_of_a_known_sample(of_samples):
    table = of_samples(np.arange(101.0)[None])
    assert table["mean"].tolist() == AT
    assert table["percentile"].tolist() == AT
    assert set(table["metric"]) == {"are"}


def test_standard_errors_are_calibrated(of_samples):
    """Over 400 samples of 300 uniform numbers: the mean square of the z-scores is 1 within five standard errors.

    That mean has standard error sqrt(2/400) = 0.07: false alarms 3e-6 in five rows.
    """
    samples = np.random.default_rng(5).random((400, 300))
    table = of_samples(samples)
    for at, rows in table.groupby("percentile"):
        z = (rows["mean"] - at / 100) / rows["se"]
        assert 0.65 < np.mean(z**2) < 1.35
        expected = np.sqrt(at / 100 * (1 - at / 100) / 300)
        assert rows["se"].mean() == pytest.approx(expected, rel=0.1)


def test_percentiles_of_the_relative_error(experiment):
    """Errors are nearly normal. |z| < 5 in 20 rows: false alarms 1e-5, the rest is for the lattice of counts."""
    runs, n, n1 = 4000, 10_000, 1000
    setting = {"populations": [{"dataset": "x", "n": n, "n1": n1}], "epsilon": [0.1, 1], "percentile": AT}
    table = percentiles.run(experiment(setting, {"choice": ["algorithm1", "smallest_rho"]}, runs))
    assert len(table) == 2 * 5 * 2 * 2
    rr = table[(table["mechanism"] == "RR") & (table["reading"] == "strict")]
    per_user = (1 / n1 + 1 / (n - n1)) / 2
    p = 1 / (1 + np.exp(-rr["epsilon"]))
    spread = np.sqrt(n * p * (1 - p)) / (2 * p - 1)
    expected = halfnorm.ppf(rr["percentile"] / 100) * spread * per_user
    assert (np.abs(rr["mean"] - expected) / rr["se"]).max() < 5
    assert set(table["runs"]) == {runs}


def test_exact_percentiles_are_those_of_the_simulation(experiment):
    """The percentile lies between the shares of runs below it and up to it, within 5 standard errors: 6e-6 in 10."""
    runs, rr = 20_000, JointRandomizedResponse(0.6, -0.5)
    exact = percentiles.exact_percentiles(rr, 300, 1000, tuple(AT))
    truth = np.array([700, 300])
    estimates = rr.estimate_counts(rr.simulate(truth, runs, np.random.default_rng(4)), 1000)
    errors = are(estimates, truth)
    for at, value in zip(AT, exact, strict=True):
        below, reached = np.mean(errors < value - 1e-12), np.mean(errors <= value + 1e-12)
        margin = 5 * np.sqrt(at / 100 * (1 - at / 100) / runs)
        assert below - margin <= at / 100 <= reached + margin

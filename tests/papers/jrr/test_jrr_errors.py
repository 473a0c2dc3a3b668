"""Errors of RR and JRR: closed forms, percentiles, and what readings share."""

import numpy as np
import pytest
from jrr.runners import errors
from jrr.runners.errors import are, law_of_are, mse_counts
from scipy.stats import beta, chi2, halfnorm

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse

pytestmark = pytest.mark.thorough

# The families of tests below reject a correct program with probability 1e-4 (seeds are fixed).
FALSE_ALARM = 1e-4
RUNS = 2000
GRID = {"n": [400, 10_000], "ones_fraction": [0.05, 0.5, 1], "epsilon": [0.1, 1]}
READINGS = {"choice": ["algorithm1", "smallest_rho"]}


@pytest.fixture(scope="module")
def found(table):
    return table(errors.means, GRID, READINGS, RUNS)


def test_errors_by_hand():
    """A value that nobody holds has the error 5 but no relative error; it may count among the values of the domain."""
    assert mse_counts([[3.0, 7.0], [0.0, 12.0]], [4, 6]) == pytest.approx([1.0, (16 + 36) / 2])
    assert are([[3.0, 7.0], [8.0, 6.0]], [4, 6]) == pytest.approx([(1 / 4 + 1 / 6) / 2, 0.5])
    for zero, values in (("skip", 2), ("domain", 3)):
        assert are([5.0, 8.0, 3.0], [0, 10, 4], zero=zero) == pytest.approx((0.2 + 0.25) / values)


def test_mean_squared_error_is_the_closed_form(found):
    """Two-sided p-values for normal errors of one count, the smallest times the number of rows (Bonferroni)."""
    rows = found[found["metric"] == "mse_counts"]
    ratio = RUNS * rows["mean"] / rows["theory"]
    p_values = 2 * np.minimum(chi2.cdf(ratio, RUNS), chi2.sf(ratio, RUNS))
    assert len(rows) * p_values.min() > FALSE_ALARM


def test_relative_error_is_that_of_the_exact_law(found):
    """|z| < 5.2 in 24 rows: false alarms 5e-6."""
    rows = found[found["metric"] == "are"]
    assert (np.abs(rows["mean"] - rows["theory"]) / rows["se"]).max() < 5.2


def test_a_few_users(table):
    """Of two users who hold 1, two, one or none report it; over the domain, 0 counts as estimated without error."""
    axes = {"zero_frequency": ["skip", "domain"]}
    found = table(errors.means, {"n": [2], "ones_fraction": [1], "epsilon": [1]}, axes, 10)
    found = found[found["metric"] == "are"].set_index("mechanism")
    rows, domain = (found[found["zero_frequency"] == zero] for zero in axes["zero_frequency"])
    np.testing.assert_allclose(domain[["mean", "theory"]], rows[["mean", "theory"]] / 2)
    p = 1 / (1 + np.exp(-1))
    q = 1 - p
    found = np.array([q / (p - q), 0.5, p / (p - q)])
    assert rows.loc["RR", "theory"] == pytest.approx(found @ [p**2, 2 * p * q, q**2])


def test_what_is_done_to_the_errors_of_runs(table):
    """Ones that users draw add n f (1 - f); clipped estimates err less where all hold 1. |z| < 5 in 12 rows: 7e-6."""
    readings = {"ones": ["stated", "drawn"], "counts": ["raw", "clipped"], "expected": ["none", "rr"]}
    readings |= {"lies": ["all", "half"]}
    found = table(errors.means, {"n": [400], "ones_fraction": [0.3, 1], "epsilon": [1]}, readings, RUNS)
    found = found[found["metric"] == "mse_counts"].set_index(["reading", "ones_fraction", "mechanism"]).sort_index()
    known, drawn = found.loc["strict", "theory"], found.loc["ones=drawn"]
    expected = known + 400 * 0.3 * 0.7 * (known.index.get_level_values("ones_fraction") == 0.3)
    assert (np.abs(drawn["mean"] - expected) / drawn["se"]).max() < 5
    clipped = found.loc["counts=clipped"]
    assert (clipped["mean"] / known).loc[1].between(0.4, 0.6).all()
    assert drawn["theory"].isna().all()
    assert (np.abs(clipped["mean"] - clipped["theory"]) / clipped["se"]).max() < 5
    coins = found.loc["lies=half"]
    assert (np.abs(coins["mean"] - coins["theory"]) / coins["se"]).max() < 5
    exact = found.loc["expected=rr"]
    np.testing.assert_array_equal(exact["runs"].unstack()[["RR", "JRR"]], [[0, RUNS]] * 2)
    np.testing.assert_allclose(exact["mean"].unstack()["RR"], known.unstack()["RR"])


def test_half_of_the_lies_are_the_truth():
    """The law of a pair's truthfulness, by enumeration: each lie turns into the truth with probability 1/2."""
    plain, turned = JointRandomizedResponse(0.6, -0.4), np.array([[1, 0], [0.5, 0.5]])
    joint = np.array([[plain.both, plain.one], [plain.one, plain.neither]])
    expected = turned.T @ joint @ turned
    found = errors.coin(plain)
    assert np.array([[found.both, found.one], [found.one, found.neither]]) == pytest.approx(expected)


AT = [5, 20, 50, 80, 95]


def test_the_spread_of_percentiles_of_a_uniform_law_is_that_of_a_beta_variable():
    """Of 300 runs with 10,001 equally likely values, whose lattice hardly counts; of a single value there is none."""
    values = np.linspace(0, 1, 10_001)
    at, (found, spread) = np.divide(AT, 100), errors.percentiles_of_law(values, np.full(10_001, 1 / 10_001), AT, 300)
    assert found == pytest.approx(at, abs=2e-4)
    assert spread == pytest.approx(beta.std(300 * at, 301 - 300 * at), rel=1e-3)
    assert np.all(np.transpose(errors.percentiles_of_law(np.array([3.0]), np.array([1.0]), AT, 10)) == [3, 0])


def test_percentiles_of_the_relative_error(table):
    """Errors are nearly normal. |z| < 5 in 20 rows: false alarms 1e-5, the rest is for the lattice of counts."""
    runs, n, n1 = 4000, 10_000, 1000
    setting = {"populations": [{"dataset": "x", "n": n, "n1": n1}], "epsilon": [0.1, 1], "percentile": AT}
    found = table(errors.percentiles, setting, {"choice": ["algorithm1", "smallest_rho"]}, runs)
    rr = found[(found["mechanism"] == "RR") & (found["reading"] == "strict")]
    assert rr["percentile"].tolist() == 2 * AT
    per_user = (1 / n1 + 1 / (n - n1)) / 2
    p = 1 / (1 + np.exp(-rr["epsilon"]))
    spread = np.sqrt(n * p * (1 - p)) / (2 * p - 1)
    expected = halfnorm.ppf(rr["percentile"] / 100) * spread * per_user
    assert (np.abs(rr["mean"] - expected) / rr["se"]).max() < 5


def test_exact_percentiles_are_those_of_the_simulation():
    """The percentile lies between the shares of runs below it and up to it, within 5 standard errors: 6e-6 in 10."""
    runs, rr = 20_000, JointRandomizedResponse(0.6, -0.5)
    exact, _ = errors.percentiles_of_law(*law_of_are(rr, 300, 1000), AT, runs)
    truth = np.array([700, 300])
    estimates = rr.estimate_counts(rr.simulate(truth, runs, np.random.default_rng(4)), 1000)
    found = are(estimates, truth)
    for at, value in zip(AT, exact, strict=True):
        below, reached = np.mean(found < value - 1e-12), np.mean(found <= value + 1e-12)
        margin = 5 * np.sqrt(at / 100 * (1 - at / 100) / runs)
        assert below - margin <= at / 100 <= reached + margin


def test_jrr_is_left_out_where_algorithm_1_finds_nothing(table):
    setting = {"n": [100], "ones_fraction": [0.1], "epsilon": [0.0001]}
    found = table(errors.means, setting, {"choice": ["algorithm1", "optimum"]}, 4)
    of = {reading: {*rows} for reading, rows in found.groupby("reading")["mechanism"]}
    assert of == {"strict": {"RR"}, "choice=optimum": {"RR", "JRR"}}

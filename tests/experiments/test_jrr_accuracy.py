import numpy as np
import pandas as pd
import pytest

from corrldp.experiments.jrr import errors
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.results import axes_of

# The families of tests below reject a correct program with probability 1e-4 (seeds are fixed).
FALSE_ALARM = 1e-4
RUNS = 2000
GRID = {"n": [400, 10_000], "ones_fraction": [0.05, 0.5, 1], "epsilon": [0.1, 1]}
READINGS = {"choice": ["algorithm1", "smallest_rho"]}


@pytest.fixture(scope="module")
def found(table):
    return table(errors.means, GRID, READINGS, RUNS)


def smallest_p_value(rows, p_of_mean_squares):
    """Smallest p-value of the rows' mean squared errors, times the number of rows (Bonferroni)."""
    rows = rows[rows["metric"] == "mse_counts"]
    return len(rows) * p_of_mean_squares(rows["mean"], rows["theory"], RUNS).min()


def test_mean_squared_error_is_the_closed_form(found, p_of_mean_squares):
    assert smallest_p_value(found, p_of_mean_squares) > FALSE_ALARM


def test_a_wrong_variance_would_be_noticed(table, monkeypatch, p_of_mean_squares):
    """The planted fault: the variance of RR for JRR, as if pairs were independent."""
    independent = JointRandomizedResponse.variance_of_counts

    def without_rho(self, count, n):
        return independent(JointRandomizedResponse(self.p, 0.0), count, n)

    monkeypatch.setattr(JointRandomizedResponse, "variance_of_counts", without_rho)
    faulty = table(errors.means, {**GRID, "ones_fraction": [0.05]}, READINGS, RUNS)
    jrr = faulty["mechanism"] == "JRR"
    assert smallest_p_value(faulty[jrr], p_of_mean_squares) < 1e-9
    assert smallest_p_value(faulty[~jrr], p_of_mean_squares) > FALSE_ALARM


def test_relative_error_is_that_of_a_normal_count(found):
    """The mean of |X| is sqrt(2/pi) sd; the lattice of counts matters little for these n."""
    wide = found.pivot(index=["n", "n1", "epsilon", "reading", "mechanism"], columns="metric")
    point = wide.index.to_frame()
    ones, zeros = point["n1"], point["n"] - point["n1"]
    per_user = ((1 / ones + 1 / zeros) / 2).where(zeros > 0, 1 / ones)
    expected = np.sqrt(2 / np.pi * wide["theory", "mse_counts"]) * per_user
    z = (wide["mean", "are"] - expected) / wide["se", "are"]
    assert np.abs(z).max() < 5.2  # 2 * 24 * Phi(-5.2) < 1e-5; the rest is for the lattice


def test_relative_error_is_that_of_the_exact_law(found):
    """|z| < 5.2 in 24 rows: false alarms 5e-6."""
    rows = found[found["metric"] == "are"]
    assert (np.abs(rows["mean"] - rows["theory"]) / rows["se"]).max() < 5.2


def test_a_few_users(table):
    """Of two users who hold 1, two, one or none report it."""
    found = table(errors.means, {"n": [2], "ones_fraction": [1], "epsilon": [1]}, {}, 10)
    rows = found[found["metric"] == "are"].set_index("mechanism")
    p = 1 / (1 + np.exp(-1))
    q = 1 - p
    found = np.array([q / (p - q), 0.5, p / (p - q)])
    assert rows.loc["RR", "theory"] == pytest.approx(found @ [p**2, 2 * p * q, q**2])


def test_columns_rows_and_standard_errors(found):
    assert axes_of(found) == (
        ["dataset", "n", "n1", "ones_fraction", "imbalance", "epsilon", "colluders"],
        ["choice"],
    )
    assert len(found) == 12 * 2 * 2 * 2
    assert set(found["runs"]) == {RUNS}
    squares = found[found["metric"] == "mse_counts"]
    np.testing.assert_allclose(squares["se"], squares["mean"] * np.sqrt(2 / RUNS), rtol=0.25)


def test_an_axis_of_the_setting_moves_behind_the_reading(table):
    found = table(errors.means, {"ones_fraction": [0.5], "epsilon": [1]}, {"n": [10, 20], "colluders": [5, 0]})
    assert axes_of(found) == (["dataset", "n1", "ones_fraction", "imbalance", "epsilon"], ["n", "colluders"])
    readings = found.drop_duplicates("reading")[["reading", "n", "colluders"]]
    expected = pd.DataFrame({"reading": ["strict", "n=20", "colluders=0"], "n": [10, 20, 10], "colluders": [5, 5, 0]})
    pd.testing.assert_frame_equal(readings.reset_index(drop=True), expected)

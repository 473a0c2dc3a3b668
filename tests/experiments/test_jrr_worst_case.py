from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corrldp.experiments.jrr import parameters
from corrldp.experiments.jrr.parameters import relative_increase, underperforming_range
from corrldp.experiments.jrr.population import choose
from corrldp.protocols.jrr.binary import JointRandomizedResponse
from corrldp.protocols.jrr.parameters import rr_parameters, unconstrained

READINGS = {
    "grid_step": [0.0001, 0.0005, 0.005],
    "choice": ["algorithm1", "smallest_rho"],
    "colluders": [2, 0, 1],
    "frequencies": ["real", "counts"],
}


def variance(p, rho, n1, n):
    """Eq. 21, exactly for the doubles p and rho; n1 may be any rational number."""
    p, rho = Fraction(p), Fraction(rho)
    return p * (1 - p) / (2 * p - 1) ** 2 * (n + rho * ((2 * n1 - n) ** 2 - n) / (n - 1))


def brute_force(p, rho, plain, n, resolution):
    """RI and length of the range around n/2 in which JRR is worse, on a grid of `resolution` points per user.

    Numbers within 1e-12 count as equal, as do those that differ by the rounding of p and rho alone.
    """
    target = variance(plain, 0, 0, n)
    grid = [Fraction(i, resolution) for i in range(n * resolution + 1)]
    worse = [n1 for n1 in grid if variance(p, rho, n1, n) / target - 1 > Fraction(1, 10**12)]
    return float(variance(p, rho, Fraction(n, 2), n) / target - 1), float(max(worse) - min(worse)) / n if worse else 0


def test_every_reading_against_all_frequencies(experiment, table):
    setting = {"n": [4, 16, 50, 100], "epsilon": [0.02, 0.1, 1]}
    rows = table(parameters.worst_case, setting, READINGS).set_index(["reading", "n", "epsilon", "metric"])["mean"]
    axes_of = {
        reading.name: reading.values for reading in experiment(parameters.worst_case, setting, READINGS).readings
    }
    assert set(rows.index.get_level_values("reading")) == set(axes_of)
    for (label, n, epsilon), found in rows.unstack("metric").iterrows():
        axes = axes_of[label]
        point = {"n": n, "n1": n // 2, "epsilon": epsilon, "colluders": min(axes["colluders"], n - 1)}
        chosen = choose({**axes, **point})
        resolution = 1 if axes["frequencies"] == "counts" else 20
        increase, length = brute_force(chosen.p, chosen.rho, rr_parameters(epsilon).p, n, resolution)
        assert found["ri"] == pytest.approx(increase, rel=1e-9, abs=1e-12)
        slack = 1e-12 if axes["frequencies"] == "counts" else 2 / resolution / n
        assert found["r"] == pytest.approx(length, abs=slack + 1e-12)


@pytest.mark.parametrize("n", [16, 50, 100, 1000, 10_000])
@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1])
def test_counts_at_the_smallest_rho(n, epsilon):
    """RR is better where |2 n1 - n| < sqrt n; where n is a square, the end points are ties and do not count."""
    jrr, rr = (JointRandomizedResponse(c.p, c.rho) for c in (unconstrained(epsilon), rr_parameters(epsilon)))
    inside = [n1 for n1 in range(n + 1) if (2 * n1 - n) ** 2 < n]
    expected = (max(inside) - min(inside)) / n
    assert underperforming_range(jrr, rr, n, "counts") == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 10**6), st.floats(1e-3, 5))
def test_closed_forms_at_the_smallest_rho(half, epsilon):
    """R = 1/sqrt n, and RI = -rho/(n - 1) with rho = -exp(-epsilon)."""
    n = 2 * half
    jrr, rr = (JointRandomizedResponse(c.p, c.rho) for c in (unconstrained(epsilon), rr_parameters(epsilon)))
    assert relative_increase(jrr, rr, n) == pytest.approx(np.exp(-epsilon) / (n - 1), rel=1e-6, abs=1e-13)
    assert underperforming_range(jrr, rr, n, "real") == pytest.approx(n**-0.5, rel=1e-4)


def test_golden_number_of_figure_8(table):
    """Near n1/n = 1/2 with n = 5,000: the paper prints 7.3e-5, which epsilon = 1 with the smallest rho gives."""
    strict = {"choice": ["smallest_rho"], "colluders": [5], "frequencies": ["real"]}
    ri = table(parameters.worst_case, {"n": [5000], "epsilon": [1]}, strict).set_index("metric")["mean"]["ri"]
    assert ri == pytest.approx(7.36e-5, abs=5e-8)


def test_without_correlation_a_smaller_p_loses_everywhere():
    lower, rr = JointRandomizedResponse(0.6, 0.0), JointRandomizedResponse(0.7, 0.0)
    assert underperforming_range(lower, rr, 100, "real") == 1
    assert underperforming_range(rr, rr, 100, "real") == 0
    assert relative_increase(rr, rr, 100) == 0


def test_a_better_mechanism_never_loses():
    better, rr = JointRandomizedResponse(0.8, -0.1), JointRandomizedResponse(0.6, 0.0)
    assert underperforming_range(better, rr, 100, "real") == 0
    assert underperforming_range(better, rr, 100, "counts") == 0


def test_null_readings_have_no_rows(table):
    found = table(parameters.worst_case, {"n": [100], "epsilon": [0.0001]}, READINGS)
    assert set(found["reading"]) == {"choice=smallest_rho"}
    assert (found["runs"] == 0).all()


def test_the_corner_has_no_row_where_no_p_admits_the_smallest_rho(table):
    rows = table(
        parameters.worst_case, {"n": [1000, 2000], "epsilon": [0.01]}, {"choice": ["corner"], "colluders": [5]}
    )
    assert set(rows["n"]) == {2000}
    plain = table(parameters.worst_case, {"n": [1000], "epsilon": [0.01]}, {"choice": ["corner"], "colluders": [0]})
    assert (plain["mean"] > 0).all()

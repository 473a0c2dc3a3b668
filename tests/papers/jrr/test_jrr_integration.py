import numpy as np
import pytest
from jrr.runners import integration
from jrr.runners.integration import PAPER_STEP, expected_error, mechanisms, population
from jrr.runners.unary import JRRLocalHashing, JRRUnary

from corrldp.protocols.jrr.mechanism import JointRandomizedResponse
from corrldp.protocols.jrr.privacy import claimed_epsilon

pytestmark = pytest.mark.thorough

NAMES = ["GRR", "k-JRR", "OLH", "JRR-OLH", "SUE", "JRR-SUE", "OUE", "JRR-OUE"]
COLLUDERS = 5


def test_shapes_of_the_populations():
    assert population("single", 100, 4).tolist() == [100, 0, 0, 0]
    assert population("uniform", 100, 4).tolist() == [25, 25, 25, 25]
    assert population("zipf", 2500, 4).tolist() == [1200, 600, 400, 300]
    uneven = population("uniform", 10_000, 64)
    assert (set(uneven), uneven.sum()) == ({156, 157}, 10_000)
    assert population("zipf", 10_000, 64).sum() == 10_000


def epsilon_against_colluders(mechanism, n):
    """Epsilon of a user's report: Theorem 2's formula for the paper's adversary, otherwise that for known tokens."""
    if isinstance(mechanism, JointRandomizedResponse):
        return claimed_epsilon(mechanism, n, COLLUDERS)
    if isinstance(mechanism, JRRLocalHashing):
        return claimed_epsilon(mechanism.inner, n, COLLUDERS)
    if isinstance(mechanism, JRRUnary):
        return mechanism.epsilon(n, COLLUDERS)
    return mechanism.epsilon


@pytest.mark.parametrize(("epsilon", "tuned"), [(0.5, True), (1, False)])
@pytest.mark.parametrize("k", [2, 64])
@pytest.mark.parametrize("shape", ["single", "zipf", "uniform"])
def test_equal_privacy(shape, k, epsilon, tuned):
    """No version with JRR spends more than epsilon against the colluders, and none leaves a hundredth unspent.

    An OUE whose correlation is already as strong as possible, with all of the step unspent, is the exception.
    """
    counts = population(shape, 10_000, k)
    found = dict(mechanisms(counts, epsilon, COLLUDERS, tuned))
    assert list(found) == NAMES
    for mechanism in found.values():
        spent = epsilon_against_colluders(mechanism, 10_000)
        assert spent <= epsilon * (1 + 1e-9)
        at_its_end = isinstance(mechanism, JRRUnary) and mechanism.scale == 1
        assert spent > 0.99 * epsilon or tuned or at_its_end


def test_steps_of_the_strict_reading():
    """Step 0.0001 of p for k-JRR and JRR-OLH, of epsilon for the encodings."""
    found = dict(mechanisms(population("zipf", 10_000, 8), 1, COLLUDERS, tuned=False))
    assert found["k-JRR"].p == pytest.approx(found["GRR"].p_support - PAPER_STEP)
    assert found["JRR-OLH"].inner.p == pytest.approx(found["OLH"].p_support - PAPER_STEP)
    assert found["JRR-OLH"].inner.k == found["OLH"].g
    for name in ("SUE", "OUE"):
        assert found[f"JRR-{name}"].base.epsilon == pytest.approx(1 - PAPER_STEP)


def test_tuned_is_at_least_as_good_as_the_strict_step():
    """And far better for some: encodings gain from reserving more than 0.0001 of epsilon."""
    for shape in ("single", "zipf", "uniform"):
        counts = population(shape, 10_000, 16)
        strict, tuned = (dict(mechanisms(counts, 1, COLLUDERS, flag)) for flag in (False, True))
        for name in NAMES:
            assert expected_error(tuned[name], counts) <= expected_error(strict[name], counts) * (1 + 1e-12)
        assert expected_error(tuned["JRR-SUE"], counts) < 0.999 * expected_error(strict["JRR-SUE"], counts)


def test_simulation_is_the_closed_form(table):
    """|z| < 5.5 in 96 rows: false alarms 4e-6 for normal means; means of 800 squares are a little skewed."""
    setting = {"dataset": ["single", "zipf", "uniform"], "k": [2, 8], "epsilon": [1], "n": [1001]}
    setting["colluders"] = [COLLUDERS]
    found = table(integration.errors, setting, {"tuning": ["algorithm1", "tuned"]}, runs=800)
    assert len(found) == 3 * 2 * 2 * len(NAMES)
    assert (np.abs(found["mean"] - found["theory"]) / found["se"]).max() < 5.5

from itertools import product

import numpy as np
import pandas as pd
import pytest

from corrldp.results import MEASURES


def simulate(
    truth, rng, settings, mechanisms=("RR", "JRR"), metric="mse", runs=1000, spread=1.4, theory=False, readings=None
):
    """Return a small result table: means of `runs` runs with expectation `truth(setting, mechanism, reading)`."""
    rows = []
    for reading in readings or ["strict"]:
        for values in product(*settings.values()):
            setting = dict(zip(settings, values, strict=True))
            for mechanism in mechanisms:
                expected = truth(setting, mechanism, reading)
                se = abs(spread * expected) / np.sqrt(runs) if runs else 0.0
                numbers = (expected + se * rng.standard_normal(), se, runs, expected if theory else np.nan)
                rows.append((*values, reading, reading, mechanism, metric, *numbers, False))
    return pd.DataFrame(rows, columns=[*settings, "reading", "axis", *MEASURES])


@pytest.fixture
def rng():
    return np.random.default_rng(20250601)


@pytest.fixture(name="simulate")
def simulate_fixture():
    return simulate


@pytest.fixture
def rates(rng):
    """Shares of True, False and None among the answers of a check, over synthetic tables."""

    def count(answer, trials=120):
        answers = [answer(rng) for _ in range(trials)]
        return {outcome: answers.count(outcome) for outcome in (True, False, None)}

    return count

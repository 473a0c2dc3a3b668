from itertools import product

import numpy as np
import pandas as pd
import pytest

from claimaudit.results import MEASURES


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


SETTINGS = {"n": [100, 400], "epsilon": [0.1, 0.5]}


@pytest.fixture
def better_as_run(rng):
    """Function (readings, runs) -> a table: JRR's error is RR's as stated, and .7 of it otherwise."""

    def truth(setting, mechanism, reading):
        return setting["n"] / setting["epsilon"] * (0.7 if mechanism == "JRR" and reading != "strict" else 1.0)

    return lambda readings, runs=100_000: simulate(truth, rng, SETTINGS, runs=runs, readings=readings)


@pytest.fixture
def rates(rng):
    """Shares of True, False and None among the answers of a check, over synthetic tables."""

    def count(answer, trials=120):
        answers = [answer(rng) for _ in range(trials)]
        return {outcome: answers.count(outcome) for outcome in (True, False, None)}

    return count

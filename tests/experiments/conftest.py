"""Small experiments, built without the workflow."""

import numpy as np
import pytest
from scipy.stats import chi2

from corrldp.experiments.command import Experiment


@pytest.fixture(scope="session")
def experiment():
    """Function (setting, readings as {axis: [strict, *others]}, ...) -> Experiment."""

    def build(setting, readings=None, runs=2, seed=1, views=None):
        axes = {
            axis: {"strict": values[0], "others": list(values[1:]), "why": ""}
            for axis, values in (readings or {}).items()
        }
        return Experiment("jrr", "small", seed, runs, setting, axes, views or {})

    return build


@pytest.fixture(scope="session")
def p_of_mean_squares():
    """Function (mean squares, their expectations, runs) -> two-sided p-values, for normal errors of one count."""

    def p_values(means, expectations, runs):
        ratio = runs * np.asarray(means) / np.asarray(expectations)
        return 2 * np.minimum(chi2.cdf(ratio, runs), chi2.sf(ratio, runs))

    return p_values

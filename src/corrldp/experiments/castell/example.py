"""The worked example of Appendix B and of Section III-H, every number of it, at its printed digits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd

from corrldp.dependence import cramers_v
from corrldp.experiments.castell.population import DISTANCES
from corrldp.experiments.command import Experiment, main
from corrldp.experiments.rows import STRICT, row
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.castell.independent import IndependentRR, rr_ind_joint, rr_independent
from corrldp.protocols.castell.inversion import expected_table
from corrldp.protocols.castell.joint import RRJoint
from corrldp.protocols.castell.tables import marginal
from corrldp.protocols.castell.truncated import truncated

Number = tuple[str, np.ndarray]


def run(experiment: Experiment) -> pd.DataFrame:
    """Return each number of the example (`value`), rounded to the decimals with which it is printed, and unrounded.

    The two tables of counts and e^epsilon are given; all else follows. `cell` numbers the entries of an array row by
    row. A number without printed decimals is given unrounded only.
    """
    setting = experiment.setting
    rows: list[dict[str, Any]] = []
    true, seen = (np.array(setting[name], dtype=float) for name in ("true_counts", "seen_counts"))
    for quantity, numbers in quantities(true, seen, float(np.log(setting["odds"]))):
        decimals = setting["decimals"].get(quantity)
        for cell, value in enumerate(np.ravel(numbers)):
            point = {"quantity": quantity, "cell": cell}
            rows.append(row(point, STRICT, "example", "exact", value))
            if decimals is not None:
                # A last half is rounded up, as by hand, whatever its binary digits.
                rows.append(row(point, STRICT, "example", "value", np.round(value + 1e-12, decimals) + 0.0))
    return pd.DataFrame(rows)


def quantities(true: np.ndarray, seen: np.ndarray, epsilon: float) -> Iterator[Number]:
    """Yield every quantity of the example by name, from the counts of X and of Y: (2, 2), rows a and columns b."""
    n = true.sum()
    law, observed = true / n, seen / n
    protocol = IndependentRR(epsilon, true.shape)
    mechanisms = protocol.mechanisms
    yield "pi_a", marginal(law, 0)
    yield "pi_b", marginal(law, 1)
    yield "p_a", mechanisms[0].channel()
    yield "lambda_a", marginal(observed, 0)
    yield "lambda_b", marginal(observed, 1)
    yield "v_of_y", cramers_v(observed, "domain")
    yield "v_of_x", cramers_v(law, "domain")
    yield "estimated_pi_a", mechanisms[0].unbias(marginal(observed, 0), 1)
    yield "estimated_pi_b", mechanisms[1].unbias(marginal(observed, 1), 1)
    yield "product_matrix_16", 16 * reduce(np.kron, [grr.channel() for grr in mechanisms])
    yield "inverse", np.linalg.inv(mechanisms[0].channel())
    yield "half_inverted", np.linalg.inv(mechanisms[1].channel()) @ observed.T
    yield "estimated_pi_b_in_truncated", mechanisms[1].unbias(marginal(observed, 1), 1)
    for name, estimate in (
        ("independent", rr_independent(observed, mechanisms)),
        ("joint", rr_ind_joint(observed, mechanisms)),
        ("truncated", truncated(observed, mechanisms)),
    ):
        yield name, estimate
        yield f"{name}_mse", np.array(DISTANCES["mean_squared"](estimate - law))
        yield f"{name}_avd", np.array(DISTANCES["sup"](estimate - law))
        if estimate.min() >= 0:
            yield f"{name}_v", np.array(cramers_v(estimate, "domain"))
    yield "epsilon", np.array(epsilon_of_channel(mechanisms[0].channel()) / epsilon)
    yield "total_epsilon", np.array(epsilon_of_channel(protocol.channel()) / epsilon)
    joint = RRJoint(protocol.epsilon, true.shape)
    yield "rr_joint_matrix_12", 12 * joint.channel()
    yield "rr_joint_epsilon", np.array(epsilon_of_channel(joint.channel()) / epsilon)
    yield "expected_lambda", expected_table(law, mechanisms).T
    yield "deviation", (observed - expected_table(law, mechanisms)).T


if __name__ == "__main__":
    main(run)

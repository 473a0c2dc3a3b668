"""Every number of the worked example of Appendix B and Section III-H."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated

import numpy as np
from annotated_types import Gt
from numpy.typing import ArrayLike

from corrldp.dependence import cramers_v
from corrldp.experiments.castell.distances import distances_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Count
from corrldp.privacy import epsilon_of_channel
from corrldp.protocols.castell.inversion import expected_table
from corrldp.protocols.castell.schemes import IndependentRR, RRJoint, rr_ind_joint, rr_independent, truncated
from corrldp.protocols.castell.tables import marginals

Number = tuple[str, ArrayLike]
Counts = tuple[tuple[Count, Count], tuple[Count, Count]]


class Setting(BaseSetting):
    """Counts of X and of Y, rows a and columns b, and the `odds` e^epsilon."""

    true_counts: Counts
    seen_counts: Counts
    odds: Annotated[float, Gt(1)]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield each number of the example; `cell` numbers the entries of an array row by row."""
    for quantity, numbers in quantities(cell.setting):
        for entry, value in enumerate(np.ravel(numbers)):
            yield Measure("example", "value", value, place={"quantity": quantity, "cell": entry})


def quantities(setting: Setting) -> Iterator[Number]:
    """Yield every quantity of the example by name."""
    true, seen = (np.array(counts, dtype=float) for counts in (setting.true_counts, setting.seen_counts))
    epsilon, n = math.log(setting.odds), true.sum()
    law, observed = true / n, seen / n
    protocol = IndependentRR(epsilon, true.shape)
    mechanisms = protocol.mechanisms
    true_marginals, seen_marginals = marginals(law), marginals(observed)
    yield "pi_a", true_marginals[0]
    yield "pi_b", true_marginals[1]
    yield "p_a", mechanisms[0].channel()
    yield "lambda_a", seen_marginals[0]
    yield "lambda_b", seen_marginals[1]
    yield "v_of_y", cramers_v(observed, "domain")
    yield "v_of_x", cramers_v(law, "domain")
    yield "estimated_pi_a", mechanisms[0].unbias(seen_marginals[0], 1)
    yield "estimated_pi_b", mechanisms[1].unbias(seen_marginals[1], 1)
    yield "product_matrix_16", 16 * np.kron(*(grr.channel() for grr in mechanisms))
    yield "inverse", np.linalg.inv(mechanisms[0].channel())
    yield "half_inverted", np.linalg.inv(mechanisms[1].channel()) @ observed.T
    yield "estimated_pi_b_in_truncated", mechanisms[1].unbias(seen_marginals[1], 1)
    for name, estimate in (
        ("independent", rr_independent(observed, mechanisms)),
        ("joint", rr_ind_joint(observed, mechanisms)),
        ("truncated", truncated(observed, mechanisms)),
    ):
        yield name, estimate
        distances = distances_of(estimate - law)
        yield f"{name}_mse", distances["mean_squared"]
        yield f"{name}_avd", distances["sup"]
        if estimate.min() >= 0:
            yield f"{name}_v", cramers_v(estimate, "domain")
    yield "epsilon", epsilon_of_channel(mechanisms[0].channel()) / epsilon
    yield "total_epsilon", epsilon_of_channel(protocol.channel()) / epsilon
    joint = RRJoint(protocol.epsilon, true.shape)
    yield "rr_joint_matrix_12", 12 * joint.channel()
    yield "rr_joint_epsilon", epsilon_of_channel(joint.channel()) / epsilon
    yield "expected_lambda", expected_table(law, mechanisms).T
    yield "deviation", (observed - expected_table(law, mechanisms)).T

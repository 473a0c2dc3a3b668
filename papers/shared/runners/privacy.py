"""The exact epsilon of each multi-attribute mechanism, by enumeration of the channel of whole records."""

from collections.abc import Iterator

import numpy as np
from shared.runners.axes import MECHANISMS
from shared.runners.data import marginal_of

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Choices, Measure, Point, Swept
from corrldp.mechanisms.grr import GRR
from corrldp.privacy import attribute_epsilon, epsilon_of_channel
from corrldp.protocols.corr_rr.pivot import copy_channels, record_channel
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.rs_rfd import RSRFD
from corrldp.protocols.smp import SMP, SPL
from corrldp.runners import Attributes, DomainSize, Epsilon, Probability, Users, runner


class PrivacyLevels(BaseSetting):
    """Sizes and budgets; sizes with more than `largest_domain` possible records are left out.

    `amplify` replaces the axis of that name.
    """

    d: Swept[Attributes]
    k: Swept[DomainSize]
    epsilon: Swept[Epsilon]
    p_y: Swept[Probability]
    largest_domain: Users
    amplify: Swept[bool] = ()

    def points(self, choices: Choices) -> Iterator[Point]:
        return (point for point in super().points(choices) if point["k"] ** point["d"] <= self.largest_domain)


@runner(
    PrivacyLevels,
    mechanisms=("SPL", "SMP", "RS+FD", "RS+RFD", "Corr-RR", "Cond-RR"),
    metrics=("epsilon_exact",),
    columns=("level",),
    axes=by_name(MECHANISMS["amplify"]),
)
def levels(cell: Cell) -> Iterator[Measure]:
    """Yield `epsilon_exact` at two levels: records that differ in everything, and only in the first attribute.

    SPL's row also stands for Phase I of Corr-RR and Cond-RR, whose own rows are Phase II.
    """
    sizes = (cell["k"],) * cell["d"]
    for mechanism, channel in channels(cell["d"], cell["k"], cell["epsilon"], cell["p_y"], cell["amplify"]).items():
        record, attribute = epsilon_of_channel(channel), attribute_epsilon(channel, sizes, 0)
        yield Measure(mechanism, "epsilon_exact", record, place={"level": "record"})
        yield Measure(mechanism, "epsilon_exact", attribute, place={"level": "attribute"})


def channels(d: int, k: int, epsilon: float, p_y: float, amplify: bool = False) -> dict[str, np.ndarray]:
    """Return the channel (k^d, reports) of every mechanism; `p_y` affects only Corr-RR.

    The priors of RS+RFD fall linearly. With probability 1/2 the conditional laws of Cond-RR repeat a value,
    otherwise they draw from these priors.
    """
    sizes, grr, prior = (k,) * d, GRR(epsilon, k), marginal_of("pi", k)
    copy = np.where(np.eye(d, dtype=bool), 1.0, p_y)
    conditional = np.tile((np.eye(k) + np.array(prior)) / 2, (d, d, 1, 1))
    conditional[range(d), range(d)] = np.eye(k)
    return {
        "SPL": SPL(epsilon, sizes).channel(),
        "SMP": SMP(epsilon, sizes).channel(),
        "RS+FD": RSFD(epsilon, sizes, amplify).channel(),
        "RS+RFD": RSRFD(epsilon, (prior,) * d, amplify).channel(),
        "Corr-RR": record_channel(grr, copy_channels(copy, k)),
        "Cond-RR": record_channel(grr, conditional),
    }

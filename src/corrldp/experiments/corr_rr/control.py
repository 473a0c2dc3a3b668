"""What Corr-RR profits from: two attributes that are independent or determine each other, equally frequent or not.

The records are the same in all runs, and the marginals of dependent and independent attributes agree (up to rounding
to whole users), so that a difference between them is due to the dependence alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from corrldp.arrays import Floats
from corrldp.experiments.corr_rr import axes
from corrldp.experiments.corr_rr.accuracy import expected_error
from corrldp.experiments.corr_rr.mechanisms import MechanismName, build, rule_of
from corrldp.experiments.corr_rr.synthetic_data import marginal_of
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Epsilon, Swept, Users
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.names import label
from corrldp.protocols.records import RecordTable, average_error
from corrldp.protocols.two_phase import first_users

AXES = axes.MECHANISMS


class Setting(BaseSetting):
    """Two attributes, the first with linearly falling frequencies.

    The second has the `equal` frequencies or, in reverse order, `different` ones. It is independent of the first
    (`none`) or determined by it (`full`).
    """

    n: Swept[Users]
    k: Swept[DomainSize]
    epsilon: Swept[Epsilon]
    frequencies: Swept[Literal["equal", "different"]]
    dependence: Swept[Literal["none", "full"]]
    mechanisms: tuple[MechanismName, ...]


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error of every mechanism, and the copy probability `p_y` for the true frequencies."""
    table = records(cell["n"], cell["k"], cell["frequencies"], cell["dependence"])
    for mechanism in cell.setting.mechanisms:
        protocol = build(mechanism, cell, table)
        estimates = protocol.simulate(table, cell.runs, cell.rng(mechanism=mechanism, point=dict(cell.point)))
        errors = average_error((estimates - table.frequencies()) ** 2)
        yield Measure.of_runs(label(mechanism), "mse", errors, expected_error(protocol, table))
    n2 = table.n - first_users(table.n, cell["phase1_fraction"])
    copy = rule_of(cell)(table.frequencies(), n2, GRR(cell["epsilon"], cell["k"]))
    yield Measure("Corr-RR", "p_y", copy[0, 1])


def records(n: int, k: int, frequencies: str, dependence: str) -> RecordTable:
    """Return about n users, with the nearest whole number of each record."""
    first = np.array(marginal_of("pi", k))
    law: Floats = np.diag(first) if dependence == "full" else np.outer(first, first)
    if frequencies == "different":
        law = law[:, ::-1]
    return RecordTable(np.indices((k, k)).reshape(2, -1).T, np.rint(n * law).astype(int).ravel(), (k, k))

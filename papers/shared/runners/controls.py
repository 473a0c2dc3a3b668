"""Does Corr-RR profit from correlation or from equal marginals? Two attributes that have either, both or neither.

The records are the same in all runs, and the marginals of dependent and independent attributes agree (up to rounding
to whole users), so that a difference between them is due to the dependence alone.
"""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from shared.runners.axes import MECHANISMS
from shared.runners.data import marginal_of, merged_correlations
from shared.runners.errors import left_and_fall
from shared.runners.mechanisms import MechanismName, build, labels
from shared.runners.two_phases import rule_of

from claimaudit.experiments.axes import by_name
from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Swept
from corrldp.arrays import Floats
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.names import label
from corrldp.protocols.records import RecordTable, average_error
from corrldp.protocols.two_phase import first_users
from corrldp.runners import DomainSize, Epsilon, Users, runner
from corrldp.runners.protocols import expected_error


class ControlSetting(BaseSetting):
    """How the marginals of the two attributes compare and how their values depend on each other; see `joint_law`."""

    marginals: Swept[Literal["equal", "different"]]
    dependence: Swept[Literal["none", "strong", "full"]]
    n: Swept[Users]
    k: Swept[DomainSize]
    epsilon: Swept[Epsilon]
    mechanisms: tuple[MechanismName, ...]


@runner(
    ControlSetting,
    mechanisms=lambda setting: ["data", "Corr-RR", *labels(setting)],
    metrics=("correlation", "p_y", "mse", "mse_left", "mse_fall"),
    axes=by_name(*(axis for name, axis in MECHANISMS.items() if name != "postprocess")),
    simulates=True,
)
def two_attributes(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error of every mechanism, and the correlation and the `p_y` of the law.

    For dependent attributes also the share of the error for independent ones that is left, and its fall.
    """
    law = joint_law(cell["marginals"], cell["dependence"], cell["k"])
    codes = np.arange(cell["k"])[None]
    yield Measure("data", "correlation", float(merged_correlations(law, codes, codes)[0, 0]))
    n2 = cell["n"] - first_users(cell["n"], cell["phase1_fraction"])
    rule = rule_of(cell, records(law, cell["n"]))
    copy = rule(np.stack([law.sum(axis=1), law.sum(axis=0)]), n2, GRR(cell["epsilon"], cell["k"]))
    yield Measure("Corr-RR", "p_y", copy[0, 1])
    independent = cell.of({**cell.point, "dependence": "none"})
    for mechanism in cell.setting.mechanisms:
        own, other = (
            Measure.of_runs(label(mechanism), "mse", *at.once(_errors, mechanism)) for at in (cell, independent)
        )
        yield own
        if cell["dependence"] != "none":
            yield from left_and_fall(other, own)


def _errors(cell: Cell, mechanism: str) -> tuple[Floats, float]:
    """Return the mean squared error of each run, (runs,), of a mechanism, and the closed form, NaN if there is none."""
    table = records(joint_law(cell["marginals"], cell["dependence"], cell["k"]), cell["n"])
    protocol = build(mechanism, cell, table)
    estimates = protocol.simulate(table, cell.runs, cell.rng(mechanism=mechanism, point=dict(cell.point)))
    return average_error((estimates - table.frequencies()) ** 2), expected_error(protocol, table)


def records(law: Floats, n: int) -> RecordTable:
    """Return about n users, with the nearest whole number of each record."""
    return RecordTable(np.indices(law.shape).reshape(2, -1).T, np.rint(n * law).astype(int).ravel(), law.shape)


def joint_law(marginals: str, dependence: str, k: int) -> Floats:
    """Return the law (k, k) of two attributes.

    The frequencies of the first fall linearly; those of the second are the same ("equal") or rise ("different"). The
    values are independent ("none"), as close to each other as the marginals allow ("strong", the comonotone law), or
    determine each other ("full"), as the same value or, if the marginals differ, in reverse order.
    """
    first = np.array(marginal_of("pi", k))
    second = first if marginals == "equal" else first[::-1]
    if dependence == "none":
        return np.outer(first, second)
    if dependence == "full":
        return np.diag(first) if marginals == "equal" else np.diag(first)[:, ::-1]
    upper = np.minimum.outer(np.cumsum(first), np.cumsum(second))
    padded = np.pad(upper, ((1, 0), (1, 0)))
    return np.clip(np.diff(np.diff(padded, axis=0), axis=1), 0.0, None)

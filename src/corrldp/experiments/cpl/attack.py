"""Beyond the paper: what an attack through one neighbour gains, against the CPL that bounds it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from corrldp.experiments.axes import by_name
from corrldp.experiments.cpl.axes import DATA, RAPPOR
from corrldp.experiments.cpl.data import pair_tables
from corrldp.experiments.cpl.mechanisms import Compared, MechanismName, inferred_channel, inferred_leakage
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.leakage.baselines import off_diagonal
from corrldp.leakage.tables import leakage_matrix

Setting = Compared
AXES = DATA | by_name(RAPPOR)


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield statistics over all ordered pairs of the gain of the best guess of the attacked attribute.

    The gain is the logarithm of the ratio of the probabilities of a right guess with and without the inferred value of
    the neighbour, the shift the largest logarithm of the ratio of a value's posterior and prior probability; both are
    at most the CPL.
    """
    for name in cell.setting.mechanisms:
        gain, shift = (off_diagonal(matrix) for matrix in _gain_and_shift(cell, name))
        cpl = off_diagonal(inferred_leakage(cell, cell["dataset"], name, cell["epsilon"]))
        yield Measure(name, "cpl_mean", cpl.mean())
        yield Measure(name, "cpl_highest", cpl.max())
        yield Measure(name, "gain_mean", gain.mean())
        yield Measure(name, "gain_highest", gain.max())
        yield Measure(name, "share_without_gain", float(np.mean(gain < 1e-12)))
        yield Measure(name, "shift_over_cpl_mean", float(np.mean(shift / cpl)))
        yield Measure(name, "excess_of_gain", np.max(gain - cpl))
        yield Measure(name, "excess_of_shift", np.max(shift - cpl))


def _gain_and_shift(cell: Cell, name: MechanismName) -> tuple[np.ndarray, np.ndarray]:
    """Return the gain and the shift (d, d) in nats, [about, by]."""

    def gain(counts: np.ndarray) -> np.ndarray:
        joint, prior = _joint(counts)
        return np.log(joint.max(axis=1).sum(axis=-1) / prior.max(axis=1))

    def shift(counts: np.ndarray) -> np.ndarray:
        joint, prior = _joint(counts)
        expected = prior[:, :, None] * joint.sum(axis=1, keepdims=True)
        ratios = np.divide(joint, expected, out=np.ones_like(joint), where=expected > 0)
        return np.abs(np.log(ratios)).max(axis=(1, 2))

    def _joint(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        law = counts / counts.sum(axis=(1, 2), keepdims=True)
        channel = cell.once(inferred_channel, name, cell["epsilon"], counts.shape[-1])
        return law @ channel, law.sum(axis=2)

    tables = cell.once(pair_tables, cell["dataset"])
    return leakage_matrix(tables, gain), leakage_matrix(tables, shift)

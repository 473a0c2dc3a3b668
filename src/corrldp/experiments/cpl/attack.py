"""Beyond the paper: what an attack through one neighbour gains, against the CPL that bounds it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.cpl.mechanisms import inferred_channel, inferred_leakage
from corrldp.experiments.rows import STRICT, row
from corrldp.leakage.benchmark import off_diagonal
from corrldp.leakage.tables import leakage_matrix


def run(experiment: Experiment) -> pd.DataFrame:
    """Return statistics over all ordered pairs of the gain of the best guess of the attacked attribute.

    The gain is the logarithm of the ratio of the probabilities of a right guess with and without the inferred value of
    the neighbour, the shift the largest logarithm of the ratio of a value's posterior and prior probability; both are
    at most the CPL.
    """
    rows = []
    setting = experiment.setting
    for data, epsilon, name in product(datasets(experiment, {}), setting["epsilon"], setting["mechanisms"]):
        gain, shift = (off_diagonal(matrix) for matrix in _gain_and_shift(data, name, epsilon))
        cpl = off_diagonal(inferred_leakage(data, name, epsilon))
        measured = {
            "cpl_mean": cpl.mean(),
            "cpl_highest": cpl.max(),
            "gain_mean": gain.mean(),
            "gain_highest": gain.max(),
            "share_without_gain": np.mean(gain < 1e-12),
            "shift_over_cpl_mean": np.mean(shift / cpl),
            "excess_of_gain": np.max(gain - cpl),
            "excess_of_shift": np.max(shift - cpl),
        }
        point = {"dataset": data.name, "epsilon": epsilon}
        rows += [row(point, STRICT, name, metric, value, standin=data.standin) for metric, value in measured.items()]
    return pd.DataFrame(rows)


def _gain_and_shift(data: Data, name: str, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
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
        return law @ inferred_channel(name, epsilon, counts.shape[-1]), law.sum(axis=2)

    return leakage_matrix(data.tables, gain), leakage_matrix(data.tables, shift)


if __name__ == "__main__":
    main(run)

"""Whether the sum of leakages bounds the leakage of the joint reports (Eq. 6): all triples of binary attributes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from corrldp.experiments.command import Experiment, main
from corrldp.experiments.cpl.data import Data, datasets
from corrldp.experiments.rows import STRICT, row
from corrldp.leakage.cpl import leakage_limit
from corrldp.leakage.total import joint_leakage
from corrldp.mechanisms.grr import GRR

EXCLUSIVE_OR = np.array([[[1, 0], [0, 1]], [[0, 1], [1, 0]]])


def run(experiment: Experiment) -> pd.DataFrame:
    """Return, for each attacked attribute, how the leakage of two neighbours' GRR reports compares with their sum.

    The data set "exclusive or" is the textbook case: two fair coins and their exclusive or.
    """
    rows = []
    for data, epsilon in product(datasets(experiment, {}), experiment.setting["epsilon"]):
        for k, about in enumerate(data.attributes):
            joint, total = _triples(data, k, epsilon)
            measured = {
                "share_above": np.mean(joint > total * (1 + 1e-9)),
                "share_near": np.mean(joint >= 0.9 * total),
                "ratio_mean": np.mean(joint / total),
                "ratio_highest": np.max(joint / total),
            }
            point = {"dataset": data.name, "about": about, "epsilon": epsilon}
            rows += [
                row(point, STRICT, "GRR", metric, value, standin=data.standin) for metric, value in measured.items()
            ]
    for epsilon in experiment.setting["epsilon"]:
        channel = GRR(epsilon, 2).channel()
        point = {"dataset": "exclusive or", "about": "exclusive or", "epsilon": epsilon}
        single = joint_leakage(EXCLUSIVE_OR.sum(axis=2), [channel]) + joint_leakage(EXCLUSIVE_OR.sum(axis=1), [channel])
        rows.append(row(point, STRICT, "GRR", "joint", joint_leakage(EXCLUSIVE_OR, [channel, channel])))
        rows.append(row(point, STRICT, "GRR", "sum", single))
    return pd.DataFrame(rows)


def _triples(data: Data, k: int, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the leakage about attribute k of every two others' reports, jointly and summed, (pairs,) each."""
    channel = GRR(epsilon, 2).channel()
    laws = np.stack([_joint_laws(data.codes[data.codes[:, k] == value]) for value in (0, 1)], axis=2)
    others = [j for j in range(len(data.sizes)) if j != k]
    first, second = (np.array(others)[places] for places in np.triu_indices(len(others), 1))
    reports = np.einsum("pvij,ia,jb->pvab", laws[first, second], channel, channel)
    joint = leakage_limit(reports.reshape(len(first), 2, 4))
    return joint, leakage_limit(reports.sum(axis=3)) + leakage_limit(reports.sum(axis=2))


def _joint_laws(codes: np.ndarray) -> np.ndarray:
    """Return the laws (d, d, 2, 2) of every two binary attributes."""
    ones = codes.astype(float)
    both = ones.T @ ones / len(ones)
    one = ones.mean(axis=0)
    first, second = one[:, None], one[None, :]
    cells = np.stack([1 - first - second + both, second - both, first - both, both], axis=-1)
    return np.clip(cells, 0, 1).reshape(*both.shape, 2, 2)


if __name__ == "__main__":
    main(run)

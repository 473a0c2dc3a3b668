"""Estimated joint laws of two attributes in full: synthetic data (Figure 9), age and sex (Figure 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np
from pydantic import model_validator

from corrldp.experiments.axes import by_name
from corrldp.experiments.castell.axes import SETS
from corrldp.experiments.castell.collection import observe
from corrldp.experiments.castell.synthetic import Pair, correlated_law
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, Epsilon, ViewName
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.castell.schemes import IndependentRR, rr_ind_joint, rr_independent
from corrldp.protocols.records import Integers

AXES = by_name(SETS["sampling_noise"])


class Setting(BaseSetting):
    """Names of two attributes, and their records: those of a `view`, or a synthetic `pair`; `epsilon` is each one's."""

    names: tuple[str, str]
    epsilon: Epsilon
    view: ViewName | None = None
    pair: Pair | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.view is None) == (self.pair is None):
            raise ValueError("give either a view or a pair")
        return self


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the data, the reports and both estimates of one run (`share` of each pair of values)."""
    counts, values = data(cell)
    names, rng = cell.setting.names, cell.rng(what="reports")
    for stage, table in stages(counts, cell.setting.epsilon, cell["sampling_noise"], rng):
        for places, share in np.ndenumerate(table):
            of = {name: value[place] for name, value, place in zip(names, values, places, strict=True)}
            yield Measure("RR-Ind-Joint", "share", share, place={**of, "stage": stage})


def data(cell: Cell) -> tuple[Integers, Sequence[Sequence[str | int]]]:
    """Return the counts (k_1, k_2) and the values of both attributes, numbers if the pair is synthetic."""
    pair = cell.setting.pair
    if pair is None:
        view = cell.views[cell.setting.view]
        return view.counts(), view.values
    law = correlated_law(pair.d, pair.v)
    return cell.rng(what="data").multinomial(pair.n, law.ravel()).reshape(law.shape), [range(1, pair.d + 1)] * 2


def stages(counts: Integers, epsilon: float, noise: str, rng: np.random.Generator) -> Iterator[tuple[str, Floats]]:
    """Yield the four panels of a figure: name and frequencies (k_1, k_2)."""
    protocol = IndependentRR(epsilon, counts.shape)
    observed = observe(counts, protocol.mechanisms, noise, lambda: protocol.simulate(counts, 1, rng)[0], rng)
    yield "data", counts / counts.sum()
    yield "reports", observed
    yield "RR-Independent", rr_independent(observed, protocol.mechanisms)
    yield "RR-Ind-Joint", rr_ind_joint(observed, protocol.mechanisms)

"""Mean squared error of multi-attribute frequency estimates (Figures and Tables 4 to 9 of the Corr-RR papers)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
from pydantic import Field

from corrldp.experiments.corr_rr import axes, extensions
from corrldp.experiments.corr_rr.mechanisms import (
    TWO_PHASES,
    WHOLE_RECORDS,
    Estimator,
    MechanismName,
    UniformGuess,
    build,
)
from corrldp.experiments.corr_rr.single_phase import SinglePhaseRSRFD
from corrldp.experiments.corr_rr.synthetic_data import populations
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import (
    Attributes,
    BaseSetting,
    DomainSize,
    Epsilon,
    Point,
    Probability,
    Swept,
    Users,
    ViewName,
)
from corrldp.protocols.names import label
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import Population, average_error
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.smp import SMP
from corrldp.protocols.spl import SPL

AXES = axes.DATA | axes.MECHANISMS | extensions.AXES
SINGLE_PHASE = (SPL, SMP, RSFD, SinglePhaseRSRFD, UniformGuess)


class Setting(BaseSetting):
    """Synthetic data sets of every size, or `views` of real ones (data set to view), which fix the sizes."""

    dataset: Swept[Literal["syn_a", "syn_b", "correlated"]] = ()
    n: Swept[Users] = ()
    d: Swept[Attributes] = ()
    k: Swept[DomainSize] = ()
    rho: Swept[Probability] = ()
    epsilon: Swept[Epsilon]
    phase1_fraction: Swept[Probability] = ()
    mechanisms: tuple[MechanismName, ...]
    views: dict[str, ViewName] = Field(default={})

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every data set with every size and budget."""
        if not self.views:
            yield from super().points(choices)
        for dataset in self.views:
            for point in super().points(choices):
                yield {"dataset": dataset, **point}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield the mean squared error (Eq. 2) of every mechanism.

    The theory of the protocols in `SINGLE_PHASE` is the exact expected error for the records of these runs.
    """
    for mechanism in cell.setting.mechanisms:
        estimates, truth, theory = cell.once(estimate, mechanism)
        how = cell["postprocess"]
        errors = average_error((postprocess(estimates, how) - truth) ** 2)
        yield Measure.of_runs(label(mechanism), "mse", errors, theory if how == "none" else float("nan"))


def estimate(cell: Cell, mechanism: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Return a mechanism's estimates and the true frequencies, both (runs, d, K), and the closed form of the error.

    The runs are split among the populations. The closed form is NaN if there is none.
    """
    tables = cell.latest(populations, not WHOLE_RECORDS.isdisjoint(cell.setting.mechanisms))
    idle = set() if mechanism in TWO_PHASES else {"phase1_fraction"}
    rng = cell.rng(mechanism=mechanism, point={name: cell.point[name] for name in cell.point if name not in idle})
    runs = cell.runs // len(tables)
    pairs = [(build(mechanism, cell, table), table) for table in tables]
    estimates = np.concatenate([protocol.simulate(table, runs, rng) for protocol, table in pairs])
    truth = np.concatenate([np.broadcast_to(table.frequencies(), (runs, *estimates.shape[1:])) for table in tables])
    return estimates, truth, float(np.mean([expected_error(*pair) for pair in pairs]))


def expected_error(protocol: Estimator, table: Population) -> float:
    """Return the exact mean squared error of a single-phase protocol or the uniform guess; NaN for all others."""
    open_form = isinstance(protocol, SinglePhaseRSRFD) and (protocol.prior == "noisy" or protocol.estimator == "grr")
    if open_form or not isinstance(protocol, SINGLE_PHASE):
        return float("nan")
    return float(np.mean(average_error(protocol.expected_mse(table))))

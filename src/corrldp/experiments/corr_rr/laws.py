"""Formulas of both Corr-RR papers against exact enumeration: each row is a number beside the printed formula."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, SupportsFloat

import numpy as np

from corrldp.experiments.corr_rr import laws_of_pets, laws_of_preprint
from corrldp.experiments.corr_rr.enumeration import Pair, moments
from corrldp.experiments.engine import Cell
from corrldp.experiments.measures import Measure
from corrldp.experiments.setting import BaseSetting, DomainSize, Epsilon, Point, Probability, Users
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.spl import SPL

Fact = tuple[str, str, dict[str, Any], SupportsFloat, SupportsFloat]
VERSIONS = {"pets": laws_of_pets, "preprint": laws_of_preprint}
NOTHING = {
    "identity": "",
    "case": "",
    "k": 0,
    "epsilon": math.nan,
    "n2": math.nan,
    "p_y": math.nan,
    "frequency": math.nan,
    "equal_marginals": math.nan,
    "attribute": math.nan,
    "value": math.nan,
}


class Setting(BaseSetting):
    """Domain sizes and budgets, and the cases in which the formulas of one `version` of the paper are checked.

    `frequency` are shares of `users` that hold a value; `cases` say how two marginals compare (see
    `enumeration.records_of`), `p_y` are copy probabilities.
    """

    version: Literal["pets", "preprint"]
    k: tuple[DomainSize, ...]
    epsilon: tuple[Epsilon, ...]
    frequency: tuple[Probability, ...]
    users: Users
    cases: tuple[Literal["equal", "opposite", "near", "uniform"], ...]
    p_y: tuple[Probability, ...]

    def points(self, choices: Mapping[str, Any]) -> Iterator[Point]:
        """Yield every domain size with every budget."""
        for k, epsilon in itertools.product(self.k, self.epsilon):
            yield {**NOTHING, "k": k, "epsilon": epsilon}


def measure(cell: Cell) -> Iterator[Measure]:
    """Yield enumerated values (`mean`) and the printed formula for each (`theory`)."""
    setting, grr = cell.setting, GRR(cell["epsilon"], cell["k"])
    version = VERSIONS[setting.version]
    facts = list(version.of_grr(grr))
    for frequency in setting.frequency:
        facts += [*grr_mean(grr, frequency, setting.users)]
        facts += version.of_grr_variance(grr, frequency, *_grr_moments(grr, frequency, setting.users))
    for case in setting.cases:
        pair = Pair(case, grr, 1.0)
        facts += [*first_phase(pair), *version.of_choice(pair)]
        for p_y in setting.p_y:
            copying = replace(pair, p_y=p_y)
            facts += [*second_phase_bias(copying), *version.of_copying(copying)]
    for name, who, place, value, formula in facts:
        yield Measure(who, "value", float(value), theory=float(formula), place={"identity": name, **place})


def grr_mean(grr: GRR, frequency: float, users: int) -> Iterator[Fact]:
    """Yield the mean of GRR's estimate of the frequency of a value."""
    mean, _ = _grr_moments(grr, frequency, users)
    yield "grr_mean", "GRR", {"frequency": frequency}, mean, frequency


def first_phase(pair: Pair) -> Iterator[Fact]:
    """Yield the means of the estimates of Phase I, and the biases of RS+FD by its own and by GRR's estimator."""
    grr, sizes = pair.mechanism, (pair.k, pair.k)
    spl, rs_fd = SPL(grr.epsilon, sizes), RSFD(grr.epsilon, sizes)
    first = pair.through(spl.channel()).mean(axis=0)
    faked = pair.through(rs_fd.channel()).mean(axis=0)
    own = rs_fd.unbias(faked, 1)
    for j, v in np.ndindex(2, pair.k):
        point, f = pair.point(j, v), pair.frequencies[j, v]
        yield "phase_1_mean", "Corr-RR", point, spl.unbias(first, 1)[j, v], f
        yield "rs_fd_bias", "RS+FD", point, own[j, v] - f, math.nan
        yield "rs_fd_bias_grr_estimator", "RS+FD", point, grr.unbias(faked[j], 1)[v] - f, math.nan


def second_phase_bias(pair: Pair) -> Iterator[Fact]:
    """Yield the biases of the estimates of Phase II."""
    reported = pair.reports.mean(axis=0)
    for j, v in np.ndindex(2, pair.k):
        bias = pair.mechanism.unbias(reported[j], 1)[v] - pair.frequencies[j, v]
        yield "phase_2_bias", "Corr-RR", {**pair.point(j, v), "p_y": pair.p_y}, bias, math.nan


def _grr_moments(grr: GRR, frequency: float, users: int) -> tuple[float, float]:
    """Mean, and n times the variance, of GRR's estimate of the frequency of a value that a share of the users has."""
    holders = round(frequency * users)
    mean, variance = moments(np.repeat([grr.p_support, grr.q_support], [holders, users - holders]), grr)
    return mean, users * variance

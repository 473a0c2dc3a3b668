"""Formulas of the PETS version of Corr-RR beside enumerated values: rows of the experiment `laws`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, SupportsFloat

import numpy as np

from corrldp.experiments.corr_rr.enumeration import Pair
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.rules import pair_quadratic, pets_appendix, pets_body, theorem_5
from corrldp.protocols.corr_rr.synthesis import copy_channels

Fact = tuple[str, str, dict[str, Any], SupportsFloat, SupportsFloat]


def of_grr(grr: GRR) -> Iterator[Fact]:
    """Yield the likelihood ratio of GRR, beside e^epsilon (Section 2.2), and errors if values are equally frequent."""
    channel = grr.channel()
    yield "grr_ratio", "GRR", {}, channel[0, 0] / channel[1, 0], math.exp(grr.epsilon)
    for p_y in (0.0, 0.3, 0.7, 1.0):
        error = Pair("uniform", grr, p_y).error(0, 0)
        yield "equal_frequencies", "Corr-RR", {"case": "uniform", "p_y": p_y}, error, math.nan


def of_grr_variance(grr: GRR, frequency: float, mean: float, variance: float) -> Iterator[Fact]:
    """Yield n times the variance of GRR's estimate, beside the formula of Section 2.2."""
    yield "grr_variance", "GRR", {"frequency": frequency}, variance, printed_grr_variance(grr)


def printed_grr_variance(grr: GRR) -> float:
    """Return n times the variance that both papers print."""
    return (math.exp(grr.epsilon) + grr.k - 2) / math.expm1(grr.epsilon) ** 2


def of_copying(pair: Pair) -> Iterator[Fact]:
    """Yield the total probability of a copy's values and the error of Theorem 5, for random and for given records."""
    k, printed = pair.k, copying_error(pair)
    yield (
        "copy_total",
        "Corr-RR",
        {"case": pair.case, "p_y": pair.p_y},
        copy_channels(np.asarray(pair.p_y), k)[0].sum(),
        1.0,
    )
    for j, v in np.ndindex(2, k):
        point = {**pair.point(j, v), "p_y": pair.p_y}
        yield "theorem_5", "Corr-RR", point, pair.error(j, v), printed[j, v]
        yield "theorem_5_fixed", "Corr-RR", point, pair.error(j, v, fixed=True), printed[j, v]


def copying_error(pair: Pair) -> np.ndarray:
    """Theorem 5's errors (2, k) of both attributes."""
    f = pair.frequencies
    return np.stack([theorem_5(f[j], f[1 - j], np.asarray(pair.p_y), pair.n2, pair.mechanism) for j in range(2)])


def of_choice(pair: Pair) -> Iterator[Fact]:
    """Yield the p_y of Proposition 1 and of the procedure after it, and the probability of Appendix 7.1."""
    f, grr = pair.frequencies, pair.mechanism
    square, linear = pair_quadratic(f, pair.n2, grr)
    for j in range(2):
        s, point, best = 1 - j, pair.point(j), pair.best_copy(j)
        ratio = linear[s, j] / (2 * square[s, j])
        yield "proposition_1_body", "Corr-RR", point, best, ratio
        yield "proposition_1_appendix", "Corr-RR", point, best, -ratio
        inside = min(max(best, 0.0), 1.0)
        yield "procedure_body", "Corr-RR", point, inside, pets_body(f, pair.n2, grr)[s, j]
        yield "procedure_appendix", "Corr-RR", point, inside, pets_appendix(f, pair.n2, grr)[s, j]
        for v in range(pair.k):
            another = 1 - f[s] @ grr.channel()[:, v]
            yield "complement", "Corr-RR", pair.point(j, v), another, grr.p_support - grr.gap * f[s, v]

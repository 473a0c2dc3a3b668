"""Formulas of the preprint of Corr-RR beside enumerated values: rows of the experiment `laws`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any, SupportsFloat

import numpy as np

from corrldp.experiments.corr_rr.enumeration import Pair, stationary_point
from corrldp.experiments.corr_rr.laws_of_pets import printed_grr_variance
from corrldp.mechanisms.grr import GRR
from corrldp.mechanisms.pure import Floats
from corrldp.protocols.corr_rr import preprint
from corrldp.protocols.spl import SPL

Fact = tuple[str, str, dict[str, Any], SupportsFloat, SupportsFloat]
FACING_ONE_HALF = (0.0, 0.25, 0.75, 1.0)


def of_grr(grr: GRR) -> Iterator[Fact]:
    """Yield the totals p + q of both phases, which the preprint says are 1 (Section 3.2.1)."""
    first = SPL(grr.epsilon, (grr.k, grr.k)).mechanisms[0]
    yield "p_1_plus_q_1", "Corr-RR", {}, first.p_support + first.q_support, 1.0
    yield "p_2_plus_q_2", "Corr-RR", {}, grr.p_support + grr.q_support, 1.0
    if grr.k == 2:
        at_half = Pair("uniform", grr, 0.5).error(0, 0)
        for p_y in FACING_ONE_HALF:
            ratio = Pair("uniform", grr, p_y).error(0, 0) / at_half
            yield "symmetry_point", "Corr-RR", {"case": "uniform", "p_y": p_y}, ratio, math.nan


def of_grr_variance(grr: GRR, frequency: float, mean: float, variance: float) -> Iterator[Fact]:
    """Yield the variance of GRR's estimate over the approximation of Section 2.2."""
    yield "grr_variance_ratio", "GRR", {"frequency": frequency}, variance / printed_grr_variance(grr), math.nan


def of_copying(pair: Pair) -> Iterator[Fact]:
    """Yield the totals of the printed laws, the error of Theorem 4, and the average that Eq. 4 replaces."""
    k, grr, p_y = pair.k, pair.mechanism, {"p_y": pair.p_y}
    yield "copy_total", "Corr-RR", {"case": pair.case, **p_y}, preprint.printed_copy_law(pair.p_y, k).sum(), 1.0
    for j in range(2):
        f_a, f_b = pair.frequencies[j], pair.frequencies[1 - j]
        total = preprint.printed_report_law(f_a, f_b, pair.p_y, grr).sum()
        yield "pi_total", "Corr-RR", {**pair.point(j), **p_y}, total, 1.0
        printed = preprint.theorem_4(f_a, f_b, np.asarray(pair.p_y), pair.n2, grr)
        for v in range(k):
            yield "theorem_4", "Corr-RR", {**pair.point(j, v), **p_y}, pair.error(j, v), printed[v]
    errors = [pair.average_error(j) for j in range(2)]
    yield "eq_4", "Corr-RR", {**pair.point(0), **p_y}, np.mean(errors), errors[0]


def of_choice(pair: Pair) -> Iterator[Fact]:
    """Yield the minimiser of Eq. 4 as printed, beside Proposition 1 and the last formula of Appendix 6.2."""
    f, n2, grr = pair.frequencies, pair.n2, pair.mechanism
    for j in range(2):
        f_a, f_b = f[j], f[1 - j]
        best = stationary_point(partial(_average_error, f_a, f_b, n2, grr))
        body = preprint.stationary_point(f_a, f_b, n2)
        appendix = preprint.stationary_point_of_appendix(f_a, f_b, n2, grr)
        yield "proposition_1_body", "Corr-RR", pair.point(j), best, body
        yield "proposition_1_appendix", "Corr-RR", pair.point(j), best, appendix


def _average_error(f_a: Floats, f_b: Floats, n2: int, grr: GRR, p_y: float) -> float:
    return float(preprint.theorem_4(f_a, f_b, np.asarray(p_y), n2, grr).mean())

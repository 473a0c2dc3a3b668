"""Formulas of both Corr-RR papers against exact enumeration: each row is a number beside the printed formula."""

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Literal, SupportsFloat

import numpy as np
from shared.runners.second_phase import (
    CopyingPair,
    minimiser_of_theorem_4,
    moments,
    printed_copy_law,
    printed_report_law,
    proposition_1,
    proposition_1_of_appendix,
    theorem_4,
)

from claimaudit.experiments.engine import Cell
from claimaudit.experiments.runner import BaseSetting, Measure, Point
from corrldp.mechanisms.grr import GRR
from corrldp.protocols.corr_rr.pivot import copy_channels
from corrldp.protocols.corr_rr.rules import pair_quadratic, pets_appendix, pets_body, theorem_5
from corrldp.protocols.rs_fd import RSFD
from corrldp.protocols.smp import SPL
from corrldp.runners import DomainSize, Epsilon, Probability, Users, runner

Fact = tuple[str, str, dict[str, Any], SupportsFloat, SupportsFloat]
"""Identity, mechanism, place, enumerated value and printed formula."""

NOTHING = {"identity": "", "case": "", "k": 0} | dict.fromkeys(
    ("epsilon", "n2", "p_y", "frequency", "equal_marginals", "attribute", "value"), math.nan
)


class Formulas(BaseSetting):
    """Domain sizes and budgets, and the cases in which the formulas of one `version` of the paper are checked.

    `frequency` are shares of `users` that hold a value; `cases` say how two marginals compare (see
    `shared.runners.second_phase.records_of`), `p_y` are copy probabilities.
    """

    version: Literal["pets", "preprint"]
    k: tuple[DomainSize, ...]
    epsilon: tuple[Epsilon, ...]
    frequency: tuple[Probability, ...]
    users: Users
    cases: tuple[Literal["equal", "opposite", "near", "uniform"], ...]
    p_y: tuple[Probability, ...]

    def outer(self) -> Iterable[Point]:
        return [{**NOTHING, "k": k, "epsilon": epsilon} for k, epsilon in itertools.product(self.k, self.epsilon)]


@runner(Formulas, mechanisms=("GRR", "Corr-RR", "RS+FD"), metrics=("value",), columns=tuple(NOTHING))
def formulas(cell: Cell) -> Iterator[Measure]:
    """Yield enumerated values (`mean`) and the printed formula for each (`theory`)."""
    setting, grr = cell.setting, GRR(cell["epsilon"], cell["k"])
    of_grr, of_copying, of_choice = VERSIONS[setting.version]
    facts, users = list(of_grr(grr)), setting.users
    printed = (math.exp(grr.epsilon) + grr.k - 2) / math.expm1(grr.epsilon) ** 2  # n times the variance, in both papers
    for frequency in setting.frequency:
        holders, place = round(frequency * users), {"frequency": frequency}
        mean, variance = moments(np.repeat([grr.p_support, grr.q_support], [holders, users - holders]), grr)
        facts.append(("grr_mean", "GRR", place, mean, frequency))
        if setting.version == "pets":
            facts.append(("grr_variance", "GRR", place, users * variance, printed))
        else:  # which calls it an approximation
            facts.append(("grr_variance_ratio", "GRR", place, users * variance / printed, math.nan))
    for case in setting.cases:
        pair = CopyingPair(case, grr, 1.0)
        facts += [*first_phase(pair), *of_choice(pair)]
        for p_y in setting.p_y:
            copying = replace(pair, p_y=p_y)
            reported = copying.reports.mean(axis=0)
            for j, v in np.ndindex(2, grr.k):
                place = {**copying.point(j, v), "p_y": p_y}
                bias = grr.unbias(reported[j], 1)[v] - copying.frequencies[j, v]
                facts.append(("phase_2_bias", "Corr-RR", place, bias, math.nan))
            facts += of_copying(copying)
    for name, who, place, value, formula in facts:
        yield Measure(who, "value", float(value), theory=float(formula), place={"identity": name, **place})


def first_phase(pair: CopyingPair) -> Iterator[Fact]:
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


def grr_of_pets(grr: GRR) -> Iterator[Fact]:
    """Yield the likelihood ratio of GRR, beside e^epsilon (Section 2.2), and errors for equally frequent values."""
    channel = grr.channel()
    yield "grr_ratio", "GRR", {}, channel[0, 0] / channel[1, 0], math.exp(grr.epsilon)
    for p_y in (0.0, 0.3, 0.7, 1.0):
        error = CopyingPair("uniform", grr, p_y).error(0, 0)
        yield "equal_frequencies", "Corr-RR", {"case": "uniform", "p_y": p_y}, error, math.nan


def copying_of_pets(pair: CopyingPair) -> Iterator[Fact]:
    """Yield the total probability of a copy's values and the error of Theorem 5, for random and given records."""
    k, f, p_y = pair.k, pair.frequencies, np.asarray(pair.p_y)
    printed = [theorem_5(f[j], f[1 - j], p_y, pair.n2, pair.mechanism) for j in range(2)]
    yield "copy_total", "Corr-RR", {"case": pair.case, "p_y": pair.p_y}, copy_channels(p_y, k)[0].sum(), 1.0
    for j, v in np.ndindex(2, k):
        point = {**pair.point(j, v), "p_y": pair.p_y}
        yield "theorem_5", "Corr-RR", point, pair.error(j, v), printed[j][v]
        yield "theorem_5_fixed", "Corr-RR", point, pair.error(j, v, fixed=True), printed[j][v]


def choice_of_pets(pair: CopyingPair) -> Iterator[Fact]:
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


def grr_of_preprint(grr: GRR) -> Iterator[Fact]:
    """Yield the totals p + q of both phases, which the preprint says are 1 (Section 3.2.1)."""
    first = SPL(grr.epsilon, (grr.k, grr.k)).mechanisms[0]
    yield "p_1_plus_q_1", "Corr-RR", {}, first.p_support + first.q_support, 1.0
    yield "p_2_plus_q_2", "Corr-RR", {}, grr.p_support + grr.q_support, 1.0
    if grr.k == 2:
        at_half = CopyingPair("uniform", grr, 0.5).error(0, 0)
        for p_y in (0.0, 0.25, 0.75, 1.0):
            ratio = CopyingPair("uniform", grr, p_y).error(0, 0) / at_half
            yield "symmetry_point", "Corr-RR", {"case": "uniform", "p_y": p_y}, ratio, math.nan


def copying_of_preprint(pair: CopyingPair) -> Iterator[Fact]:
    """Yield the totals of the printed laws, the error of Theorem 4, and the average that Eq. 4 replaces."""
    k, grr, p_y = pair.k, pair.mechanism, {"p_y": pair.p_y}
    yield "copy_total", "Corr-RR", {"case": pair.case, **p_y}, printed_copy_law(pair.p_y, k).sum(), 1.0
    for j in range(2):
        f_a, f_b = pair.frequencies[j], pair.frequencies[1 - j]
        total = printed_report_law(f_a, f_b, pair.p_y, grr).sum()
        yield "pi_total", "Corr-RR", {**pair.point(j), **p_y}, total, 1.0
        printed = theorem_4(f_a, f_b, pair.p_y, pair.n2, grr)
        for v in range(k):
            yield "theorem_4", "Corr-RR", {**pair.point(j, v), **p_y}, pair.error(j, v), printed[v]
    errors = [pair.average_error(j) for j in range(2)]
    yield "eq_4", "Corr-RR", {**pair.point(0), **p_y}, np.mean(errors), errors[0]


def choice_of_preprint(pair: CopyingPair) -> Iterator[Fact]:
    """Yield the minimiser of Eq. 4 as printed, beside Proposition 1 and the last formula of Appendix 6.2."""
    f, n2, grr = pair.frequencies, pair.n2, pair.mechanism
    for j in range(2):
        best = minimiser_of_theorem_4(f[j], f[1 - j], n2, grr)
        for place, printed in (("body", proposition_1), ("appendix", proposition_1_of_appendix)):
            yield f"proposition_1_{place}", "Corr-RR", pair.point(j), best, printed(f[j], f[1 - j], n2, grr)


VERSIONS = {
    "pets": (grr_of_pets, copying_of_pets, choice_of_pets),
    "preprint": (grr_of_preprint, copying_of_preprint, choice_of_preprint),
}

"""How large errors are on a table, which protocol to choose by them, and how exactly it reads shares.

Errors are expected squared errors of frequencies. Without post-processing, the error is a closed form where there is
one. Everything else is simulated at the count level. Protocols are chosen once from public facts alone, once from the
table. The second choice looks at the data: a deployment that publishes or follows it reveals something about them,
which no budget counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import nan, sqrt
from typing import TypeVar

import numpy as np
from scipy.stats import norm

from claimaudit.results import mean_and_se
from claimaudit.words.numbers import gathered
from corrldp.arrays import Floats
from corrldp.deployment.plan import INTERVAL, ErrorCurve, curves_of
from corrldp.leakage.empirical import holm
from corrldp.mechanisms.validation import ROUNDING
from corrldp.protocols.postprocess import postprocess
from corrldp.protocols.records import average_error
from corrldp.randomness import generator, rounded
from corrldp.study.contenders import Contender, Marginals, Users
from corrldp.study.settings import StudySettings
from corrldp.study.tables import (
    ALL,
    PUBLIC,
    TABLE,
    Accuracy,
    Candidate,
    ErrorRow,
    Gap,
    Recommendation,
    Standing,
    interval,
)

T = TypeVar("T")

NEGLIGIBLE = 0.01  # relative difference of two errors that makes no difference to anyone


@dataclass(frozen=True)
class Error:
    """The error of one protocol with one post-processing at one budget.

    The expected squared error of each frequency, `means` (d, K), has standard errors `ses` (d, K), 0 in closed form;
    both are NaN beyond a domain. The squared error of each run and attribute, averaged over values, is in `runs` (runs,
    d); None in closed form.
    """

    contender: Contender
    postprocess: str
    means: Floats
    ses: Floats
    runs: Floats | None

    @property
    def mean(self) -> float:
        """Average over the values of each attribute, then over attributes."""
        return float(average_error(self.means))

    @property
    def se(self) -> float:
        return 0.0 if self.runs is None else float(mean_and_se(self.runs.mean(axis=1))[1])


def measure(contenders: Iterable[Contender], users: Users, settings: StudySettings) -> tuple[list[Error], list[Gap]]:
    """Return the errors of protocols with every post-processing, and what was left out and why."""
    errors: list[Error] = []
    left_out: list[Gap] = []
    for contender in contenders:
        try:
            for error in of_contender(contender, users, settings):
                errors.append(error) if isinstance(error, Error) else left_out.append(error)
        except (ValueError, MemoryError) as fault:
            left_out.append(Gap("protocol", contender.name, contender.epsilon, str(fault)))
    return errors, left_out


def of_contender(contender: Contender, users: Users, settings: StudySettings) -> Iterator[Error | Gap]:
    """Yield the error of one protocol with each post-processing, or why there is none."""
    rng = generator(settings.seed, "study", "error", contender.law, contender.epsilon)
    estimates = contender.simulate(users, settings.runs, rng)
    truth = users.marginals.frequencies()
    exact = contender.expected_mse(contender.population(users)) if contender.closed else None
    spread = estimates.std(axis=0, ddof=1) if exact is None else np.sqrt(exact)
    for how in settings.postprocess:
        if how == "none" and exact is not None:
            yield Error(contender, how, exact, np.where(np.isnan(exact), np.nan, 0.0), None)
            continue
        try:
            squares = (postprocess(estimates, how, spread) - truth) ** 2
        except ValueError as error:
            yield Gap("protocol", f"{contender.name}, {how}", contender.epsilon, str(error))
            continue
        yield Error(contender, how, *mean_and_se(squares), np.nanmean(squares, axis=-1))


def of_values(error: Error, users: Users) -> Iterator[ErrorRow]:
    """Yield the error of each value, of the average over an attribute's values, and of that over attributes."""
    table, runs = users.table, error.runs
    place = (error.contender.epsilon, error.contender.name, error.postprocess)
    times = 0 if runs is None else len(runs)
    yield ErrorRow(*place, ALL, ALL, error.mean, *interval(error.mean, error.se), times)
    for j, name in enumerate(table.names):
        mean = float(error.means[j, : table.sizes[j]].mean())
        se = 0.0 if runs is None else float(mean_and_se(runs[:, j])[1])
        yield ErrorRow(*place, name, ALL, mean, *interval(mean, se), times)
        for value, mean, se in zip(table.values[j], error.means[j].tolist(), error.ses[j].tolist(), strict=False):
            yield ErrorRow(*place, name, value, mean, *interval(mean, se), times)


def compare(errors: Sequence[Error], users: Users, settings: StudySettings) -> Iterator[Candidate]:
    """Yield what can be chosen at each budget, the best first, from public facts and from the table."""
    for epsilon in settings.epsilons:
        found = [error for error in errors if error.contender.epsilon == epsilon]
        yield from _from_public_facts(epsilon, {one.contender.name: one.contender for one in found}.values(), users)
        yield from _from_table(epsilon, found, users, settings)


def recommended(best: Candidate, *candidates: Candidate) -> Recommendation:
    """Return the choice among candidates of one budget and basis, the best first."""
    others = [one for one in candidates if one.protocol != best.protocol]
    second = next((one for one in others if one.standing != "equal"), None)
    runner_up = (second.protocol, second.postprocess, second.margin, second.p_value) if second else ("", "", nan, nan)
    unsure = any(one.standing == "open" for one in others)
    return Recommendation(*best[:6], "cannot tell" if unsure else "recommended", *runner_up)


def _from_public_facts(epsilon: float, contenders: Iterable[Contender], users: Users) -> Iterator[Candidate]:
    """Compare protocols whose error follows from the number of users and the domains, whatever the records are."""
    choices = []
    for found in contenders:
        if found.closed and not found.needs_records:
            errors = [float(average_error(found.expected_mse(one))) for one in extremes(users.marginals)]
            row = Candidate(epsilon, PUBLIC, found.name, (), "none", max(errors), "best", nan, nan)
            choices.append((found.behaviour(users), row, errors))
    for row, errors, best in ranked(choices):
        if errors is not best:
            ratios = [mine / least for mine, least in zip(errors, best, strict=True)]
            equal = all(abs(ratio - 1) <= NEGLIGIBLE for ratio in ratios)
            standing: Standing = "equal" if equal else "open" if min(ratios) <= 1 + ROUNDING else "larger"
            row = row._replace(standing=standing)
        yield row


def extremes(marginals: Marginals) -> Iterable[Marginals]:
    """Yield users of the same number and domains with equal frequencies, and users who all agree.

    The error of each protocol in closed form, averaged over an attribute's values, lies between those of the two: it
    depends on the frequencies through the sum of their squares only, if at all.
    """
    n, sizes = marginals.n, marginals.sizes
    k, values = np.array(sizes)[:, None], np.arange(max(sizes))
    equal = np.where(values < k, n // k + (values < n % k), 0)
    agreed = np.where(values < np.ones_like(k), n, 0)
    return Marginals(equal, sizes), Marginals(agreed, sizes)


def _from_table(epsilon: float, errors: list[Error], users: Users, settings: StudySettings) -> Iterator[Candidate]:
    choices = []
    for one in errors:
        row = Candidate(epsilon, TABLE, one.contender.name, (), one.postprocess, one.mean, "best", nan, nan)
        choices.append((one.contender.behaviour(users), row, one))
    found = ranked(choices)
    differences = [difference(best, other) for _, other, best in found[1:]]
    p_values = holm([p_value(*pair) for pair in differences]) if differences else np.zeros(0)
    yield from (row for row, *_ in found[:1])
    for (row, _, best), (mean, se), p in zip(found[1:], differences, p_values, strict=True):
        equal = mean + INTERVAL * se <= NEGLIGIBLE * best.mean
        standing: Standing = "equal" if equal else "open" if p >= settings.level else "larger"
        yield row._replace(standing=standing, p_value=float(p))


def ranked(choices: Iterable[tuple[str, Candidate, T]]) -> list[tuple[Candidate, T, T]]:
    """Return what can be chosen, each with its error and the best one's, the best first.

    Choices of one behaviour and post-processing are one protocol, called by the name of the first of them. The order
    leaves out the last digits: those of two formulas for one number differ.
    """
    groups = gathered(((behaviour, row.postprocess), (row, error)) for behaviour, row, error in choices)
    found = [(row._replace(same=tuple(one.protocol for one, _ in rest)), own) for (row, own), *rest in groups.values()]
    found.sort(key=lambda one: float(rounded(one[0].mse)))
    least = found[0][0].mse if found else nan
    return [(row._replace(margin=row.mse / least - 1 if least else nan), own, found[0][1]) for row, own in found]


def difference(one: Error, other: Error) -> tuple[float, float]:
    """Return how much larger the other error is, with its standard error; errors of the same runs are paired.

    Both are 0 where they come from rounding.
    """
    mean, se = other.mean - one.mean, float(np.hypot(one.se, other.se))
    if one.contender.law == other.contender.law and one.runs is not None and other.runs is not None:
        mean, se = map(float, mean_and_se(other.runs.mean(axis=1) - one.runs.mean(axis=1)))
    return (mean, se) if np.hypot(mean, se) > ROUNDING * one.mean else (0.0, 0.0)


def p_value(mean: float, se: float) -> float:
    """Return the p-value, two-sided, of the hypothesis that a difference with a standard error is 0."""
    if se == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * norm.sf(abs(mean) / se))


def accuracy(chosen: Recommendation, errors: Sequence[Error], users: Users) -> Iterator[Accuracy]:
    """Yield what a recommended protocol does to each column, by its error before post-processing if that is known."""
    place = chosen.protocol, chosen.epsilon
    mine = {one.postprocess: one for one in errors if (one.contender.name, one.contender.epsilon) == place}
    contender = next(iter(mine.values())).contender
    table, shares = users.table, users.marginals.frequencies()
    curves: list[ErrorCurve] | list[None] = [None] * table.d
    if contender.closed and table.n > 1:
        curves = curves_of(contender.protocol, table.n)
    for j, (name, curve) in enumerate(zip(table.names, curves, strict=True)):
        smallest = None if curve is None else curve.smallest_share()
        if chosen.basis == PUBLIC:
            value, share, error = "", nan, nan if curve is None else curve.error(None)
        else:
            means = mine.get("none", mine[chosen.postprocess]).means[j]
            v = int(np.nanargmax(means))
            value, share, error = table.values[j][v], float(shares[j, v]), INTERVAL * sqrt(means[v])
        numbers = (value, share, error, nan if smallest is None else smallest)
        yield Accuracy(chosen.epsilon, chosen.basis, chosen.protocol, name, table.sizes[j], *numbers)
